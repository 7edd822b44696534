package openapi

import (
	"slices"
	"strings"

	"hallmark/spec"
	"hallmark/spec/jsonpointer"
)

// readSecurity reads which credentials an operation asks for: its own requirements, or those of the document.
func readSecurity(r *reader, operation place) []spec.Requirement {
	owner := operation
	if _, own := r.child(operation, "security"); !own {
		owner = r.at("")
	}
	var all []spec.Requirement
	for _, item := range r.list(owner, "security") {
		requirement := spec.Requirement{}
		for _, m := range r.object(item, "a security requirement") {
			s := readScheme(r, m)
			s.Pointer = jsonpointer.Join(owner.pointer, "security")
			requirement = append(requirement, s)
		}
		all = append(all, apart(requirement)...)
	}
	return all
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
func readScheme(r *reader, m member) spec.Security {
	s := spec.Security{Name: m.name, SchemePointer: m.pointer}
	for _, scope := range m.node.Content {
		s.Scopes = append(s.Scopes, scope.Value)
	}
	declared := jsonpointer.Join("/components/securitySchemes", m.name)
	if r.version == 20 {
		declared = jsonpointer.Join("/securityDefinitions", m.name)
	}
	if !r.doc.Exists(declared) {
		pointer, err := r.doc.Target(m.pointer, m.name)
		if r.version < 32 || err != nil {
			r.dangling(m.place, "the security scheme "+m.name+" is not declared")
			return s
		}
		declared = pointer
	}
	at, _, ok := r.resolve(r.at(declared))
	if !ok {
		return s
	}
	s.SchemePointer = at.pointer
	s.Type = r.text(at, "type")
	switch s.Type {
	case "basic": // Swagger 2.0
		s.Type, s.Scheme = "http", "basic"
	case "http":
		s.Scheme, s.BearerFormat = strings.ToLower(r.text(at, "scheme")), r.text(at, "bearerFormat")
		if s.Scheme == "" {
			r.omit(at, "the security scheme %s does not say which HTTP scheme it is (scheme)", m.name)
			s.Type = ""
		}
	case "apiKey":
		s.In, s.Key = r.text(at, "in"), r.text(at, "name")
		if s.Key == "" || !slices.Contains([]string{"header", "query", "cookie"}, s.In) {
			r.omit(at, "the security scheme %s does not say where the key is sent (in, name)", m.name)
			s.Type = ""
		}
	case "oauth2":
		s.Flows = readFlows(r, at)
	case "openIdConnect":
		s.OpenIDURL = r.text(at, "openIdConnectUrl")
	case "mutualTLS":
	default:
		r.omit(at, "the security scheme %s is of the unknown type %q", m.name, s.Type)
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
