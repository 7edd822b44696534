# Derived from the contract by "hallmark derive"; "hallmark derive --check" tells when it is out of date.
# To change it, change the contract, the catalogue of rules or the deriving (spec/derive).
@derived @operation:createPet
Feature: createPet, POST /pets
  Add an animal.

  @rule:auth.accepted @level:must
  Rule: The right key is let in by every operation

    Scenario: the credential is right
      Given the credential is right
      When createPet is called
      Then the response is 201

  @rule:auth.required @level:must
  Rule: Every operation answers 401 when the key is missing or not valid

    Scenario: no credential is sent
      Given the credential is missing
      When createPet is called
      Then the response is 401

  @rule:auth.missing @level:must
  Rule: A request without a credential is answered 401

    Scenario: the credential is missing
      Given the credential is missing
      When createPet is called
      Then the response is 401

  @rule:auth.empty @level:must
  Rule: An empty bearer token is answered 401

    Scenario: the credential is an empty bearer token
      Given the credential is an empty bearer token
      When createPet is called
      Then the response is 401

  @rule:auth.scheme @level:must
  Rule: A credential under another scheme than Bearer is answered 401

    Scenario Outline: the credential is <credential>
      Given the credential is <credential>
      When createPet is called
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

    Scenario: the credential is a random key
      Given the credential is a random key
      When createPet is called
      Then the response is 401

  @rule:auth.prefix @level:must
  Rule: A part of the right key is answered 401

    Scenario Outline: the credential is <credential>
      Given the credential is <credential>
      When createPet is called
      Then the response is 401

      Examples:
        | credential                                |
        | the right key without its last character  |
        | the first half of the right key           |
        | the right key without its first character |

  @rule:auth.appended @level:must
  Rule: The right key with something added to it is answered 401

    Scenario Outline: the credential is <credential>
      Given the credential is <credential>
      When createPet is called
      Then the response is 401

      Examples:
        | credential                                   |
        | the right key with a character added         |
        | the right key given twice without a gap      |
        | the right key with a character put before it |

  @rule:auth.case @level:must
  Rule: The right key with its letters' case swapped is answered 401

    Scenario: the credential is the right key with its case swapped
      Given the credential is the right key with its case swapped
      When createPet is called
      Then the response is 401

  @rule:auth.altered @level:must
  Rule: Another key of the right key's length, however alike, is answered 401

    Scenario Outline: the credential is <credential>
      Given the credential is <credential>
      When createPet is called
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

    Scenario Outline: there is no body, the credential is <credential>
      Given the credential is <credential>
      And there is no body
      When createPet is called
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
      When createPet is called
      Then the response is 401

    Scenario: there is no Content-Type, the credential is missing
      Given the credential is missing
      And the Content-Type is absent
      When createPet is called
      Then the response is 401

    Scenario Outline: the body is cut short, the credential is <credential>
      Given the credential is <credential>
      And a plain body cut short
      When createPet is called
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

    Scenario Outline: name is left out, the credential is <credential>
      Given the credential is <credential>
      And a plain body without name
      When createPet is called
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

  @rule:create.accepted @level:must
  Rule: A plain animal is accepted and answered 201

    @rule:pet.object @rule:pet.id @rule:pet.name @rule:pet.categoryId @rule:pet.status
    Scenario: a plain request
      When createPet is called
      Then the response is 201

  @rule:create.status.accepted @level:must
  Rule: An animal may be created with each of the three statuses

    Scenario Outline: <case>
      Given a plain body where status is <status>
      When createPet is called
      Then the response is 201
      And what was sent comes back

      Examples:
        | case                | status      |
        | status is available | "available" |
        | status is pending   | "pending"   |
        | status is sold      | "sold"      |

  @rule:create.status.optional @level:must
  Rule: An animal may be created without a status

    Scenario: status is left out
      Given a plain body without status
      When createPet is called
      Then the response is 201
      And what was sent comes back

  @rule:create.echo.name @level:must
  Rule: The response to a creation gives the name exactly as it was sent

    Scenario: a plain name
      When createPet is called
      Then the response is 201
      And its name is what was sent

  @rule:create.echo.categoryId @level:must
  Rule: The response to a creation gives the categoryId exactly as it was sent

    Scenario: a plain categoryId
      When createPet is called
      Then the response is 201
      And its categoryId is what was sent

  @rule:create.echo.status @level:must
  Rule: The response to a creation gives the status exactly as it was sent

    Scenario Outline: <case>
      Given a plain body where status is <status>
      When createPet is called
      Then the response is 201
      And its status is what was sent

      Examples:
        | case                | status      |
        | status is available | "available" |
        | status is pending   | "pending"   |
        | status is sold      | "sold"      |

  @rule:create.categoryId.unusual @level:must
  Rule: An unusual categoryId is either accepted with 201 or refused with 400

    @phase:filling
    Scenario Outline: <case>
      Given a plain body where categoryId is <categoryId>
      When createPet is called
      Then the response is 201 or 400
      And what was sent comes back, if it was accepted

      Examples:
        | case                             | categoryId           |
        | categoryId is zero               | 0                    |
        | categoryId is negative           | -1                   |
        | categoryId is the greatest int64 | 9223372036854775807  |
        | categoryId is the least int64    | -9223372036854775808 |
        | categoryId is 2^31-10            | 2147483638           |
        | categoryId is 2^31-1             | 2147483647           |
        | categoryId is 2^31               | 2147483648           |
        | categoryId is 2^31+1             | 2147483649           |
        | categoryId is 2^31+10            | 2147483658           |
        | categoryId is -2^31-10           | -2147483658          |
        | categoryId is -2^31-1            | -2147483649          |
        | categoryId is -2^31              | -2147483648          |
        | categoryId is -2^31+1            | -2147483647          |
        | categoryId is -2^31+10           | -2147483638          |
        | categoryId is 2^53-10            | 9007199254740982     |
        | categoryId is 2^53-1             | 9007199254740991     |
        | categoryId is 2^53               | 9007199254740992     |
        | categoryId is 2^53+1             | 9007199254740993     |
        | categoryId is 2^53+10            | 9007199254741002     |
        | categoryId is -2^53-10           | -9007199254741002    |
        | categoryId is -2^53-1            | -9007199254740993    |
        | categoryId is -2^53              | -9007199254740992    |
        | categoryId is -2^53+1            | -9007199254740991    |
        | categoryId is -2^53+10           | -9007199254740982    |
        | categoryId is 2^63-10            | 9223372036854775798  |
        | categoryId is -2^63+1            | -9223372036854775807 |
        | categoryId is -2^63+10           | -9223372036854775798 |

  @rule:create.refused @level:must
  Rule: A body that lacks a required field or holds an invalid value is answered 400

    Scenario: the body is an empty object
      Given the body is {}
      When createPet is called
      Then the response is 400

  @rule:create.body.required @level:must
  Rule: A creation whose Content-Type is JSON and that has no body is answered 400

    Scenario: there is no body, though the Content-Type is JSON
      Given there is no body
      When createPet is called
      Then the response is 400

    Scenario: the body is empty
      Given the body is empty
      When createPet is called
      Then the response is 400

    Scenario: the body holds blanks only
      Given the body is blank
      When createPet is called
      Then the response is 400

  @rule:create.body.json @level:must
  Rule: A body that is not one JSON text is answered 400

    Scenario Outline: the body is <damage>
      Given a plain body <damage>
      When createPet is called
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

  @rule:create.body.object @level:must
  Rule: A body that is not an object is answered 400

    Scenario Outline: <case>
      Given the body is <body>
      When createPet is called
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
      When createPet is called
      Then the response is 400

  @rule:create.name.required @level:must
  Rule: A creation whose name is missing or null is answered 400

    Scenario: name is left out
      Given a plain body without name
      When createPet is called
      Then the response is 400

    Scenario: name is called NAME
      Given a plain body where name is called NAME
      When createPet is called
      Then the response is 400

    Scenario: name is null
      Given a plain body where name is null
      When createPet is called
      Then the response is 400

  @rule:create.name.type @level:must
  Rule: A creation whose name is no string is answered 400

    Scenario Outline: <case>
      Given a plain body where name is <name>
      When createPet is called
      Then the response is 400

      Examples:
        | case                         | name     |
        | name is a number             | 1        |
        | name is a boolean            | true     |
        | name is an array             | []       |
        | name is an object            | {}       |
        | name is a string in an array | ["text"] |

  @rule:create.categoryId.required @level:must
  Rule: A creation whose categoryId is missing or null is answered 400

    Scenario: categoryId is left out
      Given a plain body without categoryId
      When createPet is called
      Then the response is 400

    Scenario: categoryId is called CATEGORYID
      Given a plain body where categoryId is called CATEGORYID
      When createPet is called
      Then the response is 400

    Scenario: categoryId is null
      Given a plain body where categoryId is null
      When createPet is called
      Then the response is 400

  @rule:create.categoryId.type @level:must
  Rule: A creation whose categoryId is no integer is answered 400

    Scenario Outline: <case>
      Given a plain body where categoryId is <categoryId>
      When createPet is called
      Then the response is 400

      Examples:
        | case                               | categoryId |
        | categoryId is a string             | "text"     |
        | categoryId is a boolean            | true       |
        | categoryId is an object            | {}         |
        | categoryId is a number in quotes   | "1"        |
        | categoryId is an empty string      | ""         |
        | categoryId is a number in an array | [1]        |
        | categoryId is an empty array       | []         |
        | categoryId is a fraction           | 1.5        |
        | categoryId is a fraction below one | 0.1        |

  @rule:create.categoryId.int64 @level:must
  Rule: A creation whose categoryId lies outside int64 is answered 400

    Scenario Outline: <case>
      Given a plain body where categoryId is <categoryId>
      When createPet is called
      Then the response is 400

      Examples:
        | case                                          | categoryId                      |
        | categoryId is one above the greatest int64    | 9223372036854775808             |
        | categoryId is one below the least int64       | -9223372036854775809            |
        | categoryId is one whole turn of int64 above 1 | 18446744073709551617            |
        | categoryId is far above the greatest int64    | 1000000000000000000000000000000 |
        | categoryId is 2^63+1                          | 9223372036854775809             |
        | categoryId is 2^63+10                         | 9223372036854775818             |
        | categoryId is -2^63-10                        | -9223372036854775818            |
        | categoryId is 2^64-10                         | 18446744073709551606            |
        | categoryId is 2^64-1                          | 18446744073709551615            |
        | categoryId is 2^64                            | 18446744073709551616            |
        | categoryId is 2^64+10                         | 18446744073709551626            |
        | categoryId is -2^64-10                        | -18446744073709551626           |
        | categoryId is -2^64-1                         | -18446744073709551617           |
        | categoryId is -2^64                           | -18446744073709551616           |
        | categoryId is -2^64+1                         | -18446744073709551615           |
        | categoryId is -2^64+10                        | -18446744073709551606           |
        | categoryId is 10^19-10                        | 9999999999999999990             |
        | categoryId is 10^19-1                         | 9999999999999999999             |
        | categoryId is 10^19                           | 10000000000000000000            |
        | categoryId is 10^19+1                         | 10000000000000000001            |
        | categoryId is 10^19+10                        | 10000000000000000010            |
        | categoryId is -10^19-10                       | -10000000000000000010           |
        | categoryId is -10^19-1                        | -10000000000000000001           |
        | categoryId is -10^19                          | -10000000000000000000           |
        | categoryId is -10^19+1                        | -9999999999999999999            |
        | categoryId is -10^19+10                       | -9999999999999999990            |
        | categoryId is 10^20-10                        | 99999999999999999990            |
        | categoryId is 10^20-1                         | 99999999999999999999            |
        | categoryId is 10^20                           | 100000000000000000000           |
        | categoryId is 10^20+1                         | 100000000000000000001           |
        | categoryId is 10^20+10                        | 100000000000000000010           |
        | categoryId is -10^20-10                       | -100000000000000000010          |
        | categoryId is -10^20-1                        | -100000000000000000001          |
        | categoryId is -10^20                          | -100000000000000000000          |
        | categoryId is -10^20+1                        | -99999999999999999999           |
        | categoryId is -10^20+10                       | -99999999999999999990           |

  @rule:create.status.type @level:must
  Rule: A creation whose status is null or no string is answered 400

    Scenario Outline: <case>
      Given a plain body where status is <status>
      When createPet is called
      Then the response is 400

      Examples:
        | case                           | status        |
        | status is null                 | null          |
        | status is a number             | 1             |
        | status is a boolean            | true          |
        | status is an array             | []            |
        | status is an object            | {}            |
        | status is a string in an array | ["available"] |

  @rule:create.status.values @level:must
  Rule: A creation whose status is not exactly one of the three is answered 400

    Scenario Outline: <case>
      Given a plain body where status is <status>
      When createPet is called
      Then the response is 400

      Examples:
        | case                                               | status              |
        | status is empty                                    | ""                  |
        | status is an unknown word                          | "nonesuch"          |
        | status is available in upper case                  | "AVAILABLE"         |
        | status is available capitalised                    | "Available"         |
        | status is available followed by a blank            | "available "        |
        | status is available preceded by a blank            | " available"        |
        | status is available cut short                      | "availabl"          |
        | status is available with a later last character    | "availablf"         |
        | status is available with an earlier last character | "availabld"         |
        | status is pending in upper case                    | "PENDING"           |
        | status is pending capitalised                      | "Pending"           |
        | status is pending followed by a blank              | "pending "          |
        | status is pending preceded by a blank              | " pending"          |
        | status is pending cut short                        | "pendin"            |
        | status is pending with a later last character      | "pendinh"           |
        | status is pending with an earlier last character   | "pendinf"           |
        | status is sold in upper case                       | "SOLD"              |
        | status is sold capitalised                         | "Sold"              |
        | status is sold followed by a blank                 | "sold "             |
        | status is sold preceded by a blank                 | " sold"             |
        | status is sold cut short                           | "sol"               |
        | status is sold with a later last character         | "sole"              |
        | status is sold with an earlier last character      | "solc"              |
        | status is two of them with a comma                 | "available,pending" |
