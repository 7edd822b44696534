package verdict

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
)

// Limits of the creations with which a script fills a list: how many, and how many different ones.
const (
	mostFilling   = 200
	mostDifferent = 5
)

// filling returns the creations that are needed to reproduce the lists that a finding cites, if the run has removed their items since:
// those of the item that the finding is about, or else those of all items. Lists that the cited requests fill themselves need none. If the
// creations differ much, copies of one that succeeded more than once replace them: the number of items usually matters more than the items.
func (h history) filling(cited []*spec.Exchange, f spec.Finding) []*spec.Exchange {
	var best []*spec.Exchange
	for i, ex := range cited {
		path := pathOf(ex)
		if ex.Request.Method != http.MethodGet || ex.Response == nil || ex.Response.Status/100 != 2 || slices.ContainsFunc(cited, func(other *spec.Exchange) bool {
			return other.Request.Method == http.MethodPost && pathOf(other) == path || other.Request.Method == http.MethodPut && strings.HasPrefix(pathOf(other), path+"/")
		}) {
			continue
		}
		tree := spec.Decode(ex.Response).Tree
		if i == len(cited)-1 && f.Pointer != "" {
			if item := itemAt(tree, f.Pointer); item != nil {
				return h.creationsOf(path, []map[string]any{item}, ex.Seq)
			}
		}
		items := longestList(tree)
		if all := h.creationsOf(path, items, ex.Seq); len(all) > len(best) && 2*len(all) >= len(items) && len(all) <= mostFilling {
			best = all
		}
	}
	return fewerDifferent(best)
}

// creationsOf returns the creations of those items that the run has removed, in order.
func (h history) creationsOf(path string, items []map[string]any, before int) []*spec.Exchange {
	var all []*spec.Exchange
	within := len(h.gone(path)) > 0
	for _, item := range items {
		for _, name := range slices.Sorted(maps.Keys(item)) {
			id := scalarText(item[name])
			own := path + "/" + url.PathEscape(id)
			if id == "" || !record.IsOwnIdentifier(name, path) || !within && !h.deleted[id] {
				continue
			}
			if creation := h.creationOf(own, before); creation != nil {
				all = append(all, creation)
				break
			}
		}
	}
	slices.SortFunc(all, func(x, y *spec.Exchange) int { return cmp.Compare(x.Seq, y.Seq) })
	return slices.Compact(all)
}

// fewerDifferent returns as many creations of fewer kinds if one of them succeeded more than once.
func fewerDifferent(all []*spec.Exchange) []*spec.Exchange {
	first := map[string]*spec.Exchange{}
	count := map[*spec.Exchange]int{}
	for i, ex := range all {
		headers, _ := json.Marshal(withoutTrace(ex)) // cannot fail: all values are strings
		key := strings.Join([]string{ex.Request.Method, ex.Request.URL, string(headers), string(ex.Request.Body)}, "\n")
		if first[key] == nil {
			first[key] = ex
		}
		all[i] = first[key]
		count[all[i]]++
	}
	if len(first) > mostDifferent {
		most := slices.MaxFunc(all, func(x, y *spec.Exchange) int { return cmp.Compare(count[x], count[y]) })
		if count[most] > 1 {
			return slices.Repeat([]*spec.Exchange{most}, len(all))
		}
	}
	slices.SortStableFunc(all, func(x, y *spec.Exchange) int { return cmp.Compare(x.Seq, y.Seq) })
	return all
}

// itemAt returns the outermost list item that a pointer leads into, or nil.
func itemAt(tree any, pointer string) map[string]any {
	for _, token := range jsonpointer.Tokens(pointer) {
		switch value := tree.(type) {
		case map[string]any:
			tree = value[token]
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(value) {
				return nil
			}
			item, _ := value[i].(map[string]any)
			return item
		default:
			return nil
		}
	}
	return nil
}

// longestList returns the objects of the longest list in a response: of the response itself, or of a member of its object.
func longestList(tree any) []map[string]any {
	var lists [][]any
	switch value := tree.(type) {
	case []any:
		lists = [][]any{value}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if list, is := value[name].([]any); is {
				lists = append(lists, list)
			}
		}
	}
	var items []map[string]any
	for _, list := range lists {
		var objects []map[string]any
		for _, item := range list {
			if object, is := item.(map[string]any); is {
				objects = append(objects, object)
			}
		}
		if len(objects) > len(items) {
			items = objects
		}
	}
	return items
}
