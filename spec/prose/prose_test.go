package prose_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/prose"
)

const document = `openapi: 3.1.0
info:
  title: Tickets
  version: "1"
  description: |
    # Tickets, which must not be read as a sentence

    Tickets of a help desk. A refused request changes
    nothing. See the [guide](https://example.com) for what must be done.

    - Deleted tickets are never listed.
    - Names. E.g. Jane.

    ` + "```" + `
    this must not be read
    ` + "```" + `
    | must | not |
    |---|---|
tags:
  - name: tickets
    description: Tickets are kept until they are deleted.
paths:
  /tickets:
    get:
      operationId: listTickets
      summary: Lists the tickets, newest first
      tags: [tickets]
      parameters:
        - $ref: '#/components/parameters/Limit'
      responses:
        '200':
          description: Returns all tickets.
          headers:
            X-Total:
              description: Is never negative.
              schema: {type: integer}
          content:
            application/json:
              schema: {type: array, items: {$ref: '#/components/schemas/Ticket'}}
    post:
      operationId: openTicket
      description: Opens a ticket. <br>The number is <b>assigned by the server</b>. If it cannot be opened, 409 is returned.
      requestBody:
        description: Unknown members are ignored.
        content:
          application/json:
            schema: {$ref: '#/components/schemas/Ticket'}
      responses:
        '201': {description: The ticket.}
        '409': {description: Refused if the title exists.}
components:
  parameters:
    Limit:
      name: limit
      in: query
      description: >-
        The maximum number of tickets
        to return. Values must be
        between 1 and 100.
      schema: {type: integer, minimum: 1, maximum: 100}
  schemas:
    Ticket:
      type: object
      description: A ticket.
      properties:
        number:
          type: integer
          readOnly: true
          description: Read-only.
        title:
          type: string
          description: 'At most 80 characters. The **title** of the ticket.'
          maxLength: 80
`

func TestSentences(t *testing.T) {
	c, err := openapi.Load([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range prose.Sentences(c) {
		var ids []string
		for _, u := range s.Uses {
			ids = append(ids, u.Operation.ID)
		}
		got = append(got, fmt.Sprintf("%d %s [%s] %s | %s", s.Line, s.Place, strings.Join(ids, " "), s.Text, s.Claim.Form))
	}
	want := []string{
		"8 the document [] A refused request changes nothing. | nothing changes if refused",
		"11 the document [] Deleted tickets are never listed. | ",
		"21 a tag [listTickets] Tickets are kept until they are deleted. | ",
		"26 an operation [listTickets] Lists the tickets, newest first | order",
		"35 a header [listTickets] Is never negative. | ",
		"42 an operation [openTicket] The number is assigned by the server. | ",
		"42 an operation [openTicket] If it cannot be opened, 409 is returned. | ",
		"44 a request body [openTicket] Unknown members are ignored. | ",
		"50 a response [openTicket] Refused if the title exists. | ",
		"57 a parameter [listTickets] The maximum number of tickets to return. | limit",
		"58 a parameter [listTickets] Values must be between 1 and 100. | range",
		"69 a schema [listTickets openTicket] Read-only. | read-only",
		"72 a schema [listTickets openTicket] At most 80 characters. | length",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestStatesBehaviour(t *testing.T) {
	for _, text := range []string{
		"Tickets are sorted by number, newest first.", "The default is 20.", "A title must be unique.", "Unknown members are ignored.", "It is returned as it was sent.",
		"The password is never returned.", "Returns 404 if there is no such ticket.", "Case-insensitive.", "Blanks around it are trimmed.", "At most 80 characters.",
		"A ticket that is closed cannot be changed.", "Requests with the same key are executed once, and repeated for a day, when it is known.",
		"Closing a ticket twice is refused with 409.", "Deleting is idempotent.", "The state is kept unless it is given.",
	} {
		if !prose.StatesBehaviour(text) {
			t.Errorf("%q is not taken for a statement of behaviour", text)
		}
	}
	for _, text := range []string{
		"Returns all tickets.", "Creates a ticket in a queue.", "Get a ticket by its number", "The name of the ticket.", "OK", "Not found", "A ticket", "The queue that it is in",
		"See the guide for what must be done.", "Example: it must be 7.", "What should be done if it fails?", "ID of the ticket that needs to be deleted", "If the user is an administrator.",
	} {
		if prose.StatesBehaviour(text) {
			t.Errorf("%q is taken for a statement of behaviour", text)
		}
	}
}

func TestAssertsFormats(t *testing.T) {
	for text, want := range map[string]bool{
		"Formats are enforced.": true, "Tickets. All formats are checked.": true, "Formats are not enforced.": false, "Formats are enforced if they are known.": false,
	} {
		c, err := openapi.Load([]byte("openapi: 3.1.0\ninfo: {title: T, version: '1', description: '" + text + "'}\npaths: {/: {get: {operationId: a, responses: {'200': {description: OK}}}}}\n"))
		if err != nil {
			t.Fatal(err)
		}
		if got := prose.AssertsFormats(c); got != want {
			t.Errorf("AssertsFormats(%q) = %t", text, got)
		}
	}
}
