package verdict_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/phrase"
)

// derived is a record of findings about derived rules of several operations.
type derived struct {
	rec   record.Record
	rules []spec.Rule
}

// finds adds a scenario with one exchange and one finding about it. A rule is "operation.kind".
func (d *derived) finds(rule, request string, status int, body string, f spec.Finding) {
	operation, kind, _ := strings.Cut(rule, ".")
	if !slices.ContainsFunc(d.rules, func(r spec.Rule) bool { return r.ID == rule }) {
		d.rules = append(d.rules, spec.Rule{
			ID: rule, Level: spec.Must, Section: operation, Says: rule + " holds", Operations: []string{operation}, Cases: []string{kind},
			Always: kind == "body" || kind == "headers" || kind == "media-type",
		})
	}
	method, path, _ := strings.Cut(request, " ")
	seq := len(d.rec.Exchanges) + 1
	expect := spec.Expect{}
	if f.Status != 0 {
		expect = spec.Expect{Rule: rule, Statuses: []int{400}}
	}
	d.rec.Exchanges = append(d.rec.Exchanges, spec.Exchange{
		Seq: seq, Operation: operation, Expect: expect, Scenario: fmt.Sprintf("features/a.feature:%d", seq),
		Request:  spec.Request{Method: method, URL: "https://api.example.com" + path},
		Response: &spec.Response{Status: status, Body: []byte(body)},
	})
	f.Rule, f.Operation, f.Exchanges = rule, operation, []int{seq}
	if f.Cause == "" {
		f.Cause = rule + f.Contract + f.Header + f.Detail + f.Pointer
	}
	d.rec.Scenarios = append(d.rec.Scenarios, record.Scenario{
		ID: fmt.Sprintf("features/a.feature:%d", seq), Outcome: record.Failed, Rules: []string{rule}, Exchanges: []int{seq}, Findings: []spec.Finding{f},
	})
}

// causes returns the leading rules of the causes.
func (d *derived) causes() []string {
	var all []string
	for _, c := range verdict.Draw(&d.rec, d.rules).Causes {
		all = append(all, c.Rule)
	}
	slices.Sort(all)
	return all
}

