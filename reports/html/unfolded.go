package html

import (
	"html/template"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// Line returns the line of a folded exchange.
func (x *exchange) Line() template.HTML {
	var m markup
	x.line(&m)
	return m.html()
}

// Inside returns what is shown when an exchange is unfolded.
func (x *exchange) Inside() template.HTML {
	var m markup
	x.inside(&m)
	return m.html()
}

// Ref returns the exchange folded; script.js unpacks what is in it when it is opened.
func (x *exchange) Ref() template.HTML {
	var m markup
	m.put(`<details class="fold ref" data-exchange="`)
	m.number(x.Seq)
	m.put(`"><summary>`)
	x.line(&m)
	m.put("</summary></details>\n")
	return m.html()
}

func (x *exchange) line(m *markup) {
	m.element(`<span class="method">`, x.Method, `</span> `)
	m.put(`<span class="path">`)
	m.name(x.Path)
	m.put(`</span> `)
	if x.About != "" {
		m.element(`<span class="about">`, x.About, `</span> `)
	}
	m.put(`<span class="status `)
	m.put(x.colour())
	if x.Status > 0 {
		m.put(`">`)
		m.number(x.Status)
	} else {
		m.put(`">no response`)
	}
	m.element(`</span> <span class="took">`, visible(x.Took), `</span>`)
}

// colour returns the class of the status: its first digit, that it is wrong, or that something else about the response is.
func (x *exchange) colour() trusted {
	switch {
	case x.Unexpected:
		return "wrong"
	case len(x.Charges) > 0:
		return "flawed"
	}
	return trusted("s" + strconv.Itoa(x.Kind))
}

func (x *exchange) inside(m *markup) {
	m.put(`<div class="x-in"><p class="under">`)
	if x.Operation != "" {
		m.element("", x.Operation, " · ")
	}
	if x.Scenario.ID != "" {
		x.Scenario.link(m)
		m.put(" · ")
	}
	m.put(`<a href="#exchange-`)
	m.number(x.Seq)
	m.put(`">exchange `)
	m.number(x.Seq)
	m.put(`</a>`)
	if x.Since != "" {
		m.element(" · begun after ", visible(x.Since), "")
	}
	m.element(" · took ", visible(x.Took), "")
	if x.Delays > 0 {
		m.element(" · after ", visible(text.Count(x.Delays, "request")), " to come again later")
	}
	if x.Traced != "" {
		m.element(" · trace id <code>", x.Traced, "</code>")
	}
	m.put("</p>")
	if !x.Cited {
		writeCharges(m, x.Charges)
		if x.MoreCharges > 0 {
			m.element(`<p class="under">and `, visible(text.Count(x.MoreCharges, "more finding")), "</p>")
		}
	}
	m.put(`<p class="part-name">Request</p><p class="start"><code>`)
	m.element("", x.Method, " ")
	m.name(x.URL)
	m.put("</code></p>")
	x.Asked.write(m)
	m.put(`<p class="part-name">Response</p>`)
	if x.Status == 0 {
		m.element(`<p class="start"><strong class="unexpected">none</strong> `, x.Lost, "</p>")
	} else {
		x.answer(m)
	}
	if x.Curl != "" {
		writeCommand(m, x.Curl)
	}
	m.put("</div>")
}

// answer writes the response, and whether its status was expected.
func (x *exchange) answer(m *markup) {
	m.put(`<p class="start"><code class="status `)
	m.put(x.colour())
	m.element(`">`, visible(x.Says), "</code>")
	switch {
	case x.Expected == "":
	case x.Unexpected:
		m.element(` <strong class="unexpected">expected `, visible(x.Expected), "</strong>")
	case x.Expected == strconv.Itoa(x.Status):
		m.put(` <span class="under">as expected</span>`)
	default:
		m.element(` <span class="under">as expected: `, visible(x.Expected), "</span>")
	}
	m.put("</p>")
	x.Answered.write(m)
}

func (s *message) write(m *markup) {
	if len(s.headers) > 0 {
		m.put(`<pre class="headers">`)
		m.made(s.headers)
		m.put("</pre>")
	}
	if s.leftOut > 0 {
		are := visible("are")
		if s.leftOut == 1 {
			are = "is"
		}
		m.element(`<p class="under">`, visible(text.Count(s.leftOut, "more header")), " came and ")
		m.element("", are, " not kept</p>")
	}
	if len(s.stretches) > 0 {
		m.put(`<div class="body`)
		if s.json {
			m.put(" json")
		}
		m.put(`" tabindex="0">`)
		for _, part := range s.stretches {
			if part.folded {
				m.element(`<details class="gap"><summary>`, visible(text.Count(part.count, "line")), " more</summary>")
			}
			m.put("<pre>")
			m.made(part.lines)
			m.put("</pre>")
			if part.folded {
				m.put("</details>")
			}
		}
		m.put("</div>")
	}
	if s.size == "" {
		return
	}
	m.element(`<p class="under">`, visible(s.size), "")
	if s.items >= 0 {
		m.element(", ", visible(text.Count(s.items, "item")), "")
	}
	if s.cut != "" {
		m.element("; ", visible(s.cut), "")
	}
	m.put("</p>")
}

// writeCharges lists findings.
func writeCharges(m *markup, all []charge) {
	if len(all) == 0 {
		return
	}
	m.put(`<ul class="charges">`)
	for _, c := range all {
		m.put("<li>")
		c.Rule.link(m)
		m.element(" expected ", c.Expected, "")
		m.element(", actual ", c.Actual, "</li>")
	}
	m.put("</ul>")
}

// writeCommand writes shell commands, with a button that copies them.
func writeCommand(m *markup, lines visible) {
	m.put(`<div class="command"><pre tabindex="0"><code>`)
	for i, line := range strings.Split(string(lines), "\n") {
		if i > 0 {
			m.put("\n")
		}
		m.text(visible(line))
	}
	m.put(`</code></pre><button type="button" class="copy script">Copy</button></div>`)
}

func command(lines visible) template.HTML {
	var m markup
	writeCommand(&m, lines)
	return m.html()
}

// Link returns the rule's id, linked to the rule.
func (r ruleRef) Link() template.HTML {
	var m markup
	r.link(&m)
	return m.html()
}

func (r ruleRef) link(m *markup) { writeLink(m, r.Anchor, r.ID) }

// Link returns the scenario's id, linked to the scenario.
func (s scenarioRef) Link() template.HTML {
	var m markup
	s.link(&m)
	return m.html()
}

func (s scenarioRef) link(m *markup) {
	if s.ID != "" {
		writeLink(m, s.Anchor, s.ID)
	}
}

// writeLink writes the id of a rule or a scenario, without a link if anchor is empty.
func writeLink(m *markup, anchor string, id visible) {
	if anchor == "" {
		m.put(`<span class="id">`)
		m.name(id)
		m.put(`</span>`)
		return
	}
	m.element(`<a class="id" href="#`, visible(anchor), `">`)
	m.name(id)
	m.put("</a>")
}

// Linked returns the numbers of exchanges, linked to those on the page.
func (all seqs) Linked() template.HTML {
	var m markup
	all.write(&m)
	return m.html()
}

func (all seqs) write(m *markup) {
	for i, one := range all {
		if i > 0 {
			m.put(", ")
		}
		if one.Held {
			m.put(`<a href="#exchange-`)
			m.number(one.Number)
			m.put(`">#`)
			m.number(one.Number)
			m.put(`</a>`)
		} else {
			m.put("#")
			m.number(one.Number)
		}
	}
}
