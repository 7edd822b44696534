package verdict

import (
	"encoding/json"
	"net/http"
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

// member is a member of an object with its value as JSON text, or "" for a missing member.
type member struct{ name, value string }

// addAccepted records what an accepted request with one fault sent. A later response that shows that value does so because it was stored.
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

// differences returns the members in which a value differs from an earlier one of that name, from the outside in.
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

// sameAccepted returns the findings about accepted requests that sent the value with which a response violates its schema.
func (x *relations) sameAccepted(it *item) []holder {
	if len(x.accepted) == 0 || it.Status != 0 || it.Header != "" || !it.rule.Always {
		return nil
	}
	tokens := PointerTokens(it.Pointer)
	if it.Kind == spec.KindMissing {
		return x.accepted[member{name: it.Detail}]
	}
	value, there := x.valueShown(it.at, tokens)
	if !there {
		return nil
	}
	return x.accepted[member{nameIn(tokens), textOf(value)}]
}

// bodies holds the decoded bodies of responses, by exchange.
type bodies struct {
	exchanges *ExchangeIndex
	trees     map[int]any
}

func newBodies(g *ExchangeIndex) *bodies { return &bodies{exchanges: g, trees: map[int]any{}} }

// valueShown returns the value at a place of a response.
func (b *bodies) valueShown(seq int, tokens []string) (any, bool) {
	tree, known := b.trees[seq]
	if !known {
		if ex := b.exchanges.by[seq]; ex != nil && ex.Response != nil {
			if d, err := exactjson.Decode(ex.Response.Body); err == nil {
				tree = d.Tree
			}
		}
		b.trees[seq] = tree
	}
	return exactjson.Lookup(tree, tokens)
}

// nameIn returns the last token of a pointer that is not an index.
func nameIn(tokens []string) string {
	for _, token := range slices.Backward(tokens) {
		if !isIndex(token) {
			return token
		}
	}
	return ""
}
