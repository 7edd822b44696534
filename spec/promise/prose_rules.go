package promise

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/prose"
	"github.com/hallmark-kit/hallmark/spec/resource"
)

// Which rules a sentence in a known form is about.

// listener finds the rules that sentences are about.
type listener struct {
	names      Names
	contract   *spec.Contract
	operations []spec.Operation
	lives      lives
	listed     func(op *spec.Operation) []*life
	sayings    *prose.Sayings

	// merges holds the operations of which a sentence says that they keep what a request leaves out.
	merges map[*spec.Operation]bool

	sentence *prose.Sentence
	found    []about
}

// about returns the rules that a sentence in a known form is about.
func (l *listener) about(s *prose.Sentence) []about {
	l.sentence, l.found = s, nil
	uses := s.Uses
	if s.Place == prose.Document || s.Place == prose.Scheme {
		uses = nil
		for i := range l.operations {
			uses = append(uses, prose.Use{Operation: &l.operations[i]})
		}
	}
	for i := range uses {
		l.use(&uses[i])
	}
	return l.found
}

// addRules adds rules of an operation.
func (l *listener) addRules(op *spec.Operation, raise bool, kinds ...Kind) {
	for _, k := range kinds {
		a := about{l.names.Rule(op.ID, k), raise}
		if !slices.Contains(l.found, a) {
			l.found = append(l.found, a)
		}
	}
}

// use adds the rules of one operation that a sentence is about.
func (l *listener) use(u *prose.Use) {
	op, claim := u.Operation, &l.sentence.Claim
	switch claim.Form {
	case prose.Range, prose.Length, prose.Count, prose.Values, prose.Constant, prose.Required, prose.NotNull, prose.NotEmpty, prose.Apart, prose.Formatted:
		l.constraint(u)
	case prose.Default:
		if p := resource.PageSize(op); p != nil && l.describes(u, p) && sameText(claim.Value, p.Schema.Default) {
			l.addRules(op, true, Limited)
		}
	case prose.Limited:
		p := resource.PageSize(op)
		if p != nil && (l.describes(u, p) || l.sentence.Place == prose.Operation && p.Name == "limit") {
			l.addRules(op, true, Limited)
		}
	case prose.Filtered, prose.Sorted:
		l.selection(u)
	case prose.Ordered:
		if found, ok := lister(l.listed(op), op.ID); ok {
			if _, ok := claimedOrder(*claim, found); ok {
				l.addRules(op, true, Ordered)
			}
		}
	case prose.Unique:
		l.unique(u)
	case prose.Bounded:
		l.bounded(u)
	case prose.Closed:
		l.addRules(op, false, PropertyUnknown)
	case prose.Missing:
		if exactly(op, http.StatusNotFound) != nil {
			l.addRules(op, false, NotFound)
		}
	case prose.Anonymous:
		if l.sentence.Place != prose.Response || u.Response.Status == http.StatusUnauthorized {
			l.addRules(op, false, CredentialMissing, CredentialWrong)
		}
	case prose.Invalid:
		if l.refusesOnly(op, claim.Statuses) {
			l.addRules(op, false, ParameterMissing, ParameterValue, BodyMissing, BodyMalformed, BodyType, PropertyMissing, PropertyValue)
		}
	case prose.Unharmed:
		l.addRules(op, true, Unchanged, NoTrace)
	case prose.Challenged:
		l.addRules(op, true, Challenge)
	case prose.Allowed:
		l.addRules(op, true, MethodNotAllowed)
	case prose.Unrepeated:
		l.addRules(op, true, Disjoint)
	case prose.Repeated:
		if p := resource.IdempotencyKey(op); p != nil && (u.Parameter == nil || u.Parameter.Name == p.Name) {
			l.addRules(op, true, SameKey)
		}
	case prose.Located:
		if exactly(op, http.StatusCreated) != nil && (u.Header == nil || strings.EqualFold(u.Header.Name, "Location")) {
			l.addRules(op, true, Location, Placed)
		}
	case prose.Hidden:
		l.hidden(u)
	case prose.Identifier, prose.AsSent, prose.AtOnce, prose.ListedAtOnce, prose.Gone, prose.Unlisted, prose.DeletedTwice, prose.Replaced, prose.RestKept, prose.Fixed, prose.TagChanges, prose.Stale:
		for _, life := range l.lives.ofOperation(op) {
			if l.speaksOf(life) {
				l.life(u, life)
			}
		}
	case prose.Enforced:
		if l.sentence.Place == prose.Document {
			l.addRules(op, false, ParameterValue, PropertyValue, Body)
		}
	}
}

