# What only an empty or a small store can show is asked first: one scenario after the other, before the run creates more.
@phase:first
Feature: A store that is still empty or small

  @at-once @rule:list.empty @operation:listPets
  Rule: Where no animal matches, the response is 200 with an empty array

    @read-only
    Scenario Outline: before anything was created, <asked>
      When listPets is called <asked>
      Then it is an empty array where nothing matches

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

  @rule:list.complete @rule:list.status.complete @operation:listPets
  Rule: A list that holds the whole store holds every animal that was created

    Scenario: the first animal of this run
      Given a list can hold the whole store
      When an animal is created with status sold
      Then every list that must hold it does

  @at-once @rule:list.empty @operation:listPets
  Rule: A filter that matches nothing gives an empty array, whatever else the store holds

    @read-only
    Scenario Outline: nobody has the status <status>
      When listPets is called with status <status>
      Then it is an empty array where nothing matches

      Examples:
        | status    |
        | available |
        | pending   |

  @at-once @rule:list.complete @rule:list.status.complete @operation:listPets
  Rule: A list that holds the whole store holds every animal, whatever its status

    Scenario Outline: the animal was created <how>
      Given a list can hold the whole store
      When an animal is created <how>
      Then every list that must hold it does

      Examples:
        | how                   |
        | with status available |
        | with status pending   |
        | without a status      |

  @at-once @operation:createPet
  Rule: A creation that was refused has stored nothing

    @rule:create.no-trace
    Scenario: creations that are answered 400, and animals that nobody would recognise
      Given a list can hold the whole store
      When creations that must be refused with 400 are tried
      Then no animal appears behind them

    @rule:auth.no-trace
    Scenario: creations that are answered 401, and animals that nobody would recognise
      Given a list can hold the whole store
      When creations that must be refused with 401 are tried
      Then no animal appears behind them
