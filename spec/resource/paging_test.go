package resource_test

import (
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/resource"
)

func TestPaging(t *testing.T) {
	const text, integer = "{type: string}", "{type: integer}"
	for name, c := range map[string]struct {
		parameters map[string]string
		body       string
		way        resource.PageWay
		// shown is a response, and token the next cursor or address in it.
		shown, token string
	}{
		"cursor":        {map[string]string{"cursor": text}, "{type: object, properties: {meta: {type: object, properties: {next_cursor: " + text + "}}}}", resource.ByCursor, `{"meta":{"next_cursor":"x"}}`, "x"},
		"page token":    {map[string]string{"page_token": text}, "{type: object, properties: {nextPageToken: " + text + "}}", resource.ByCursor, `{"nextPageToken":""}`, ""},
		"continue":      {map[string]string{"continue": text, "limit": integer}, "{type: object, properties: {metadata: {type: object, properties: {continue: " + text + "}}}}", resource.ByCursor, `{"metadata":{"continue":"y"}}`, "y"},
		"links":         {nil, "{type: object, properties: {links: {type: object, properties: {next: " + text + "}}}}", resource.ByLink, `{"links":{"next":"/a?b=c"}}`, "/a?b=c"},
		"HAL":           {nil, "{type: object, properties: {_links: {type: object, properties: {next: {type: object, properties: {href: " + text + "}}}}}}", resource.ByLink, `{"_links":{"next":{"href":"/n"}}}`, "/n"},
		"OData":         {nil, `{type: object, properties: {"@odata.nextLink": ` + text + "}}", resource.ByLink, `{"@odata.nextLink":"http://a/b"}`, "http://a/b"},
		"last":          {map[string]string{"starting_after": text}, "{type: object, properties: {has_more: {type: boolean}}}", resource.ByLast, `{}`, ""},
		"number":        {map[string]string{"page[number]": integer}, "{type: array, items: {type: object}}", resource.ByNumber, `[]`, ""},
		"offset":        {map[string]string{"offset": integer}, "{type: array, items: {type: object}}", resource.ByOffset, `[]`, ""},
		"before a date": {map[string]string{"after": "{type: string, format: date}"}, "{type: array, items: {type: object}}", "", `[]`, ""},
		"none":          {map[string]string{"limit": integer}, "{type: array, items: {type: object}}", "", `[]`, ""},
		"a state":       {map[string]string{"page": "{type: string}"}, "{type: object, properties: {next: " + text + "}}", "", `{}`, ""},
	} {
		var b strings.Builder
		b.WriteString("openapi: 3.1.0\ninfo: {title: t, version: \"1\"}\npaths:\n  /things:\n    get:\n      operationId: list\n")
		if len(c.parameters) > 0 {
			b.WriteString("      parameters:\n")
		}
		for name, schema := range c.parameters {
			b.WriteString("        - {name: \"" + name + "\", in: query, schema: " + schema + "}\n")
		}
		b.WriteString("      responses: {\"200\": {description: ok, content: {application/json: {schema: " + c.body + "}}}}\n")
		contract, err := openapi.Load([]byte(b.String()))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		op, _ := contract.Operation("list")
		p, ok := resource.PagingOf(op)
		shown, err := exactjson.Decode([]byte(c.shown))
		if err != nil {
			t.Fatal(err)
		}
		if p.Way != c.way || ok != (c.way != "") || p.Token(shown.Tree) != c.token {
			t.Errorf("%s: %q and %q, want %q and %q", name, p.Way, p.Token(shown.Tree), c.way, c.token)
		}
	}
}
