package promise_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/promise"
)

const worded = `openapi: 3.1.0
info:
  title: Tickets
  version: "1"
  description: |
    A refused request changes nothing. Deleted notes can no longer be read. Afterwards it is gone.
security: [{key: []}]
paths:
  /tickets:
    get:
      operationId: listTickets
      parameters:
        - name: limit
          in: query
          description: The maximum number of tickets to return. Must be between 1 and 100. Must be between 1 and 50. Defaults to 20. Defaults to 30.
          schema: {type: integer, minimum: 1, maximum: 100, default: 20}
        - name: state
          in: query
          description: Only tickets in this state.
          schema: {type: string, enum: [open, closed]}
        - name: since
          in: query
          description: Only tickets with this age. Required.
          schema: {type: integer}
      responses:
        '200':
          description: OK
          content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Ticket'}}}}
        '400': {description: Bad request}
        '401': {description: Missing or invalid API key}
    post:
      operationId: openTicket
      description: A created ticket can be read at once. Every ticket is returned exactly as it was sent. Every note is returned exactly as it was sent.
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/Ticket'}}}
      responses:
        '201':
          description: Opened. The Location header points to the new ticket.
          content: {application/json: {schema: {$ref: '#/components/schemas/Ticket'}}}
        '400': {description: Bad request}
  /tickets/{ticketId}:
    parameters:
      - {name: ticketId, in: path, required: true, schema: {type: integer}}
    get:
      operationId: readTicket
      description: Returns 404 if the ticket does not exist.
      responses:
        '200':
          description: OK
          content: {application/json: {schema: {$ref: '#/components/schemas/Ticket'}}}
        '404': {description: No such ticket.}
    put:
      operationId: replaceTicket
      description: Replaces the whole ticket.
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/Ticket'}}}
      responses:
        '200':
          description: OK
          content: {application/json: {schema: {$ref: '#/components/schemas/Ticket'}}}
        '400': {description: Bad request}
    delete:
      operationId: deleteTicket
      description: A deleted ticket can no longer be read. Deleted notes are no longer listed.
      responses:
        '204': {description: Deleted.}
components:
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Key}
  schemas:
    Ticket:
      type: object
      required: [title]
      properties:
        id: {type: integer, readOnly: true, description: The unique identifier of the ticket. Read-only.}
        title: {type: string, minLength: 1, maxLength: 80, description: Required. At most 80 characters. At most 90 characters. Must not be empty.}
        text: {type: string, description: Required. Read-only. Never returned.}
        state: {type: string, enum: [open, closed], description: 'One of "open" or "closed". Always lower case.'}
        note: {type: string}
        place: {type: string}
        secret: {type: string, writeOnly: true, description: Never returned.}
        sort: {type: string, enum: [ticket], description: Always has the value "ticket". The value is always "note".}
`

// judgedBy returns each sentence with the rules that judge it; an asterisk marks those that it made a must.
func judgedBy(t *testing.T, p *promise.Promises, catalogue *spec.Catalogue) []string {
	t.Helper()
	var all []string
	for _, s := range p.Sentences(catalogue) {
		one := s.Text + " ->"
		for _, id := range s.Rules {
			if one += " " + id; slices.Contains(s.Raised, id) {
				one += "*"
			}
		}
		if s.Aside != "" {
			one += " aside: " + s.Aside
		}
		all = append(all, one)
	}
	return all
}

