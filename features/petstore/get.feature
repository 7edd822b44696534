@operation:getPet
Feature: Reading one animal

  @rule:get.created
  Rule: A created animal is found at once, just as it was answered on creation

    Scenario Outline: created <how>
      When an animal is created <how>
      Then it is read back as it was answered

      Examples:
        | how                   |
        | with status available |
        | with status pending   |
        | with status sold      |
        | without a status      |

  @rule:get.stable
  Rule: Reading a created animal twice gives the same

    Scenario: it is read ten times
      Given an animal that was just created
      When it is read 10 times
      Then each response is the same

    @rule:get.found
    Scenario Outline: one with status <status> is read three times
      Given an animal that was just created with status <status>
      When it is read 3 times
      Then each response is the same

      Examples:
        | status  |
        | pending |
        | sold    |

  @rule:get.id @rule:get.extreme
  Rule: The animal that is returned has the id that was asked for

    Scenario Outline: asked for <other>
      Given an animal that this run created
      When the animal with <other> is asked for
      Then the response is 404 or the animal with that very id

      Examples:
        | other                         |
        | its id plus 2^32              |
        | its id minus 2^32             |
        | its id plus 2^16              |
        | its id plus 2^53              |
        | its id negated                |
        | its id plus 1                 |
        | its id minus 1                |
        | its id with a digit appended  |
        | its id without its last digit |

  @rule:get.listed
  Rule: A listed animal can be read by its id and is the same animal

    Scenario: the first and the last of a list that is not empty
      Given an animal that this run created
      When listPets is called with the greatest limit
      Then its first and last animals can be read and are the same

    @read-only
    Scenario: the first and the last of a list
      When listPets is called with the greatest limit
      Then its first and last animals can be read and are the same
