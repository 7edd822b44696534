# Derived from the contract by "hallmark derive"; "hallmark derive --check" reports when it is out of date.
# To change it, change the contract or its rules.yaml.
@derived @operation:getPet
Feature: getPet, GET /pets/{petId}
  Read one animal.

  @rule:auth.missing @level:must
  Rule: A request without a credential is answered 401

    @covered:getPet.credential.missing @read-only
    Scenario: the credential is missing
      Given a plain request to getPet that succeeds
      But its credential is missing
      When it is sent
      Then nobody is let in

  @rule:auth.empty @level:must
  Rule: An empty bearer token is answered 401

    @covered:getPet.credential.wrong @read-only
    Scenario: the credential is an empty bearer token
      Given a plain request to getPet that succeeds
      But its credential is an empty bearer token
      When it is sent
      Then nobody is let in

  @rule:auth.scheme @level:must
  Rule: A credential under another scheme than Bearer is answered 401

    @covered:getPet.credential.wrong @read-only
    Scenario Outline: <case>
      Given a plain request to getPet that succeeds
      But its credential is <value>
      When it is sent
      Then nobody is let in

      Examples:
        | case                                                       | value                                    |
        | the credential is of another scheme                        | of another scheme                        |
        | the credential is the right key under another scheme       | the right key under another scheme       |
        | the credential is the right key as the user of Basic       | the right key as the user of Basic       |
        | the credential is the right key as the password of Basic   | the right key as the password of Basic   |
        | the credential is the right key under the scheme Aearer    | the right key under the scheme Aearer    |
        | the credential is the right key under the scheme Zearer    | the right key under the scheme Zearer    |
        | the credential is the right key under the scheme Beareq    | the right key under the scheme Beareq    |
        | the credential is the right key under the scheme Beares    | the right key under the scheme Beares    |
        | the credential is the right key under the scheme Bear      | the right key under the scheme Bear      |
        | the credential is the right key under the scheme Bearers   | the right key under the scheme Bearers   |
        | the credential is the right key under the scheme XBearer   | the right key under the scheme XBearer   |
        | the credential is the right key under the scheme Digest    | the right key under the scheme Digest    |
        | the credential is the right key under the scheme Negotiate | the right key under the scheme Negotiate |

  @rule:auth.invalid @level:must
  Rule: A key that has nothing to do with the right one is answered 401

    @covered:getPet.credential.wrong @read-only
    Scenario: the credential is a random key
      Given a plain request to getPet that succeeds
      But its credential is a random key
      When it is sent
      Then nobody is let in

  @rule:auth.prefix @level:must
  Rule: A part of the right key is answered 401

    @covered:getPet.credential.wrong @read-only
    Scenario Outline: <case>
      Given a plain request to getPet that succeeds
      But its credential is <value>
      When it is sent
      Then nobody is let in

      Examples:
        | case                                                        | value                                     |
        | the credential is the right key without its last character  | the right key without its last character  |
        | the credential is the first half of the right key           | the first half of the right key           |
        | the credential is the right key without its first character | the right key without its first character |

  @rule:auth.appended @level:must
  Rule: The right key with something added to it is answered 401

    @covered:getPet.credential.wrong @read-only
    Scenario Outline: <case>
      Given a plain request to getPet that succeeds
      But its credential is <value>
      When it is sent
      Then nobody is let in

      Examples:
        | case                                                         | value                                        |
        | the credential is the right key with a character added       | the right key with a character added         |
        | the credential is the right key given twice without a gap    | the right key given twice without a gap      |
        | the credential is the right key with a character put before it | the right key with a character put before it |

  @rule:auth.case @level:must
  Rule: The right key with its letters' case swapped is answered 401

    @covered:getPet.credential.wrong @read-only
    Scenario: the credential is the right key with its case swapped
      Given a plain request to getPet that succeeds
      But its credential is the right key with its case swapped
      When it is sent
      Then nobody is let in

  @rule:auth.altered @level:must
  Rule: Another key of the right key's length, however alike, is answered 401

    @covered:getPet.credential.wrong @read-only
    Scenario Outline: <case>
      Given a plain request to getPet that succeeds
      But its credential is <value>
      When it is sent
      Then nobody is let in

      Examples:
        | case                                                         | value                                                     |
        | the credential is a random key of the right key's length     | a random key of the right key's length                    |
        | the credential is the right key with its first character changed | the right key with its first character changed            |
        | the credential is the right key with its middle character changed | the right key with its middle character changed           |
        | the credential is the right key backwards                    | the right key backwards                                   |
        | the credential is the right key with a last character that sorts after it | the right key with a last character that sorts after it   |
        | the credential is the right key with a last character that sorts before it | the right key with a last character that sorts before it  |
        | the credential is the right key with a first character that sorts after it | the right key with a first character that sorts after it  |
        | the credential is the right key with a first character that sorts before it | the right key with a first character that sorts before it |

  @rule:get.found @level:must
  Rule: Asked for an animal that exists, the response is 200 with the animal

    @covered:getPet.success @read-only
    Scenario: a plain request
      Given a plain request to getPet
      When it is sent
      Then the response is a success that the contract documents

  @rule:get.stable @level:must
  Rule: Reading a created animal twice gives the same

    @covered:getPet.read.steady
    Scenario: reading changes nothing
      Given a plain request to createPet that succeeds
      When it creates a resource
      And getPet reads it
      And getPet reads it once more
      Then it is as it was

    @covered:getPet.read.steady
    Scenario: reading changes nothing of all that it has
      Given a plain request to createPet that succeeds
      When it creates a resource with all that is known
      And getPet reads it
      And getPet reads it once more
      Then it is as it was

  @rule:get.id @level:must
  Rule: The animal that is returned has the id that was asked for

    @covered:getPet.read.itself
    Scenario: a read shows the one that was asked for
      Given a plain request to createPet that succeeds
      When it creates a resource
      And getPet reads it
      Then it is the one that was asked for

    @covered:getPet.read.itself
    Scenario: identifiers near its own are not its own
      Given a plain request to createPet that succeeds
      When it creates a resource
      And getPet reads it
      And getPet is asked for identifiers near its own
      Then each is answered with itself or not at all

  @rule:get.unknown @level:must
  Rule: Asked for an id that no animal has, the response is 404

    @covered:getPet.not-found @read-only
    Scenario: petId belongs to nothing
      Given a plain request to getPet that succeeds
      But its path parameter petId belongs to nothing
      When it is sent
      Then nothing is found

  @rule:get.extreme @level:must
  Rule: Asked for any int64, the response is 404 or the animal with exactly that id

    @covered:getPet.no-server-error @read-only
    Scenario Outline: <case>
      Given a plain request to getPet that succeeds
      And its path parameter petId is <value>
      When it is sent
      Then it is answered without a server error

      Examples:
        | case                                              | value                |
        | petId is 0                                        | 0                    |
        | petId is negative                                 | -1                   |
        | petId is the greatest int32                       | 2147483647           |
        | petId is the least int32                          | -2147483648          |
        | petId is odd and beyond 31 bits                   | 2147483649           |
        | petId is beyond 32 bits                           | 4294967296           |
        | petId is where floats begin to leave integers out | 9007199254740992     |
        | petId is an integer that floats leave out         | -9007199254741003    |
        | petId is one below the greatest int64             | 9223372036854775806  |
        | petId is the greatest int64                       | 9223372036854775807  |
        | petId is the least int64                          | -9223372036854775808 |

  @rule:get.petId.type @level:open
  Rule: Which error an id gives that is not an int64 is not said

    @covered:getPet.refused.parameter @read-only
    Scenario Outline: <case>
      Given a plain request to getPet
      But its path parameter petId is <value>
      When it is sent
      Then what comes of it is the service's own choice

      Examples:
        | case                                                         | value                  |
        | petId is a string instead of an integer                      | "text"                 |
        | petId is a boolean instead of an integer                     | true                   |
        | petId is 0.5, a fraction instead of an integer               | 0.5                    |
        | petId is 9223372036854775808, one above the greatest int64   | 9223372036854775808    |
        | petId is -9223372036854775809, one below the least int64     | -9223372036854775809   |
        | petId is 18446744073709551617, far above the greatest int64  | 18446744073709551617   |
        | petId is 10000000000000000000, far above the greatest int64  | 10000000000000000000   |
        | petId is -10000000000000000000, far below the least int64    | -10000000000000000000  |
        | petId is 9223372036854775809, far above the greatest int64   | 9223372036854775809    |
        | petId is -9223372036854775818, far below the least int64     | -9223372036854775818   |
        | petId is 18446744073709551615, far above the greatest int64  | 18446744073709551615   |
        | petId is 18446744073709551616, far above the greatest int64  | 18446744073709551616   |
        | petId is -18446744073709551616, far below the least int64    | -18446744073709551616  |
        | petId is 100000000000000000000, far above the greatest int64 | 100000000000000000000  |
        | petId is -100000000000000000000, far below the least int64   | -100000000000000000000 |

  @rule:other.robust @level:should
  Rule: What is not defined is not answered with a server error

    @covered:getPet.head @read-only
    Scenario: HEAD in the place of GET
      Given a plain request to getPet that succeeds
      When HEAD is sent in its place
      Then it is no reason to break

    @covered:getPet.robust @read-only
    Scenario: the query has a parameter that the contract does not list
      Given a plain request to getPet that succeeds
      But its query parameter hallmarkUnknown is "1"
      When it is sent
      Then no server error comes of it
