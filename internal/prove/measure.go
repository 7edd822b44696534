package prove

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/feature"
)

// Measurement is what the outcomes say about the suite.
type Measurement struct {
	// Figures are the part that is kept.
	Figures spec.Proven `json:"figures"`
	// Partial reports whether not all cases were judged, so that nothing is said about rules without a fault and idle
	// scenarios.
	Partial bool `json:"partial,omitempty"`
	// Short reports whether each fault was judged only until it was found, so that nothing is said about causes,
	// leading rules, idle scenarios and the quick part: for these, Figures has the kept values.
	Short bool `json:"short,omitempty"`
	Hard  bool `json:"hard,omitempty"`
	// Filled is what was found on stores that are not empty.
	Filled []Filled `json:"filled,omitempty"`
	// Problems are sentences, each of which fails the proof.
	Problems []string `json:"problems"`
	// Rows are the matrix: each rule with its faults and the scenarios that killed them.
	Rows []Row `json:"matrix"`
	// Outcomes are in the order of the cases.
	Outcomes []Outcome `json:"outcomes"`

	// worse reports whether a figure is worse than the kept one.
	worse bool
}

// Row is a rule of the matrix.
type Row struct {
	Rule   string     `json:"rule"`
	Level  spec.Level `json:"level"`
	Faults []Outcome  `json:"-"`
	// Names are those of the faults, Killers all scenarios that killed one by this rule or by another.
	Names   []string `json:"faults"`
	Killers []string `json:"killers"`
}

// maxCauses is the number of causes that a fault may be reported as.
const maxCauses = 2

// forReaders is the tag of a scenario that need not find anything, with the reason: "@for-readers:shows-the-plain-way".
const forReaders = "@for-readers:"

// measure derives the figures and the matrix from the outcomes. Without the clean service among them, or with
// partial, it leaves out what only a whole proof can show.
func (p *Prover) measure(outcomes []Outcome, partial, hard bool) Measurement {
	proof := Measurement{Partial: partial, Short: p.Short, Hard: hard, Outcomes: outcomes, Problems: []string{}}
	f := &proof.Figures
	*f = spec.Proven{
		Contract: p.Contract.Digest(), Catalogue: p.Catalogue.Digest(), Features: p.Suite.Digest(), Catalogued: len(p.Catalogue.Rules),
		Survived: []string{}, Misdiagnosed: []string{}, Accused: []string{}, Uncovered: []string{}, Idle: []string{},
		Misled: map[string]string{}, Several: map[string][]string{},
	}
	problem := func(format string, args ...any) {
		proof.Problems = append(proof.Problems, fmt.Sprintf(format, args...))
	}
	byRule, killers := map[string]*Row{}, map[string]bool{}
	var scenarios []record.Scenario
	for _, o := range outcomes {
		if o.Failure != "" {
			problem("%s could not be judged: %s", o.Name, o.Failure)
		}
		switch o.Kind {
		case Clean:
			scenarios = o.scenarios
			if !o.OK && o.Failure == "" {
				problem("the clean service is accused: %s", o.Example)
			}
		case Freedom:
			f.Freedoms++
			if o.OK {
				f.Accepted++
				continue
			}
			f.Accused = append(f.Accused, o.Name)
			problem("the freedom %s is accused%s%s: %s (%s)", o.Name, o.togetherWith(), ofTries(o), strings.Join(o.Broken, ", "), o.Example)
		case Fault:
			if count(f, o, problem) && !p.Short {
				countCauses(f, o, problem)
			}
			for _, id := range o.askers {
				killers[id] = true
			}
			row := byRule[o.Rule]
			if row == nil {
				row = &Row{Rule: o.Rule, Level: o.Level}
				byRule[o.Rule] = row
			}
			row.addOutcome(o)
		}
	}
	for _, r := range p.Catalogue.Rules {
		row := byRule[r.ID]
		if row != nil {
			slices.Sort(row.Killers)
			proof.Rows = append(proof.Rows, *row)
		}
		if r.Level != spec.Must || r.Untestable != "" {
			continue
		}
		if f.Rules++; row != nil {
			f.Covered++
		} else if !partial {
			f.Uncovered = append(f.Uncovered, r.ID)
			problem("the must rule %s has no fault", r.ID)
		}
	}
	if !partial && !p.Short {
		f.Idle = append(f.Idle, p.idle(scenarios, killers)...)
		for _, id := range f.Idle {
			problem("the scenario %s kills no fault; if it is there for readers, tag it %s with the reason", id, forReaders)
		}
	}
	return proof
}

// ofTries says how often a case was judged, if more than once.
func ofTries(o Outcome) string {
	if o.Tries == 1 {
		return ""
	}
	return fmt.Sprintf(" (%d of %d times)", o.Tries-o.Hits, o.Tries)
}

// idle returns the scenarios that killed nothing, although somebody wrote them for a rule that can be broken. Derived scenarios are the same
// for every contract, so that some may have nothing to find in this one.
func (p *Prover) idle(scenarios []record.Scenario, killers map[string]bool) []string {
	var all []string
	for _, s := range scenarios {
		excused := slices.ContainsFunc(s.Tags, func(tag string) bool {
			return strings.HasPrefix(tag, feature.CoveredTag) || strings.HasPrefix(tag, forReaders) && len(tag) > len(forReaders)
		})
		breakable := slices.ContainsFunc(s.Rules, func(id string) bool { r, _ := p.Catalogue.Rule(id); return r.Level == spec.Must })
		if breakable && !killers[s.ID] && !excused {
			all = append(all, s.ID)
		}
	}
	slices.Sort(all)
	return all
}

func (r *Row) addOutcome(o Outcome) {
	r.Faults = append(r.Faults, o)
	r.Names = append(r.Names, o.Name)
	for _, id := range o.Killers {
		if !slices.Contains(r.Killers, id) {
			r.Killers = append(r.Killers, id)
		}
	}
}

// count adds a fault to the figures, and reports whether it was found.
func count(f *spec.Proven, o Outcome, problem func(format string, args ...any)) bool {
	f.Faults++
	switch {
	case !o.Killed || o.Chance && !o.OK && o.Diagnosed:
		f.Survived = append(f.Survived, o.Name)
		problem("the fault %s survives%s: %s", o.Name, ofTries(o), o.Says)
		return false
	case !o.Diagnosed:
		f.Misdiagnosed = append(f.Misdiagnosed, o.Name)
		problem("the fault %s breaks %s and is diagnosed as %s (%s)", o.Name, o.Rule, strings.Join(o.Broken, ", "), o.Example)
	}
	f.Killed++
	if o.Diagnosed {
		f.Diagnosed++
	}
	return true
}

// countCauses adds to the figures how a fault that was found is reported.
func countCauses(f *spec.Proven, o Outcome, problem func(format string, args ...any)) {
	switch {
	case len(o.Causes) == 1:
		f.OneCause++
	default:
		f.Several[o.Name] = o.Causes
	}
	if len(o.Causes) > maxCauses && !o.Chance {
		problem("the fault %s is reported as %d causes: %s", o.Name, len(o.Causes), strings.Join(o.Causes, ", "))
	}
	if len(o.Leads) > 1 && !o.Chance {
		problem("the fault %s is led by other rules with other seeds: %s", o.Name, strings.Join(o.Leads, ", "))
	}
	switch {
	case o.Leading:
		f.Leading++
	case o.Diagnosed:
		f.Misled[o.Name] = o.Lead
	}
}
