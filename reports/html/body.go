package html

import (
	"bytes"

	"hallmark/internal/text"
)

const (
	// longBody limits how many bytes of a body are shown; the record may hold more.
	longBody = 64 << 10
	// aroundMark is how many lines are shown around an offending place, before and after; fewer than leastFold are not
	// worth folding.
	aroundMark, leastFold = 4, 6
	// longLine and nearLine limit the characters of a text without a break that are shown, in an exchange and next to
	// a finding.
	longLine, nearLine = 8 << 10, 320
	// headLines and tailLines are shown of the beginning and the end.
	headLines, tailLines = 10, 3
)

// lines is a body, line by line.
type lines struct {
	// text holds all lines, escaped, separated by line feeds.
	text []byte
	// ends is where each line ends; marked reports, for each line, whether it contains a mark.
	ends   []int
	marked []bool
	// JSON reports whether the body is JSON, as far as that is known.
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

// between returns the lines from one up to but not including another.
func (l *lines) between(from, to int) []byte {
	begin := 0
	if from > 0 {
		begin = l.ends[from-1] + len("\n")
	}
	return l.text[begin:l.ends[to-1]]
}

// stretch is a run of lines that is shown, or folded away.
type stretch struct {
	// lines are markup.
	lines  []byte
	count  int
	folded bool
}

// portion is how much of an exchange is shown.
type portion bool

const (
	whole portion = false
	// near folds what is far from the offending place.
	near portion = true
)

// stretches divides the lines into those that are shown and those that are folded.
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
	begin := 0 // of the stretch that is not folded
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
