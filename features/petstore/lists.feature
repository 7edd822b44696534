@operation:listPets
Feature: Lists

  @rule:list.limit.optional
  Rule: The limit may be left out, alone and beside a status

    @read-only
    Scenario: beside a status
      When listPets is called with status available
      Then the response is 200

  @rule:list.status.optional
  Rule: The status may be left out, alone and beside a limit

    @read-only
    Scenario: beside a limit
      When listPets is called with limit 20
      Then the response is 200

  @rule:list.limit.default @phase:stocked
  Rule: A list that was asked for without a limit holds at most 20 animals

    @read-only
    Scenario: alone
      When listPets is called
      Then the response has at most 20 items

    @read-only
    Scenario: beside a status
      When listPets is called with status available
      Then the response has at most 20 items

    Scenario: beside a status that more than 20 have
      Given 21 created "pets" with {"status": "sold"}
      When listPets is called with status sold
      Then the response has at most 20 items

  @rule:list.limit.default.same
  Rule: Leaving the limit out gives as many animals as a limit of 20 does

    Scenario: where there are more than 20
      Given 21 created "pets"
      And a plain request to "listPets" that succeeds
      When it is sent without limit and with its default in turns
      Then both show as many

  @rule:list.limit.honoured
  Rule: A list never holds more animals than the limit that was asked for

    Scenario: three are there, and two are asked for
      Given 3 created "pets"
      When listPets is called with limit 2
      Then the response has at most 2 items

  @rule:error.body
  Rule: Every error response carries an Error object

    @read-only
    Scenario Outline: asked with <asked>
      When listPets is called with <asked>
      Then the scenario goes on where the response is an error
      And in the response, code is a string
      And in the response, message is a string
      And in the response, status is an integer

      Examples:
        | asked         |
        | limit 0       |
        | limit 101     |
        | limit abc     |
        | status hungry |

  @rule:list.complete @phase:first @at-once
  Rule: A list that holds the whole store holds every animal that was created

    Scenario Outline: the animal was created with <members>
      Given a created "pet" with <members>
      Then it is listed at once

      Examples:
        | members                 |
        | {"status": "sold"}      |
        | {"status": "available"} |
        | {"status": "pending"}   |

    Scenario: the animal was created without a status
      Given a plain body without status
      When createPet is called
      Then it is listed at once

    Scenario: one that is created just after the list was read
      Given a created "pet"
      Then it is listed at once
      When createPet is called
      Then it is listed at once

    Scenario: twelve animals
      When "createPet" is called 12 times by 4 clients at once
      Then each of them is listed at once

  @rule:pet.identity @phase:first @at-once
  Rule: An id names one animal and never shows with another name or categoryId

    Scenario Outline: in a list, <member> is <value>
      Given a plain body where <member> is <value>
      When createPet is called
      Then the scenario goes on where the response is a success
      When listPets is called with limit 100
      Then it is shown as its creation showed it

      Examples:
        | member     | value                         |
        | name       | "Rex the {new}"               |
        | name       | "<b>{new}</b> &amp; the rest" |
        | categoryId | 9007199254740993              |

  @rule:list.status.honoured @phase:first @at-once
  Rule: A list that was asked for a status holds only animals that have it

    Scenario Outline: each that is <status> shows it
      Given a created "pet" with {"status": "<status>"}
      When listPets is called with status <status> and limit 100
      Then in each item, status is "<status>"

      Examples:
        | status    |
        | available |
        | pending   |
        | sold      |

    Scenario Outline: one was created without a status, and <status> is asked for
      Given a plain body without status
      When createPet is called
      And listPets is called with status <status> and limit 100
      Then in each item, status is "<status>"

      Examples:
        | status    |
        | available |
        | pending   |

  @rule:error.status.same
  Rule: An Error's status repeats the HTTP status of its response

    @read-only
    Scenario Outline: asked with <asked>
      When listPets is called with <asked>
      Then the scenario goes on where the response is 400
      And in the response, status is 400

      Examples:
        | asked     |
        | limit 0   |
        | limit abc |
