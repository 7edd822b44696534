# Limits and defaults show only on a store that holds more than they let through.
@phase:stocked @operation:listPets
Feature: A store of more than a hundred animals

  @rule:list.limit.honoured @rule:list.limit.accepted
  Rule: A list never holds more animals than the limit that was asked for

    @read-only
    Scenario Outline: limit <limit>
      Given the store holds more than <limit> animals
      When listPets is called with limit <limit>
      Then the response is 200
      And the response has at most <limit> items

      Examples:
        | limit |
        | 1     |
        | 2     |
        | 3     |
        | 7     |
        | 10    |
        | 19    |
        | 20    |
        | 21    |
        | 33    |
        | 50    |
        | 51    |
        | 64    |
        | 75    |
        | 99    |
        | 100   |

    @read-only
    Scenario Outline: limit <limit> beside status <status>
      Given the store holds more than <limit> animals with status <status>
      When listPets is called with status <status> and limit <limit>
      Then the response is 200
      And the response has at most <limit> items

      Examples:
        | limit | status    |
        | 1     | available |
        | 1     | pending   |
        | 1     | sold      |
        | 5     | available |
        | 5     | pending   |
        | 5     | sold      |
        | 20    | available |
        | 20    | pending   |
        | 20    | sold      |

  @rule:list.limit.default
  Rule: A list that was asked for without a limit holds no more animals than the default limit

    @read-only
    Scenario: without a filter
      Given the store holds more animals than the greatest limit
      When listPets is called
      Then the response is 200
      And it holds no more animals than the default limit

    @read-only
    Scenario Outline: filtered by status <status>
      Given the store holds more animals than the default limit with status <status>
      When listPets is called with status <status>
      Then the response is 200
      And it holds no more animals than the default limit

      Examples:
        | status    |
        | available |
        | pending   |
        | sold      |

  @rule:list.limit.default.same
  Rule: Leaving the limit out gives as many animals as a limit of 20 does

    @read-only
    Scenario: without a filter
      Given the store holds more animals than the default limit
      Then leaving the limit out gives as many as the default limit

    @read-only
    Scenario Outline: filtered by status <status>
      Given the store holds more animals than the default limit with status <status>
      Then leaving the limit out gives as many as the default limit, filtered by status <status>

      Examples:
        | status    |
        | available |
        | pending   |
        | sold      |

  @rule:list.maximum
  Rule: No list ever holds more than 100 animals

    @read-only
    Scenario Outline: limit <limit>
      Given the store holds more animals than a list may hold
      When listPets is called with limit <limit>
      Then it holds no more animals than a list may hold

      Examples:
        | limit      |
        | 100        |
        | 101        |
        | 1000       |
        | 0          |
        | -1         |
        | 2147483647 |
        | abc        |

  @rule:list.status.honoured
  Rule: A list filtered by a status holds only animals that carry that status

    @read-only
    Scenario Outline: status <status>
      Given the store holds more animals than the default limit with status <status>
      When listPets is called with status <status> and the greatest limit
      Then the response is 200
      And in each item, status is "<status>"

      Examples:
        | status    |
        | available |
        | pending   |
        | sold      |

    @read-only
    Scenario Outline: animals listed by status <status>, read one by one
      Given the store holds more than 2 animals with status <status>
      When listPets is called with status <status> and the greatest limit
      Then its first and last animals carry that status when they are read

      Examples:
        | status    |
        | available |
        | pending   |
        | sold      |

  @rule:list.unique
  Rule: No list holds the same id twice

    @read-only
    Scenario: the longest list
      Given the store holds more than 2 animals
      When listPets is called with the greatest limit
      Then the response is 200
      And no two items have the same id
