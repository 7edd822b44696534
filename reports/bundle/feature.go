package bundle

import (
	"strconv"
	"strings"

	gherkin "github.com/cucumber/gherkin/go/v42"
	cucumber "github.com/cucumber/messages/go/v34"
)

// feature returns the scenario as a feature that the suite can run, with background steps and row values inserted and inherited tags
// included. It returns "" if the text is not available.
func (z *archive) feature(id string) string {
	file, number, _ := strings.Cut(id, ".feature:")
	file += ".feature"
	text, there := z.Features[file]
	if !there {
		return ""
	}
	newID := (&cucumber.Incrementing{}).NewId
	document, err := gherkin.ParseGherkinDocument(strings.NewReader(text), newID)
	if err != nil || document.Feature == nil {
		return ""
	}
	for _, p := range gherkin.Pickles(*document, file, newID) {
		if strconv.FormatInt(p.Location.Line, 10) == number {
			return write(document.Feature, p, z.scenario(id).Sentence, id)
		}
	}
	return ""
}

// write writes a pickle as a feature, without the description, which would be parsed as more than that.
func write(feature *cucumber.Feature, p *cucumber.Pickle, sentence, id string) string {
	var out strings.Builder
	out.WriteString("# " + line(id) + "\n")
	for _, t := range p.Tags {
		out.WriteString(t.Name + "\n")
	}
	out.WriteString("Feature: " + line(feature.Name) + "\n")
	if sentence != "" {
		out.WriteString("\n  Rule: " + line(sentence) + "\n")
	}
	out.WriteString("\n    Scenario: " + line(p.Name) + "\n")
	before := ""
	for _, s := range p.Steps {
		keyword := map[cucumber.PickleStepType]string{
			cucumber.PickleStepType_CONTEXT: "Given", cucumber.PickleStepType_ACTION: "When", cucumber.PickleStepType_OUTCOME: "Then",
		}[s.Type]
		switch keyword {
		case "":
			keyword = "*"
		case before:
			keyword = "And"
		default:
			before = keyword
		}
		out.WriteString("      " + keyword + " " + s.Text + "\n")
		if s.Argument != nil && s.Argument.DocString != nil {
			out.WriteString(docString(s.Argument.DocString))
		}
		if s.Argument != nil && s.Argument.DataTable != nil {
			out.WriteString(table(s.Argument.DataTable))
		}
	}
	return out.String()
}

func docString(d *cucumber.PickleDocString) string {
	const margin = "        "
	text := margin + `"""` + d.MediaType + "\n"
	for l := range strings.SplitSeq(strings.ReplaceAll(d.Content, `"""`, `\"\"\"`), "\n") {
		text += margin + l + "\n"
	}
	return text + margin + `"""` + "\n"
}

func table(t *cucumber.PickleTable) string {
	escape := strings.NewReplacer(`\`, `\\`, "|", `\|`, "\n", `\n`)
	var out strings.Builder
	for _, row := range t.Rows {
		out.WriteString("        |")
		for _, c := range row.Cells {
			out.WriteString(" " + escape.Replace(c.Value) + " |")
		}
		out.WriteString("\n")
	}
	return out.String()
}

func line(text string) string { return strings.Join(strings.Fields(text), " ") }
