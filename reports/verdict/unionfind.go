package verdict

// unionFind keeps track of what belongs together: numbers from 0, joined two by two.
type unionFind []int

func newUnionFind(n int) unionFind {
	u := make(unionFind, n)
	for i := range u {
		u[i] = i
	}
	return u
}

// find returns the number that stands for everything joined with i.
func (u unionFind) find(i int) int {
	for u[i] != i {
		u[i] = u[u[i]]
		i = u[i]
	}
	return i
}

// join puts j and everything joined with it under what stands for i.
func (u unionFind) join(i, j int) {
	u[u.find(j)] = u.find(i)
}
