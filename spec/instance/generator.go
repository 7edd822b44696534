package instance

import "github.com/hallmark-kit/hallmark/spec"

// Generator derives instances. It caches what it made, so one should serve all subjects of a document. It is not
// safe for concurrent use.
type Generator struct {
	*builder
	limit      int
	perSubject int
}

// Work returns the remaining work for the current subject, or nil if there is no bound.
func (g *Generator) Work() *Work { return g.work }

// defaultLimit is the default number of cases for one subject.
const defaultLimit = 64

// New returns a generator.
func New(o Options) *Generator {
	if o.Limit <= 0 {
		o.Limit = defaultLimit
	}
	if o.Valid == nil {
		o.Valid = func(*spec.Schema, any) bool { return false } // nothing is valid without confirmation
	}
	if o.Texts == nil {
		o.Texts = NewTexts(o.Seed, false)
	}
	b := &builder{
		judge: &judge{valid: o.Valid, work: o.Work}, Texts: o.Texts, direction: o.Direction, built: map[string]made{}, active: map[string]bool{},
	}
	return &Generator{builder: b, limit: o.Limit, perSubject: o.PerSubject}
}
