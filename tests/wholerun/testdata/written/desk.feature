Feature: The desk

  @rule:desk.ticket.kept
  Scenario: a ticket is read as it was opened
    Given "Printer {new}" is remembered as "title"
    And a created "ticket" with {"title": "{title}", "weight": 12, "colour": "green"}
    When it is read
    Then the response is 200
    And it holds {"title": "{title}", "colour": "green"}
    And in the response, title is what was sent
    And in the response, id is "{ticket}"
    And in the response, title matches "^Printer [\w-]+$"
    And in the response, id is an integer
    And in the response, id is at least 1

  @rule:desk.ticket.kept
  Scenario Outline: the colour <colour> is kept
    Given a plain body where colour is <colour>
    When openTicket is called
    Then the response is 201
    And what was sent comes back
    And the response has the header Location
    And the response's header Location matches "/tickets/\d+$"
    And its colour is what was sent
    When readTicket is called
    Then the response is a success
    And in the response, colour is <colour>

    Examples:
      | colour  |
      | "red"   |
      | "green" |
      | "blue"  |

  @rule:desk.ticket.kept
  Scenario: an identifier is followed by hand
    Given a plain body where title is "By hand {new}"
    And a plain body where colour is "red"
    When openTicket is called
    Then the response is 201
    Given in the response, id is remembered as "first"
    And in the response, title is remembered as "title"
    When readTicket is called with ticketId {first}
    Then the response is 200
    And in the response, title is "{title}"
    And in the response, title is not "another"
    And in the response, colour is one of ["red", "green", "blue"]

  @rule:desk.ticket.own
  Scenario: many clients open tickets at once
    When "openTicket" is called 16 times by 8 clients at once
    Then each response is 201
    And each identifier is new
    And each of them can be read
    And each of them is listed

  @rule:desk.ticket.own
  Scenario: many in a row
    When openTicket is called 3 times
    Then each response is a success
    And each identifier is new

  @rule:desk.ticket.removed
  Scenario: a deleted ticket is gone
    Given a created "ticket" called "mine"
    And another created "ticket" called "other"
    Then "mine" is listed
    When "mine" is deleted
    Then the response is 204 or 202
    And "mine" can no longer be read
    And "mine" is no longer listed
    And "other" can be read

  @rule:desk.ticket.steady
  Scenario: a ticket is read ten times
    Given what "openTicket" creates
    When readTicket is called 10 times
    Then each response shows the same

  @rule:desk.ticket.steady
  Scenario: a ticket is as before
    Given a created "ticket"
    When it is read
    And it is read
    Then the response is as before, but for views, changed

  @rule:desk.ticket.changed
  Scenario: a ticket is changed
    Given a created "ticket" with {"title": "Old {new}", "colour": "red"}
    When it is changed with {"colour": "blue"}
    Then the response is a success
    And in the response, colour is "blue"
    And in the response, title contains "Old"
    When it is replaced with {"title": "New {new}", "labels": ["a", "b"]}
    Then the response is 200
    And in the response, labels has exactly 2 items
    And in the response, labels contains "a"
    When "readTicket" is called until the response is 200
    Then in the response, /labels/0 is "a"

  @rule:desk.list.filter
  Scenario: a list by colour
    Given 2 created "tickets" with {"colour": "blue"}
    And a created "ticket" with {"colour": "red"}
    When listTickets is called with colour blue
    Then the response is 200
    And in each item, colour is "blue"
    And in no item of tickets, colour is "red"

  @rule:desk.list.limit
  Scenario: a list by limit
    Given 3 created "tickets"
    When listTickets is called with limit 2
    Then the response has at most 2 items
    And the response has at least 1 item
    And in some item, title is present

  @rule:desk.list.once
  Scenario: a list shows each ticket once
    Given 3 created "tickets"
    When listTickets is called
    Then no two items have the same id

  @rule:desk.ticket.kept
  Scenario Outline: a title of <length> characters is kept
    Given a plain body where title is <length> characters long
    When openTicket is called
    Then the response is 201
    And what was sent comes back
    When readTicket is called 3 times
    Then each response shows the same title and colour

    Examples:
      | length |
      | 5      |
      | 36     |

  @rule:desk.refused
  Scenario Outline: the title <title> is refused
    Given a plain body where title is <title>
    When openTicket is called
    Then the response is a refusal
    And in the response, id is absent
    And the response has no header Location

    Examples:
      | title |
      | ""    |
      | 7     |
      | null  |

  @rule:desk.refused
  Scenario: nothing is no ticket
    Given the body is {}
    When openTicket is called
    Then the response is 400

  @rule:desk.key
  Scenario: no key
    Given the credential is missing
    When listTickets is called
    Then the response is 401
    And the response's header WWW-Authenticate is "Key"
    When listTickets is called
    Then the response is 200

  @rule:desk.refused
  Scenario: a ticket that nobody opened
    When readTicket is called with an unknown ticketId
    Then the response is 404 or 410

  @rule:desk.order
  Scenario: the first of a list
    When listTickets is called with the greatest limit
    Then in the response, /tickets/0/title is "theirs"
