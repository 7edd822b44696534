package verdict

import (
	"encoding/json"
	"net/http"
	"slices"

	"hallmark/spec"
	"hallmark/spec/exactjson"
)

// member is a member of an object with its value as JSON text, which is empty for a member that is left out.
type member struct{ name, value string }

// addAccepted records what a request sent that was accepted although it has one fault: where a response shows that
// value later, it does so because the value was stored.
func (x *relations) addAccepted(h holder) {
	it := h.it
	if it.Kind != spec.KindStatus || it.Status/100 != http.StatusOK/100 || len(it.Exchanges) != 2 || !it.twice {
		return
	}
	plain, sent := x.exchanges.by[it.Exchanges[0]], x.exchanges.by[it.Exchanges[1]]
	was, err := exactjson.Decode(plain.Request.Body)
	if err != nil {
		return
	}
	is, err := exactjson.Decode(sent.Request.Body)
	if err != nil {
		return
	}
	for _, m := range differences("", was.Tree, is.Tree) {
		x.accepted[m] = append(x.accepted[m], h)
	}
}

// differences are the members in which a value differs from an earlier one of that name, from the outside in.
func differences(name string, was, is any) []member {
	text := textOf(is)
	if text == textOf(was) {
		return nil
	}
	all := []member{{name, text}}
	switch is := is.(type) {
	case map[string]any:
		before, _ := was.(map[string]any)
		for key, value := range is {
			all = append(all, differences(key, before[key], value)...)
		}
		for key := range before {
			if _, there := is[key]; !there {
				all = append(all, member{name: key})
			}
		}
	case []any:
		before, _ := was.([]any)
		for i, value := range is {
			var old any
			if i < len(before) {
				old = before[i]
			}
			all = append(all, differences(name, old, value)...)
		}
	}
	return all
}

func textOf(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(data)
}

// sameAccepted returns the findings that a request was accepted that had sent the value which a response shows
// against its schema.
func (x *relations) sameAccepted(it *item) []holder {
	if len(x.accepted) == 0 || it.Status != 0 || it.Header != "" || !it.rule.Always {
		return nil
	}
	tokens := PointerTokens(it.Pointer)
	if it.Kind == spec.KindMissing {
		return x.accepted[member{name: it.Detail}]
	}
	value, there := x.shown(it.at, tokens)
	if !there {
		return nil
	}
	return x.accepted[member{nameIn(tokens), textOf(value)}]
}

// shown is the value at a place of a response.
func (x *relations) shown(seq int, tokens []string) (any, bool) {
	tree, known := x.bodies[seq]
	if !known {
		if ex := x.exchanges.by[seq]; ex != nil && ex.Response != nil {
			if d, err := exactjson.Decode(ex.Response.Body); err == nil {
				tree = d.Tree
			}
		}
		x.bodies[seq] = tree
	}
	return exactjson.Lookup(tree, tokens)
}

// nameIn is the last token of a pointer that is no place in a list.
func nameIn(tokens []string) string {
	for _, token := range slices.Backward(tokens) {
		if !isIndex(token) {
			return token
		}
	}
	return ""
}
