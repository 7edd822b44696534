package listing

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec/promise"
)

// Sentence is a sentence of a document and what judges it, as JSON shows it.
type Sentence struct {
	Line int `json:"line"`
	// File is the file of the document, if it is another one than that of its beginning.
	File    string `json:"file,omitempty"`
	Pointer string `json:"pointer"`
	Place   string `json:"place"`
	Says    string `json:"says"`
	// Form is the form that was recognised, Rules are the rules that judge the sentence, and Raised those that it made a must.
	Form   string   `json:"form,omitempty"`
	Rules  []string `json:"rules,omitempty"`
	Raised []string `json:"raised,omitempty"`
	// Aside is why nothing judges the sentence, if rules.yaml says so.
	Aside string `json:"aside,omitempty"`
	Open  bool   `json:"open"`
}

// mostNamed is how many rules of a sentence a table names.
const mostNamed = 2

// judged says what judges the sentence.
func (s Sentence) judged() string {
	if s.Aside != "" && len(s.Rules) == 0 {
		return "set aside"
	}
	if s.Open {
		return "open"
	}
	rules := slices.Clone(s.Rules)
	for i, id := range rules {
		if slices.Contains(s.Raised, id) {
			rules[i] = id + " (must: " + s.Form + ")"
		}
	}
	if len(rules) > mostNamed {
		return strings.Join(rules[:mostNamed-1], ", ") + " and " + strconv.Itoa(len(rules)-mostNamed+1) + " more"
	}
	return strings.Join(rules, ", ")
}

// where returns the line, with the file if it is another one.
func (s Sentence) where() string {
	if s.File == "" {
		return strconv.Itoa(s.Line)
	}
	return text.Visible(s.File) + ":" + strconv.Itoa(s.Line)
}

// Sentences lists the sentences of a document in one of the formats, or only the open ones. Tables are wrapped to width columns, or not if width
// is 0. It returns the number of open ones.
func Sentences(w io.Writer, all []promise.Sentence, openOnly bool, format string, width int) (open int, err error) {
	list := []Sentence{}
	for i := range all {
		s := &all[i]
		one := Sentence{
			Line: s.Line, File: s.File, Pointer: s.Pointer, Place: string(s.Place), Says: text.Visible(s.Text), Form: string(s.Claim.Form), Rules: s.Rules, Raised: s.Raised,
			Aside: s.Aside, Open: s.Open(),
		}
		if one.Open {
			open++
		}
		if one.Open || !openOnly {
			list = append(list, one)
		}
	}
	switch format {
	case JSON:
		return open, encode(w, list)
	case Markdown:
		return open, sentencesMarkdown(w, list, Summary(len(all)-open, len(all)))
	}
	return open, sentencesTable(w, list, Summary(len(all)-open, len(all)), width)
}

// Summary says how many sentences are judged.
func Summary(judged, all int) string { return fmt.Sprintf("sentences: %d of %d judged", judged, all) }

func sentencesMarkdown(w io.Writer, list []Sentence, summary string) error {
	var out strings.Builder
	out.WriteString("| Line | Sentence | Judged by |\n|---|---|---|\n")
	for _, s := range list {
		fmt.Fprintf(&out, "| %s | %s | %s |\n", text.TableCell(s.where()), text.TableCell(s.Says), text.TableCell(s.judged()))
	}
	_, err := io.WriteString(w, out.String()+"\n"+summary+"\n")
	return err
}

// widestJudged is the maximum width of the column of rules; longer ones go on to the next line.
const widestJudged = 44

func sentencesTable(w io.Writer, list []Sentence, summary string, width int) error {
	lines, rules := len("LINE"), len("JUDGED BY")
	for _, s := range list {
		lines = max(lines, len(s.where()))
		rules = max(rules, min(widestJudged, len(s.judged())))
	}
	indent := lines + rules + 4
	room := 0
	if width > 0 {
		room = max(width-indent, leastSentence)
	}
	var out strings.Builder
	if len(list) > 0 {
		fmt.Fprintf(&out, "%-*s  %-*s  SENTENCE\n", lines, "LINE", rules, "JUDGED BY")
	}
	for _, s := range list {
		judged := s.judged()
		fmt.Fprintf(&out, "%-*s  %-*s", lines, s.where(), rules, judged)
		if len(judged) > rules {
			out.WriteString("\n" + strings.Repeat(" ", lines+rules+2))
		}
		out.WriteString("  " + strings.Join(text.Wrap(s.Says, room), "\n"+strings.Repeat(" ", indent)) + "\n")
	}
	if len(list) > 0 {
		out.WriteByte('\n')
	}
	_, err := io.WriteString(w, out.String()+summary+"\n")
	return err
}
