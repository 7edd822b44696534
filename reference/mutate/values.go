package mutate

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
)

// onValues returns the change to the values in a response; nil for another act.
func onValues(m Mutation, value func() any) func(x *Exchange) {
	each := func(f func(value any, there bool) (any, bool)) func(x *Exchange) {
		return func(x *Exchange) { x.Edit(func(tree any) any { return editAt(tree, m.At, f) }) }
	}
	switch {
	case m.Do == ActSet && m.Operation != "": // also items, and whole bodies
		return each(func(_ any, there bool) (any, bool) { return value(), there || m.Wrong == WrongNull })
	case m.Do == ActRetype:
		return each(func(v any, there bool) (any, bool) { return retyped(v), there })
	case m.Do == ActExtra:
		return each(func(v any, there bool) (any, bool) {
			if object, is := v.(map[string]any); is {
				object[m.Name] = value()
			}
			return v, there
		})
	case m.Do == ActRename && len(m.At) > 0:
		return func(x *Exchange) {
			x.Edit(func(tree any) any {
				last := len(m.At) - 1
				return editAt(tree, m.At[:last], func(v any, there bool) (any, bool) {
					if object, is := v.(map[string]any); is {
						if inner, has := object[m.At[last]]; has {
							object[m.Name] = inner
							delete(object, m.At[last])
						}
					}
					return v, there
				})
			})
		}
	case m.Do == ActTwice && (len(m.At) == 1 || len(m.At) == 2 && m.At[0] == Each):
		return func(x *Exchange) { x.Answer = writeTwice(x.Answer, m.At, m.Value) }
	case m.Do == ActHeader:
		return func(x *Exchange) {
			if len(x.Header.Values(m.Name)) == 0 {
				return
			}
			if x.Header.Del(m.Name); m.Media != "" {
				x.Header.Set(m.Name, m.Media)
			}
		}
	case m.Do == ActProblem:
		return each(func(v any, there bool) (any, bool) {
			if n, is := v.(json.Number); is && n.String() == strconv.Itoa(m.Status) {
				return Number(int64(otherStatus(m.Status))), there
			}
			return v, there
		})
	}
	return nil
}

// otherStatus returns a status of the same class.
func otherStatus(status int) int {
	if status == http.StatusBadRequest {
		return http.StatusConflict
	}
	return http.StatusBadRequest
}

// retyped returns a value as another type, as services write it by mistake.
func retyped(v any) any {
	switch v := v.(type) {
	case string:
		return Number(int64(len(v)))
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	case []any:
		if len(v) > 0 {
			return v[0]
		}
		return map[string]any{}
	case map[string]any:
		return []any{v}
	}
	return v
}

// writeTwice writes a member of an object, or of the first object in an array, a second time, at the front, with
// another value.
func writeTwice(body []byte, at []string, value string) []byte {
	tree, ok := ReadJSON(body)
	if len(at) == 2 {
		items, is := tree.([]any)
		if !is || len(items) == 0 {
			return body
		}
		tree = items[0]
	}
	name := at[len(at)-1]
	object, is := tree.(map[string]any)
	if _, there := object[name]; !ok || !is || !there {
		return body
	}
	text := bytes.TrimSpace(body)
	inside := bytes.IndexByte(text, '{') + 1 // only the bracket of the array can come before it
	return slices.Concat(text[:inside], WriteJSON(name), []byte(":"+value+","), text[inside:])
}
