package verdict

// votes counts, for each defect, how often it would explain another.
type votes map[int]int

func (v votes) add(defect int) {
	if defect >= 0 {
		v[defect]++
	}
}

func (v votes) total() int {
	n := 0
	for _, c := range v {
		n += c
	}
	return n
}

// winner has the most votes; of equals, the one that was found first.
func (v votes) winner() int {
	best := -1
	for d, c := range v {
		if best < 0 || c > v[best] || c == v[best] && d < best {
			best = d
		}
	}
	return best
}
