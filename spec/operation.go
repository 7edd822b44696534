package spec

import (
	"net/url"
	"slices"
	"strings"
	"time"
)

// Operation is an operation of the contract.
type Operation struct {
	// ID is the operationId. If it is missing or not unique, ID is made of the method and the path. It may contain any character.
	ID string
	// Pointer is the JSON Pointer of the operation in the document ("/paths/~1pets/get").
	Pointer string
	// Method is in upper case; Path is the path template as written ("/pets/{petId}").
	Method, Path string
	// PathMethods are the methods that the path defines, including those of operations that could not be read.
	PathMethods          []string
	Summary, Description string
	Tags                 []string
	Parameters           []Parameter
	// Body is nil if the operation has none.
	Body *RequestBody
	// Responses are the documented responses in document order.
	Responses []DocumentedResponse
	// Security holds alternatives, one of which must be satisfied; empty if the operation is public.
	Security []Requirement
	// StatesSecurity reports whether the operation has its own security list, even an empty one.
	StatesSecurity bool
	// Servers are those of the operation or of its path; empty if the document's servers apply.
	Servers    []Server
	Deprecated bool
	// Sunset is the day (UTC) on which the operation is removed (x-sunset), or zero.
	Sunset time.Time
}

// Parameter is a path, query, header or cookie parameter.
type Parameter struct {
	// In is "path", "query", "querystring", "header" or "cookie".
	Name, In    string
	Description string
	Required    bool
	Deprecated  bool
	// Style and Explode are how the value is serialized, with OpenAPI's defaults applied. Style is empty if Content is set.
	Style   string
	Explode bool
	// AllowReserved leaves reserved characters unescaped; AllowEmpty allows the name without a value.
	AllowReserved, AllowEmpty bool
	// Pointer is the place where the operation lists it, Via the places that a reference there leads through.
	Pointer string
	Via     []string
	// Edge leads to the schema; its Schema is nil if Content is set. Edge.Via are the references from the parameter to the schema.
	Edge
	// Content is the media type of a serialized value; nil for most parameters.
	Content  *Media
	Examples []Example
}

// RequestBody is a request body.
type RequestBody struct {
	Description string
	Required    bool
	// Pointer is the place where the operation defines it, Via the places that a reference there leads through.
	Pointer string
	Via     []string
	// Content are its media types in document order.
	Content []Media
}

// DocumentedResponse is a response that an operation documents.
type DocumentedResponse struct {
	// Key is its key in the document: "200", "4XX" or "default".
	Key string
	// Status is its status; 0 for a range and for the default.
	Status      int
	Description string
	// Pointer is the place where the operation lists it, Via the places that a reference there leads through.
	Pointer string
	Via     []string
	// Content are its media types in document order; empty if no body is documented.
	Content []Media
	// SharesMedia reports whether its media types apply to all responses of the operation, as in Swagger 2.0 (produces).
	SharesMedia bool
	Headers     []Header
	Links       []Link
}

// Header is a documented header of a response or of a part of a multipart body.
type Header struct {
	Name        string
	Description string
	Required    bool
	// Style is "simple" with a schema.
	Style   string
	Explode bool
	// Pointer is the place where it is listed, Via the places that a reference there leads through.
	Pointer string
	Via     []string
	// Edge leads to the schema; its Schema is nil if Content is set.
	Edge
	Content  *Media
	Examples []Example
}

// Link is how a value of a response is used in a request of another operation (OpenAPI Link Object).
type Link struct {
	Name string
	// Operation is the operationId of that operation.
	Operation string
	// Parameters maps parameter names to JSON Pointers into the body of the response.
	Parameters map[string]string
	// Others maps parameter names to other runtime expressions ("$request.path.id") and to constants.
	Others map[string]string
	// Body is the runtime expression or constant for the request body, or "".
	Body string
}

// Server is a server of the contract.
type Server struct {
	// URL may contain variables in braces.
	URL     string
	Pointer string
	// Variables maps variable names to default values.
	Variables map[string]string
}

// Address returns the URL with default values for its variables. It may be relative, or contain a variable without a default; an empty
// variable at its beginning means the current host.
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

// BasePath returns the path of the address without a trailing slash: "/v2" for https://api.example.com/v2/.
func (s Server) BasePath() string {
	u, err := url.Parse(s.Address())
	if err != nil {
		return ""
	}
	return strings.TrimRight(u.EscapedPath(), "/")
}

// Definition returns the place of the response itself, to which the operation may refer.
func (a *DocumentedResponse) Definition() string { return definition(a.Pointer, a.Via) }

// definition returns the last place on the way from a pointer through its references.
func definition(pointer string, via []string) string {
	if len(via) == 0 {
		return pointer
	}
	return via[len(via)-1]
}

// Class returns the first digit of the statuses of the response, or 0 for the default.
func (a *DocumentedResponse) Class() int {
	if len(a.Key) == 3 && a.Key[0] >= '1' && a.Key[0] <= '5' {
		return int(a.Key[0] - '0')
	}
	return a.Status / 100
}

// Silent reports whether an operation documents no final response: none at all, as OpenAPI allows since 3.1, or only interim ones (1xx).
func (o *Operation) Silent() bool {
	return !slices.ContainsFunc(o.Responses, func(a DocumentedResponse) bool { return a.Class() != 1 })
}

// Statuses returns the statuses that the operation documents, in document order, or nil if it documents a range of them or a default.
func (o *Operation) Statuses() []int {
	var all []int
	for i := range o.Responses {
		if o.Responses[i].Status == 0 {
			return nil
		}
		all = append(all, o.Responses[i].Status)
	}
	return all
}

// ResponseFor returns the documented response for an HTTP status: that of the status, of its range, or the default; nil if there is none.
func (o *Operation) ResponseFor(status int) *DocumentedResponse {
	var best *DocumentedResponse
	for i := range o.Responses {
		a := &o.Responses[i]
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
