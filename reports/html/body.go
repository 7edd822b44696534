package html

import (
	"bytes"
	"html/template"
	"strings"

	"hallmark/internal/text"
)

const (
	// longBody bounds in bytes what is shown of one body; the record may hold more.
	longBody = 64 << 10
	// aroundMark is how many lines are shown around an offending place, before and after; fewer than leastFold are not
	// worth folding.
	aroundMark, leastFold = 4, 6
	// longLine and nearLine bound in characters a text without a break, in an exchange and where one is shown at a finding.
	longLine, nearLine = 8 << 10, 320
	// headLines and tailLines are shown of the beginning and the end.
	headLines, tailLines = 10, 3
)

// lines is a body, line by line.
type lines struct {
	all    []template.HTML
	marked []bool
	// JSON reports whether it is, so far as it is known.
	JSON bool
	// Items counts the items of a JSON array, -1 when it is none.
	Items int
	// Cut is how many bytes of it are not shown.
	Cut int
}

// layOut lays a body out, with the places marked that the JSON Pointers name.
func layOut(body []byte, marks []string, how portion) lines {
	longest := longLine
	if how == near {
		longest = nearLine
	}
	shown, left := body, 0
	if len(body) > longBody {
		shown, left = body[:longBody], len(body)-longBody
	}
	l := lines{Items: -1, Cut: left}
	if tree, ok := parseJSON(shown); ok {
		p := &pretty{marks: map[string]bool{}, longest: longest}
		for _, m := range marks {
			if m != "" {
				p.marks[m] = true
			}
		}
		p.node(tree, "", 0)
		p.newline()
		l.all, l.marked, l.JSON = p.lines, p.marked, true
		if tree.kind == '[' && !tree.open && left == 0 {
			l.Items = len(tree.kids)
		}
		return l
	}
	for line := range bytes.SplitSeq(bytes.TrimSuffix(shown, []byte("\n")), []byte("\n")) {
		l.all = append(l.all, escapeHTML(text.Elide(string(line), longest)))
		l.marked = append(l.marked, false)
	}
	return l
}

// specials are what could begin markup between tags. Quotation marks need no escape there; JSON is full of them.
var specials = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// escapeHTML makes text from outside safe to stand between tags, with its invisible characters shown. It is not safe in an
// attribute.
func escapeHTML(s string) template.HTML {
	return template.HTML(specials.Replace(text.Visible(s))) //nolint:gosec // escaped just here
}

// stretch is a run of lines that is shown, or folded away.
type stretch struct {
	Lines  template.HTML
	Count  int
	Folded bool
}

// portion is how much of an exchange is shown.
type portion bool

const (
	whole portion = false
	// near folds what is far from the place that offends.
	near portion = true
)

// stretches parts the lines into those that are shown and those that are folded.
func (l lines) stretches(how portion) []stretch {
	show := make([]bool, len(l.all))
	offends := false
	for i, m := range l.marked {
		if m {
			offends = true
			for j := max(0, i-aroundMark); j <= min(len(show)-1, i+aroundMark); j++ {
				show[j] = true
			}
		}
	}
	head := headLines
	if offends {
		head = 2
	}
	for i := range show {
		if i < head || i >= len(show)-tailLines || how == whole {
			show[i] = true
		}
	}
	var all []stretch
	for from := 0; from < len(show); {
		to := from
		for to < len(show) && show[to] == show[from] {
			to++
		}
		folded := !show[from] && to-from >= leastFold
		text := joined(l.all[from:to])
		if n := len(all); n > 0 && !folded && !all[n-1].Folded {
			all[n-1].Lines += "\n" + text
			all[n-1].Count += to - from
		} else {
			all = append(all, stretch{Lines: text, Count: to - from, Folded: folded})
		}
		from = to
	}
	return all
}

func joined(all []template.HTML) template.HTML {
	var out strings.Builder
	for i, line := range all {
		if i > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(string(line))
	}
	return template.HTML(out.String()) //nolint:gosec // of lines that are
}
