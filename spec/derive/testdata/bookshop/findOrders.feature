# Derived from the contract by "hallmark derive"; "hallmark derive --check" tells when it is out of date.
# To change it, change the contract, the catalogue of rules or the deriving (spec/derive).
@derived @operation:findOrders
Feature: findOrders, GET /orders
  Find orders.

  @rule:findOrders.answer @level:must
  Rule: answer in findOrders

    @read-only
    Scenario: a plain request
      When findOrders is called with state open
      Then the response is 200

    @read-only @phase:any
    Scenario: no credential is sent
      Given the credential is missing
      When findOrders is called with state open
      Then the response is 401

  @rule:findOrders.parameter-inside @level:must
  Rule: parameter-inside in findOrders

    @read-only
    Scenario Outline: <case>
      When findOrders is called with page <page> and state open
      Then the response is 200

      Examples:
        | case                               | page |
        | page is its minimum                | 0    |
        | page is one above its minimum      | 1    |
        | page is halfway between its bounds | 250  |
        | page is one below its maximum      | 499  |
        | page is its maximum                | 500  |

    @read-only
    Scenario Outline: <case>
      When findOrders is called with page <page> and state <state>
      Then the response is 200

      Examples:
        | case                                  | page | state   |
        | page is its minimum, state is shipped | 0    | shipped |
        | page is its maximum, state is shipped | 500  | shipped |

    @read-only
    Scenario Outline: <case>
      When findOrders is called with page <page> and paid <paid> and state open
      Then the response is 200

      Examples:
        | case                               | page | paid  |
        | page is its minimum, paid is true  | 0    | true  |
        | page is its minimum, paid is false | 0    | false |
        | page is its maximum, paid is true  | 500  | true  |
        | page is its maximum, paid is false | 500  | false |

  @rule:findOrders.parameter-member @level:must
  Rule: parameter-member in findOrders

    @read-only
    Scenario Outline: <case>
      When findOrders is called with state <state>
      Then the response is 200

      Examples:
        | case             | state   |
        | state is open    | open    |
        | state is shipped | shipped |

    @read-only
    Scenario Outline: <case>
      When findOrders is called with state <state> and page <page>
      Then the response is 200

      Examples:
        | case                                  | state   | page |
        | state is open, page is its minimum    | open    | 0    |
        | state is open, page is its maximum    | open    | 500  |
        | state is shipped, page is its minimum | shipped | 0    |
        | state is shipped, page is its maximum | shipped | 500  |

    @read-only
    Scenario Outline: <case>
      When findOrders is called with state <state> and paid <paid>
      Then the response is 200

      Examples:
        | case                            | state   | paid  |
        | state is open, paid is true     | open    | true  |
        | state is open, paid is false    | open    | false |
        | state is shipped, paid is true  | shipped | true  |
        | state is shipped, paid is false | shipped | false |

    @read-only
    Scenario Outline: <case>
      When findOrders is called with paid <paid> and state open
      Then the response is 200

      Examples:
        | case          | paid  |
        | paid is true  | true  |
        | paid is false | false |

    @read-only
    Scenario Outline: <case>
      When findOrders is called with paid <paid> and page <page> and state open
      Then the response is 200

      Examples:
        | case                               | paid  | page |
        | paid is true, page is its minimum  | true  | 0    |
        | paid is true, page is its maximum  | true  | 500  |
        | paid is false, page is its minimum | false | 0    |
        | paid is false, page is its maximum | false | 500  |

    @read-only
    Scenario Outline: <case>
      When findOrders is called with paid <paid> and state <state>
      Then the response is 200

      Examples:
        | case                            | paid  | state   |
        | paid is true, state is shipped  | true  | shipped |
        | paid is false, state is shipped | false | shipped |

  @rule:findOrders.parameter-left-out @level:must
  Rule: parameter-left-out in findOrders

    @read-only
    Scenario: only what is required is given
      When findOrders is called with state open
      Then the response is 200

  @rule:findOrders.parameter-missing @level:must
  Rule: parameter-missing in findOrders

    @read-only @phase:any
    Scenario: state is left out
      When findOrders is called
      Then the response is 400

  @rule:findOrders.parameter-outside @level:must
  Rule: parameter-outside in findOrders

    @read-only @phase:any
    Scenario Outline: <case>
      When findOrders is called with page <page> and state open
      Then the response is 400

      Examples:
        | case                          | page                |
        | page is one below its minimum | -1                  |
        | page is one above its maximum | 501                 |
        | page is ten times its maximum | 5000                |
        | page is beyond int32          | 2147483648          |
        | page is beyond int64          | 9223372036854775808 |

  @rule:findOrders.parameter-type @level:must
  Rule: parameter-type in findOrders

    @read-only @phase:any
    Scenario Outline: <case>
      When findOrders is called with page <page> and state open
      Then the response is 400

      Examples:
        | case                                  | page |
        | page is empty                         | ""   |
        | page is a word                        | abc  |
        | page is a fraction                    | 1.5  |
        | page is a number followed by a letter | 5x   |
        | page is a boolean                     | true |
        | page is the word null                 | null |

    @read-only @phase:any
    Scenario Outline: <case>
      When findOrders is called with paid <paid> and state open
      Then the response is 400

      Examples:
        | case             | paid |
        | paid is empty    | ""   |
        | paid is a word   | abc  |
        | paid is a number | 2    |

    @read-only @phase:any
    Scenario Outline: <case>
      When findOrders is called with above <above> and state open
      Then the response is 400

      Examples:
        | case               | above |
        | above is empty     | ""    |
        | above is a word    | abc   |
        | above is a boolean | true  |

  @rule:findOrders.parameter-not-member @level:must
  Rule: parameter-not-member in findOrders

    @read-only @phase:any
    Scenario Outline: <case>
      When findOrders is called with state <state>
      Then the response is 400

      Examples:
        | case                                            | state        |
        | state is empty                                  | ""           |
        | state is an unknown word                        | nonesuch     |
        | state is open in upper case                     | OPEN         |
        | state is open capitalised                       | Open         |
        | state is open followed by a blank               | "open "      |
        | state is open preceded by a blank               | " open"      |
        | state is open cut short                         | ope          |
        | state is open with a later last character       | opeo         |
        | state is open with an earlier last character    | opem         |
        | state is shipped in upper case                  | SHIPPED      |
        | state is shipped capitalised                    | Shipped      |
        | state is shipped followed by a blank            | "shipped "   |
        | state is shipped preceded by a blank            | " shipped"   |
        | state is shipped cut short                      | shippe       |
        | state is shipped with a later last character    | shippee      |
        | state is shipped with an earlier last character | shippec      |
        | state is two of them with a comma               | open,shipped |

  @rule:findOrders.credential-right @level:must
  Rule: credential-right in findOrders

    @read-only
    Scenario: the credential is right
      Given the credential is right
      When findOrders is called with state open
      Then the response is 200

  @rule:findOrders.credential-missing @level:must
  Rule: credential-missing in findOrders

    @read-only @phase:any
    Scenario: the credential is missing
      Given the credential is missing
      When findOrders is called with state open
      Then the response is 401

  @rule:findOrders.credential-empty @level:must
  Rule: credential-empty in findOrders

    @read-only @phase:any
    Scenario: the credential is an empty bearer token
      Given the credential is an empty bearer token
      When findOrders is called with state open
      Then the response is 401

  @rule:findOrders.credential-scheme @level:must
  Rule: credential-scheme in findOrders

    @read-only @phase:any
    Scenario Outline: the credential is <credential>
      Given the credential is <credential>
      When findOrders is called with state open
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

  @rule:findOrders.credential-random @level:must
  Rule: credential-random in findOrders

    @read-only @phase:any
    Scenario: the credential is a random key
      Given the credential is a random key
      When findOrders is called with state open
      Then the response is 401

  @rule:findOrders.credential-prefix @level:must
  Rule: credential-prefix in findOrders

    @read-only @phase:any
    Scenario Outline: the credential is <credential>
      Given the credential is <credential>
      When findOrders is called with state open
      Then the response is 401

      Examples:
        | credential                                |
        | the right key without its last character  |
        | the first half of the right key           |
        | the right key without its first character |

  @rule:findOrders.credential-appended @level:must
  Rule: credential-appended in findOrders

    @read-only @phase:any
    Scenario Outline: the credential is <credential>
      Given the credential is <credential>
      When findOrders is called with state open
      Then the response is 401

      Examples:
        | credential                                   |
        | the right key with a character added         |
        | the right key given twice without a gap      |
        | the right key with a character put before it |

  @rule:findOrders.credential-case @level:must
  Rule: credential-case in findOrders

    @read-only @phase:any
    Scenario: the credential is the right key with its case swapped
      Given the credential is the right key with its case swapped
      When findOrders is called with state open
      Then the response is 401

  @rule:findOrders.credential-altered @level:must
  Rule: credential-altered in findOrders

    @read-only @phase:any
    Scenario Outline: the credential is <credential>
      Given the credential is <credential>
      When findOrders is called with state open
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

  @rule:findOrders.credential-first @level:must
  Rule: credential-first in findOrders

    @read-only @phase:any
    Scenario Outline: page is one below its minimum, the credential is <credential>
      Given the credential is <credential>
      When findOrders is called with page -1 and state open
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
    Scenario Outline: state is an unknown word, the credential is <credential>
      Given the credential is <credential>
      When findOrders is called with state nonesuch
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
