package stub

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"
)

// How lists are ordered.

// sortRows orders rows as a request says.
func sortRows(op *operation, at *call, values []any, rows []*resource) {
	by, down := "", false
	for _, p := range op.params {
		text, ok := at.values[p.place].(string)
		if !ok || p.In != "query" {
			continue
		}
		switch plainName(p.Name) {
		case "sort", "sortby", "orderby", "ordering", "sortfield", "sortkey":
			by = text
		case "order", "direction", "sortorder", "sortdirection", "dir", "orderdirection", "sortdir":
			switch strings.ToLower(text) {
			case "desc", "descending":
				down = true
			case "asc", "ascending":
			default:
				if by == "" {
					by = text
				}
			}
		}
	}
	if by == "" || len(values) == 0 {
		return
	}
	name := strings.TrimLeft(by, "+-")
	for _, sign := range []string{":", ",", " ", ".", "_"} {
		if head, tail, cut := strings.Cut(name, sign); cut && slices.Contains([]string{"asc", "desc"}, strings.ToLower(tail)) {
			name, down = head, strings.EqualFold(tail, "desc")
		}
	}
	if strings.HasPrefix(by, "-") {
		down = !down
	}
	name = likeNamed(values, name)
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int {
		a, _ := memberOf(values[x], []string{name})
		b, _ := memberOf(values[y], []string{name})
		if down {
			a, b = b, a
		}
		return compareScalars(a, b)
	})
	before, all := slices.Clone(values), slices.Clone(rows)
	for i, from := range order {
		values[i], rows[i] = before[from], all[from]
	}
}

// likeNamed returns the name of the member of rows that is equal except for case and punctuation; the name itself
// if there is none.
func likeNamed(rows []any, name string) string {
	like := name
	for _, row := range rows {
		members, _ := row.(map[string]any)
		if _, there := members[name]; there {
			return name
		}
		for one := range members {
			if plainName(one) == plainName(name) && (like == name || one < like) {
				like = one
			}
		}
	}
	return like
}

// compareScalars orders two scalars: numbers by their values, all others as texts.
func compareScalars(a, b any) int {
	x, okX := a.(json.Number)
	y, okY := b.(json.Number)
	if okX && okY && len(x) < 400 && len(y) < 400 {
		p, fineP := new(big.Rat).SetString(string(x))
		q, fineQ := new(big.Rat).SetString(string(y))
		if fineP && fineQ {
			return p.Cmp(q)
		}
	}
	return strings.Compare(textOf(a), textOf(b))
}
