package request

// Plan is what steps say about the body of the next request: a plain one for the operation that is called, with changes.
type Plan struct {
	// Set gives single properties other values, which are JSON texts; {unique} in them stands for a fresh name, and {unique:40} for one of 40
	// characters. Without names the properties that are left out.
	Set     []Change
	Without []string
	// Renamed gives properties other names.
	Renamed map[string]string
	// Damage names a way to damage the text of the body; see [Damaged].
	Damage string
	// Literal replaces the body when it is not nil.
	Literal *string
	// Absent sends no body, and still the Content-Type of one.
	Absent bool
	// Extra holds further members, which are written as they are after the documented properties: `"nick": "Rexy"`.
	Extra string
	// Layout names a way to write the same body differently: "in reverse order".
	Layout string
	// MediaType replaces application/json; NoMediaType sends none.
	MediaType   string
	NoMediaType bool
}

// Change gives a property another value, a JSON text.
type Change struct{ Property, JSON string }

// Change sets a property to a JSON text.
func (p *Plan) Change(property, json string) error {
	p.Set = append(p.Set, Change{property, json})
	return nil
}
