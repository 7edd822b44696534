package messages

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	gherkin "github.com/cucumber/gherkin/go/v42"
	cucumber "github.com/cucumber/messages/go/v34"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
)

// features sends the features of the record's scenarios and finds the pickle of each scenario.
func (s *stream) features() {
	s.pickles = make([]*cucumber.Pickle, len(s.Record.Scenarios))
	var files []string
	scenarios := map[string][]int{}
	for i := range s.Record.Scenarios {
		file := s.Record.Scenarios[i].File()
		if scenarios[file] == nil {
			files = append(files, file)
		}
		scenarios[file] = append(scenarios[file], i)
	}
	for _, file := range files {
		if text, there := s.Features[file]; !there || !s.published(file, text, scenarios[file]) {
			s.rebuilt(file, scenarios[file])
		}
	}
}

// published sends a feature as it was run. It returns false if it does not contain all scenarios of the record.
func (s *stream) published(file, text string, scenarios []int) bool {
	document, pickles := s.parse(file, text)
	byLine := map[string]*cucumber.Pickle{}
	for _, p := range pickles {
		byLine[file+":"+strconv.FormatInt(p.Location.Line, 10)] = p
	}
	var run []*cucumber.Pickle
	for _, i := range scenarios {
		p := byLine[s.Record.Scenarios[i].ID]
		if p == nil {
			return false
		}
		s.pickles[i] = p
		run = append(run, p)
	}
	s.feature(text, document, run)
	return true
}

// rebuilt sends a feature that is reconstructed from the scenarios of the record.
func (s *stream) rebuilt(file string, scenarios []int) {
	scenarios = slices.Clone(scenarios)
	slices.SortStableFunc(scenarios, func(x, y int) int { // scenarios outside rules must precede all rules
		return cmp.Compare(min(len(s.Record.Scenarios[x].Sentence), 1), min(len(s.Record.Scenarios[y].Sentence), 1))
	})
	text := s.rewrite(scenarios)
	document, pickles := s.parse(file, text)
	if len(pickles) != len(scenarios) {
		// A name or a step is not valid Gherkin: write only the ids.
		text = "Feature: " + line(file) + "\n"
		for _, i := range scenarios {
			text += "\n  Scenario: " + line(s.Record.Scenarios[i].ID) + "\n    * it is run\n"
		}
		document, pickles = s.parse(file, text)
	}
	for k, i := range scenarios {
		s.pickles[i] = pickles[k]
	}
	s.feature(text, document, pickles)
}

// feature sends a feature and the pickles of its scenarios that were run.
func (s *stream) feature(text string, document *cucumber.GherkinDocument, pickles []*cucumber.Pickle) {
	s.send(cucumber.Envelope{Source: &cucumber.Source{Uri: document.Uri, Data: text, MediaType: cucumber.SourceMediaType_TEXT_X_CUCUMBER_GHERKIN_PLAIN}})
	s.send(cucumber.Envelope{GherkinDocument: document})
	sent := map[string]bool{}
	for _, p := range pickles {
		if !sent[p.Id] { // a pickle may have been run twice
			s.send(cucumber.Envelope{Pickle: p})
		}
		sent[p.Id] = true
	}
}

func (s *stream) parse(file, text string) (*cucumber.GherkinDocument, []*cucumber.Pickle) {
	document, err := gherkin.ParseGherkinDocument(bytes.NewReader([]byte(text)), s.newID)
	if err != nil {
		return nil, nil
	}
	document.Uri = file
	return document, gherkin.Pickles(*document, file, s.newID)
}

// rewrite writes a feature from recorded scenarios. The tables and doc strings of steps are not recorded.
func (s *stream) rewrite(scenarios []int) string {
	var out strings.Builder
	out.WriteString("Feature: " + line(s.Record.Scenarios[scenarios[0]].Feature) + "\n")
	sentence, inRule := "", false
	for _, i := range scenarios {
		sc := &s.Record.Scenarios[i]
		if sc.Sentence != "" && (!inRule || sc.Sentence != sentence) {
			out.WriteString("\n  Rule: " + line(sc.Sentence) + "\n")
			sentence, inRule = sc.Sentence, true
		}
		out.WriteString("\n")
		for _, tag := range sc.Tags {
			if !strings.ContainsAny(tag, " \t\r\n#") && strings.HasPrefix(tag, "@") {
				out.WriteString("    " + tag + "\n")
			}
		}
		out.WriteString("    Scenario: " + line(sc.Name) + "\n")
		for _, step := range sc.Steps {
			out.WriteString("      " + keyword(step) + line(step.Text) + "\n")
		}
		if len(sc.Steps) == 0 {
			out.WriteString("      * it is run\n") // without a step there would be no pickle
		}
	}
	return out.String()
}

// keyword returns the keyword of a step and the rest of its text; the keyword is * if Gherkin does not know it.
func keyword(step record.Step) string {
	switch step.Keyword {
	case "Given", "When", "Then", "And", "But":
		return step.Keyword + " "
	}
	return "* "
}

// line returns a text on one line, as names and steps must be.
func line(s string) string { return strings.Join(strings.Fields(text.Visible(s)), " ") }
