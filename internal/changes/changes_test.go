package changes_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/changes"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/tests/shop"
)

// between writes two versions of a document to a folder and compares them.
func between(t *testing.T, before, after string) *changes.Changes {
	t.Helper()
	folder := t.TempDir()
	all, err := changes.Between(options.Contract{File: file(t, folder, "old.yaml", before)}, options.Contract{File: file(t, folder, "new.yaml", after)}, changes.Files{})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func file(t *testing.T, folder, name, text string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func effects(all *changes.Changes) []string {
	var out []string
	for _, c := range all.Contract {
		out = append(out, string(c.Effect)+" "+c.Kind+" "+c.Operation)
	}
	return out
}

func TestOneEdit(t *testing.T) {
	desk := string(shop.DeskContract())
	for name, c := range map[string]struct {
		from, to string
		// contract are the changes of the document, added, removed and changed are rules.
		contract, added, removed, changed []string
		scenarios                         bool
	}{
		"nothing": {},
		"a description": {
			from: "The most tickets of a page.", to: "How many tickets a page has at most.",
			changed: []string{"listTickets.list.limit"}, // the sentence states it no longer
		},
		"a bound that is lowered": {
			from: "minimum: 1, maximum: 50,", to: "minimum: 1, maximum: 40,",
			contract: []string{"breaking request-parameter-max-decreased GET /tickets"}, scenarios: true,
		},
		"a bound that is raised": {
			from: "minimum: 1, maximum: 50,", to: "minimum: 1, maximum: 60,",
			contract: []string{"compatible request-parameter-max-increased GET /tickets"}, scenarios: true,
		},
		"a parameter that goes": {
			from: "        - {name: colour, in: query, schema: {$ref: '#/components/schemas/Colour'}}\n", to: "",
			contract: []string{"may-break request-parameter-removed GET /tickets"}, removed: []string{"listTickets.list.filter"}, scenarios: true,
		},
		"an operation that is deprecated": {
			from: "      operationId: readTicket\n", to: "      operationId: readTicket\n      deprecated: true\n",
			contract: []string{"compatible endpoint-deprecated GET /tickets/{ticketId}"}, added: []string{"readTicket.deprecation"},
		},
		"a status that goes": {
			from: "        '202': {description: To be opened, content: {application/json: {schema: {$ref: '#/components/schemas/Ticket'}}}}\n", to: "",
			contract: []string{"breaking response-success-status-removed POST /tickets"},
			changed:  []string{"openTicket.documented", "openTicket.success"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			after := strings.Replace(desk, c.from, c.to, 1)
			if (after == desk) != (c.from == "") {
				t.Fatal("the desk has no such place")
			}
			all := between(t, desk, after)
			if got := effects(all); !slices.Equal(got, c.contract) {
				t.Errorf("the contract: %q, want %q", got, c.contract)
			}
			ids := func(rules []changes.Rule) []string {
				var out []string
				for _, r := range rules {
					out = append(out, r.ID)
				}
				slices.Sort(out)
				return out
			}
			var changed []changes.Rule
			for _, r := range all.Rules.Changed {
				changed = append(changed, r.After)
			}
			for what, pair := range map[string][2][]string{"added": {ids(all.Rules.Added), c.added}, "removed": {ids(all.Rules.Removed), c.removed}, "changed": {ids(changed), c.changed}} {
				if !slices.Equal(pair[0], pair[1]) {
					t.Errorf("rules %s: %q, want %q", what, pair[0], pair[1])
				}
			}
			s := all.Scenarios
			if len(s.Added)-len(s.Removed) != s.After-s.Before {
				t.Errorf("of %d scenarios %d come, %d go, and there are %d", s.Before, len(s.Added), len(s.Removed), s.After)
			}
			if moves := len(s.Added)+len(s.Removed)+len(s.Changed) > 0; moves != c.scenarios && len(c.added) == 0 {
				t.Errorf("scenarios move: %v: %v", moves, s)
			}
			var out bytes.Buffer
			if err := all.Write(&out); err != nil {
				t.Error(err)
			}
			for _, id := range slices.Concat(c.added, c.removed, c.changed) {
				if !strings.Contains(out.String(), " "+id) {
					t.Errorf("%s is not told of:\n%s", id, out.String())
				}
			}
		})
	}
}

func TestSwaggerIsCompared(t *testing.T) {
	const swagger = `swagger: "2.0"
info: {title: A, version: "1"}
paths:
  /items:
    get:
      operationId: listItems
      parameters: [{name: limit, in: query, type: integer, maximum: 9}]
      responses: {"200": {description: Yes}}
`
	all := between(t, swagger, strings.Replace(swagger, "maximum: 9", "maximum: 8", 1))
	if want := []string{"breaking request-parameter-max-decreased GET /items"}; !slices.Equal(effects(all), want) || all.Unread != "" {
		t.Errorf("%q, want %q; %s", effects(all), want, all.Unread)
	}
}

// oasdiff takes one of such paths for the other, in a document and itself.
func TestPathsThatDifferInNames(t *testing.T) {
	const ambiguous = `openapi: 3.1.0
info: {title: A, version: "1"}
paths:
  /a/{x}:
    get: {operationId: one, parameters: [{name: x, in: path, required: true, schema: {type: string}}], responses: {"200": {description: Yes}}}
  /a/{y}:
    delete: {operationId: other, parameters: [{name: y, in: path, required: true, schema: {type: string}}], responses: {"204": {description: Yes}}}
`
	if all := between(t, ambiguous, ambiguous); len(all.Contract) > 0 {
		t.Errorf("a document differs from itself: %v", all.Contract)
	}
}

// What is written in another way is the same.
func TestOtherWriting(t *testing.T) {
	const one = `openapi: 3.1.0
info: {title: A, version: "1"}
paths:
  /a/{x}:
    get:
      operationId: one
      parameters: [{name: x, in: path, required: true, schema: {type: string}}, {name: X-Tenant, in: header, schema: {type: string}}]
      responses: {"200": {description: Yes}}
`
	const other = `openapi: 3.1.0
info: {title: A, version: "1"}
paths:
  /a/{x}:
    parameters: [{name: x, in: path, required: true, schema: {type: string}}]
    get:
      operationId: one
      parameters: [{name: x-tenant, in: header, schema: {type: string}}]
      responses: {"200": {description: Yes}}
`
	if all := between(t, one, other); len(all.Contract) > 0 {
		t.Errorf("these differ: %v", all.Contract)
	}
}

// Files beside a document are found, and no others are read.
func TestDocumentsInSeveralFiles(t *testing.T) {
	const whole = `openapi: 3.1.0
info: {title: A, version: "1"}
paths:
  /items:
    post:
      operationId: addItem
      requestBody: {required: true, content: {application/json: {schema: {$ref: 'schemas/item.yaml'}}}}
      responses: {"201": {description: Yes}, "400": {description: No}}
`
	write := func(schema string) options.Contract {
		folder := t.TempDir()
		if err := os.Mkdir(filepath.Join(folder, "schemas"), 0o700); err != nil {
			t.Fatal(err)
		}
		file(t, folder, "schemas/item.yaml", schema)
		return options.Contract{File: file(t, folder, "api.yaml", whole)}
	}
	all, err := changes.Between(write("type: object\nproperties: {a: {type: string}}\n"), write("type: object\nrequired: [a]\nproperties: {a: {type: string}}\n"), changes.Files{})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"breaking request-property-became-required POST /items"}; !slices.Equal(effects(all), want) || all.Unread != "" {
		t.Errorf("%q, want %q; %s", effects(all), want, all.Unread)
	}
}

// What oasdiff cannot read is said in one line, and the rest is compared.
func TestDocumentsThatCannotBeCompared(t *testing.T) {
	const odd = `swagger: "2.0"
info: {title: A, version: "1"}
paths:
  /items:
    get: {operationId: listItems, responses: {"200": {description: Yes, schema: [1]}}}
`
	all := between(t, odd, strings.Replace(odd, "listItems", "allItems", 1))
	if all.Unread == "" || strings.Contains(all.Unread, "\n") || len(all.Rules.Added) == 0 || len(all.Rules.Removed) == 0 {
		t.Errorf("%q, %d rules come", all.Unread, len(all.Rules.Added))
	}
}

// What a team keeps beside a contract is told of where it names rules that go, and nothing else of it.
func TestFilesThatLoseRules(t *testing.T) {
	desk := string(shop.DeskContract())
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "features"), 0o700); err != nil {
		t.Fatal(err)
	}
	before := options.Contract{File: file(t, folder, "old.yaml", desk)}
	after := options.Contract{File: file(t, folder, "new.yaml", strings.Replace(desk, "operationId: deleteTicket", "operationId: dropTicket", 1))}
	file(t, folder, "rules.yaml", "- {id: deleteTicket.deleted.gone, level: must}\n- {id: readTicket.read.steady, level: must}\n- {id: desk.own, section: Desk, level: must, says: A rule.}\n- '*.created.kept': must\n- 'deleteTicket.*': should\n")
	file(t, folder, "features/desk.feature", `Feature: Desk
  @rule:desk.own @rule:deleteTicket.deleted.unlisted
  Scenario: a ticket that goes
    When deleteTicket is called
  @rule:readTicket.read.steady
  Scenario: a ticket that stays
    When readTicket is called
  @derived @rule:deleteTicket.success
  Scenario: a derived one
    When deleteTicket is called
`)
	all, err := changes.Between(before, after, changes.Files{Features: filepath.Join(folder, "features")})
	if err != nil {
		t.Fatal(err)
	}
	want := []changes.Lost{
		{Place: filepath.Join(folder, "rules.yaml") + ":1", Rule: "deleteTicket.deleted.gone", Similar: "dropTicket.deleted.gone"},
		{Place: filepath.Join(folder, "rules.yaml") + ":5", Rule: "deleteTicket.*", Similar: "replaceTicket.*"},
		{Place: filepath.Join(folder, "features", "desk.feature") + ":3", Scenario: "a ticket that goes", Rule: "deleteTicket.deleted.unlisted", Similar: "dropTicket.deleted.unlisted"},
	}
	if !slices.Equal(all.Lost, want) {
		t.Errorf("%v, want %v", all.Lost, want)
	}
	var out bytes.Buffer
	if err := all.Write(&out); err != nil || !strings.Contains(out.String(), "\nYour own files: 3 places name removed rules\n") {
		t.Errorf("%v\n%s", err, out.String())
	}
	for _, none := range []changes.Files{{Rules: options.NoRules}, {Rules: file(t, folder, "other.yaml", "- {id: desk.own, section: Desk, level: must, says: A rule.}\n")}} {
		all, err := changes.Between(before, after, none)
		if err != nil {
			t.Fatal(err)
		}
		if len(all.Lost) > 0 {
			t.Errorf("%v: %v", none, all.Lost)
		}
	}
	for _, wrong := range []changes.Files{{Rules: filepath.Join(folder, "nonesuch.yaml")}, {Features: filepath.Join(folder, "nonesuch")}} {
		if _, err := changes.Between(before, after, wrong); err == nil {
			t.Errorf("%v is no error", wrong)
		}
	}
}
