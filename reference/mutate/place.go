package mutate

// In a place, Each means all items of a list, and LastItem its last one.
const (
	Each     = "*"
	LastItem = "-"
)

// editAt returns a tree in which f has changed the values at a place. f learns whether there is a value and returns whether there is one
// afterwards. Values that are not on the path to the place are skipped.
func editAt(tree any, at []string, f func(value any, there bool) (any, bool)) any {
	if len(at) == 0 {
		value, _ := f(tree, true)
		return value
	}
	switch t := tree.(type) {
	case []any:
		var out []any
		for i, item := range t {
			switch {
			case at[0] == Each, at[0] == LastItem && i == len(t)-1:
				if len(at) > 1 {
					item = editAt(item, at[1:], f)
				} else if changed, left := f(item, true); left {
					item = changed
				} else {
					continue
				}
			}
			out = append(out, item)
		}
		if out == nil {
			return []any{}
		}
		return out
	case map[string]any:
		value, there := t[at[0]]
		if len(at) == 1 {
			if changed, left := f(value, there); left {
				t[at[0]] = changed
			} else {
				delete(t, at[0])
			}
		} else if there {
			t[at[0]] = editAt(value, at[1:], f)
		}
	}
	return tree
}

// visitAt calls f for the values at a place.
func visitAt(tree any, at []string, f func(value any)) {
	editAt(tree, at, func(value any, there bool) (any, bool) {
		if there {
			f(value)
		}
		return value, there
	})
}

// firstAt returns the first value at a place; false for none.
func firstAt(tree any, at []string) (found any, ok bool) {
	visitAt(tree, at, func(value any) {
		if !ok {
			found, ok = value, true
		}
	})
	return found, ok
}
