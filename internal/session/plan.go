package session

import (
	"fmt"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/terminal"
	"github.com/hallmark-kit/hallmark/steps"
)

// planLine says before a run what it is going to do.
func planLine(p steps.Plan) string {
	s := text.Count(p.Scenarios, "scenario")
	if p.MustRules > 0 {
		s += " about " + text.Count(p.MustRules, "must rule")
	}
	s += ", and the rules for every response; "
	if p.Created == 0 {
		return s + "nothing is created"
	}
	return s + fmt.Sprintf("at most %s %s created (--max-created), which the run removes afterwards if the contract provides for that",
		text.Count(p.Created, "resource"), text.Are(p.Created))
}

// announce writes the plan line for observers.
func (s *Session) announce() {
	watching := s.env.Output(s.env.Stderr)
	if s.detail != terminal.Full && (s.detail == terminal.Brief || !watching.Terminal) {
		return
	}
	if p, err := steps.NewPlan(s.Config); err == nil { // otherwise the run itself reports the error
		fmt.Fprintf(watching, "hallmark: %s: %s\n", text.Visible(s.Config.Target.BaseURL), planLine(p))
	}
}

// printPlan writes what a run would do.
func (s *Session) printPlan() error {
	p, err := steps.NewPlan(s.Config)
	if err != nil {
		return err
	}
	lines := fmt.Sprintf("%s\n%s\n", text.Visible(s.Config.Target.BaseURL), planLine(p))
	for _, reason := range p.Reasons() {
		lines += fmt.Sprintf("%s left out: %s\n", text.Count(p.LeftOut[reason], "scenario"), reason)
	}
	_, err = fmt.Fprint(s.env.Stdout, lines)
	return err
}
