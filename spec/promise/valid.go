package promise

import "hallmark/spec"

// Valid reports whether a value keeps a schema of the contract on its way in a request.
func (p *Promises) Valid(s *spec.Schema, value any) bool { return p.options.Valid(s, value) }
