package stub

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
)

var errPatch = errors.New("the patch cannot be applied")

// jsonPatch applies the operations of a JSON Patch (RFC 6902).
func jsonPatch(document any, operations []any) (any, error) {
	document = clone(document)
	for _, one := range operations {
		op, ok := one.(map[string]any)
		if !ok {
			return nil, errPatch
		}
		name, _ := op["op"].(string)
		path, _ := op["path"].(string)
		from, _ := op["from"].(string)
		value, there := op["value"]
		var err error
		switch name {
		case "test":
			var own any
			if own, err = lookup(document, path); err == nil && !equalJSON(own, value) {
				err = errPatch
			}
		case "add", "replace":
			if !there {
				return nil, errPatch
			}
			if name == "replace" {
				if _, err = lookup(document, path); err != nil {
					return nil, err
				}
			}
			document, err = setAt(document, tokens(path), clone(value), name == "replace")
		case "remove":
			document, err = removeAt(document, tokens(path))
		case "move", "copy":
			var moved any
			if moved, err = lookup(document, from); err != nil {
				return nil, err
			}
			if moved = clone(moved); name == "move" {
				if document, err = removeAt(document, tokens(from)); err != nil {
					return nil, err
				}
			}
			document, err = setAt(document, tokens(path), moved, false)
		default:
			err = errPatch
		}
		if err != nil {
			return nil, err
		}
	}
	return document, nil
}

// tokens returns the steps of a JSON Pointer.
func tokens(pointer string) []string {
	if pointer == "" {
		return nil
	}
	all := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, t := range all {
		all[i] = strings.ReplaceAll(strings.ReplaceAll(t, "~1", "/"), "~0", "~")
	}
	return all
}

func lookup(value any, pointer string) (any, error) {
	for _, t := range tokens(pointer) {
		switch v := value.(type) {
		case map[string]any:
			below, there := v[t]
			if !there {
				return nil, errPatch
			}
			value = below
		case []any:
			i, err := strconv.Atoi(t)
			if err != nil || i < 0 || i >= len(v) {
				return nil, errPatch
			}
			value = v[i]
		default:
			return nil, errPatch
		}
	}
	return value, nil
}

// setAt sets the value at a place; in a list it inserts, or replaces if instead is set.
func setAt(in any, path []string, value any, instead bool) (any, error) {
	if len(path) == 0 {
		return value, nil
	}
	switch v := in.(type) {
	case map[string]any:
		out := maps.Clone(v)
		if len(path) == 1 {
			out[path[0]] = value
			return out, nil
		}
		below, err := setAt(v[path[0]], path[1:], value, instead)
		out[path[0]] = below
		return out, err
	case []any:
		i, err := strconv.Atoi(path[0])
		if path[0] == "-" && len(path) == 1 {
			return append(slices.Clone(v), value), nil
		}
		if err != nil || i < 0 || i > len(v) || i == len(v) && (len(path) > 1 || instead) {
			return nil, errPatch
		}
		out := slices.Clone(v)
		switch {
		case len(path) > 1:
			out[i], err = setAt(v[i], path[1:], value, instead)
		case instead:
			out[i] = value
		default:
			out = slices.Insert(out, i, value)
		}
		return out, err
	}
	return nil, errPatch
}

// removeAt removes the value at a place.
func removeAt(in any, path []string) (any, error) {
	if len(path) == 0 {
		return nil, errPatch
	}
	switch v := in.(type) {
	case map[string]any:
		below, there := v[path[0]]
		if !there {
			return nil, errPatch
		}
		out := maps.Clone(v)
		if len(path) == 1 {
			delete(out, path[0])
			return out, nil
		}
		below, err := removeAt(below, path[1:])
		out[path[0]] = below
		return out, err
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil || i < 0 || i >= len(v) {
			return nil, errPatch
		}
		out := slices.Clone(v)
		if len(path) == 1 {
			return slices.Delete(out, i, i+1), nil
		}
		out[i], err = removeAt(v[i], path[1:])
		return out, err
	}
	return nil, errPatch
}
