# Derived from the contract by "hallmark derive"; "hallmark derive --check" tells when it is out of date.
# To change it, change the contract, the catalogue of rules or the deriving (spec/derive).
@derived @operation:listPets
Feature: listPets, GET /pets
  List animals.

  @rule:auth.accepted @level:must
  Rule: The right key is let in by every operation

    @read-only
    Scenario: the credential is right
      Given the credential is right
      When listPets is called
      Then the response is 200

  @rule:auth.required @level:must
  Rule: Every operation answers 401 when the key is missing or not valid

    @read-only @phase:any
    Scenario: no credential is sent
      Given the credential is missing
      When listPets is called
      Then the response is 401

  @rule:auth.missing @level:must
  Rule: A request without a credential is answered 401

    @read-only @phase:any
    Scenario: the credential is missing
      Given the credential is missing
      When listPets is called
      Then the response is 401

  @rule:auth.empty @level:must
  Rule: An empty bearer token is answered 401

    @read-only @phase:any
    Scenario: the credential is an empty bearer token
      Given the credential is an empty bearer token
      When listPets is called
      Then the response is 401

  @rule:auth.scheme @level:must
  Rule: A credential under another scheme than Bearer is answered 401

    @read-only @phase:any
    Scenario Outline: the credential is <credential>
      Given the credential is <credential>
      When listPets is called
      Then the response is 401

      Examples:
        | credential                               |
        | of another scheme                        |
        | the right key under another scheme       |
        | the right key as the user of Basic       |
        | the right key as the password of Basic   |
        | the right key under the scheme Aearer    |
        | the right key under the scheme Zearer    |
        | the right key under the scheme Beareq    |
        | the right key under the scheme Beares    |
        | the right key under the scheme Bear      |
        | the right key under the scheme Bearers   |
        | the right key under the scheme XBearer   |
        | the right key under the scheme Digest    |
        | the right key under the scheme Negotiate |

  @rule:auth.invalid @level:must
  Rule: A key that has nothing to do with the right one is answered 401

    @read-only @phase:any
    Scenario: the credential is a random key
      Given the credential is a random key
      When listPets is called
      Then the response is 401

  @rule:auth.prefix @level:must
  Rule: A part of the right key is answered 401

    @read-only @phase:any
    Scenario Outline: the credential is <credential>
      Given the credential is <credential>
      When listPets is called
      Then the response is 401

      Examples:
        | credential                                |
        | the right key without its last character  |
        | the first half of the right key           |
        | the right key without its first character |

  @rule:auth.appended @level:must
  Rule: The right key with something added to it is answered 401

    @read-only @phase:any
    Scenario Outline: the credential is <credential>
      Given the credential is <credential>
      When listPets is called
      Then the response is 401

      Examples:
        | credential                                   |
        | the right key with a character added         |
        | the right key given twice without a gap      |
        | the right key with a character put before it |

  @rule:auth.case @level:must
  Rule: The right key with its letters' case swapped is answered 401

    @read-only @phase:any
    Scenario: the credential is the right key with its case swapped
      Given the credential is the right key with its case swapped
      When listPets is called
      Then the response is 401

  @rule:auth.altered @level:must
  Rule: Another key of the right key's length, however alike, is answered 401

    @read-only @phase:any
    Scenario Outline: the credential is <credential>
      Given the credential is <credential>
      When listPets is called
      Then the response is 401

      Examples:
        | credential                                                |
        | a random key of the right key's length                    |
        | the right key with its first character changed            |
        | the right key with its middle character changed           |
        | the right key backwards                                   |
        | the right key with a last character that sorts after it   |
        | the right key with a last character that sorts before it  |
        | the right key with a first character that sorts after it  |
        | the right key with a first character that sorts before it |

  @rule:auth.first @level:must
  Rule: A missing or invalid key is answered 401 whatever else is wrong with the request

    @read-only @phase:any
    Scenario Outline: limit is one below its minimum, the credential is <credential>
      Given the credential is <credential>
      When listPets is called with limit 0
      Then the response is 401

      Examples:
        | credential                               |
        | missing                                  |
        | an empty bearer token                    |
        | of another scheme                        |
        | a random key                             |
        | the right key without its last character |
        | the right key with a character added     |
        | the right key with its case swapped      |
        | a random key of the right key's length   |

    @read-only @phase:any
    Scenario Outline: status is an unknown word, the credential is <credential>
      Given the credential is <credential>
      When listPets is called with status nonesuch
      Then the response is 401

      Examples:
        | credential                               |
        | missing                                  |
        | an empty bearer token                    |
        | of another scheme                        |
        | a random key                             |
        | the right key without its last character |
        | the right key with a character added     |
        | the right key with its case swapped      |
        | a random key of the right key's length   |

  @rule:list.accepted @level:must
  Rule: A plain request for a list is answered 200

    @read-only @rule:pet.object @rule:pet.id @rule:pet.name @rule:pet.categoryId @rule:pet.status @rule:list.array
    Scenario: a plain request
      When listPets is called
      Then the response is 200

  @rule:list.limit.accepted @level:must
  Rule: Every limit from 1 to 100 is accepted

    @read-only
    Scenario Outline: <case>
      When listPets is called with limit <limit>
      Then the response is 200

      Examples:
        | case                                | limit |
        | limit is its minimum                | 1     |
        | limit is one above its minimum      | 2     |
        | limit is halfway between its bounds | 50    |
        | limit is one below its maximum      | 99    |
        | limit is its maximum                | 100   |

    @read-only
    Scenario Outline: <case>
      When listPets is called with limit <limit> and status <status>
      Then the response is 200

      Examples:
        | case                                      | limit | status    |
        | limit is its minimum, status is available | 1     | available |
        | limit is its minimum, status is sold      | 1     | sold      |
        | limit is its maximum, status is available | 100   | available |
        | limit is its maximum, status is sold      | 100   | sold      |

  @rule:list.limit.optional @level:must
  Rule: The limit may be left out, alone and beside a status

    @read-only
    Scenario Outline: <case>
      When listPets is called with status <status>
      Then the response is 200

      Examples:
        | case                            | status    |
        | only status is given, available | available |
        | only status is given, pending   | pending   |
        | only status is given, sold      | sold      |

    @read-only
    Scenario: no parameter is given
      When listPets is called
      Then the response is 200

  @rule:list.limit.outside @level:open
  Rule: What a limit below 1 or above 100 gives is not said

    @read-only
    Scenario Outline: <case>
      When listPets is called with limit <limit>
      Then the response is the service's own choice

      Examples:
        | case                           | limit               |
        | limit is one below its minimum | 0                   |
        | limit is negative              | -1                  |
        | limit is one above its maximum | 101                 |
        | limit is ten times its maximum | 1000                |
        | limit is beyond int32          | 2147483648          |
        | limit is beyond int64          | 9223372036854775808 |

  @rule:list.limit.type @level:open
  Rule: What a limit that is no integer gives is not said

    @read-only
    Scenario Outline: <case>
      When listPets is called with limit <limit>
      Then the response is the service's own choice

      Examples:
        | case                                   | limit |
        | limit is empty                         | ""    |
        | limit is a word                        | abc   |
        | limit is a fraction                    | 1.5   |
        | limit is a number followed by a letter | 5x    |
        | limit is a boolean                     | true  |
        | limit is the word null                 | null  |

  @rule:list.status.accepted @level:must
  Rule: Each of the three statuses is accepted as a filter

    @read-only
    Scenario Outline: <case>
      When listPets is called with status <status>
      Then the response is 200

      Examples:
        | case                | status    |
        | status is available | available |
        | status is pending   | pending   |
        | status is sold      | sold      |

    @read-only
    Scenario Outline: <case>
      When listPets is called with status <status> and limit <limit>
      Then the response is 200

      Examples:
        | case                                      | status    | limit |
        | status is available, limit is its minimum | available | 1     |
        | status is available, limit is its maximum | available | 100   |
        | status is sold, limit is its minimum      | sold      | 1     |
        | status is sold, limit is its maximum      | sold      | 100   |

  @rule:list.status.optional @level:must
  Rule: The status may be left out, alone and beside a limit

    @read-only
    Scenario Outline: <case>
      When listPets is called with limit <limit>
      Then the response is 200

      Examples:
        | case                                            | limit |
        | only limit is given, its minimum                | 1     |
        | only limit is given, one above its minimum      | 2     |
        | only limit is given, halfway between its bounds | 50    |
        | only limit is given, one below its maximum      | 99    |
        | only limit is given, its maximum                | 100   |

    @read-only
    Scenario: no parameter is given
      When listPets is called
      Then the response is 200

  @rule:list.status.unknown @level:open
  Rule: What a status other than the three gives is not said

    @read-only
    Scenario Outline: <case>
      When listPets is called with status <status>
      Then the response is the service's own choice

      Examples:
        | case                                               | status            |
        | status is empty                                    | ""                |
        | status is an unknown word                          | nonesuch          |
        | status is available in upper case                  | AVAILABLE         |
        | status is available capitalised                    | Available         |
        | status is available followed by a blank            | "available "      |
        | status is available preceded by a blank            | " available"      |
        | status is available cut short                      | availabl          |
        | status is available with a later last character    | availablf         |
        | status is available with an earlier last character | availabld         |
        | status is pending in upper case                    | PENDING           |
        | status is pending capitalised                      | Pending           |
        | status is pending followed by a blank              | "pending "        |
        | status is pending preceded by a blank              | " pending"        |
        | status is pending cut short                        | pendin            |
        | status is pending with a later last character      | pendinh           |
        | status is pending with an earlier last character   | pendinf           |
        | status is sold in upper case                       | SOLD              |
        | status is sold capitalised                         | Sold              |
        | status is sold followed by a blank                 | "sold "           |
        | status is sold preceded by a blank                 | " sold"           |
        | status is sold cut short                           | sol               |
        | status is sold with a later last character         | sole              |
        | status is sold with an earlier last character      | solc              |
        | status is two of them with a comma                 | available,pending |
