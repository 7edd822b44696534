package openapi

import (
	"slices"
	"strings"

	"github.com/pb33f/libopenapi/datamodel/low"

	"hallmark/spec"
	"hallmark/spec/jsonpointer"
)

// readSecurity reads which credentials an operation asks for: its own requirements, or those of the document. It reports whether they are its own.
func readSecurity(r *reader, f found, op operationModel) (all []spec.Requirement, own bool) {
	requirements, own := r.model.security(op)
	owner := ""
	if own {
		owner = f.operation.pointer
	}
	for _, item := range requirements {
		requirement := spec.Requirement{}
		for name, scopes := range item.Value.Requirements.Value.FromOldest() {
			s := readScheme(r, name, scopes.Value)
			s.Pointer = jsonpointer.Join(owner, "security")
			requirement = append(requirement, s)
		}
		all = append(all, apart(requirement)...)
	}
	return all, own
}

// apart returns a requirement as one that a request can meet. A field of a request carries one credential: of those that a requirement wants
// in the same field together, such as an API key and a bearer token in Authorization, each lets in.
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

// readScheme reads the scheme that a requirement names. One that is not understood has no type: nobody has a credential for it.
func readScheme(r *reader, name low.KeyReference[string], scopes []low.ValueReference[string]) spec.Security {
	named := r.model.origins[name.KeyNode]
	s := spec.Security{Name: named.name, SchemePointer: named.at.pointer}
	for _, scope := range scopes {
		s.Scopes = append(s.Scopes, scope.Value)
	}
	m, ok := r.model.securities[name.Value]
	if !ok {
		return s
	}
	at := modelled(r.model, m).target
	s.SchemePointer, s.Type = at.pointer, m.Value.Type.Value
	switch s.Type {
	case "basic": // Swagger 2.0
		s.Type, s.Scheme = "http", "basic"
	case "http":
		s.Scheme, s.BearerFormat = strings.ToLower(m.Value.Scheme.Value), m.Value.BearerFormat.Value
		if s.Scheme == "" {
			r.omit(at, "the security scheme %s does not say which HTTP scheme it is (scheme)", s.Name)
			s.Type = ""
		}
	case "apiKey":
		s.In, s.Key = m.Value.In.Value, m.Value.Name.Value
		if s.Key == "" || !slices.Contains([]string{"header", "query", "cookie"}, s.In) {
			r.omit(at, "the security scheme %s does not say where the key is sent (in, name)", s.Name)
			s.Type = ""
		}
	case "oauth2":
		s.Flows = readFlows(r, at)
	case "openIdConnect":
		s.OpenIDURL = m.Value.OpenIdConnectUrl.Value
	case "mutualTLS":
	default:
		r.omit(at, "the security scheme %s is of the unknown type %q", s.Name, s.Type)
		s.Type = ""
	}
	return s
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
		Kind: m.name, AuthorizationURL: r.text(m.place, "authorizationUrl"),
		TokenURL: r.text(m.place, "tokenUrl"), RefreshURL: r.text(m.place, "refreshUrl"),
	}
	for _, scope := range r.objectAt(m.place, "scopes") {
		f.Scopes = append(f.Scopes, scope.name)
	}
	return f
}
