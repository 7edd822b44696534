# Derived from the contract by "hallmark derive"; "hallmark derive --check" tells when it is out of date.
# To change it, change the contract, the catalogue of rules or the deriving (spec/derive).
@derived @operation:placeOrder
Feature: placeOrder, POST /orders

  @rule:placeOrder.answer @level:must
  Rule: answer in placeOrder

    Scenario: a plain request
      When placeOrder is called
      Then the response is 201

    Scenario: the body is an empty object
      Given the body is {}
      When placeOrder is called
      Then the response is 400

    Scenario: no credential is sent
      Given the credential is missing
      When placeOrder is called
      Then the response is 401

  @rule:placeOrder.echo @level:must
  Rule: echo in placeOrder

    Scenario: a plain isbn
      When placeOrder is called
      Then the response is 201
      And its isbn is what was sent

    Scenario: a plain copies
      When placeOrder is called
      Then the response is 201
      And its copies is what was sent

    Scenario Outline: <case>
      Given a plain body where gift is <gift>
      When placeOrder is called
      Then the response is 201
      And its gift is what was sent

      Examples:
        | case          | gift  |
        | gift is true  | true  |
        | gift is false | false |

    Scenario Outline: <case>
      Given a plain body where state is <state>
      When placeOrder is called
      Then the response is 201
      And its state is what was sent

      Examples:
        | case             | state     |
        | state is open    | "open"    |
        | state is shipped | "shipped" |

  @rule:placeOrder.body-missing @level:must
  Rule: body-missing in placeOrder

    Scenario: there is no body, though the Content-Type is JSON
      Given there is no body
      When placeOrder is called
      Then the response is 400

    Scenario: the body is empty
      Given the body is empty
      When placeOrder is called
      Then the response is 400

    Scenario: the body holds blanks only
      Given the body is blank
      When placeOrder is called
      Then the response is 400

  @rule:placeOrder.body-malformed @level:must
  Rule: body-malformed in placeOrder

    Scenario Outline: the body is <damage>
      Given a plain body <damage>
      When placeOrder is called
      Then the response is 400

      Examples:
        | damage                             |
        | cut short                          |
        | followed by a word                 |
        | followed by a second object        |
        | followed by a bracket              |
        | with a comma before its last brace |
        | in single quotes                   |
        | without quotes around its names    |
        | without its braces                 |
        | with a bare word as a value        |
        | in the manner of a form            |

  @rule:placeOrder.type @level:must
  Rule: type in placeOrder

    Scenario Outline: <case>
      Given the body is <body>
      When placeOrder is called
      Then the response is 400

      Examples:
        | case                  | body   |
        | the body is a string  | "text" |
        | the body is a number  | 1      |
        | the body is a boolean | true   |
        | the body is an array  | []     |
        | the body is null      | null   |

    Scenario: the body is a plain one inside an array
      Given a plain body inside an array
      When placeOrder is called
      Then the response is 400

    Scenario Outline: <case>
      Given a plain body where isbn is <isbn>
      When placeOrder is called
      Then the response is 400

      Examples:
        | case                         | isbn     |
        | isbn is a number             | 1        |
        | isbn is a boolean            | true     |
        | isbn is an array             | []       |
        | isbn is an object            | {}       |
        | isbn is a string in an array | ["text"] |

    Scenario Outline: <case>
      Given a plain body where copies is <copies>
      When placeOrder is called
      Then the response is 400

      Examples:
        | case                           | copies |
        | copies is a string             | "text" |
        | copies is a boolean            | true   |
        | copies is an object            | {}     |
        | copies is a number in quotes   | "1"    |
        | copies is an empty string      | ""     |
        | copies is a number in an array | [1]    |
        | copies is an empty array       | []     |

    Scenario Outline: <case>
      Given a plain body where gift is <gift>
      When placeOrder is called
      Then the response is 400

      Examples:
        | case              | gift   |
        | gift is a string  | "text" |
        | gift is a number  | 1      |
        | gift is an array  | []     |
        | gift is an object | {}     |

    Scenario Outline: <case>
      Given a plain body where state is <state>
      When placeOrder is called
      Then the response is 400

      Examples:
        | case                          | state    |
        | state is a number             | 1        |
        | state is a boolean            | true     |
        | state is an array             | []       |
        | state is an object            | {}       |
        | state is a string in an array | ["open"] |

    Scenario Outline: <case>
      Given a plain body where discount is <discount>
      When placeOrder is called
      Then the response is 400

      Examples:
        | case                             | discount |
        | discount is a string             | "text"   |
        | discount is a boolean            | true     |
        | discount is an object            | {}       |
        | discount is a number in quotes   | "1"      |
        | discount is an empty string      | ""       |
        | discount is a number in an array | [1]      |
        | discount is an empty array       | []       |

    Scenario Outline: <case>
      Given a plain body where lines is <lines>
      When placeOrder is called
      Then the response is 400

      Examples:
        | case               | lines  |
        | lines is a string  | "text" |
        | lines is a number  | 1      |
        | lines is a boolean | true   |
        | lines is an object | {}     |

    Scenario Outline: <case>
      Given a plain body where buyer is <buyer>
      When placeOrder is called
      Then the response is 400

      Examples:
        | case               | buyer  |
        | buyer is a string  | "text" |
        | buyer is a number  | 1      |
        | buyer is a boolean | true   |
        | buyer is an array  | []     |

  @rule:placeOrder.fraction @level:must
  Rule: fraction in placeOrder

    Scenario Outline: <case>
      Given a plain body where copies is <copies>
      When placeOrder is called
      Then the response is 400

      Examples:
        | case                           | copies |
        | copies is a fraction           | 1.5    |
        | copies is a fraction below one | 0.1    |

  @rule:placeOrder.left-out @level:must
  Rule: left-out in placeOrder

    Scenario: isbn is left out
      Given a plain body without isbn
      When placeOrder is called
      Then the response is 400

    Scenario: isbn is called ISBN
      Given a plain body where isbn is called ISBN
      When placeOrder is called
      Then the response is 400

    Scenario: copies is left out
      Given a plain body without copies
      When placeOrder is called
      Then the response is 400

    Scenario: copies is called COPIES
      Given a plain body where copies is called COPIES
      When placeOrder is called
      Then the response is 400

    Scenario: gift is left out
      Given a plain body without gift
      When placeOrder is called
      Then the response is 400

    Scenario: gift is called GIFT
      Given a plain body where gift is called GIFT
      When placeOrder is called
      Then the response is 400

  @rule:placeOrder.null @level:must
  Rule: null in placeOrder

    Scenario: isbn is null
      Given a plain body where isbn is null
      When placeOrder is called
      Then the response is 400

    Scenario: copies is null
      Given a plain body where copies is null
      When placeOrder is called
      Then the response is 400

    Scenario: gift is null
      Given a plain body where gift is null
      When placeOrder is called
      Then the response is 400

    Scenario: state is null
      Given a plain body where state is null
      When placeOrder is called
      Then the response is 400

    Scenario: discount is null
      Given a plain body where discount is null
      When placeOrder is called
      Then the response is 400

    Scenario: lines is null
      Given a plain body where lines is null
      When placeOrder is called
      Then the response is 400

    Scenario: buyer is null
      Given a plain body where buyer is null
      When placeOrder is called
      Then the response is 400

  @rule:placeOrder.optional-left-out @level:must
  Rule: optional-left-out in placeOrder

    Scenario: state is left out
      Given a plain body without state
      When placeOrder is called
      Then the response is 201
      And what was sent comes back

    Scenario: discount is left out
      Given a plain body without discount
      When placeOrder is called
      Then the response is 201
      And what was sent comes back

    Scenario: lines is left out
      Given a plain body without lines
      When placeOrder is called
      Then the response is 201
      And what was sent comes back

    Scenario: buyer is left out
      Given a plain body without buyer
      When placeOrder is called
      Then the response is 201
      And what was sent comes back

  @rule:placeOrder.member @level:must
  Rule: member in placeOrder

    Scenario Outline: <case>
      Given a plain body where gift is <gift>
      When placeOrder is called
      Then the response is 201
      And what was sent comes back

      Examples:
        | case          | gift  |
        | gift is true  | true  |
        | gift is false | false |

    Scenario Outline: <case>
      Given a plain body where state is <state>
      When placeOrder is called
      Then the response is 201
      And what was sent comes back

      Examples:
        | case             | state     |
        | state is open    | "open"    |
        | state is shipped | "shipped" |

  @rule:placeOrder.not-member @level:must
  Rule: not-member in placeOrder

    Scenario Outline: <case>
      Given a plain body where state is <state>
      When placeOrder is called
      Then the response is 400

      Examples:
        | case                                            | state          |
        | state is empty                                  | ""             |
        | state is an unknown word                        | "nonesuch"     |
        | state is open in upper case                     | "OPEN"         |
        | state is open capitalised                       | "Open"         |
        | state is open followed by a blank               | "open "        |
        | state is open preceded by a blank               | " open"        |
        | state is open cut short                         | "ope"          |
        | state is open with a later last character       | "opeo"         |
        | state is open with an earlier last character    | "opem"         |
        | state is shipped in upper case                  | "SHIPPED"      |
        | state is shipped capitalised                    | "Shipped"      |
        | state is shipped followed by a blank            | "shipped "     |
        | state is shipped preceded by a blank            | " shipped"     |
        | state is shipped cut short                      | "shippe"       |
        | state is shipped with a later last character    | "shippee"      |
        | state is shipped with an earlier last character | "shippec"      |
        | state is two of them with a comma               | "open,shipped" |

  @rule:placeOrder.inside @level:must
  Rule: inside in placeOrder

    Scenario Outline: <case>
      Given a plain body where isbn is <isbn>
      When placeOrder is called
      Then the response is 201
      And what was sent comes back

      Examples:
        | case                       | isbn   |
        | isbn is as short as may be | "xx"   |
        | isbn is as long as may be  | "xxxx" |

    Scenario Outline: <case>
      Given a plain body where copies is <copies>
      When placeOrder is called
      Then the response is 201
      And what was sent comes back

      Examples:
        | case                                 | copies |
        | copies is its minimum                | 1      |
        | copies is one above its minimum      | 2      |
        | copies is halfway between its bounds | 50     |
        | copies is one below its maximum      | 98     |
        | copies is its maximum                | 99     |

  @rule:placeOrder.outside @level:must
  Rule: outside in placeOrder

    Scenario Outline: <case>
      Given a plain body where isbn is <isbn>
      When placeOrder is called
      Then the response is 400

      Examples:
        | case                            | isbn    |
        | isbn is one character too short | "x"     |
        | isbn is one character too long  | "xxxxx" |

    Scenario Outline: <case>
      Given a plain body where copies is <copies>
      When placeOrder is called
      Then the response is 400

      Examples:
        | case                            | copies              |
        | copies is one below its minimum | 0                   |
        | copies is negative              | -1                  |
        | copies is one above its maximum | 100                 |
        | copies is ten times its maximum | 990                 |
        | copies is beyond int32          | 2147483648          |
        | copies is beyond int64          | 9223372036854775808 |

  @rule:placeOrder.beyond-format @level:must
  Rule: beyond-format in placeOrder

    Scenario Outline: <case>
      Given a plain body where copies is <copies>
      When placeOrder is called
      Then the response is 400

      Examples:
        | case                                      | copies                          |
        | copies is one above the greatest int32    | 2147483648                      |
        | copies is one below the least int32       | -2147483649                     |
        | copies is one whole turn of int32 above 1 | 4294967297                      |
        | copies is far above the greatest int32    | 1000000000000000000000000000000 |
        | copies is 2^31+1                          | 2147483649                      |
        | copies is 2^31+10                         | 2147483658                      |
        | copies is -2^31-10                        | -2147483658                     |
        | copies is 2^32-10                         | 4294967286                      |
        | copies is 2^32-1                          | 4294967295                      |
        | copies is 2^32                            | 4294967296                      |
        | copies is 2^32+10                         | 4294967306                      |
        | copies is -2^32-10                        | -4294967306                     |
        | copies is -2^32-1                         | -4294967297                     |
        | copies is -2^32                           | -4294967296                     |
        | copies is -2^32+1                         | -4294967295                     |
        | copies is -2^32+10                        | -4294967286                     |

  @rule:placeOrder.credential-right @level:must
  Rule: credential-right in placeOrder

    Scenario: the credential is right
      Given the credential is right
      When placeOrder is called
      Then the response is 201

  @rule:placeOrder.credential-missing @level:must
  Rule: credential-missing in placeOrder

    Scenario: the credential is missing
      Given the credential is missing
      When placeOrder is called
      Then the response is 401

  @rule:placeOrder.credential-empty @level:must
  Rule: credential-empty in placeOrder

    Scenario: the credential is an empty bearer token
      Given the credential is an empty bearer token
      When placeOrder is called
      Then the response is 401

  @rule:placeOrder.credential-scheme @level:must
  Rule: credential-scheme in placeOrder

    Scenario Outline: the credential is <credential>
      Given the credential is <credential>
      When placeOrder is called
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

  @rule:placeOrder.credential-random @level:must
  Rule: credential-random in placeOrder

    Scenario: the credential is a random key
      Given the credential is a random key
      When placeOrder is called
      Then the response is 401

  @rule:placeOrder.credential-prefix @level:must
  Rule: credential-prefix in placeOrder

    Scenario Outline: the credential is <credential>
      Given the credential is <credential>
      When placeOrder is called
      Then the response is 401

      Examples:
        | credential                                |
        | the right key without its last character  |
        | the first half of the right key           |
        | the right key without its first character |

  @rule:placeOrder.credential-appended @level:must
  Rule: credential-appended in placeOrder

    Scenario Outline: the credential is <credential>
      Given the credential is <credential>
      When placeOrder is called
      Then the response is 401

      Examples:
        | credential                                   |
        | the right key with a character added         |
        | the right key given twice without a gap      |
        | the right key with a character put before it |

  @rule:placeOrder.credential-case @level:must
  Rule: credential-case in placeOrder

    Scenario: the credential is the right key with its case swapped
      Given the credential is the right key with its case swapped
      When placeOrder is called
      Then the response is 401

  @rule:placeOrder.credential-altered @level:must
  Rule: credential-altered in placeOrder

    Scenario Outline: the credential is <credential>
      Given the credential is <credential>
      When placeOrder is called
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

  @rule:placeOrder.credential-first @level:must
  Rule: credential-first in placeOrder

    Scenario Outline: there is no body, the credential is <credential>
      Given the credential is <credential>
      And there is no body
      When placeOrder is called
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

    Scenario: the body is called text/plain, the credential is missing
      Given the credential is missing
      And the Content-Type is text/plain
      When placeOrder is called
      Then the response is 401

    Scenario: there is no Content-Type, the credential is missing
      Given the credential is missing
      And the Content-Type is absent
      When placeOrder is called
      Then the response is 401

    Scenario Outline: the body is cut short, the credential is <credential>
      Given the credential is <credential>
      And a plain body cut short
      When placeOrder is called
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

    Scenario Outline: isbn is left out, the credential is <credential>
      Given the credential is <credential>
      And a plain body without isbn
      When placeOrder is called
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
