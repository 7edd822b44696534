package spec

import (
	"net/url"
	"slices"
	"strings"
	"time"
)

// Operation is one operation of the contract, with what is promised of it.
type Operation struct {
	// ID is the operationId. Where the document has none, or has it twice, it is made of the method and the path. It may
	// hold any character.
	ID string
	// Pointer is the JSON Pointer of the operation in the document ("/paths/~1pets/get").
	Pointer string
	// Method is in upper case; Path is the template as written ("/pets/{petId}").
	Method, Path string
	// PathMethods are the methods that the document gives the path, including those of operations that could not be read.
	PathMethods          []string
	Summary, Description string
	Tags                 []string
	Parameters           []Parameter
	// Body is nil when the operation takes none.
	Body *RequestBody
	// Answers are the documented ones, in the order of the document.
	Answers []Answer
	// Security holds the alternatives of which one must be satisfied; none when the operation is free for all.
	Security []Requirement
	// StatesSecurity reports whether the operation has a security list of its own, which may be empty.
	StatesSecurity bool
	// Servers are those of the operation or of its path; none where those of the document serve it.
	Servers    []Server
	Deprecated bool
	// Sunset is the day (UTC) on which the operation is removed (x-sunset); zero when none is set.
	Sunset time.Time
}

// Parameter is a parameter in path, query, header or cookie.
type Parameter struct {
	// In is "path", "query", "querystring", "header" or "cookie".
	Name, In    string
	Description string
	Required    bool
	Deprecated  bool
	// Style and Explode say how a value is written; the defaults of OpenAPI are filled in. Style is empty beside Content.
	Style   string
	Explode bool
	// AllowReserved leaves reserved characters as they are, AllowEmpty admits the name without a value.
	AllowReserved, AllowEmpty bool
	// Pointer is where the operation names it, Via what that refers to (components/parameters), if it does.
	Pointer string
	Via     []string
	// Edge leads to the schema; its Schema is nil beside Content. Edge.Via are the references from the parameter to the schema.
	Edge
	// Content says how the value is encoded when it is a text of a media type; nil for most parameters.
	Content  *Media
	Examples []Example
}

// RequestBody is a request body.
type RequestBody struct {
	Description string
	Required    bool
	// Pointer is where the operation names it, Via what that refers to (components/requestBodies), if it does.
	Pointer string
	Via     []string
	// Content are its media types, in the order of the document.
	Content []Media
}

// Answer is one documented response.
type Answer struct {
	// Key is how the document names it: "200", "4XX" or "default".
	Key string
	// Status is the only status that it is for; 0 for a range and for the default.
	Status      int
	Description string
	// Pointer is where the operation names the response, Via what that refers to (components/responses), if it does.
	Pointer string
	Via     []string
	// Content are its media types, in the order of the document; none when nothing is said of a body.
	Content []Media
	// SharesMedia reports whether its media types are those of all responses of the operation, as Swagger 2.0 has it (produces).
	SharesMedia bool
	Headers     []Header
	Links       []Link
}

// Header is a documented header of a response or of a part of a multipart body.
type Header struct {
	Name     string
	Required bool
	// Style is "simple" beside a schema.
	Style   string
	Explode bool
	// Pointer is where it is named, Via what that refers to (components/headers), if it does.
	Pointer string
	Via     []string
	// Edge leads to the schema; its Schema is nil beside Content.
	Edge
	Content  *Media
	Examples []Example
}

// Link says how a value of a response leads to another operation (OpenAPI Link Object).
type Link struct {
	Name string
	// Operation is the operationId that it leads to.
	Operation string
	// Parameters maps parameter names to JSON Pointers into the body of the response.
	Parameters map[string]string
	// Others maps parameter names to runtime expressions of another kind ("$request.path.id") and to constants.
	Others map[string]string
	// Body is the runtime expression or the constant that becomes the request body; empty for none.
	Body string
}

// Server is an address that the contract names.
type Server struct {
	// URL may hold names of variables in braces.
	URL     string
	Pointer string
	// Variables maps the names to the default values.
	Variables map[string]string
}

// Address returns the URL with the default values of its variables. It may be relative, or still hold a variable without one: one of no
// length where the URL begins stands for the address of the host.
func (s Server) Address() string {
	address := s.URL
	if name, after, ok := strings.Cut(strings.TrimPrefix(address, "{"), "}"); ok && address[0] == '{' && strings.HasPrefix(after, "/") {
		if value, known := s.Variables[name]; known && value == "" {
			address = after
		}
	}
	for name, value := range s.Variables {
		if value != "" {
			address = strings.ReplaceAll(address, "{"+name+"}", value)
		}
	}
	return address
}

// BasePath returns the path of the address, without a slash at its end: "/v2" for https://api.example.com/v2/.
func (s Server) BasePath() string {
	u, err := url.Parse(s.Address())
	if err != nil {
		return ""
	}
	return strings.TrimRight(u.EscapedPath(), "/")
}

// Definition returns where the response itself stands, which the operation may only refer to.
func (a *Answer) Definition() string { return definition(a.Pointer, a.Via) }

// Definition returns where the body itself stands, which the operation may only refer to.
func (b *RequestBody) Definition() string { return definition(b.Pointer, b.Via) }

// definition returns where the object stands that a pointer and the references from there lead to.
func definition(pointer string, via []string) string {
	if len(via) == 0 {
		return pointer
	}
	return via[len(via)-1]
}

// Class returns the first digit of the statuses that the response is for; 0 for the default.
func (a *Answer) Class() int {
	if len(a.Key) == 3 && a.Key[0] >= '1' && a.Key[0] <= '5' {
		return int(a.Key[0] - '0')
	}
	return a.Status / 100
}

// Silent reports whether an operation documents no response that ends a request: none at all, as OpenAPI allows since 3.1, or nothing but
// interim ones (1xx), behind which another follows, or another protocol.
func (o *Operation) Silent() bool {
	return !slices.ContainsFunc(o.Answers, func(a Answer) bool { return a.Class() != 1 })
}

// Answer returns the documented response of an HTTP status: the one for exactly that status, or for its range, or the
// default; nil when the operation documents none.
func (o *Operation) Answer(status int) *Answer {
	var best *Answer
	for i := range o.Answers {
		a := &o.Answers[i]
		switch {
		case a.Status == status && status != 0:
			return a
		case a.Status != 0:
		case a.Class() == 0 && best == nil, a.Class() != 0 && a.Class() == status/100:
			best = a
		}
	}
	return best
}
