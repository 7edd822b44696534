package html

import (
	"bytes"

	"github.com/hallmark-kit/hallmark/internal/text"
)

const (
	// longBody is the maximum number of bytes shown of a body; the record may hold more.
	longBody = 64 << 10
	// aroundMark is the number of lines shown before and after a place with a finding. Fewer than leastFold lines are not folded.
	aroundMark, leastFold = 4, 6
	// longLine and nearLine are the maximum numbers of characters shown of an unbroken text, in an exchange and next to a finding.
	longLine, nearLine = 8 << 10, 320
	// headLines and tailLines are shown of the beginning and the end.
	headLines, tailLines = 10, 3
)

// lines is a body divided into lines.
type lines struct {
	// text holds all lines, escaped, separated by line feeds.
	text []byte
	// ends holds the end of each line. marked reports whether a line contains a mark.
	ends   []int
	marked []bool
	// JSON reports whether the body is JSON, as far as known.
	JSON bool
	// Items is the number of items of a JSON array, or -1 for anything else.
	Items int
	// Cut is the number of bytes not shown.
	Cut int
}

// layOut lays out a body, and marks the places that the JSON Pointers name.
func layOut(body []byte, marks []string, how portion) lines {
	longest := longLine
	if how == near {
		longest = nearLine
	}
	shown, left := body, 0
	if len(body) > longBody {
		shown, left = body[:longBody], len(body)-longBody
	}
	if tree, ok := parseJSON(shown); ok {
		p := &pretty{longest: longest}
		for _, m := range marks {
			if m != "" {
				if p.marks == nil {
					p.marks = map[string]bool{}
				}
				p.marks[m] = true
			}
		}
		p.node(tree, "", 0)
		p.endLine()
		l := lines{text: p.text, ends: p.ends, marked: p.marked, JSON: true, Items: -1, Cut: left}
		if tree.kind == '[' && !tree.open && left == 0 {
			l.Items = len(tree.kids)
		}
		return l
	}
	l := lines{Items: -1, Cut: left}
	for line := range bytes.SplitSeq(bytes.TrimSuffix(shown, []byte("\n")), []byte("\n")) {
		if len(l.ends) > 0 {
			l.text = append(l.text, '\n')
		}
		l.text = appendEscaped(l.text, text.Elide(string(line), longest), specials)
		l.ends, l.marked = append(l.ends, len(l.text)), append(l.marked, false)
	}
	return l
}

// between returns the lines in the range [from, to).
func (l *lines) between(from, to int) []byte {
	begin := 0
	if from > 0 {
		begin = l.ends[from-1] + len("\n")
	}
	return l.text[begin:l.ends[to-1]]
}

// stretch is a range of lines that is either shown or folded.
type stretch struct {
	// lines are markup.
	lines  []byte
	count  int
	folded bool
}

// portion says how much of an exchange is shown.
type portion bool

const (
	whole portion = false
	// near folds everything far from a place with a finding.
	near portion = true
)

// stretches divides the lines into those shown and those folded.
func (l *lines) stretches(how portion) []stretch {
	if how == whole {
		return []stretch{{lines: l.text, count: len(l.ends)}}
	}
	show := make([]bool, len(l.ends))
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
		if i < head || i >= len(show)-tailLines {
			show[i] = true
		}
	}
	var all []stretch
	begin := 0 // start of the current shown stretch
	for from := 0; from < len(show); {
		to := from
		for to < len(show) && show[to] == show[from] {
			to++
		}
		if !show[from] && to-from >= leastFold {
			if begin < from {
				all = append(all, stretch{lines: l.between(begin, from), count: from - begin})
			}
			all = append(all, stretch{lines: l.between(from, to), count: to - from, folded: true})
			begin = to
		}
		from = to
	}
	if begin < len(show) {
		all = append(all, stretch{lines: l.between(begin, len(show)), count: len(show) - begin})
	}
	return all
}
