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

  @at-once @rule:create.no-trace @operation:createPet
  Rule: A creation that was answered 400 has stored nothing

    Scenario Outline: it was refused because <why>
      Given a list can hold the whole store
      And a plain body <change>
      When createPet is called
      Then the response is 400
      And no list holds it

      Examples:
        | why                            | change                                |
        | its status is unknown          | where status is "nonesuch"            |
        | its status is null             | where status is null                  |
        | its categoryId is text         | where categoryId is "1"               |
        | its categoryId is a fraction   | where categoryId is 1.5               |
        | its categoryId is beyond int64 | where categoryId is 9223372036854775808 |
        | its categoryId is left out     | without categoryId                    |
        | text follows it                | followed by a word                    |
        | it is cut short                | cut short                             |

    Scenario: it was refused, and an animal that nobody would recognise is in the list
      Given a list can hold the whole store
      When creations that must be refused with 400 are tried
      Then no animal appears behind them

  @at-once @rule:auth.no-trace @operation:createPet
  Rule: A request that was answered 401 has changed nothing

    Scenario Outline: the credential is <credential>
      Given a list can hold the whole store
      And the credential is <credential>
      When createPet is called
      Then the response is 401
      And no list holds it

      Examples:
        | credential                               |
        | missing                                  |
        | a random key                             |
        | the right key without its last character |
        | of another scheme                        |

    Scenario: the credential is bad, and an animal that nobody would recognise is in the list
      Given a list can hold the whole store
      When creations that must be refused with 401 are tried
      Then no animal appears behind them