// describes reports whether a sentence describes a parameter, by itself or by its schema.
func (l *listener) describes(u *prose.Use, p *spec.Parameter) bool {
	return u.Parameter != nil && u.Parameter.Name == p.Name && u.Parameter.In == p.In && (u.Schema == nil || slices.Contains(partsOf(p.Schema, 0), u.Schema))
}

// refusesOnly reports whether an operation documents no other status for invalid requests.
func (l *listener) refusesOnly(op *spec.Operation, statuses []int) bool {
	found := false
	for i := range op.Responses {
		switch a := &op.Responses[i]; {
		case a.Status == http.StatusBadRequest || a.Status == http.StatusUnprocessableEntity:
			if !slices.Contains(statuses, a.Status) {
				return false
			}
			found = true
		case a.Status == 0 && (a.Class() == 4 || a.Class() == 0):
			return false
		}
	}
	return found
}

// constraint adds the rules that judge what schemas say, if the schema says the same as the sentence.
func (l *listener) constraint(u *prose.Use) {
	parts, ok := l.schemas(u)
	if !ok || !l.stated(u, parts) {
		return
	}
	missing := l.sentence.Claim.Form == prose.Required
	switch {
	case u.Header != nil:
		l.addRules(u.Operation, false, Headers)
	case u.Parameter != nil && missing:
		l.addRules(u.Operation, false, ParameterMissing)
	case u.Parameter != nil:
		l.addRules(u.Operation, false, ParameterValue)
	case u.Response != nil:
		l.addRules(u.Operation, false, Body)
	case missing:
		l.addRules(u.Operation, false, PropertyMissing)
	default:
		l.addRules(u.Operation, false, PropertyValue)
	}
}

// schemas returns the schema that a sentence describes, with those that it is composed of.
func (l *listener) schemas(u *prose.Use) ([]*spec.Schema, bool) {
	s := u.Schema
	switch {
	case s != nil:
	case u.Parameter != nil:
		s = u.Parameter.Schema
	case u.Header != nil:
		s = u.Header.Schema
	}
	return partsOf(s, 0), s != nil
}

// stated reports whether the schemas say the same as a sentence.
func (l *listener) stated(u *prose.Use, parts []*spec.Schema) bool {
	claim := &l.sentence.Claim
	some := func(is func(s *spec.Schema) bool) bool { return slices.ContainsFunc(parts, is) }
	switch claim.Form {
	case prose.Range:
		return some(func(s *spec.Schema) bool { return sameBound(claim.Low, s.Minimum) && sameBound(claim.High, s.Maximum) })
	case prose.Length:
		return some(func(s *spec.Schema) bool {
			return sameCount(claim.Low, s.MinLength) && sameCount(claim.High, s.MaxLength)
		})
	case prose.Count:
		return some(func(s *spec.Schema) bool {
			return sameCount(claim.Low, s.MinItems) && sameCount(claim.High, s.MaxItems)
		})
	case prose.Values:
		return some(func(s *spec.Schema) bool {
			return sameValues(claim.Values, s.Enum) || s.Item() != nil && sameValues(claim.Values, s.Item().Enum)
		})
	case prose.Constant:
		return some(func(s *spec.Schema) bool {
			return sameValues(claim.Values, s.Enum) || sameValues(claim.Values, []string{s.Const})
		})
	case prose.Required:
		switch {
		case u.Schema == nil && u.Parameter != nil:
			return u.Parameter.Required && u.Parameter.In != "path"
		case u.Schema == nil && u.Header != nil:
			return u.Header.Required
		}
		return u.Member != "" && len(u.Owners) > 0 && u.Parameter == nil && !slices.ContainsFunc(u.Owners, func(o *spec.Schema) bool { return !slices.Contains(o.Required, u.Member) })
	case prose.NotNull:
		return u.Parameter == nil && u.Header == nil && some(func(s *spec.Schema) bool { return len(s.Types) > 0 && !s.Nullable && !slices.Contains(s.Types, "null") })
	case prose.NotEmpty:
		return some(func(s *spec.Schema) bool {
			return positive(s.MinLength) && s.Type == "string" || positive(s.MinItems) && s.Type == "array" || positive(s.MinProperties) && s.Type == "object"
		})
	case prose.Apart:
		return some(func(s *spec.Schema) bool { return s.UniqueItems })
	case prose.Formatted:
		asserted := slices.Contains([]string{"uuid", "date", "date-time"}, claim.Value) || l.contract.AssertsFormats()
		return asserted && some(func(s *spec.Schema) bool { return s.Format == claim.Value })
	default:
		return false
	}
}

