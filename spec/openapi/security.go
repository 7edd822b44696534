package openapi

import (
	"slices"
	"strings"

	lowv3 "github.com/pb33f/libopenapi/datamodel/low/v3"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
)

// readSecurity reads the security requirements of an operation, or those of the document, and reports whether they are the operation's own.
func readSecurity(r *reader, operation place) (all []spec.Requirement, own bool) {
	owner := operation
	if _, own = r.child(operation, "security"); !own {
		owner = r.placeAt("")
	}
	for _, item := range r.list(owner, "security") {
		requirement := spec.Requirement{}
		for _, m := range r.object(item, "a security requirement") {
			s := spec.Security{Name: m.name, Pointer: jsonpointer.Join(owner.pointer, "security"), SchemePointer: m.pointer}
			for _, scope := range m.node.Content {
				s.Scopes = append(s.Scopes, scope.Value)
			}
			if at, ok := findScheme(r, m); ok {
				readScheme(r, at, &s)
			}
			requirement = append(requirement, s)
		}
		all = append(all, apart(requirement)...)
	}
	return all, own
}

// findScheme returns the scheme that a requirement names. OpenAPI 3.2 also allows a reference.
func findScheme(r *reader, m member) (at place, ok bool) {
	declared := jsonpointer.Join("/components/securitySchemes", m.name)
	if r.version == 20 {
		declared = jsonpointer.Join("/securityDefinitions", m.name)
	}
	if !r.doc.Exists(declared) {
		pointer, err := r.doc.Target(m.pointer, m.name)
		if r.version < 32 || err != nil {
			r.dangling(m.place, "the security scheme "+m.name+" is not declared")
			return place{}, false
		}
		declared = pointer
	}
	at, _, ok = r.resolve(r.placeAt(declared))
	return at, ok
}

// apart splits a requirement into ones that a request can meet. A field of a request carries one credential: if a requirement names
// several for the same field, such as an API key and a bearer token in Authorization, any of them is accepted.
func apart(r spec.Requirement) []spec.Requirement {
	all := []spec.Requirement{{}}
	taken := map[string]bool{}
	for i, s := range r {
		at := s.Place()
		if s.Type != "" && at != "" && taken[at] {
			continue
		}
		choices := []spec.Security{s}
		if s.Type != "" && at != "" {
			taken[at] = true
			for _, other := range r[i+1:] {
				if other.Type != "" && other.Place() == at {
					choices = append(choices, other)
				}
			}
		}
		var longer []spec.Requirement
		for _, before := range all {
			for _, one := range choices {
				longer = append(longer, append(slices.Clip(before), one))
			}
		}
		all = longer
	}
	return all
}

// readScheme reads a security scheme. One that is not understood has no type, and no credential can be sent for it.
func readScheme(r *reader, at place, s *spec.Security) {
	n := (&outline{reader: r}).object(at, "security scheme")
	m := r.schemes[at.pointer]
	if m == nil {
		var err error
		if m, err = modelOf[lowv3.SecurityScheme](n); err != nil {
			r.omit(at, "libopenapi does not read the security scheme %s", s.Name)
			return
		}
		r.schemes[at.pointer] = m
	}
	s.SchemePointer, s.Type = at.pointer, m.Type.Value
	switch s.Type {
	case "basic": // Swagger 2.0
		s.Type, s.Scheme = "http", "basic"
	case "http":
		s.Scheme = strings.ToLower(m.Scheme.Value)
		if s.Scheme == "" {
			r.omit(at, "the security scheme %s names no HTTP scheme (scheme)", s.Name)
			s.Type = ""
		}
	case "apiKey":
		s.In, s.Key = m.In.Value, m.Name.Value
		if s.Key == "" || !slices.Contains([]string{"header", "query", "cookie"}, s.In) {
			r.omit(at, "the security scheme %s does not define where the key is sent (in, name)", s.Name)
			s.Type = ""
		}
	case "oauth2":
		s.Flows = readFlows(r, at)
	case "openIdConnect":
		s.OpenIDURL = m.OpenIdConnectUrl.Value
	case "mutualTLS":
	default:
		r.omit(at, "the security scheme %s has the unknown type %q", s.Name, s.Type)
		s.Type = ""
	}
}

func readFlows(r *reader, at place) []spec.Flow {
	if r.version == 20 {
		kinds := map[string]string{"application": "clientCredentials", "accessCode": "authorizationCode"}
		kind := r.text(at, "flow")
		if is, ok := kinds[kind]; ok {
			kind = is
		}
		return []spec.Flow{readFlow(r, member{kind, at})}
	}
	var all []spec.Flow
	for _, m := range r.objectAt(at, "flows") {
		if !strings.HasPrefix(m.name, "x-") {
			all = append(all, readFlow(r, m))
		}
	}
	return all
}

func readFlow(r *reader, m member) spec.Flow {
	f := spec.Flow{
		Kind: m.name, TokenURL: r.text(m.place, "tokenUrl"),
	}
	for _, scope := range r.objectAt(m.place, "scopes") {
		f.Scopes = append(f.Scopes, scope.name)
	}
	return f
}
