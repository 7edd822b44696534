package verdict

// counter counts how often each defect would explain another one.
type counter map[int]int

func (c counter) countDefect(defect int) {
	if defect >= 0 {
		c[defect]++
	}
}

func (c counter) total() int {
	n := 0
	for _, k := range c {
		n += k
	}
	return n
}

// mostFrequent returns the defect counted most often, the first one found among equals, or -1 if none was counted.
func (c counter) mostFrequent() int {
	best := -1
	for d, k := range c {
		if best < 0 || k > c[best] || k == c[best] && d < best {
			best = d
		}
	}
	return best
}