func TestSentences(t *testing.T) {
	c, err := openapi.Load([]byte(worded))
	if err != nil {
		t.Fatal(err)
	}
	p := promise.Of(c, 1, 0)
	catalogue, err := p.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	want := `A refused request changes nothing. -> openTicket.created.no-trace* replaceTicket.refused.unchanged* deleteTicket.refused.unchanged*
Deleted notes can no longer be read. ->
Afterwards it is gone. ->
The maximum number of tickets to return. -> listTickets.list.limit*
Must be between 1 and 100. -> listTickets.refused.parameter
Must be between 1 and 50. ->
Defaults to 20. -> listTickets.list.limit*
Defaults to 30. ->
Only tickets in this state. -> listTickets.list.filter*
Only tickets with this age. ->
Required. ->
Missing or invalid API key -> listTickets.credential.missing listTickets.credential.wrong
A created ticket can be read at once. -> openTicket.created.readable*
Every ticket is returned exactly as it was sent. -> openTicket.created.kept*
Every note is returned exactly as it was sent. ->
The Location header points to the new ticket. -> openTicket.location* openTicket.created.location*
Returns 404 if the ticket does not exist. -> readTicket.not-found
Replaces the whole ticket. -> replaceTicket.updated.replaced*
A deleted ticket can no longer be read. -> deleteTicket.deleted.gone*
Deleted notes are no longer listed. ->
The unique identifier of the ticket. -> openTicket.created.distinct*
Read-only. -> replaceTicket.updated.read-only*
Required. -> listTickets.body openTicket.refused.property-missing openTicket.body readTicket.body replaceTicket.refused.property-missing replaceTicket.body
At most 80 characters. -> listTickets.body openTicket.refused.property openTicket.body readTicket.body replaceTicket.refused.property replaceTicket.body
At most 90 characters. ->
Must not be empty. -> listTickets.body openTicket.refused.property openTicket.body readTicket.body replaceTicket.refused.property replaceTicket.body
Required. ->
Read-only. ->
Never returned. ->
One of "open" or "closed". -> listTickets.body openTicket.refused.property openTicket.body readTicket.body replaceTicket.refused.property replaceTicket.body
Always lower case. ->
Never returned. -> listTickets.write-only* openTicket.write-only* readTicket.write-only* replaceTicket.write-only*
Always has the value "ticket". -> listTickets.body openTicket.refused.property openTicket.body readTicket.body replaceTicket.refused.property replaceTicket.body
The value is always "note". ->`
	if got := judgedBy(t, p, catalogue); strings.Join(got, "\n") != want {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	for id, want := range map[string]string{
		"openTicket.created.kept":      "must stated=true the document, line 33: “Every ticket is returned exactly as it was sent.”",
		"listTickets.write-only":       "must stated=false",
		"openTicket.created.readable":  "must stated=true",
		"replaceTicket.updated.kept":   "inferred stated=false",
		"deleteTicket.deleted.again":   "inferred stated=false",
		"openTicket.refused.property":  "must stated=false",
		"openTicket.refused.body-type": "must stated=false",
	} {
		r, _ := catalogue.Rule(id)
		if got := fmt.Sprintf("%s stated=%t %s", r.Level, r.Stated, r.Source); !strings.HasPrefix(got, want) {
			t.Errorf("%s is %s, want %s", id, got, want)
		}
	}
}

// TestSentencesOfRules has rules of a file that quote sentences, lower what a sentence raised, and switch it off.
func TestSentencesOfRules(t *testing.T) {
	c, err := openapi.Load([]byte(worded))
	if err != nil {
		t.Fatal(err)
	}
	p := promise.Of(c, 1, 0)
	catalogue, err := p.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	f, err := spec.ReadRulesFile([]byte(`
- id: ticket.state
  level: must
  section: Tickets
  says: A state has no capitals.
  source: 'line 82: "Always lower-case"'
- id: note.list
  level: must
  section: Notes
  says: Notes are not listed.
  source: 'Deleted notes are no longer listed.'
  untestable: there is no list of notes
- id: listTickets.list.limit
  level: should
- id: listTickets.list.filter
  off: It lags behind.
`))
	if err != nil {
		t.Fatal(err)
	}
	if catalogue, err = catalogue.Change(f.Entries); err != nil {
		t.Fatal(err)
	}
	got := judgedBy(t, p, catalogue)
	for _, want := range []string{
		"Always lower case. -> ticket.state", "Deleted notes are no longer listed. -> aside: there is no list of notes",
		"The maximum number of tickets to return. -> listTickets.list.limit", "Only tickets in this state. -> aside: It lags behind.",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("there is no %q in\n%s", want, strings.Join(got, "\n"))
		}
	}
}
