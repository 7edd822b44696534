package score

import (
	"cmp"
	"slices"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
)

// Measurement is how much a suite detects.
type Measurement struct {
	Contract string `json:"contract"`
	// Suite describes the measured suite.
	Suite string `json:"suite"`
	// Verdict and Broken are the result for the service itself. Scenarios and Exchanges belong to that run, which took Clean.
	Verdict   string        `json:"verdict,omitempty"`
	Broken    []string      `json:"broken,omitempty"`
	Scenarios int           `json:"scenarios,omitempty"`
	Exchanges int           `json:"exchanges"`
	Clean     time.Duration `json:"clean"`
	Elapsed   time.Duration `json:"elapsed"`
	// Unstable reports whether the suite failed without a fault at the end.
	Unstable bool `json:"unstable,omitempty"`
	// Figures holds the figures of all faults; Rules and Operations divide them.
	Figures    Figures `json:"figures"`
	Rules      []Part  `json:"rules"`
	Operations []Part  `json:"operations"`
	// Freedoms holds the outcomes of legal services, Accepted the number of those accepted.
	Accepted int       `json:"accepted"`
	Freedoms []Outcome `json:"freedoms,omitempty"`
	Outcomes []Outcome `json:"faults"`
}

// Figures count faults.
type Figures struct {
	Faults int `json:"faults"`
	// Shown is the number of faults that some response to the suite showed. Of these, Killed were found and Named were found with one of
	// their own rules.
	Shown  int `json:"shown"`
	Killed int `json:"killed"`
	Named  int `json:"named"`
	// NotExercised is the number of faults that no response showed, Failed the number that could not be tried. Unused is the number of
	// those whose operation the suite did not call.
	NotExercised int `json:"notExercised"`
	Unused       int `json:"unused,omitempty"`
	Failed       int `json:"failed,omitempty"`
}

// Part holds the figures of a rule or of an operation.
type Part struct {
	Name  string     `json:"name"`
	Level spec.Level `json:"level,omitempty"`
	Says  string     `json:"says,omitempty"`
	Figures
	// Survivors lists the faults that were shown and not found, Unseen those that were not shown.
	Survivors []string `json:"survivors,omitempty"`
	Unseen    []string `json:"unseen,omitempty"`
}

func (f *Figures) countOutcome(o Outcome) {
	f.Faults++
	switch o.Fate {
	case NotExercised:
		f.NotExercised++
		if o.Unused {
			f.Unused++
		}
		return
	case Failed:
		f.Failed++
		return
	case Killed:
		f.Killed++
		if o.Named {
			f.Named++
		}
	case Survived:
	}
	f.Shown++
}

func (p *Part) countOutcome(o Outcome) {
	p.Figures.countOutcome(o)
	switch o.Fate {
	case Survived:
		p.Survivors = append(p.Survivors, o.Name)
	case NotExercised:
		if !o.Unused {
			p.Unseen = append(p.Unseen, o.Name)
		}
	case Killed, Failed:
	}
}

// count computes the figures from the outcomes.
func (m *Measurement) count(catalogue *spec.Catalogue) {
	rules, operations := map[string]*Part{}, map[string]*Part{}
	part := func(parts map[string]*Part, name string) *Part {
		if parts[name] == nil {
			parts[name] = &Part{Name: name}
		}
		return parts[name]
	}
	var order []string
	for _, o := range m.Outcomes {
		m.Figures.countOutcome(o)
		part(rules, o.Rule()).countOutcome(o)
		if operations[o.Operation] == nil {
			order = append(order, o.Operation)
		}
		part(operations, o.Operation).countOutcome(o)
	}
	for _, name := range order {
		m.Operations = append(m.Operations, *operations[name])
	}
	for _, r := range catalogue.Rules {
		if p := rules[r.ID]; p != nil {
			p.Level, p.Says = r.Level, r.Says
			m.Rules = append(m.Rules, *p)
		}
	}
	slices.SortStableFunc(m.Rules, func(x, y Part) int { return cmp.Compare(len(y.Survivors), len(x.Survivors)) })
	for _, o := range m.Freedoms {
		if o.Fate == Survived {
			m.Accepted++
		}
	}
}
