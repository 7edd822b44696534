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

  @rule:list.complete @phase:first
  Rule: A list that holds the whole store holds every animal that was created

    Scenario Outline: the animal was created with <members>
      Given a created "pet" with <members>
      Then it is listed

      Examples:
        | members                 |
        | {"status": "sold"}      |
        | {"status": "available"} |
        | {"status": "pending"}   |

    Scenario: twelve animals
      When createPet is called 12 times
      Then each of them is listed

  @rule:pet.identity @phase:first
  Rule: An id names one animal and never shows with another name or categoryId

    Scenario: a list shows the name of a created animal
      Given a created "pet" with {"name": "Rex the {new}"}
      When listPets is called with limit 100
      Then it is shown as its creation showed it

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
