@operation:getPet
Feature: Reading one animal

  @rule:get.created
  Rule: A created animal is found at once, just as it was answered on creation

    Scenario Outline: created <how>
      Given a created "pet" with <members>
      When it is read at once
      Then the response is 200
      And it is shown as its creation showed it

      Examples:
        | how                   | members                                         |
        | with status available | {"status": "available", "name": "Rex {new}"} |
        | with status pending   | {"status": "pending", "name": "Rex {new}"}   |
        | with status sold      | {"status": "sold", "name": "Rex {new}"}      |
        | with a longer name    | {"name": "Rex The Second Dog of {new}"}         |
        | with accents          | {"name": "Zoë Ñandú Øre {new}"}              |

    Scenario: ten in a row
      When createPet is called 10 times
      Then each of them can be read

    @phase:last
    Scenario: many that were created at once
      When "createPet" is called 12 times by 6 clients at once
      Then each of them can be read

    Scenario: a status that was not sent
      Given a plain body without status
      When createPet is called
      And it is read at once
      Then the response is 200
      And it is shown as its creation showed it
      And it shows no member that its creation did not show

  @rule:get.found
  Rule: Asked for an animal that exists, the response is 200 with the animal

    Scenario Outline: one with status <status> is read three times
      Given a created "pet" with {"status": "<status>"}
      When getPet is called 3 times
      Then each response is 200

      Examples:
        | status    |
        | available |
        | pending   |
        | sold      |

    Scenario: one that nobody has read yet
      Given a created "pet" with {"name": "Rex {new}"}
      When it is read at once
      Then the response is 200

  @rule:get.listed @phase:last
  Rule: A listed animal can be read by its id and is the same animal

    Scenario: items of a list
      Given 10 created "pets"
      When listPets is called with limit 100
      Then in the response, /0/id is remembered as "first"
      And in the response, /0/name is remembered as "first-name"
      And in the response, /9/id is remembered as "tenth"
      And in the response, /9/name is remembered as "tenth-name"
      When getPet is called with petId {first}
      Then the scenario goes on where the response is 200
      And in the response, name is "{first-name}"
      When getPet is called with petId {tenth}
      Then the scenario goes on where the response is 200
      And in the response, name is "{tenth-name}"

  @rule:get.stable
  Rule: Reading a created animal twice gives the same

    Scenario Outline: one with status <status> is read ten times
      Given a created "pet" with {"status": "<status>"}
      When getPet is called 10 times
      Then each response shows the same name and categoryId and status

      Examples:
        | status    |
        | available |
        | pending   |
        | sold      |

  @rule:get.extreme
  Rule: Asked for any int64, the response is 404 or the animal with exactly that id

    @read-only
    Scenario Outline: asked for <petId>
      When getPet is called with petId <petId>
      Then the response is 404, or 200 with that petId

      Examples:
        | petId                |
        | 0                    |
        | -1                   |
        | 2147483648           |
        | -2147483649          |
        | 9007199254740993     |
        | 9223372036854775807  |
        | -9223372036854775808 |

  @rule:get.petId.refused
  Rule: An id that is not an int64 is refused with an error of the client's (4xx)

    @read-only
    Scenario Outline: asked for <petId>
      When getPet is called with petId <petId>
      Then the response is a refusal

      Examples:
        | petId                |
        | abc                  |
        | 1.5                  |
        | 9223372036854775808  |
        | -9223372036854775809 |

  @rule:error.body
  Rule: Every error response carries an Error object

    @read-only
    Scenario Outline: asked for <petId>
      When getPet is called with petId <petId>
      Then the scenario goes on where the response is an error
      And in the response, code is a string
      And in the response, message is a string
      And in the response, status is an integer

      Examples:
        | petId               |
        | abc                 |
        | 1.5                 |
        | 9223372036854775808 |

  @rule:get.kept @phase:end
  Rule: A created animal is still found at the end of the run

    Scenario: every animal that this run created
      Given a created "pet"
      Then everything that "createPet" created can still be read with the same name and categoryId
