package instance

import "github.com/hallmark-kit/hallmark/spec"

// judge validates values, within the remaining effort.
type judge struct {
	valid func(s *spec.Schema, value any) bool
	// effort is what remains for the current step, and work what remains for all of them.
	effort int
	work   *Work
}

// refill renews the effort for the next step, if work remains.
func (j *judge) refill() {
	j.effort = maxEffort
	if j.work.Left() == 0 {
		j.effort = 0
	}
}

// spend takes steps of work. If none remain, no effort remains either.
func (j *judge) spend(steps int) {
	if !j.work.Spend(steps) {
		j.effort = 0
	}
}

const (
	// maxEffort bounds how many values are tried in each step for a subject: to find a valid one, to find its
	// branches, to choose cases. A few lines of schema may have more combinations than there is time for.
	maxEffort = 1_000
	// maxWeight bounds the size of an instance, see weight.
	maxWeight = 20_000
)

// keeps reports whether a value conforms to all of the schemas, and is not too large.
func (j *judge) keeps(c parts, value any) bool {
	if weight(value, maxWeight) <= 0 {
		return false
	}
	for _, p := range c {
		j.effort--
		if j.work.Left() == 0 || !j.valid(p.Schema, value) {
			j.spend(0)
			return false
		}
	}
	j.spend(0)
	return true
}

// weight returns what remains of left after subtracting the number of values in a value, with long texts counted
// as several. It is not positive if there are more.
func weight(value any, left int) int {
	const textUnit = 32
	left--
	switch v := value.(type) {
	case string:
		left -= len(v) / textUnit
	case []any:
		for i := 0; i < len(v) && left > 0; i++ {
			left = weight(v[i], left)
		}
	case map[string]any:
		for _, member := range v {
			if left <= 0 {
				break
			}
			left = weight(member, left)
		}
	}
	return left
}
