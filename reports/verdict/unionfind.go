package verdict

// unionFind keeps track of which numbers, counted from 0, belong together; they are joined two at a time.
type unionFind []int

func newUnionFind(n int) unionFind {
	u := make(unionFind, n)
	for i := range u {
		u[i] = i
	}
	return u
}

// find returns the number that represents everything joined with i.
func (u unionFind) find(i int) int {
	for u[i] != i {
		u[i] = u[u[i]]
		i = u[i]
	}
	return i
}

// join puts j and everything joined with it under the representative of i.
func (u unionFind) join(i, j int) {
	u[u.find(j)] = u.find(i)
}
