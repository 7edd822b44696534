package main

import (
	"fmt"

	"hallmark/reports"
	"hallmark/steps"
)

// planLine says before a run what it is going to do.
func planLine(p steps.Plan) string {
	text := count(p.Scenarios, "scenario")
	if p.MustRules > 0 {
		text += " about " + count(p.MustRules, "must rule")
	}
	text += ", and what holds for every response; "
	if p.Animals == 0 {
		return text + "nothing is created"
	}
	return text + fmt.Sprintf("at most %s created (--max-animals), which stay there", areCreated(p.Animals))
}

func areCreated(n int) string {
	if n == 1 {
		return "1 animal is"
	}
	return count(n, "animal") + " are"
}

// announce says it to whoever watches.
func (t *trial) announce() {
	watching := t.app.screen(t.app.stderr)
	if t.detail != reports.Full && (t.detail == reports.Brief || !watching.terminal) {
		return
	}
	if p, err := steps.NewPlan(t.config); err == nil { // else the run says so itself
		fmt.Fprintf(watching, "hallmark: %s: %s\n", visible(t.config.Target.BaseURL), planLine(p))
	}
}

// tellPlan says what a run would do.
func (t *trial) tellPlan() error {
	p, err := steps.NewPlan(t.config)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("%s\n%s\n", visible(t.config.Target.BaseURL), planLine(p))
	for _, reason := range p.Reasons() {
		text += fmt.Sprintf("%s left out: %s\n", count(p.LeftOut[reason], "scenario"), reason)
	}
	_, err = fmt.Fprint(t.app.stdout, text)
	return err
}