// sameBound reports whether a bound of a sentence, if it names one, is that of the schema.
func sameBound(said, is string) bool {
	return said == "" || is != "" && exactjson.Equal(json.Number(said), json.Number(is))
}

// sameCount reports whether a number in a sentence, if it names one, is that of the schema.
func sameCount(said string, is *int64) bool {
	n, ok := spec.IntegerOf(said)
	return said == "" || is != nil && ok && n == *is
}

func positive(n *int64) bool { return n != nil && *n > 0 }

// sameValues reports whether a sentence lists all values of an enum.
func sameValues(said, enum []string) bool {
	if len(said) != len(enum) {
		return false
	}
	return !slices.ContainsFunc(enum, func(text string) bool {
		if plain, err := strconv.Unquote(text); err == nil && strings.HasPrefix(text, `"`) {
			text = plain
		}
		return !slices.Contains(said, text)
	})
}

// selection adds the rules about a parameter that selects or orders the items of a list.
func (l *listener) selection(u *prose.Use) {
	found, ok := lister(l.listed(u.Operation), u.Operation.ID)
	if !ok || u.Parameter == nil || !l.describes(u, u.Parameter) {
		return
	}
	if l.sentence.Claim.Form == prose.Filtered {
		named := strings.Contains(" "+wordsOf(l.sentence.Text)+" ", " "+wordsOf(u.Parameter.Name)+" ")
		if named && slices.ContainsFunc(filtersOf(u.Operation, found), func(p spec.Parameter) bool { return p.Name == u.Parameter.Name }) {
			l.addRules(u.Operation, true, Filtered)
		}
		return
	}
	if slices.ContainsFunc(sortingsOf(u.Operation, found), func(one sorting) bool { return one.parameter.Name == u.Parameter.Name }) {
		l.addRules(u.Operation, true, Sorted)
	}
}

// unique adds the rule about a value that no two resources have.
func (l *listener) unique(u *prose.Use) {
	claim := l.sentence.Claim
	if u.Schema != nil {
		claim.Value = u.Member
	}
	created, ok := firstLife(l.lives.ofOperation(u.Operation), func(one life) bool { return one.creates.ID == u.Operation.ID })
	switch {
	case !ok, u.Response != nil && u.Response.Status != http.StatusConflict, u.Schema != nil && (!u.Sent || u.Parameter != nil):
		return
	}
	if name, ok := claimedUnique(claim, created); ok && slices.Contains(uniquesOf(l.sayings, created), name) {
		l.addRules(u.Operation, true, Unique)
	}
}

// bounded adds the rule about members of a body of which one lies above another.
func (l *listener) bounded(u *prose.Use) {
	op, claim := u.Operation, l.sentence.Claim
	if op.Body == nil || u.Parameter != nil || u.Schema != nil && !u.Sent {
		return
	}
	if u.Schema != nil && claim.Low == "" {
		claim.Low = u.Member
	} else if u.Schema != nil {
		claim.High = u.Member
	}
	if b, ok := claimedBound(claim, op, bodyMembers(op)); ok && slices.Contains(boundsOf(l.sayings, op), b) {
		l.addRules(op, false, Reversed)
	}
}

