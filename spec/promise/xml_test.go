package promise_test

import (
	"net/http"
	"strings"
	"testing"
)

// order is the schema of an order in XML, with all that its xml keywords can say.
const order = `
openapi: 3.0.3
info: {title: T, version: "1"}
paths:
  /orders:
    post:
      operationId: add
      requestBody: {required: true, content: {application/xml: {schema: {$ref: '#/components/schemas/Order'}}}}
      responses: {"200": {description: It, content: {application/xml: {schema: {$ref: '#/components/schemas/Order'}}}}}
components:
  schemas:
    Order:
      type: object
      xml: {name: order, namespace: 'urn:shop', prefix: s}
      required: [buyer, lines]
      additionalProperties: false
      properties:
        id: {type: integer, xml: {attribute: true}}
        buyer: {type: string, minLength: 1, maxLength: 30, example: 'A & <B>', xml: {prefix: s}}
        note: {type: string, minLength: 2, nullable: true, xml: {prefix: s}}
        paid: {type: boolean}
        tags: {type: array, maxItems: 2, items: {type: string, minLength: 1}}
        lines: {type: array, minItems: 1, xml: {wrapped: true, prefix: s}, items: {$ref: '#/components/schemas/Line'}}
    Line:
      type: object
      xml: {name: line, prefix: s}
      required: [sku, count]
      properties:
        sku: {type: string, pattern: '^[A-Z]{3}$', example: ABC, xml: {attribute: true}}
        count: {type: integer, minimum: 1, maximum: 99, example: 2, xml: {prefix: s}}
`

func TestXMLIsWritten(t *testing.T) {
	w := plain(t, order)
	const want = `<?xml version="1.0" encoding="UTF-8"?>
<s:order xmlns:s="urn:shop"><s:buyer>A &amp; &lt;B&gt;</s:buyer><s:lines><s:line sku="ABC"><s:count>2</s:count></s:line></s:lines></s:order>`
	if got := string(w.Body); got != want || w.MediaType != "application/xml" {
		t.Errorf("sent is %s %s", w.MediaType, got)
	}
}

func TestXMLIsJudged(t *testing.T) {
	const open, lines = `<s:order xmlns:s="urn:shop">`, `<s:lines><s:line sku="ABC"><s:count>1</s:count></s:line></s:lines>`
	whole := func(members string) string { return open + `<s:buyer>A</s:buyer>` + lines + members + `</s:order>` }
	for _, test := range []struct {
		body   string
		broken bool
	}{
		{whole(``), false},
		{`<?xml version="1.0" encoding="UTF-8"?><!-- c -->` + "\n" + whole("\n  "), false},
		{`<o:order xmlns:o="urn:shop" id="1"><o:buyer>A</o:buyer>` + strings.ReplaceAll(lines, "s:", "o:") + `</o:order>`, false},                               // another prefix
		{`<order xmlns="urn:shop" id="1"><buyer>A</buyer>` + strings.NewReplacer("<s:", "<", "</s:", "</").Replace(lines) + `<paid>true</paid></order>`, false}, // none
		{whole(`<paid>true</paid>`), false}, {whole(`<paid> 1 </paid>`), false}, {whole(`<paid>yes</paid>`), true},
		{whole(`<tags>a</tags>`), false}, {whole(`<tags>a</tags><tags>b</tags>`), false}, {whole(`<tags>a</tags><tags>b</tags><tags>c</tags>`), true},
		{whole(`<s:note>ab</s:note>`), false}, {whole(`<s:note>a</s:note>`), true},
		{whole(`<s:note/>`), false}, // null, or none
		{whole(`<s:note xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/>`), false},
		{whole(`<paid/>`), false}, // none
		{whole(`<other>x</other>`), true},
		{strings.Replace(whole(``), "<s:count>1", "<s:count>0", 1), true}, {strings.Replace(whole(``), "<s:count>1", "<s:count> 007 ", 1), false},
		{strings.Replace(whole(``), "<s:count>1", "<s:count>x", 1), true}, {strings.Replace(whole(``), "<s:count>1</s:count>", "<s:count/>", 1), true},
		{strings.Replace(whole(``), `sku="ABC"`, `sku="abc"`, 1), true}, {strings.Replace(whole(``), `sku="ABC"`, ``, 1), true},
		{strings.Replace(whole(``), `sku="ABC"`, `sku="ABC" xmlns:x="urn:x" x:more="1"`, 1), false},
		{strings.Replace(whole(``), `<s:buyer>A</s:buyer>`, ``, 1), true}, {strings.Replace(whole(``), `<s:buyer>A</s:buyer>`, `<s:buyer/>`, 1), true},
		{strings.Replace(whole(``), `<s:buyer>A</s:buyer>`, `<buyer xmlns="urn:other">A</buyer>`, 1), true}, // of another namespace
		{strings.Replace(whole(``), `<s:buyer>A`, `<s:buyer><![CDATA[A&B]]>`, 1), false},
		{strings.Replace(whole(``), lines, ``, 1), true}, {strings.Replace(whole(``), lines, `<s:lines/>`, 1), true},
		{strings.Replace(whole(``), lines, `<s:line sku="ABC"><s:count>1</s:count></s:line>`, 1), true},                // not wrapped
		{strings.Replace(whole(``), `<s:line sku="ABC"><s:count>1</s:count></s:line>`, `<s:item>1</s:item>`, 1), true}, // other items
		{strings.ReplaceAll(whole(``), "urn:shop", "urn:other"), true}, {strings.ReplaceAll(whole(``), "s:order", "s:bill"), true},
		{open, true}, {"no XML", true}, {whole(``) + whole(``), true}, {"", true},
	} {
		got, hole := judged(t, order, http.Header{"Content-Type": {"application/xml"}}, test.body)
		if (got != "") != test.broken || hole || test.broken && !strings.HasPrefix(got, "add.body ") {
			t.Errorf("%s: broken is %q, with a hole: %v", test.body, got, hole)
		}
	}
	for _, unread := range []string{ // legal, and not read
		"\xff\xfe<\x00", `<?xml version="1.1"?>` + whole(``), `<!DOCTYPE order [<!ENTITY e "A">]>` + strings.Replace(whole(``), ">A<", ">&e;<", 1),
		`<?xml version="1.0" encoding="EBCDIC-US"?>` + whole(``),
	} {
		if got, hole := judged(t, order, http.Header{"Content-Type": {"application/xml"}}, unread); got != "" || !hole {
			t.Errorf("%q: broken is %q, with a hole: %v", unread, got, hole)
		}
	}
}

