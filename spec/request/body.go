package request

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
)

// WithBodyAt returns the request with a changed or an additional value in its body. It returns an error if the body has no such place.
func (r Request) WithBodyAt(pointer string, value any) (Request, error) {
	return r.changeBody(pointer, func(any) (any, bool) { return value, true })
}

// WithoutBodyAt returns the request without a member or an item of its body.
func (r Request) WithoutBodyAt(pointer string) (Request, error) {
	return r.changeBody(pointer, func(any) (any, bool) { return nil, false })
}

func (r Request) changeBody(pointer string, change func(any) (any, bool)) (Request, error) {
	value, media, ok := r.Body()
	if !ok {
		return r, fmt.Errorf("the request of %s has no body, so %s cannot be changed", r.Operation.ID, pointer)
	}
	changed, _, err := changeAt(value, jsonpointer.Tokens(pointer), change)
	if err != nil {
		return r, fmt.Errorf("the body of the request of %s has no place %s: %w", r.Operation.ID, pointer, err)
	}
	return r.WithBody(media, changed), nil
}

// changeAt returns a value with a change at a path; the rest is shared with the original. left is false if the value itself was
// removed.
func changeAt(value any, path []string, change func(any) (any, bool)) (changed any, left bool, err error) {
	if len(path) == 0 {
		changed, left = change(value)
		return changed, left, nil
	}
	switch v := value.(type) {
	case map[string]any:
		member, there := v[path[0]]
		if !there && len(path) > 1 {
			return nil, false, fmt.Errorf("there is no member %s", path[0])
		}
		member, left, err := changeAt(member, path[1:], change)
		if err != nil {
			return nil, false, err
		}
		v = maps.Clone(v)
		if v[path[0]] = member; !left {
			delete(v, path[0])
		}
		return v, true, nil
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil || i < 0 || i > len(v) || i == len(v) && len(path) > 1 {
			return nil, false, fmt.Errorf("there is no item %s", path[0])
		}
		if i == len(v) {
			item, left := change(nil)
			if !left {
				return v, true, nil
			}
			return append(slices.Clone(v), item), true, nil
		}
		item, left, err := changeAt(v[i], path[1:], change)
		if err != nil {
			return nil, false, err
		}
		if !left {
			return slices.Delete(slices.Clone(v), i, i+1), true, nil
		}
		v = slices.Clone(v)
		v[i] = item
		return v, true, nil
	}
	return nil, false, fmt.Errorf("the value there is neither an object nor a list")
}
