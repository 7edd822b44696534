package verdict

// unionFind partitions the numbers from 0 into disjoint sets.
type unionFind []int

func newUnionFind(n int) unionFind {
	u := make(unionFind, n)
	for i := range u {
		u[i] = i
	}
	return u
}

// find returns the representative of i's set.
func (u unionFind) find(i int) int {
	for u[i] != i {
		u[i] = u[u[i]]
		i = u[i]
	}
	return i
}

// join adds j's set to i's.
func (u unionFind) join(i, j int) {
	u[u.find(j)] = u.find(i)
}
