package spec

import (
	"slices"
	"time"

	"hallmark/spec/jsonpointer"
)

// Operation is one operation of the contract, with what is promised of it.
type Operation struct {
	// ID is the operationId.
	ID string
	// Pointer is the JSON Pointer of the operation in the document ("/paths/~1pets/get").
	Pointer string
	// Method is in upper case; Path is the template as written ("/pets/{petId}").
	Method, Path string
	Summary      string
	Parameters   []Parameter
	// Body is nil when the operation takes none.
	Body *RequestBody
	// Answers are the documented ones, in the order of the document.
	Answers []Answer
	// Security holds the schemes of which one must be satisfied; empty when the operation is free for all.
	Security   []Security
	Deprecated bool
	// Sunset is the day (UTC) on which the operation is removed (x-sunset); zero when none is set.
	Sunset time.Time
}

// Parameter is a parameter in path, query or header.
type Parameter struct {
	Name, In string
	Required bool
	// Pointer is where the operation names it, Via what that refers to (components/parameters), if it does.
	Pointer string
	Via     []string
	Schema  *Schema
}

// RequestBody is a JSON request body.
type RequestBody struct {
	Required bool
	// Pointer is where the operation names it, Via what that refers to (components/requestBodies), if it does.
	Pointer   string
	Via       []string
	MediaType string
	Schema    *Schema
}

// Answer is one documented response.
type Answer struct {
	Status int
	// Pointer is where the operation names the response, Via what that refers to (components/responses), if it does.
	Pointer string
	Via     []string
	// MediaTypes is empty when the response has no body.
	MediaTypes []string
	Schema     *Schema
	Links      []Link
}

// Link says how a value of a response leads to another operation (OpenAPI Link Object).
type Link struct {
	Name string
	// Operation is the operationId that it leads to.
	Operation string
	// Parameters maps parameter names to JSON Pointers into the body of the response.
	Parameters map[string]string
}

// Security is one way to be let in.
type Security struct {
	// Name is the scheme's name in components, Scheme the HTTP authentication scheme ("bearer").
	Name, Scheme string
	// Pointer is that of the requirement ("/security" when the document's own is in force),
	// SchemePointer that of the scheme.
	Pointer, SchemePointer string
}

// Schema is what the contract says of a value. References are resolved; Pointer is where the schema itself stands, Via
// is the whole way that led to it, from the use in an operation inwards: the places of references and of the schemas
// around it ("/components/schemas/Pet", "/components/schemas/Pet/properties/status", then Pointer
// "/components/schemas/PetStatus").
type Schema struct {
	Pointer string
	Via     []string
	// Type is "string", "integer", "number", "boolean", "array", "object", or empty for any.
	Type   string
	Format string
	// Enum holds the allowed values as JSON texts; Default too (empty when none).
	Enum    []string
	Default string
	// Bounds as decimal text; empty when there is none.
	Minimum, Maximum     string
	MinLength, MaxLength *int64
	MinItems, MaxItems   *int64
	Required             []string
	Properties           []Property
	Items                *Schema
}

// Property is one documented property of an object.
type Property struct {
	Name     string
	Required bool
	// RequiredPointer is that of the entry in the schema's required list; empty when it is optional.
	RequiredPointer string
	Schema          *Schema
}

// Place returns where the response itself stands, which the operation may only refer to.
func (a *Answer) Place() string { return place(a.Pointer, a.Via) }

// Place returns where the body itself stands, which the operation may only refer to.
func (b *RequestBody) Place() string { return place(b.Pointer, b.Via) }

// place returns where the object stands that a pointer and the references from there lead to.
func place(pointer string, via []string) string {
	if len(via) == 0 {
		return pointer
	}
	return via[len(via)-1]
}

// Property returns the property of that name; nil when the schema does not document it.
func (s *Schema) Property(name string) *Property {
	for i := range s.Properties {
		if s.Properties[i].Name == name {
			return &s.Properties[i]
		}
	}
	return nil
}

// Chain returns Via and Pointer in one: every place on the way to the schema, from the outside in.
func (s *Schema) Chain() []string {
	return append(slices.Clip(s.Via), s.Pointer)
}

// Answer returns the documented response of an HTTP status; nil when the operation documents none.
func (o *Operation) Answer(status int) *Answer {
	for i := range o.Answers {
		if o.Answers[i].Status == status {
			return &o.Answers[i]
		}
	}
	return nil
}

// Keywords returns the keywords by which a schema asserts something of its own value; of required each entry counts
// ("required/0").
func (s *Schema) Keywords() []string {
	var all []string
	add := func(there bool, keyword string) {
		if there {
			all = append(all, keyword)
		}
	}
	add(s.Type != "", "type")
	add(s.Format != "", "format")
	add(len(s.Enum) > 0, "enum")
	add(s.Minimum != "", "minimum")
	add(s.Maximum != "", "maximum")
	add(s.MinLength != nil, "minLength")
	add(s.MaxLength != nil, "maxLength")
	add(s.MinItems != nil, "minItems")
	add(s.MaxItems != nil, "maxItems")
	for i := range s.Required {
		add(true, jsonpointer.Index("required", i))
	}
	return all
}
