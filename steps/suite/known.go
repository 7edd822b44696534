package suite

import (
	"strings"
	"unicode"

	"hallmark/spec/feature"
)

// known returns the scenarios of a derived file as it says that they are read, without parsing its content, which takes a sixth of the
// processor time of loading a contract of 1,000 operations.
func (r *reader) known(file feature.File) (File, error) {
	f := File{Name: file.Name, Content: file.Content}
	for _, outline := range file.Outlines {
		for _, row := range outline.Rows {
			p := r.scenario(file.Name, row.Line, row.Name, file.Title, outline.Rule)
			r.texts.tags(p, outline.Tags)
			p.Steps = r.texts.steps.Slice(len(outline.Steps))
			for i, s := range outline.Steps {
				text := s.Text
				if len(outline.Rows) > 1 {
					text = strings.ReplaceAll(text, feature.Placeholder, row.Value)
				}
				p.Steps[i] = Step{r.texts.phrase(s.Keyword, text), s.Line}
			}
			if err := r.check(p); err != nil {
				return f, err
			}
			f.Scenarios = append(f.Scenarios, p)
		}
	}
	return f, nil
}

// plain reports whether the scenarios of a file are known, and parsing gives the same texts: Gherkin takes the blanks around texts away, reads
// lines that hold control characters in ways of its own, and replaces what looks like a placeholder wherever it stands.
func plain(file feature.File) bool {
	ok := len(file.Outlines) > 0 && verbatim(file.Title) && longLine(file.Content) == 0
	for _, outline := range file.Outlines {
		ok = ok && verbatim(outline.Rule)
		several := len(outline.Rows) > 1
		for _, row := range outline.Rows {
			ok = ok && verbatim(row.Name) && (!several || verbatim(row.Value) && !placeholder(row.Name) && !placeholder(row.Value))
		}
		for _, s := range outline.Steps {
			ok = ok && verbatim(s.Text) && (!several || !placeholder(strings.Replace(s.Text, feature.Placeholder, "", 1)))
		}
	}
	return ok
}

// verbatim reports whether Gherkin reads a text as it is written.
func verbatim(text string) bool {
	return text == strings.TrimSpace(text) && strings.IndexFunc(text, unicode.IsControl) < 0
}

// placeholder reports whether a text holds what stands for a value in an outline.
func placeholder(text string) bool {
	return strings.Contains(text, feature.Placeholder) || strings.Contains(text, feature.NamePlaceholder)
}
