package html

import (
	"html/template"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
)

// scenario is a scenario as Gherkin, with its outcome.
type scenario struct {
	ID, Anchor visible
	Name       visible
	Outcome    record.Outcome
	look
	Reason    visible
	Steps     []step
	Took      string
	Exchanges seqs
	More      int
	Charges   []charge
	Left      int
	Known     int
}

type step struct {
	Keyword, Text visible
	look
}

// HTML returns the scenario as a foldable element.
func (s *scenario) HTML() template.HTML {
	var m markup
	m.element(`<details class="scenario is-`, visible(s.Class), `"`)
	if s.Anchor != "" {
		m.element(` id="`, s.Anchor, `"`)
	}
	m.element(`><summary><span class="says">`, s.Name, `</span> `)
	m.put(`<span class="id">`)
	m.name(s.ID)
	m.put(`</span> `)
	m.element(`<span class="verdict">`, visible(s.Word), `</span> `)
	m.element(`<span class="took">`, visible(s.Took), `</span></summary><div class="inside">`)
	if s.Reason != "" {
		m.element(`<p class="why">`, s.Reason, `</p>`)
	}
	s.steps(&m)
	writeCharges(&m, s.Charges)
	if s.Left > 0 {
		m.element(`<p class="under">and `, visible(text.Count(s.Left, "more finding")), `</p>`)
	}
	if s.Known > 0 {
		m.element(`<p class="under">`, visible(text.Count(s.Known, "finding")), ` of known violations</p>`)
	}
	if len(s.Exchanges) > 0 {
		m.put(`<p class="under">Exchanges `)
		s.Exchanges.write(&m)
		if s.More > 0 {
			m.element(" and ", visible(text.Number(s.More)), " more")
		}
		m.put("</p>")
	}
	m.put("</div></details>\n")
	return m.html()
}

func (s *scenario) steps(m *markup) {
	if len(s.Steps) == 0 {
		return
	}
	m.put(`<ol class="steps">`)
	for i := range s.Steps {
		one := &s.Steps[i]
		passed := one.Word == "passed"
		if passed {
			m.put(`<li>`)
		} else {
			m.element(`<li class="is-`, visible(one.Class), " ")
			m.element("", visible(one.Word), `">`)
		}
		m.element(`<b>`, one.Keyword, `</b> `)
		m.text(one.Text)
		if !passed {
			m.element(` <i>`, visible(one.Word), `</i>`)
		}
		m.put(`</li>`)
	}
	m.put(`</ol>`)
}
