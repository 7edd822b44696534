# Derived from the contract by "hallmark derive"; "hallmark derive --check" reports when it is out of date.
# To change it, change the contract or its rules.yaml.
@derived @operation:createPet
Feature: createPet, POST /pets
  Add an animal.

  @rule:answer.status @level:must
  Rule: A request that keeps the contract gets a status that its operation documents

    @covered:createPet.no-server-error
    Scenario: the body has a property that the contract does not name
      Given a plain request to createPet that succeeds
      And in its body, /hallmarkUnknown is "unknown"
      When it is sent
      Then it is answered without a server error

    @covered:createPet.no-server-error
    Scenario: the same is there already
      Given a plain request to createPet that succeeds
      When it is sent twice, word for word
      Then it is answered without a server error

  @rule:auth.missing @level:must
  Rule: A request without a credential is answered 401

    @covered:createPet.credential.missing
    Scenario: the credential is missing
      Given a plain request to createPet that succeeds
      But its credential is missing
      When it is sent
      Then nobody is let in

  @rule:auth.empty @level:must
  Rule: An empty bearer token is answered 401

    @covered:createPet.credential.wrong
    Scenario: the credential is an empty bearer token
      Given a plain request to createPet that succeeds
      But its credential is an empty bearer token
      When it is sent
      Then nobody is let in

  @rule:auth.scheme @level:must
  Rule: A credential under another scheme than Bearer is answered 401

    @covered:createPet.credential.wrong
    Scenario Outline: <case>
      Given a plain request to createPet that succeeds
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

    @covered:createPet.credential.wrong
    Scenario: the credential is a random key
      Given a plain request to createPet that succeeds
      But its credential is a random key
      When it is sent
      Then nobody is let in

  @rule:auth.prefix @level:must
  Rule: A part of the right key is answered 401

    @covered:createPet.credential.wrong
    Scenario Outline: <case>
      Given a plain request to createPet that succeeds
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

    @covered:createPet.credential.wrong
    Scenario Outline: <case>
      Given a plain request to createPet that succeeds
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

    @covered:createPet.credential.wrong
    Scenario: the credential is the right key with its case swapped
      Given a plain request to createPet that succeeds
      But its credential is the right key with its case swapped
      When it is sent
      Then nobody is let in

  @rule:auth.altered @level:must
  Rule: Another key of the right key's length, however alike, is answered 401

    @covered:createPet.credential.wrong
    Scenario Outline: <case>
      Given a plain request to createPet that succeeds
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

  @rule:auth.no-trace @level:must
  Rule: A request that was answered 401 has changed nothing

    @covered:createPet.created.no-trace @phase:first @at-once
    Scenario Outline: <case>
      Given a plain request to createPet that succeeds
      And its credential is <value>
      When it is refused three times, and listPets lists what there is around each
      Then the list shows nothing of it

      Examples:
        | case                                                         | value                 |
        | nothing is left where the credential is missing              | missing               |
        | nothing is left where the credential is an empty bearer token | an empty bearer token |

  @rule:list.complete @level:must
  Rule: A list that holds the whole store holds every animal that was created

    @covered:createPet.created.listed @phase:first @at-once
    Scenario: what is created is listed
      Given a plain request to createPet that succeeds
      When it creates a resource
      And five more are created
      And listPets lists them
      Then all of them are listed

  @rule:create.accepted @level:must
  Rule: A plain animal is accepted and answered 201

    @covered:createPet.success
    Scenario: a plain request
      Given a plain request to createPet
      When it is sent
      Then the response is a success that the contract documents

    @covered:createPet.accepted
    Scenario: the body is written over several lines
      Given a plain request to createPet that succeeds
      And its body is written over several lines
      When it is sent
      Then it is accepted as well

    @covered:createPet.accepted
    Scenario: the body is written with its members in reverse order
      Given a plain request to createPet that succeeds
      And its body is written with its members in reverse order
      When it is sent
      Then it is accepted as well

  @rule:create.status.accepted @level:must
  Rule: An animal may be created with each of the three statuses

    @covered:createPet.accepted
    Scenario Outline: <case>
      Given a plain request to createPet that succeeds
      And in its body, /status is <value>
      When it is sent
      Then it is accepted as well

      Examples:
        | case                                     | value       |
        | status is "pending", one of its values   | "pending"   |
        | status is "sold", one of its values      | "sold"      |
        | status is "available", one of its values | "available" |

  @rule:create.status.optional @level:must
  Rule: An animal may be created without a status

    @covered:createPet.accepted
    Scenario: status is left out
      Given a plain request to createPet that succeeds
      And its body has no /status
      When it is sent
      Then it is accepted as well

  @rule:create.name.unusual @level:must
  Rule: An unusual name is either accepted with 201 or refused with 400

    @covered:createPet.no-server-error
    Scenario Outline: <case>
      Given a plain request to createPet that succeeds
      And in its body, /name is <value>
      When it is sent
      Then it is answered without a server error

      Examples:
        | case                                                         | value                                                        |
        | name holds accents, quotes, a sign beyond 16 bits, a backslash, a percent sign, braces and markup | "Zoë's \\"ñandú\\" 𝄞 \\\\ 100% {{x}} \\u003cb\\u003e&amp;"   |
        | name has 300 characters                                      | "long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long " |
        | name is a blank                                              | " "                                                          |
        | name is empty                                                | ""                                                           |
        | name holds a line feed and tabs                              | "two\\nlines\\tand\\ta tab"                                  |
        | name holds the null character                                | "nul\\u0000inside"                                           |
        | name holds the replacement character                         | "replaced � here"                                            |
        | name has 2000 characters                                     | "long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long " |

  @rule:create.categoryId.unusual @level:must
  Rule: An unusual categoryId is either accepted with 201 or refused with 400

    @covered:createPet.no-server-error
    Scenario Outline: <case>
      Given a plain request to createPet that succeeds
      And in its body, /categoryId is <value>
      When it is sent
      Then it is answered without a server error

      Examples:
        | case                                                   | value                |
        | categoryId is 0                                        | 0                    |
        | categoryId is negative                                 | -1                   |
        | categoryId is the greatest int32                       | 2147483647           |
        | categoryId is the least int32                          | -2147483648          |
        | categoryId is odd and beyond 31 bits                   | 2147483649           |
        | categoryId is beyond 32 bits                           | 4294967296           |
        | categoryId is where floats begin to leave integers out | 9007199254740992     |
        | categoryId is an integer that floats leave out         | -9007199254741003    |
        | categoryId is one below the greatest int64             | 9223372036854775806  |
        | categoryId is the greatest int64                       | 9223372036854775807  |
        | categoryId is the least int64                          | -9223372036854775808 |

  @rule:create.id.unique @level:must
  Rule: Every creation gives an id that no other animal has, also when many create at once

    @covered:createPet.created.distinct
    Scenario: two that are created are told apart
      Given a plain request to createPet that succeeds
      When it creates a resource
      And another one is created
      Then their identifiers differ

    @covered:createPet.created.distinct @phase:last
    Scenario: another one is asked for with its identifier
      Given a plain request to createPet that succeeds
      When it creates a resource
      And getPet reads it
      And another one is created with its identifier
      And getPet reads it once more
      Then that one has an identifier of its own

    @covered:createPet.created.concurrent
    Scenario: several are created at the same time
      Given a plain request to createPet that succeeds
      When 6 are created at the same time
      And getPet reads each of them
      Then each is told apart, and is what was sent

  @rule:create.body.required @level:must
  Rule: A creation whose Content-Type is JSON and that has no body is answered 400

    @covered:createPet.refused.body-missing
    Scenario: there is no body
      Given a plain request to createPet that succeeds
      But it has no body
      When it is sent
      Then it is refused

    @covered:createPet.refused.body-missing
    Scenario: the body is empty
      Given a plain request to createPet that succeeds
      But its body reads ""
      When it is sent
      Then it is refused

  @rule:create.body.json @level:must
  Rule: A body that is not one JSON text is answered 400

    @covered:createPet.refused.body-malformed
    Scenario Outline: <case>
      Given a plain request to createPet that succeeds
      But its body is sent <value>
      When it is sent
      Then it is refused

      Examples:
        | case                              | value                      |
        | the body lacks its last character | without its last character |
        | the body is written as a form     | as a form                  |

    @covered:createPet.refused.body-malformed
    Scenario: the body is a bare word
      Given a plain request to createPet that succeeds
      But its body reads "nonesuch"
      When it is sent
      Then it is refused

    @covered:createPet.refused.body-extended
    Scenario Outline: <case>
      Given a plain request to createPet that succeeds
      But its body is sent <value>
      When it is sent
      Then it is refused

      Examples:
        | case                                | value                       |
        | the body is followed by a brace     | with a brace behind it      |
        | the body is followed by an object   | with an object behind it    |
        | the body is in single quotes        | in single quotes            |
        | the body has a comma before its end | with a comma before its end |

  @rule:create.body.object @level:must
  Rule: A body that is not an object is answered 400

    @covered:createPet.refused.body-type
    Scenario Outline: <case>
      Given a plain request to createPet that succeeds
      But its body is <value>
      When it is sent
      Then it is refused

      Examples:
        | case                                       | value                                                |
        | the body is a string instead of an object  | "text"                                               |
        | the body is a number instead of an object  | 1                                                    |
        | the body is a boolean instead of an object | true                                                 |
        | the body is an array instead of an object  | []                                                   |
        | the body is an object in an array          | [{"categoryId":1,"name":"Rex","status":"available"}] |
        | the body is null                           | null                                                 |

  @rule:create.name.required @level:must
  Rule: A creation whose name is missing or null is answered 400

    @covered:createPet.refused.property-missing
    Scenario: name is left out
      Given a plain request to createPet that succeeds
      But its body has no /name
      When it is sent
      Then it is refused

    @covered:createPet.refused.property
    Scenario: name is null
      Given a plain request to createPet that succeeds
      But in its body, /name is null
      When it is sent
      Then it is refused

  @rule:create.name.type @level:must
  Rule: A creation whose name is no string is answered 400

    @covered:createPet.refused.property
    Scenario Outline: <case>
      Given a plain request to createPet that succeeds
      But in its body, /name is <value>
      When it is sent
      Then it is refused

      Examples:
        | case                                  | value   |
        | name is a number instead of a string  | 1       |
        | name is a boolean instead of a string | true    |
        | name is an object instead of a string | {}      |
        | name is an array instead of a string  | []      |
        | name is a string in an array          | ["Rex"] |

  @rule:create.categoryId.required @level:must
  Rule: A creation whose categoryId is missing or null is answered 400

    @covered:createPet.refused.property-missing
    Scenario: categoryId is left out
      Given a plain request to createPet that succeeds
      But its body has no /categoryId
      When it is sent
      Then it is refused

    @covered:createPet.refused.property
    Scenario: categoryId is null
      Given a plain request to createPet that succeeds
      But in its body, /categoryId is null
      When it is sent
      Then it is refused

  @rule:create.categoryId.type @level:must
  Rule: A creation whose categoryId is no integer is answered 400

    @covered:createPet.refused.property
    Scenario Outline: <case>
      Given a plain request to createPet that succeeds
      But in its body, /categoryId is <value>
      When it is sent
      Then it is refused

      Examples:
        | case                                                | value  |
        | categoryId is a string instead of an integer        | "text" |
        | categoryId is a boolean instead of an integer       | true   |
        | categoryId is an object instead of an integer       | {}     |
        | categoryId is an array instead of an integer        | []     |
        | categoryId is a number in quotes                    | "1"    |
        | categoryId is a number in an array                  | [1]    |
        | categoryId is 0.5, a fraction instead of an integer | 0.5    |

  @rule:create.categoryId.int64 @level:must
  Rule: A creation whose categoryId lies outside int64 is answered 400

    @covered:createPet.refused.property
    Scenario Outline: <case>
      Given a plain request to createPet that succeeds
      But in its body, /categoryId is <value>
      When it is sent
      Then it is refused

      Examples:
        | case                                                         | value                  |
        | categoryId is 9223372036854775808, one above the greatest int64 | 9223372036854775808    |
        | categoryId is -9223372036854775809, one below the least int64 | -9223372036854775809   |
        | categoryId is 18446744073709551617, far above the greatest int64 | 18446744073709551617   |
        | categoryId is 10000000000000000000, far above the greatest int64 | 10000000000000000000   |
        | categoryId is -10000000000000000000, far below the least int64 | -10000000000000000000  |
        | categoryId is 9223372036854775809, far above the greatest int64 | 9223372036854775809    |
        | categoryId is -9223372036854775818, far below the least int64 | -9223372036854775818   |
        | categoryId is 18446744073709551615, far above the greatest int64 | 18446744073709551615   |
        | categoryId is 18446744073709551616, far above the greatest int64 | 18446744073709551616   |
        | categoryId is -18446744073709551616, far below the least int64 | -18446744073709551616  |
        | categoryId is 100000000000000000000, far above the greatest int64 | 100000000000000000000  |
        | categoryId is -100000000000000000000, far below the least int64 | -100000000000000000000 |

  @rule:create.status.type @level:must
  Rule: A creation whose status is null or no string is answered 400

    @covered:createPet.refused.property
    Scenario Outline: <case>
      Given a plain request to createPet that succeeds
      But in its body, /status is <value>
      When it is sent
      Then it is refused

      Examples:
        | case                                    | value         |
        | status is a number instead of a string  | 1             |
        | status is a boolean instead of a string | true          |
        | status is an object instead of a string | {}            |
        | status is an array instead of a string  | []            |
        | status is a string in an array          | ["available"] |
        | status is null                          | null          |

  @rule:create.status.values @level:must
  Rule: A creation whose status is not exactly one of the three is answered 400

    @covered:createPet.refused.property
    Scenario Outline: <case>
      Given a plain request to createPet that succeeds
      But in its body, /status is <value>
      When it is sent
      Then it is refused

      Examples:
        | case                                                  | value        |
        | status is "nonesuch", none of its values              | "nonesuch"   |
        | status is "", empty, and none of its values           | ""           |
        | status is "AVAILABLE", in upper case                  | "AVAILABLE"  |
        | status is "Available", with a capital first letter    | "Available"  |
        | status is "available ", with a trailing blank         | "available " |
        | status is "availabl", cut short                       | "availabl"   |
        | status is " available", with a leading blank          | " available" |
        | status is "availablex", with one more character       | "availablex" |
        | status is "availablf", with a later last character    | "availablf"  |
        | status is "availabld", with an earlier last character | "availabld"  |
        | status is "PENDING", in upper case                    | "PENDING"    |
        | status is "Pending", with a capital first letter      | "Pending"    |
        | status is "pending ", with a trailing blank           | "pending "   |
        | status is "pendin", cut short                         | "pendin"     |
        | status is " pending", with a leading blank            | " pending"   |
        | status is "pendingx", with one more character         | "pendingx"   |
        | status is "pendinh", with a later last character      | "pendinh"    |
        | status is "pendinf", with an earlier last character   | "pendinf"    |
        | status is "SOLD", in upper case                       | "SOLD"       |
        | status is "Sold", with a capital first letter         | "Sold"       |
        | status is "sold ", with a trailing blank              | "sold "      |
        | status is "sol", cut short                            | "sol"        |
        | status is " sold", with a leading blank               | " sold"      |
        | status is "soldx", with one more character            | "soldx"      |
        | status is "sole", with a later last character         | "sole"       |
        | status is "solc", with an earlier last character      | "solc"       |

  @rule:create.no-trace @level:must
  Rule: A creation that was answered 400 has stored nothing

    @covered:createPet.created.no-trace @phase:last
    Scenario: what was refused is not listed
      Given a plain request to listPets that succeeds
      When what was refused is looked for in listPets
      Then none of it is there

    @covered:createPet.created.no-trace @phase:first @at-once
    Scenario Outline: <case>
      Given a plain request to createPet that succeeds
      And its body is sent <value>
      When it is refused three times, and listPets lists what there is around each
      Then the list shows nothing of it

      Examples:
        | case                                                    | value                      |
        | nothing is left where the body lacks its last character | without its last character |
        | nothing is left where the body is written as a form     | as a form                  |
        | nothing is left where the body is followed by a brace   | with a brace behind it     |
        | nothing is left where the body is followed by an object | with an object behind it   |
        | nothing is left where the body is in single quotes      | in single quotes           |

    @covered:createPet.created.no-trace @phase:first @at-once
    Scenario: nothing is left where the body is a bare word
      Given a plain request to createPet that succeeds
      And its body reads "nonesuch"
      When it is refused three times, and listPets lists what there is around each
      Then the list shows nothing of it

    @covered:createPet.created.no-trace @phase:first @at-once
    Scenario Outline: <case>
      Given a plain request to createPet that succeeds
      And its body has no <value>
      When it is refused three times, and listPets lists what there is around each
      Then the list shows nothing of it

      Examples:
        | case                                         | value       |
        | nothing is left where name is left out       | /name       |
        | nothing is left where categoryId is left out | /categoryId |

    @covered:createPet.created.no-trace @phase:first @at-once
    Scenario: nothing is left where name is a number instead of a string
      Given a plain request to createPet that succeeds
      And in its body, /name is 1
      When it is refused three times, and listPets lists what there is around each
      Then the list shows nothing of it

  @rule:create.location @level:open
  Rule: Whether the response to a creation carries a Location header is not said

    @covered:createPet.created.location
    Scenario: its Location leads to what is created
      Given a plain request to createPet that succeeds
      When it creates a resource
      Then its Location leads to it

  @rule:create.robust @level:should
  Rule: An odd creation is not answered with a server error

    @covered:createPet.robust
    Scenario: the body is sent as application/x-hallmark, which the contract does not list
      Given a plain request to createPet that succeeds
      But its body is sent with the Content-Type application/x-hallmark
      When it is sent
      Then no server error comes of it

    @covered:createPet.no-server-error
    Scenario Outline: <case>
      Given a plain request to createPet that succeeds
      But the text /name in its body ends in <value>
      When it is sent
      Then it is accepted or refused

      Examples:
        | case                                  | value                    |
        | name ends in a byte that is not UTF-8 | a byte that is not UTF-8 |
        | name ends in half of a surrogate pair | half of a surrogate pair |

  @rule:get.created @level:must
  Rule: A created animal is found at once, just as it was answered on creation

    @covered:createPet.link.readBack
    Scenario: the link readBack leads to getPet
      Given a plain request to createPet that succeeds
      When the link readBack of its response is followed
      Then it leads to a success

    @covered:createPet.created.readable
    Scenario: what is created can be read
      Given a plain request to createPet that succeeds
      When it creates a resource
      And getPet reads it
      Then it is found

    @covered:createPet.created.kept
    Scenario: what is sent comes back
      Given a plain request to createPet that succeeds
      When it creates a resource
      And getPet reads it
      Then it holds what was sent

    @covered:createPet.created.kept
    Scenario Outline: <case>
      Given a plain request to createPet that succeeds
      And in its body, /status is <value>
      When it creates a resource
      And getPet reads it
      Then it holds what was sent

      Examples:
        | case                                   | value       |
        | status is "pending", one of its values | "pending"   |
        | status is "sold", one of its values    | "sold"      |
        | status is "available"                  | "available" |

    @covered:createPet.created.kept
    Scenario Outline: <case>
      Given a plain request to createPet that succeeds
      And in its body, /name is <value>
      When it creates a resource
      And getPet reads it
      Then it holds what was sent

      Examples:
        | case                                                         | value                                                        |
        | name holds accents, quotes, a sign beyond 16 bits, a backslash, a percent sign, braces and markup | "Zoë's \\"ñandú\\" 𝄞 \\\\ 100% {{x}} \\u003cb\\u003e&amp;"   |
        | name has 300 characters                                      | "long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long " |
        | name is a blank                                              | " "                                                          |
        | name is empty                                                | ""                                                           |
        | name holds a line feed and tabs                              | "two\\nlines\\tand\\ta tab"                                  |
        | name holds the null character                                | "nul\\u0000inside"                                           |
        | name holds the replacement character                         | "replaced � here"                                            |
        | name has 2000 characters                                     | "long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long " |

    @covered:createPet.created.kept
    Scenario Outline: <case>
      Given a plain request to createPet that succeeds
      And in its body, /categoryId is <value>
      When it creates a resource
      And getPet reads it
      Then it holds what was sent

      Examples:
        | case                                                   | value                |
        | categoryId is 0                                        | 0                    |
        | categoryId is negative                                 | -1                   |
        | categoryId is the greatest int32                       | 2147483647           |
        | categoryId is the least int32                          | -2147483648          |
        | categoryId is odd and beyond 31 bits                   | 2147483649           |
        | categoryId is beyond 32 bits                           | 4294967296           |
        | categoryId is where floats begin to leave integers out | 9007199254740992     |
        | categoryId is an integer that floats leave out         | -9007199254741003    |
        | categoryId is one below the greatest int64             | 9223372036854775806  |
        | categoryId is the greatest int64                       | 9223372036854775807  |
        | categoryId is the least int64                          | -9223372036854775808 |
        | categoryId is 1                                        | 1                    |
        | categoryId is 2                                        | 2                    |

    @covered:createPet.created.readable
    Scenario Outline: <case>
      Given a plain request to createPet that succeeds
      And the text /name in its body ends in <value>
      When it creates a resource
      And getPet reads it
      Then it is found

      Examples:
        | case                                                         | value                    |
        | what is created can be read where name ends in a byte that is not UTF-8 | a byte that is not UTF-8 |
        | what is created can be read where name ends in half of a surrogate pair | half of a surrogate pair |
