package resource

import (
	"net/http"
	"regexp"
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
)

// What changes of a resource can apply to.

// Identifies reports whether a member of the representation is the identifier.
func (l Life) Identifies(name string) bool {
	for _, path := range [][]Step{l.Creator.Path, l.Creator.Sent, l.read} {
		if len(path) > 0 && path[len(path)-1].Name == name {
			return true
		}
	}
	return plain(name) == plain(l.Slot.Parameter.Name)
}

// Names returns the members of the representation, in the order of the document.
func (l Life) Names() []string {
	var all []string
	for _, p := range members(l.Record) {
		all = append(all, p.Name)
	}
	return all
}

// ReadOnly returns the members of the representation that are read-only (readOnly).
func (l Life) ReadOnly() []string {
	return slices.DeleteFunc(l.Names(), func(name string) bool { s := l.Member(name); return s == nil || !s.ReadOnly })
}

// creationTimes matches names of members that say when a resource was created.
var creationTimes = regexp.MustCompile(`(?i)^(created|creation|inserted|added|registered)[-_]?(at|on|date|time|datetime|timestamp)?$|^(date|time)[-_]?(created|added|of[-_]?creation)$`)

// CreationTime reports whether a member says when a resource was created, by its name and format. A number may count something.
func CreationTime(name string, s *spec.Schema) bool {
	return s != nil && creationTimes.MatchString(name) && only(s) == "string" && (s.Format == "date-time" || s.Format == "date")
}

// otherTimes matches names of times that "newest" does not mean: of changes, and of what may come later.
var otherTimes = regexp.MustCompile(`(?i)(updated|modified|changed|edited|touched|deleted|removed|archived|expire|expires|expiry|expiration|valid|due|ends?|until)`)

// CreatedAt returns the member that says when a resource was created, and its schema; "" if there is none, there are several, or, unless the
// creation is surely meant, there is another time by which something may be new.
func (l Life) CreatedAt(surely bool) (name string, s *spec.Schema) {
	for _, p := range members(l.Record) {
		switch {
		case p.Schema == nil:
		case CreationTime(p.Name, p.Schema), creationTimes.MatchString(p.Name) && only(p.Schema) == "integer":
			if name != "" {
				return "", nil
			}
			name, s = p.Name, p.Schema
		case !surely && (p.Schema.Format == "date-time" || p.Schema.Format == "date") && !otherTimes.MatchString(p.Name):
			return "", nil
		}
	}
	return name, s
}

// Settable returns the members of an operation's body that the representation has too and that are the client's
// own: not the identifier, nothing read-only or write-only, and nothing that services change by themselves.
func (l Life) Settable(op *spec.Operation) []spec.Property {
	if op.Body == nil || op.Body.Schema() == nil {
		return nil
	}
	var all []spec.Property
	for _, p := range members(op.Body.Schema()) {
		shown := l.Member(p.Name)
		own := p.Schema != nil && shown != nil && !p.Schema.ReadOnly && !p.Schema.WriteOnly && !shown.ReadOnly && !shown.WriteOnly
		if own && !StateLike(p.Name) && !l.Identifies(p.Name) {
			all = append(all, p)
		}
	}
	return all
}

// Sets returns those members of a value that the body of an operation accepts; all of them if the document names
// none.
func Sets(op *spec.Operation, value map[string]any) map[string]any {
	if op.Body == nil {
		return nil
	}
	known := members(op.Body.Schema())
	out := map[string]any{}
	for name, v := range value {
		if len(known) == 0 || slices.ContainsFunc(known, func(p spec.Property) bool { return p.Name == name && (p.Schema == nil || !p.Schema.ReadOnly) }) {
			out[name] = v
		}
	}
	return out
}

// Along returns the members and items that a pointer names in values of a schema, the outermost first, as far as the document describes them.
// Items have no names.
func Along(s *spec.Schema, pointer string) []spec.Property {
	var all []spec.Property
	for _, token := range jsonpointer.Tokens(pointer) {
		next := spec.Property{Edge: spec.Edge{Schema: items(s)}}
		for _, p := range members(s) {
			if p.Name == token {
				next = p
			}
		}
		if s = next.Schema; s == nil {
			break
		}
		all = append(all, next)
	}
	return all
}