func TestXMLByNodeType(t *testing.T) {
	const document = `{openapi: 3.2.0, info: {title: T, version: "1"}, paths: {/a: {post: {operationId: add, requestBody: {required: true, content: {application/xml: {schema: &s {
	  type: array, minItems: 1, xml: {nodeType: element, name: animals}, items: {type: object, required: [kind, name, ages], xml: {name: animal}, properties: {
	    kind: {type: string, enum: [Cat], xml: {nodeType: attribute}}, name: {type: string, enum: [Fido], xml: {nodeType: text}},
	    ages: {type: array, minItems: 2, items: {type: integer, minimum: 7, xml: {name: age}}}}}}}}},
	  responses: {"200": {description: It, content: {application/xml: {schema: *s}}}}}}}}`
	const want = `<animals><animal kind="Cat"><age>7</age><age>7</age>Fido</animal></animals>`
	w := plain(t, document)
	if got := string(w.Body); !strings.HasSuffix(got, "\n"+want) {
		t.Errorf("sent is %s", got)
	}
	for body, broken := range map[string]bool{
		want: false, strings.Replace(want, "Fido", "Rex", 1): true, strings.Replace(want, "Cat", "Dog", 1): true, strings.Replace(want, "<age>7</age>", "", 1): true,
		`<animals/>`: true,
	} {
		if got, _ := judged(t, document, http.Header{"Content-Type": {"application/xml"}}, body); (got != "") != broken {
			t.Errorf("%s: broken is %q", body, got)
		}
	}
}

// TestNamesOfListsInXML are the examples of the OpenAPI Specification for arrays.
func TestNamesOfListsInXML(t *testing.T) {
	for schema, want := range map[string]string{
		`{type: array, minItems: 2, items: {type: string, enum: [a]}}`:                                                     `<animals>a</animals><animals>a</animals>`,
		`{type: array, minItems: 2, items: {type: string, enum: [a], xml: {name: animal}}}`:                                `<animal>a</animal><animal>a</animal>`,
		`{type: array, minItems: 2, xml: {name: aliens}, items: {type: string, enum: [a], xml: {name: animal}}}`:           `<animal>a</animal><animal>a</animal>`,
		`{type: array, minItems: 1, xml: {wrapped: true}, items: {type: string, enum: [a]}}`:                               `<animals><animals>a</animals></animals>`,
		`{type: array, minItems: 1, xml: {name: aliens, wrapped: true}, items: {type: string, enum: [a]}}`:                 `<aliens><aliens>a</aliens></aliens>`,
		`{type: array, minItems: 1, xml: {name: aliens, wrapped: true}, items: {type: string, enum: [a], xml: {name: b}}}`: `<aliens><b>a</b></aliens>`,
	} {
		document := `{openapi: 3.0.3, info: {title: T, version: "1"}, paths: {/a: {post: {operationId: add, requestBody: {required: true, content: {application/xml: {schema: {$ref: '#/components/schemas/Doc'}}}},
		  responses: {"200": {description: It, content: {application/xml: {schema: {$ref: '#/components/schemas/Doc'}}}}}}}},
		  components: {schemas: {Doc: {type: object, required: [animals], properties: {animals: ` + schema + `}}}}}`
		w := plain(t, document)
		if got := string(w.Body); !strings.HasSuffix(got, "\n<Doc>"+want+"</Doc>") {
			t.Errorf("%s: sent is %s", schema, got)
		}
		if got, hole := judged(t, document, http.Header{"Content-Type": {"application/xml"}}, "<Doc>"+want+"</Doc>"); got != "" || hole {
			t.Errorf("%s: broken is %q", schema, got)
		}
		if got, _ := judged(t, document, http.Header{"Content-Type": {"application/xml"}}, "<Doc><x>a</x></Doc>"); got == "" {
			t.Errorf("%s: items of another name are taken", schema)
		}
	}
}