func TestWidespreadDefectsAreOneCause(t *testing.T) {
	wrongType := func(pointer, contract string) spec.Finding {
		return spec.Finding{Kind: spec.KindType, Detail: "string", Expected: phrase.Of("an integer"), Actual: phrase.Of("a string"), Pointer: pointer, Contract: contract}
	}
	lacks := func(member, contract string) spec.Finding {
		return spec.Finding{Kind: spec.KindMissing, Detail: member, Expected: phrase.Of("the property " + member), Actual: phrase.Of("none"), Contract: contract}
	}
	status := func(is int) spec.Finding {
		return spec.Finding{Kind: spec.KindStatus, Status: is, Expected: phrase.Of("status 400"), Actual: phrase.Of(fmt.Sprint("status ", is))}
	}
	header := func(name, kind string) spec.Finding {
		return spec.Finding{Kind: spec.FindingKind(kind), Header: name, Expected: phrase.Of("the header"), Actual: phrase.Of("none"), Contract: "/paths/x"}
	}
	for _, c := range []struct {
		name string
		fill func(d *derived)
		want string
	}{
		{"a member of a component, led by the operation that writes", func(d *derived) {
			for range 3 {
				d.finds("listBooks.body", "GET /books", 200, `[{"pages": "1"}]`, wrongType("/0/pages", "/components/schemas/Book/properties/pages/type"))
			}
			d.finds("addBook.body", "POST /books", 201, `{"pages": "1"}`, wrongType("/pages", "/components/schemas/Book/properties/pages/type"))
		}, "addBook.body"},
		{"members of different schemas", func(d *derived) {
			d.finds("readBook.body", "GET /books/1", 200, `{"pages": "1"}`, wrongType("/pages", "/paths/a/schema/properties/pages/type"))
			d.finds("readMap.body", "GET /maps/1", 200, `{"pages": "1"}`, wrongType("/pages", "/paths/b/schema/properties/pages/type"))
		}, "readBook.body readMap.body"},
		{"a header that three operations lack", func(d *derived) {
			for _, name := range []string{"a", "b", "c"} {
				d.finds(name+".headers", "GET /"+name, 200, `{}`, header("ETag", "missing"))
			}
		}, "a.headers"},
		{"a header that two operations lack, and another one", func(d *derived) {
			d.finds("a.headers", "GET /a", 200, `{}`, header("ETag", "missing"))
			d.finds("b.headers", "GET /b", 200, `{}`, header("ETag", "missing"))
			d.finds("c.headers", "GET /c", 200, `{}`, header("Link", "missing"))
		}, "a.headers b.headers c.headers"},
		{"an object that lacks everything", func(d *derived) {
			d.finds("readBook.body", "GET /books/1", 200, `{"data": {}}`, lacks("id", "/components/schemas/Book/required/0"))
			d.finds("readBook.body", "GET /books/1", 200, `{"data": {}}`, lacks("title", "/components/schemas/Book/required/1"))
		}, "readBook.body"},
		{"an object that lacks two members of many", func(d *derived) {
			d.finds("readBook.body", "GET /books/1", 200, `{"a": 1, "b": 2}`, lacks("id", "/components/schemas/Book/required/0"))
			d.finds("readBook.body", "GET /books/1", 200, `{"a": 1, "b": 2}`, lacks("title", "/components/schemas/Book/required/1"))
		}, "readBook.body readBook.body"},
		{"responses in an envelope", func(d *derived) {
			for _, name := range []string{"Book", "Map", "Author"} {
				d.finds("read"+name+".body", "GET /"+name, 200, `{"data": {}}`, lacks("own"+name, "/components/schemas/"+name+"/required/0"))
			}
		}, "readBook.body"},
		{"operations that fail at all bad requests", func(d *derived) {
			for _, name := range []string{"a", "b", "c"} {
				for _, kind := range []string{"property", "parameter", "body-type"} {
					d.finds(name+".refused."+kind, "POST /"+name, 500, `{}`, status(500))
				}
			}
		}, "a.refused.property"},
		{"operations that fail at some bad requests", func(d *derived) {
			for _, name := range []string{"a", "b", "c"} {
				for i, kind := range []string{"property", "parameter", "body-type"} {
					d.finds(name+".refused."+kind, fmt.Sprint("POST /", name, i), 500, `{}`, status(500))
				}
				d.rec.Exchanges = append(d.rec.Exchanges, spec.Exchange{
					Seq: len(d.rec.Exchanges) + 1, Operation: name, Expect: spec.Expect{Rule: name + ".refused.property", Statuses: []int{400}},
					Request: spec.Request{Method: "POST", URL: "https://api.example.com/" + name}, Response: &spec.Response{Status: 400},
				})
				d.rec.Scenarios[len(d.rec.Scenarios)-1].Exchanges = append(d.rec.Scenarios[len(d.rec.Scenarios)-1].Exchanges, len(d.rec.Exchanges))
			}
		}, "a.refused.body-type a.refused.parameter a.refused.property b.refused.body-type b.refused.parameter b.refused.property c.refused.body-type c.refused.parameter c.refused.property"},
		{"an operation that needs no credential", func(d *derived) {
			for range 3 {
				d.finds("read.credential.wrong", "GET /a", 200, `{}`, status(200))
			}
			d.finds("read.credential.missing", "GET /a", 200, `{}`, status(200))
			d.rec.Exchanges[0].Expect.Statuses = []int{200}
		}, "read.credential.missing"},
		{"an operation that takes any credential", func(d *derived) {
			d.finds("read.credential.wrong", "GET /a", 200, `{}`, status(200))
		}, "read.credential.wrong"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &derived{}
			c.fill(d)
			if got := strings.Join(d.causes(), " "); got != c.want {
				t.Errorf("causes led by %s, not %s", got, c.want)
			}
		})
	}
}

// A write of which several members are not kept keeps nothing; a single member may be a defect of its own.
func TestMembersOfALostUpdateAreOneCause(t *testing.T) {
	for members, want := range map[int]int{1: 1, 2: 2, 3: 1} {
		d := &derived{}
		for _, name := range []string{"title", "pages", "genre"}[:members] {
			d.finds("change.updated.kept", "GET /books/1", 200, `{}`, spec.Finding{
				Kind: spec.KindDiffers, Pointer: "/" + name, Expected: phrase.Of("new"), Actual: phrase.Of("old " + name),
			})
		}
		if got := d.causes(); len(got) != want {
			t.Errorf("%d members that are not kept: %v", members, got)
		}
	}
}