// Required reports whether the body of an operation must have a member.
func Required(op *spec.Operation, name string) bool {
	return slices.ContainsFunc(parts(op.Body.Schema()), func(s *spec.Schema) bool { return slices.Contains(s.Required, name) })
}

// Inside returns the plain texts and integers in a member of the body of an operation that is an object, none of which it requires, if
// the representation has such an object, too.
func (l Life) Inside(op *spec.Operation, name string) []spec.Property {
	within := func(s *spec.Schema) []spec.Property {
		if s == nil || only(s) != "object" {
			return nil
		}
		return members(s)
	}
	shown := within(l.Member(name))
	var all []spec.Property
	for _, p := range l.Settable(op) {
		if p.Name != name {
			continue
		}
		for _, inner := range within(p.Schema) {
			visible := slices.ContainsFunc(shown, func(o spec.Property) bool { return o.Name == inner.Name && !o.Schema.ReadOnly && !o.Schema.WriteOnly })
			if visible && !inner.Schema.ReadOnly && !StateLike(inner.Name) && (FreeText(inner.Schema) || only(inner.Schema) == "integer" && inner.Schema.Simple()) {
				all = append(all, inner)
			}
		}
	}
	return all
}

// Optional returns the settable members that a body may lack, and for which the document names no default.
func (l Life) Optional(op *spec.Operation) []spec.Property {
	return slices.DeleteFunc(l.Settable(op), func(p spec.Property) bool {
		always := slices.ContainsFunc(parts(l.Record), func(s *spec.Schema) bool { return slices.Contains(s.Required, p.Name) })
		return always || Required(op, p.Name) || p.Schema.Default != "" || l.Member(p.Name).Default != ""
	})
}

// Texts returns the settable members that are free texts and not named like a reference, whose target must exist.
func (l Life) Texts(op *spec.Operation) []spec.Property {
	return slices.DeleteFunc(l.Settable(op), func(p spec.Property) bool { return !FreeText(p.Schema) || len(identifies(p.Name)) > 1 })
}

// FreeText reports whether a schema allows any text of some length, on which hardly anything else depends.
func FreeText(s *spec.Schema) bool { return admits(s, "string") && allowsFreeText(s) }

// TextList reports whether a schema allows lists of any texts.
func TextList(s *spec.Schema) bool { return items(s) != nil && FreeText(items(s)) }

// NameMap reports whether a schema is that of an object whose member names the client chooses, without further
// restrictions.
func NameMap(s *spec.Schema) bool {
	return s != nil && s.Type == "object" && !s.ReadOnly && len(s.Properties)+len(s.PatternProperties)+len(s.AllOf)+len(s.OneOf)+len(s.AnyOf)+len(s.Enum) == 0 &&
		s.Ref == nil && s.PropertyNames == nil && s.Const == "" && (s.AdditionalProperties == nil || !s.AdditionalProperties.Schema.Forbidden)
}

// replacing and merging match descriptions of requests that set all of a resource, or only part of it.
var (
	replacing = regexp.MustCompile(`(?i)\b(replac(e|es|ing|ement)|overwrit(e|es|ing|ten))\b`)
	merging   = regexp.MustCompile(`(?i)\b(unchanged|partial(ly)?|omit(s|ted)?|left out|absent|missing|merg(e|es|ed|ing)|keeps?|kept|retain(s|ed)?|remains?|preserv(e|es|ed)|` +
		`not (be )?(provided|specified|present|included|sent|given|set|supplied|passed|affected|changed|modified|updated)|only (the|those|what|fields|members|properties|attributes))\b`)
)

// Replaces reports whether the prose of a document says that a PUT replaces its resource. An operationId does not
// count, since it is meant for programs.
func Replaces(op *spec.Operation) bool {
	says := op.Summary + "\n" + op.Description
	return op.Method == http.MethodPut && replacing.MatchString(says) && !merging.MatchString(says)
}
