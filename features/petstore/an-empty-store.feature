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

  @rule:get.extreme @operation:getPet @at-once
  Rule: Asked for any int64, the response is 404 or the animal with exactly that id

    Scenario Outline: asked for <petId>, which may be assigned later
      When getPet is called with petId <petId>
      Then the response is 404, or 200 with that petId

      Examples:
        | petId |
        | 7     |
        | 77    |
        | 177   |

  @rule:list.complete @at-once
  Rule: A list that holds the whole store holds every animal that was created

    Scenario: the first animal of the run
      Given a created "pet" with {"status": "sold"}
      Then it is listed at once

  @rule:list.empty @at-once
  Rule: A filter that matches nothing gives an empty array, whatever else the store holds

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

  @rule:create.no-trace @operation:createPet @at-once
  Rule: A creation that was answered 400 has stored nothing, whatever the store holds

    Scenario: the status is null
      Given a plain request to "createPet" that succeeds
      And in its body, /status is null
      When it is refused three times, and "listPets" lists what there is around each
      Then the list shows nothing of it

    Scenario: the categoryId is a text
      Given a plain request to "createPet" that succeeds
      And in its body, /categoryId is "1"
      When it is refused three times, and "listPets" lists what there is around each
      Then the list shows nothing of it

  @rule:auth.no-trace @operation:createPet @at-once
  Rule: A request that was answered 401 has changed nothing

    Scenario Outline: the credential is <credential>
      Given a plain request to "createPet" that succeeds
      And its credential is <credential>
      When it is refused three times, and "listPets" lists what there is around each
      Then the list shows nothing of it

      Examples:
        | credential                             |
        | a random key                           |
        | the right key as the password of Basic |
