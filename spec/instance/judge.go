package instance

import "hallmark/spec"

// judge holds values against schemas, with what effort is left.
type judge struct {
	valid func(s *spec.Schema, value any) bool
	// effort is what is left for the step at hand, and work what is left for all of them.
	effort int
	work   *Work
}

// refill gives the next step its effort, if there is work left.
func (j *judge) refill() {
	j.effort = maxEffort
	if j.work.Left() == 0 {
		j.effort = 0
	}
}

// spend takes steps of work. Where none are left, no effort is left either.
func (j *judge) spend(steps int) {
	if !j.work.Spend(steps) {
		j.effort = 0
	}
}

const (
	// maxEffort bounds how many values are tried for each step of a subject: to find a valid one, to find the branches that it
	// keeps, to choose cases. Schemas can be combined so that a few lines have more combinations than there is time for.
	maxEffort = 1_000
	// maxWeight bounds the values of one instance, see weight.
	maxWeight = 20_000
)

// keeps reports whether a value keeps all of the schemas, and is not too large.
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

// weight returns what is left of a number when the values in a value are taken from it, long texts as several; it is not positive
// when there are more.
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
