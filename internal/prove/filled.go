package prove

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/verdict"
)

// filledStores returns the initial sizes of the stores in a whole proof, besides the empty one: fewer resources than a list may show, and
// many more.
func filledStores() []int { return []int{30, 3000} }

// ParseStores reads the initial sizes of stores, as --preload gives them; each may be at most most. The noun is
// the word for a resource.
func ParseStores(words []string, most int) ([]int, error) {
	var sizes []int
	for _, w := range words {
		n, err := strconv.Atoi(w)
		if err != nil || n < 1 || n > most {
			return nil, fmt.Errorf("--preload %s: give a number of resources from 1 to %d", text.Visible(w), most)
		}
		sizes = append(sizes, n)
	}
	return sizes, nil
}

// onePart is the fraction of the cases, one in onePart, that a whole proof judges on filled stores.
const onePart = 4

// Filled is the result of a proof on stores that hold resources from the beginning. Some rules cannot be tested
// there. A fault that breaks one of these may remain undetected, but its rule must not be reported as conforming.
type Filled struct {
	// Preload is how many resources each store holds before the first request.
	Preload int `json:"preload"`
	// Sample reports whether only a part of the cases was judged.
	Sample bool `json:"sample,omitempty"`
	// Of Faults, Killed were found with their own rule named, NotExercised have a rule that the run reports as not
	// exercised, and Conform are those whose rule it reports as conforming, or names wrongly.
	Faults       int `json:"faults"`
	Killed       int `json:"killed"`
	NotExercised int `json:"notExercised"`
	Conform      int `json:"conform"`
	// Of Freedoms, including the clean service, Accepted had no findings.
	Freedoms int `json:"freedoms"`
	Accepted int `json:"accepted"`
	// Outcomes are in the order of the cases.
	Outcomes []Outcome `json:"outcomes"`
}

// sample chooses one in four of the cases, the same ones every time.
func sample(cases []Case) []Case {
	return slices.DeleteFunc(slices.Clone(cases), func(c Case) bool {
		h := fnv.New32a()
		h.Write([]byte(c.Name))
		return c.Kind != Clean && h.Sum32()%onePart != 0
	})
}

// addFilled adds what was found on filled stores to a proof.
func (proof *Measurement) addFilled(f Filled) {
	proof.Filled = append(proof.Filled, f)
	for _, o := range f.Outcomes {
		var what string
		switch {
		case o.Failure != "":
			what = "could not be judged: " + o.Failure
		case o.OK:
			continue
		case o.Kind == Fault:
			what = fmt.Sprintf("survives, and its rule %s is %q", o.Rule, o.Own)
		default:
			what = "is accused" + o.togetherWith() + ": " + o.Example
		}
		proof.Problems = append(proof.Problems, fmt.Sprintf("on a store of %d: the %s %s %s", f.Preload, o.Kind, o.Name, what))
	}
}

// figure returns the line of the summary.
func (f Filled) figure() [2]string {
	name := fmt.Sprintf("on a store of %d", f.Preload)
	if f.Sample {
		name += " (sample)"
	}
	text := fmt.Sprintf("%d faults: %d killed, %d not exercised, %d conform", f.Faults, f.Killed, f.NotExercised, f.Conform)
	if f.Freedoms > 0 {
		text += fmt.Sprintf("; %d of %d legal services accepted", f.Accepted, f.Freedoms) + inGroups(f.Outcomes)
	}
	return [2]string{name, text}
}

// filled records whether a case had the expected result on a store that is not empty: a fault is found by its own
// rule, or its rule is not exercised; the clean service has no findings.
func (o *Outcome) filled(res *verdict.Result) {
	switch o.Kind {
	case Fault:
		o.OK = o.Diagnosed || o.Own == verdict.NotExercised && res.Verdict != verdict.Conformant
	case Clean:
		o.Accepted = res.ExitCode == verdict.ExitOK && len(res.Causes) == 0
		o.OK = o.Accepted
	case Freedom: // as on an empty store
	}
}
