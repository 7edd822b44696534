package promise

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// The rights that a request asks for, inferred from the names and values of its body's members: a run gives what
// it creates as few as the contract allows.

// rightsMember is a member of a body that gives rights.
type rightsMember struct {
	pointer string
	// lower holds values that give fewer rights, the least first; none if the member gives few already.
	lower []any
	// optional reports whether leaving it out gives fewer rights; first, whether that is tried before the lower
	// values.
	optional, first bool
	// raised reports whether the value gives administrator rights or changes a shared state; shared says that it is
	// the latter.
	raised, shared bool
}

// Raise is a member of a body that a run does not send if the contract offers another choice.
type Raise struct {
	Pointer string
	// Gives is what its value asks for: "the rights of an administrator".
	Gives string
}

// LeastRights returns a request whose body asks for as few rights as keeps allows: false for flags such as isAdmin
// or isDefault, another value of an enum than the administrator's, empty lists of permissions. Members at fixed
// places stay.
func LeastRights(r request.Request, keeps func(request.Request) bool, fixed func(pointer string) bool) request.Request {
	for _, one := range rightsOf(r) {
		if fixed(one.pointer) {
			continue
		}
		var all []request.Request
		for _, value := range one.lower {
			if other, err := r.WithBodyAt(one.pointer, value); err == nil {
				all = append(all, other)
			}
		}
		if without, err := r.WithoutBodyAt(one.pointer); one.optional && err == nil {
			at := len(all)
			if one.first {
				at = 0
			}
			all = slices.Insert(all, at, without)
		}
		if i := slices.IndexFunc(all, keeps); i >= 0 {
			r = all[i]
		}
	}
	return r
}

// Raised returns the places in the body of a request that ask for administrator rights, or change a state that all
// clients share.
func Raised(r request.Request) (all []Raise) {
	for _, one := range rightsOf(r) {
		switch {
		case one.raised && one.shared:
			all = append(all, Raise{one.pointer, "what moves a state that all share"})
		case one.raised:
			all = append(all, Raise{one.pointer, "the rights of an administrator"})
		}
	}
	return all
}

// rightsOf returns the members of a request's body that give rights.
func rightsOf(r request.Request) (all []rightsMember) {
	body, _, ok := r.Body()
	if !ok || !slices.Contains([]string{http.MethodPost, http.MethodPut, http.MethodPatch}, r.Operation.Method) {
		return nil
	}
	const deepest = 6
	var walk func(value any, path []string)
	walk = func(value any, path []string) {
		if len(path) > deepest {
			return
		}
		switch v := value.(type) {
		case map[string]any:
			names := make([]string, 0, len(v))
			for name := range v {
				names = append(names, name)
			}
			slices.Sort(names)
			for _, name := range names {
				within := append(slices.Clip(path), name)
				if one, is := rightIn(r, within, v[name]); is {
					all = append(all, one)
				} else {
					walk(v[name], within)
				}
			}
		case []any:
			if len(v) > 0 && len(path) < deepest {
				walk(v[0], append(slices.Clip(path), "0"))
			}
		}
	}
	walk(body, nil)
	return all
}

// rightIn returns the rights given by the member at the end of a path; false if it gives none.
func rightIn(r request.Request, path []string, value any) (rightsMember, bool) {
	name := path[len(path)-1]
	one := rightsMember{pointer: jsonpointer.Join("", path...), optional: true}
	switch v := value.(type) {
	case bool:
		one.raised, one.lower = v, []any{false}
		one.shared = !resource.NamesPower(name)
		return one, v && (!one.shared || resource.NamesShared(name) && !inList(path) && resource.IsTop(r.Operation))
	case string:
		one.raised = resource.IsPower(v)
		one.lower = append(lesserValues(r, path, false), "user", "viewer")
		if len(one.lower) == 2 {
			one.first = true
		}
		return one, one.raised && resource.NamesRights(name)
	case []any:
		one.raised = slices.ContainsFunc(v, holdsPower)
		one.first = true
		one.lower = append([]any{[]any{}}, lesserValues(r, path, true)...)
		return one, len(v) > 0 && resource.NamesRights(name)
	}
	return one, false
}

// inList reports whether a path leads through a list: its items, such as a user's primary address, belong to the
// resource alone.
func inList(path []string) bool {
	return slices.ContainsFunc(path, func(name string) bool { _, err := strconv.Atoi(name); return err == nil })
}

// BodySchema returns the schema of a request's body, or nil.
func BodySchema(r request.Request) *spec.Schema {
	if r.Operation.Body == nil {
		return nil
	}
	_, sent, _ := r.Body()
	for _, m := range r.Operation.Body.Content {
		if m.Edge.Schema != nil && wire.Concrete(m.Type) == sent {
			return m.Edge.Schema
		}
	}
	return r.Operation.Body.Schema()
}

// holdsPower reports whether a value is a text for administrator rights, or an object that holds one.
func holdsPower(value any) bool {
	switch v := value.(type) {
	case string:
		return resource.IsPower(v)
	case map[string]any:
		for _, member := range v {
			if text, is := member.(string); is && resource.IsPower(text) {
				return true
			}
		}
	}
	return false
}

// lesserValues returns the enum values at a path that do not give administrator rights, those of readers first;
// for the items of a list, as lists of one.
func lesserValues(r request.Request, path []string, items bool) (all []any) {
	schema := resource.At(BodySchema(r), path)
	if items {
		schema = resource.At(schema, []string{"0"})
	}
	var texts []string
	for _, raw := range resource.EnumOf(schema) {
		var text string
		if json.Unmarshal([]byte(raw), &text) == nil && !resource.IsPower(text) {
			texts = append(texts, text)
		}
	}
	reads := func(text string) bool {
		return slices.ContainsFunc([]string{"read", "view", "guest", "none", "user", "member"}, func(word string) bool { return strings.Contains(strings.ToLower(text), word) })
	}
	slices.SortStableFunc(texts, func(a, b string) int {
		switch {
		case reads(a) == reads(b):
			return 0
		case reads(a):
			return -1
		}
		return 1
	})
	for _, text := range texts {
		if items {
			all = append(all, []any{text})
		} else {
			all = append(all, text)
		}
	}
	return all
}