// hidden adds the rule about members that no response shows. It is raised only if all of them are of the same schema: it is about all.
func (l *listener) hidden(u *prose.Use) {
	parts, _ := l.schemas(u)
	if u.Response == nil || !slices.ContainsFunc(parts, func(s *spec.Schema) bool { return s.WriteOnly }) {
		return
	}
	others := false
	for i := range u.Operation.Responses {
		for _, m := range u.Operation.Responses[i].Content {
			m.Schema.Walk(func(s *spec.Schema) { others = others || s.WriteOnly && !slices.Contains(parts, s) })
		}
	}
	l.addRules(u.Operation, !others, WriteOnly)
}

// speaksOf reports whether a sentence is about the resource of a life: by its noun, by a word for any resource, or because it names none.
func (l *listener) speaksOf(of *life) bool {
	noun := l.sentence.Claim.Noun
	if noun == "" && l.sentence.Claim.Form == prose.Gone && (l.sentence.Place == prose.Document || l.sentence.Place == prose.Tag) {
		return false // "then it is gone" may be about anything
	}
	return noun == "" || slices.Contains([]string{"resource", "resources", "object", "objects", "entity", "entities"}, noun) || resource.Means(of.Slot, noun)
}

// life adds the rules about the life of a resource.
func (l *listener) life(u *prose.Use, of *life) {
	op := u.Operation
	creates, removes := op.ID == of.creates.ID, of.Remover != nil && of.Remover.ID == op.ID
	switch l.sentence.Claim.Form {
	case prose.Identifier:
		if creates && u.Response != nil && u.Response.Class() == 2 && of.isMember(u) && of.Identifies(u.Member) {
			l.addRules(op, true, Distinct)
		}
	case prose.Fixed:
		if of.isMember(u) && u.Schema.ReadOnly {
			for _, changer := range []*spec.Operation{of.Replacer, of.Patcher} {
				if changer != nil && of.changes(changer) {
					l.addRules(changer, true, ReadOnly)
				}
			}
		}
	case prose.AsSent:
		if u.Schema != nil && (!u.Sent || op.Body == nil || op.Body.Schema() != u.Schema) {
			return
		}
		if creates {
			l.addRules(op, true, Kept)
		}
		if of.changes(op) {
			l.addRules(op, true, Updated)
		}
	case prose.AtOnce:
		if creates {
			l.addRules(op, true, Readable)
		}
	case prose.ListedAtOnce:
		if creates {
			l.addRules(op, true, Listed)
		}
	case prose.Gone:
		if removes {
			l.addRules(op, true, Gone)
		}
	case prose.Unlisted:
		if removes {
			l.addRules(op, true, Vanished)
		}
	case prose.DeletedTwice:
		if removes {
			l.addRules(op, true, Again)
		}
	case prose.Replaced:
		if of.changes(op) && op.Method == http.MethodPut && !l.merges[op] {
			l.addRules(op, true, Replaced)
		}
	case prose.RestKept:
		if of.changes(op) && op.Method == http.MethodPatch {
			l.addRules(op, true, Rest)
		}
	case prose.TagChanges:
		if changer := of.changer(); changer != nil && (u.Header == nil || strings.EqualFold(u.Header.Name, "ETag")) {
			l.addRules(changer, true, NewTag)
		}
	case prose.Stale:
		if u.Parameter == nil || strings.EqualFold(u.Parameter.Name, resource.IfMatch) {
			l.addRules(op, true, Stale)
		}
	default: // it is about no life
	}
}

// isMember reports whether a sentence describes a member of the representation of a resource.
func (l life) isMember(u *prose.Use) bool {
	if u.Schema == nil || u.Member == "" {
		return false
	}
	return slices.Contains(partsOf(l.Member(u.Member), 0), u.Schema)
}
