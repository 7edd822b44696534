# What only an empty or a small store shows comes before the run creates more.
@phase:first @operation:listPets
Feature: A store that is still empty or small

  @rule:list.empty
  Rule: Where no animal matches, the response is 200 with an empty array

    @read-only
    Scenario Outline: <asked>
      When listPets is called
      Then the scenario goes on where there are no items
      When listPets is called <asked>
      Then the scenario goes on where the response is 200 or 204 or 404
      And the response is 200
      And the response is a list

      Examples:
        | asked                             |
        |                                   |
        | with limit 1                      |
        | with limit 100                    |
        | with status available             |
        | with status pending               |
        | with status sold                  |
        | with status available and limit 1 |
        | with status sold and limit 100    |

    Scenario Outline: only an animal that is sold was created, asked for <status>
      Given a created "pet" with {"status": "sold"}
      When listPets is called with limit 100
      Then the scenario goes on where no item has status "<status>"
      When listPets is called with status <status>
      Then the response is 200
      And the response is a list
      And in each item, status is "<status>"

      Examples:
        | status    |
        | available |
        | pending   |

  @rule:list.unique
  Rule: No list holds the same id twice

    Scenario: a few animals
      Given 3 created "pets"
      When listPets is called
      Then no two items have the same id
