package view

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
)

// Suggested is a line of a file of values that may make operations succeed that never did. Without a key, no value is known to help.
type Suggested struct {
	record.Suggestion
	// Operations are those that the line is about, and Behind those that need one of them to succeed first.
	Operations, Behind []string
}

// Suggested returns the lines for the operations that never succeeded, those first that help most operations.
func (v *View) Suggested() []Suggested {
	var all []Suggested
	behind := map[string][]string{}
	for _, u := range v.Result.Unreached {
		found := false
		for _, one := range v.Record.Suggestions {
			if one.Operation != u.Operation {
				continue
			}
			found = true
			i := slices.IndexFunc(all, func(s Suggested) bool { return one.Key != "" && s.Key == one.Key })
			switch {
			case i >= 0:
				all[i].Operations = append(all[i].Operations, one.Operation)
			default:
				all = append(all, Suggested{Suggestion: one, Operations: []string{one.Operation}})
			}
			if one.Key == "" && one.After != "" {
				behind[one.After] = append(behind[one.After], one.Operation)
			}
		}
		if !found {
			all = append(all, Suggested{Suggestion: record.Suggestion{Operation: u.Operation, Says: cmp.Or(u.Reason, unreachedBecause(u.Last))}, Operations: []string{u.Operation}})
		}
	}
	for i := range all {
		if all[i].Key != "" {
			all[i].Behind = behindAll(behind, all[i].Operations)
		}
	}
	slices.SortStableFunc(all, func(a, b Suggested) int {
		return cmp.Or(-cmp.Compare(min(len(a.Key), 1), min(len(b.Key), 1)), cmp.Compare(len(b.Operations)+len(b.Behind), len(a.Operations)+len(a.Behind)))
	})
	return all
}

// behindAll returns the operations that need some others to succeed first, directly or through others.
func behindAll(behind map[string][]string, operations []string) []string {
	var all []string
	for queue := slices.Clone(operations); len(queue) > 0; queue = queue[1:] {
		for _, one := range behind[queue[0]] {
			if !slices.Contains(all, one) && !slices.Contains(operations, one) {
				all, queue = append(all, one), append(queue, one)
			}
		}
	}
	return all
}

// unreachedBecause says why an operation never succeeded by its last exchange, which may be nil.
func unreachedBecause(last *spec.Exchange) string {
	if last == nil {
		return "it was not called"
	}
	return "the last response was " + strconv.Itoa(last.Response.Status)
}

// SuggestedLines returns the most helpful suggestions in a sentence each, at most the given number, and how many operations all of them are about.
func (v *View) SuggestedLines(most int) (lines []string, left, operations int) {
	for _, one := range v.Suggested() {
		if one.Key == "" {
			continue
		}
		operations += len(one.Operations) + len(one.Behind)
		if len(lines) == most {
			left++
			continue
		}
		lines = append(lines, text.Short(one.Key+": "+one.Example+"  # "+text.Enumerate(one.Operations, "and")+": "+one.Says))
	}
	return lines, left, operations
}
