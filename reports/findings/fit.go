package findings

// detail is how much is written of a finding.
type detail int

const (
	full detail = iota
	brief
	gone
)

// piece is a finding as it may be written.
type piece struct {
	texts  [gone][]byte // by detail
	leads  bool
	detail detail
}

// size is the length of the piece with what separates it from others.
func (p piece) size() int {
	if p.detail == gone {
		return 0
	}
	return len(p.texts[p.detail]) + len(",\n")
}

// fit drops details until all pieces fit into room bytes, and counts what it dropped: first the details of findings that do not lead a cause,
// then these findings, then the details of the others, then those. In each step the last go first, as the most important come first.
func fit(pieces []piece, room int) leftOut {
	total := 0
	for _, p := range pieces {
		total += p.size()
	}
	for _, step := range []struct {
		leads bool
		to    detail
	}{{false, brief}, {false, gone}, {true, brief}, {true, gone}} {
		for i := len(pieces) - 1; i >= 0 && total > room; i-- {
			if p := &pieces[i]; p.leads == step.leads {
				total -= p.size()
				p.detail = step.to
				total += p.size()
			}
		}
	}
	var dropped leftOut
	for _, p := range pieces {
		switch p.detail {
		case brief:
			dropped.Details++
		case gone:
			dropped.Findings++
		case full:
		}
	}
	return dropped
}
