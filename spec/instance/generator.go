package instance

import "hallmark/spec"

// Generator derives instances. It remembers what it made, so one should serve all subjects of a document. It must not be used by
// several goroutines at a time.
type Generator struct {
	*builder
	limit      int
	perSubject int
}

// Work returns what is left of the work for the subject at hand; nil where there is no bound.
func (g *Generator) Work() *Work { return g.work }

// defaultLimit is how many cases are derived of one subject where the options do not say.
const defaultLimit = 64

// New returns a generator.
func New(o Options) *Generator {
	if o.Limit <= 0 {
		o.Limit = defaultLimit
	}
	if o.Valid == nil {
		o.Valid = func(*spec.Schema, any) bool { return false } // what cannot be confirmed is not valid
	}
	if o.Texts == nil {
		o.Texts = NewTexts(o.Seed)
	}
	b := &builder{
		judge: &judge{valid: o.Valid, work: o.Work}, Texts: o.Texts, direction: o.Direction, built: map[string]made{}, active: map[string]bool{},
	}
	return &Generator{builder: b, limit: o.Limit, perSubject: o.PerSubject}
}
