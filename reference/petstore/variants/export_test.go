package variants

// Placed returns the names of the freedoms that have a place.
func Placed() []string {
	var all []string
	for _, p := range places() {
		all = append(all, p.freedoms...)
	}
	return all
}
