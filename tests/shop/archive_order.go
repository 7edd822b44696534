package shop

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// filter leaves what a request asks for; false where it is not as the contract has it.
func (a *archive) filter(collection string, q url.Values, all *[]*record) bool {
	if collection != "books" {
		return true
	}
	if text := q.Get("lent"); q.Has("lent") {
		if text != "true" && text != "false" {
			return false
		}
		*all = slices.DeleteFunc(*all, func(one *record) bool {
			lent := one.fields["lent"] == true
			switch {
			case a.is("lent-ignored"):
				return false
			case a.is("lent-includes"): // also those that are lent
				return text == "false" && lent
			case a.is("lent-narrows"): // only those that are lent
				return text == "true" && !lent
			}
			return lent != (text == "true")
		})
	}
	if q.Has("shelf_id") {
		n, err := strconv.Atoi(q.Get("shelf_id"))
		if err != nil {
			return false
		}
		*all = slices.DeleteFunc(*all, func(one *record) bool {
			shelf, there := one.fields["shelf_id"].(float64)
			switch {
			case a.is("shelf-ignored"):
				return false
			case a.is("shelf-with-those-above"):
				return !there || int(shelf) < n
			}
			return !there || int(shelf) != n
		})
	}
	return true
}

// sort puts records in the order that a request asks for; false where it is not as the contract has it.
func (a *archive) sort(collection string, q url.Values, all []*record) bool {
	by, down := "", false
	switch collection {
	case "books":
		by, down = strings.CutPrefix(q.Get("sort"), "-")
		if q.Has("sort") && !slices.Contains([]string{"title", "year", "added"}, by) {
			return false
		}
	case "maps":
		by, down = q.Get("order_by"), q.Get("direction") == "desc"
		if q.Has("order_by") && !slices.Contains([]string{"title", "year"}, by) || q.Has("direction") && !slices.Contains([]string{"asc", "desc"}, q.Get("direction")) {
			return false
		}
		if a.is("descends-by-default") && !q.Has("direction") {
			down = true
		}
	}
	if by == "" || a.is("sort-ignored") || a.is("sort-ignores-sign") && collection == "maps" && by == "year" && down {
		return true
	}
	text := func(one *record) string { return fmt.Sprint(one.fields["title"]) }
	if a.is("sorts-without-case") {
		text = func(one *record) string { return strings.ToLower(fmt.Sprint(one.fields["title"])) }
	}
	if a.is("sorts-naturally") {
		text = func(one *record) string { return natural(fmt.Sprint(one.fields["title"])) }
	}
	year := func(one *record) float64 {
		f, there := one.fields["year"].(float64)
		if !there && a.is("nulls-last") {
			return 1e9
		}
		return f
	}
	slices.SortStableFunc(all, func(x, y *record) int {
		n := 0
		switch by {
		case "title":
			n = cmp.Compare(text(x), text(y))
		case "year":
			if n = cmp.Compare(year(x), year(y)); a.is("years-as-texts") {
				n = cmp.Compare(fmt.Sprint(year(x)), fmt.Sprint(year(y)))
			}
		case "added":
			n = x.added.Compare(y.added)
		}
		if down != a.is("sort-reversed") {
			n = -n
		}
		return n
	})
	return true
}

// natural returns a text with its numbers at the same length, so that 9 comes before 10.
func natural(text string) string {
	var b strings.Builder
	digits := ""
	end := func() {
		if digits != "" {
			fmt.Fprintf(&b, "%020s", digits)
		}
		digits = ""
	}
	for _, r := range strings.ToLower(text) {
		if r >= '0' && r <= '9' {
			digits += string(r)
			continue
		}
		end()
		b.WriteRune(r)
	}
	end()
	return b.String()
}
