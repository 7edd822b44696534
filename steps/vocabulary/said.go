package vocabulary

import (
	"strconv"
	"strings"

	"hallmark/steps/scenario"
	"hallmark/steps/suite"
)

// Called is said by a step that calls an operation with arguments.
type Called struct {
	Operation string
	Arguments scenario.Arguments
}

// Answered is said by a step that expects one of some statuses.
type Answered struct{ Statuses []int }

// Sent is said by a step that plans a body in which a property has a certain value, a JSON text.
type Sent struct{ Property, JSON string }

// saysCalled reads the groups of "<operation> is called [n times] [with <arguments>]". Arguments that a run fills in do not count.
func saysCalled(groups []string) any {
	called := Called{Operation: unquoted(groups[0])}
	if with := groups[2]; with != "" {
		for _, part := range suite.SplitArguments(with) {
			name, value, _ := strings.Cut(part, " ")
			if text, err := strconv.Unquote(value); err == nil {
				value = text
			}
			called.Arguments.Set(name, value)
		}
	}
	return called
}

// saysAnswered reads the group of "the response is 200 or 201".
func saysAnswered(groups []string) any {
	var out Answered
	for w := range strings.SplitSeq(groups[0], " or ") {
		n, _ := strconv.Atoi(w)
		out.Statuses = append(out.Statuses, n)
	}
	return out
}

// saysSent reads the groups of "a plain body where status is "sold"".
func saysSent(groups []string) any { return Sent{groups[0], groups[1]} }
