# Derived from the contract by "hallmark derive"; "hallmark derive --check" tells when it is out of date.
# To change it, change the contract, the catalogue of rules or the deriving (spec/derive).
@derived @operation:readOrder
Feature: readOrder, GET /orders/{number}

  @rule:readOrder.answer @level:must
  Rule: answer in readOrder

    Scenario: number comes from a response of placeOrder
      Given placeOrder has answered 201
      When readOrder is called with the number of that response
      Then the response is 200

    @read-only @phase:any
    Scenario: no credential is sent
      Given the credential is missing
      When readOrder is called
      Then the response is 401

    @read-only @phase:any
    Scenario: number belongs to nothing
      When readOrder is called with an unknown number
      Then the response is 404

  @rule:readOrder.linked @level:must
  Rule: linked in readOrder

    Scenario: compared with the response of placeOrder
      Given placeOrder has answered 201
      When readOrder is called with the number of that response
      Then the response is 200
      And it is what that response held

  @rule:readOrder.path-unknown @level:must
  Rule: path-unknown in readOrder

    @read-only @phase:any
    Scenario: number belongs to nothing, again and again
      When readOrder is called 5 times with an unknown number
      Then each response is 404

  @rule:readOrder.path-extreme @level:must
  Rule: path-extreme in readOrder

    @read-only @phase:any
    Scenario Outline: <case>
      When readOrder is called with number <number>
      Then the response is 404, or 200 with that number

      Examples:
        | case                         | number     |
        | number is the greatest int32 | 2147483647 |
        | number is 2^31-10            | 2147483638 |

  @rule:readOrder.path-type @level:open
  Rule: path-type in readOrder

    @read-only
    Scenario Outline: <case>
      When readOrder is called with number <number>
      Then the response is the service's own choice

      Examples:
        | case                                    | number      |
        | number is a word                        | abc         |
        | number is a fraction                    | 1.5         |
        | number is a number followed by a letter | 1x          |
        | number is one above the greatest int32  | 2147483648  |
        | number is one below the least int32     | -2147483649 |
        | number is the word null                 | null        |

  @rule:readOrder.credential-missing @level:must
  Rule: credential-missing in readOrder

    @read-only @phase:any
    Scenario: the credential is missing
      Given the credential is missing
      When readOrder is called
      Then the response is 401

  @rule:readOrder.credential-empty @level:must
  Rule: credential-empty in readOrder

    @read-only @phase:any
    Scenario: the credential is an empty bearer token
      Given the credential is an empty bearer token
      When readOrder is called
      Then the response is 401

  @rule:readOrder.credential-scheme @level:must
  Rule: credential-scheme in readOrder

    @read-only @phase:any
    Scenario Outline: the credential is <credential>
      Given the credential is <credential>
      When readOrder is called
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

  @rule:readOrder.credential-random @level:must
  Rule: credential-random in readOrder

    @read-only @phase:any
    Scenario: the credential is a random key
      Given the credential is a random key
      When readOrder is called
      Then the response is 401

  @rule:readOrder.credential-prefix @level:must
  Rule: credential-prefix in readOrder

    @read-only @phase:any
    Scenario Outline: the credential is <credential>
      Given the credential is <credential>
      When readOrder is called
      Then the response is 401

      Examples:
        | credential                                |
        | the right key without its last character  |
        | the first half of the right key           |
        | the right key without its first character |

  @rule:readOrder.credential-appended @level:must
  Rule: credential-appended in readOrder

    @read-only @phase:any
    Scenario Outline: the credential is <credential>
      Given the credential is <credential>
      When readOrder is called
      Then the response is 401

      Examples:
        | credential                                   |
        | the right key with a character added         |
        | the right key given twice without a gap      |
        | the right key with a character put before it |

  @rule:readOrder.credential-case @level:must
  Rule: credential-case in readOrder

    @read-only @phase:any
    Scenario: the credential is the right key with its case swapped
      Given the credential is the right key with its case swapped
      When readOrder is called
      Then the response is 401

  @rule:readOrder.credential-altered @level:must
  Rule: credential-altered in readOrder

    @read-only @phase:any
    Scenario Outline: the credential is <credential>
      Given the credential is <credential>
      When readOrder is called
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

  @rule:readOrder.credential-first @level:must
  Rule: credential-first in readOrder

    @read-only @phase:any
    Scenario Outline: number belongs to nothing, the credential is <credential>
      Given the credential is <credential>
      When readOrder is called with an unknown number
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
    Scenario Outline: number is a word, the credential is <credential>
      Given the credential is <credential>
      When readOrder is called with number abc
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
