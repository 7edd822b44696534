# Derived from the contract by "hallmark derive"; "hallmark derive --check" reports when it is out of date.
# To change it, change the contract or its rules.yaml.
@derived @operation:listPets
Feature: listPets, GET /pets
  List animals.

  @rule:pet.identity @level:must
  Rule: An id names one animal and never shows with another name or categoryId

    @covered:listPets.list.as-read @read-only @phase:stocked
    Scenario: what is listed is read
      Given a plain request to listPets that succeeds
      When it is sent, and getPet reads some of what it shows
      Then each is read as it is listed

  @rule:auth.missing @level:must
  Rule: A request without a credential is answered 401

    @covered:listPets.credential.missing @read-only
    Scenario: the credential is missing
      Given a plain request to listPets that succeeds
      But its credential is missing
      When it is sent
      Then nobody is let in

  @rule:auth.empty @level:must
  Rule: An empty bearer token is answered 401

    @covered:listPets.credential.wrong @read-only
    Scenario: the credential is an empty bearer token
      Given a plain request to listPets that succeeds
      But its credential is an empty bearer token
      When it is sent
      Then nobody is let in

  @rule:auth.scheme @level:must
  Rule: A credential under another scheme than Bearer is answered 401

    @covered:listPets.credential.wrong @read-only
    Scenario Outline: <case>
      Given a plain request to listPets that succeeds
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

    @covered:listPets.credential.wrong @read-only
    Scenario: the credential is a random key
      Given a plain request to listPets that succeeds
      But its credential is a random key
      When it is sent
      Then nobody is let in

  @rule:auth.prefix @level:must
  Rule: A part of the right key is answered 401

    @covered:listPets.credential.wrong @read-only
    Scenario Outline: <case>
      Given a plain request to listPets that succeeds
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

    @covered:listPets.credential.wrong @read-only
    Scenario Outline: <case>
      Given a plain request to listPets that succeeds
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

    @covered:listPets.credential.wrong @read-only
    Scenario: the credential is the right key with its case swapped
      Given a plain request to listPets that succeeds
      But its credential is the right key with its case swapped
      When it is sent
      Then nobody is let in

  @rule:auth.altered @level:must
  Rule: Another key of the right key's length, however alike, is answered 401

    @covered:listPets.credential.wrong @read-only
    Scenario Outline: <case>
      Given a plain request to listPets that succeeds
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

  @rule:list.accepted @level:must
  Rule: A plain request for a list is answered 200

    @covered:listPets.success @read-only
    Scenario: a plain request
      Given a plain request to listPets
      When it is sent
      Then the response is a success that the contract documents

  @rule:list.unique @level:must
  Rule: No list holds the same id twice

    @covered:listPets.list.once @read-only @phase:last
    Scenario: nothing is listed twice
      Given a plain request to listPets that succeeds
      When it is sent
      Then nothing is in it twice

    @covered:listPets.list.once @read-only @phase:last
    Scenario: nothing is listed twice in as long a list as may be asked for
      Given a plain request to listPets that succeeds
      And its query parameter limit is 100
      When it is sent
      Then nothing is in it twice

    @covered:listPets.list.once @phase:first @at-once
    Scenario: nothing is listed twice while there is little
      Given a plain request to listPets that succeeds
      When there is one to list
      And there is one to list
      And there is one to list
      And it is sent
      Then nothing is in it twice

  @rule:list.limit.accepted @level:must
  Rule: Every limit from 1 to 100 is accepted

    @covered:listPets.accepted @read-only
    Scenario Outline: <case>
      Given a plain request to listPets that succeeds
      And its query parameter limit is <value>
      When it is sent
      Then it is accepted as well

      Examples:
        | case                                             | value |
        | limit is 3, the example of the document          | 3     |
        | limit is 20, the default                         | 20    |
        | limit is its maximum, 100                        | 100   |
        | limit is 2, just inside its minimum              | 2     |
        | limit is 99, just inside its maximum             | 99    |
        | limit is 50, between its minimum and its maximum | 50    |
        | limit is 3, within its bounds                    | 3     |

    @covered:listPets.accepted @read-only
    Scenario: limit is 1, and status is "available"
      Given a plain request to listPets that succeeds
      And its query parameter status is "available"
      And it succeeds so as well
      And its query parameter limit is 1
      When it is sent
      Then it is accepted as well

  @rule:list.limit.honoured @level:must
  Rule: A list never holds more animals than the limit that was asked for

    @covered:listPets.list.limit @read-only @phase:last
    Scenario Outline: <case>
      Given a plain request to listPets that succeeds
      And its query parameter limit is <value>
      When it is sent
      Then it shows no more than limit

      Examples:
        | case         | value |
        | limit is 1   | 1     |
        | limit is 2   | 2     |
        | limit is 3   | 3     |
        | limit is 10  | 10    |
        | limit is 50  | 50    |
        | limit is 60  | 60    |
        | limit is 99  | 99    |
        | limit is 100 | 100   |

    @covered:listPets.list.limit @phase:end
    Scenario: lists are no longer than they may be
      Given a plain request to listPets that succeeds
      When there is a little more than listPets shows at most
      And it is sent with the greatest values of limit, and with some that are not allowed
      Then no list is longer than was asked for

    @covered:listPets.list.limit @read-only @phase:stocked
    Scenario: limit is 1, and status is "available"
      Given a plain request to listPets that succeeds
      And its query parameter status is "available"
      And it succeeds so as well
      And its query parameter limit is 1
      When it is sent
      Then it shows no more than limit

    @covered:listPets.list.limit @read-only @phase:stocked
    Scenario: limit is 1, and status is "pending"
      Given a plain request to listPets that succeeds
      And its query parameter status is "pending"
      And it succeeds so as well
      And its query parameter limit is 1
      When it is sent
      Then it shows no more than limit

    @covered:listPets.list.limit @read-only @phase:stocked
    Scenario: limit is 1, and status is "sold"
      Given a plain request to listPets that succeeds
      And its query parameter status is "sold"
      And it succeeds so as well
      And its query parameter limit is 1
      When it is sent
      Then it shows no more than limit

  @rule:list.limit.optional @level:must
  Rule: The limit may be left out, alone and beside a status

    @covered:listPets.accepted @read-only
    Scenario: limit is left out
      Given a plain request to listPets that succeeds
      And it has no query parameter limit
      When it is sent
      Then it is accepted as well

  @rule:list.limit.default.same @level:must
  Rule: Leaving the limit out gives as many animals as a limit of 20 does

    @covered:listPets.list.limit @read-only @phase:stocked
    Scenario: limit is left out
      Given a plain request to listPets that succeeds
      When it is sent without limit and with its default in turns
      Then both show as many

    @covered:listPets.list.limit @read-only @phase:stocked
    Scenario: limit is left out beside status "available"
      Given a plain request to listPets that succeeds
      And its query parameter status is "available"
      And it succeeds so as well
      When it is sent without limit and with its default in turns
      Then both show as many

    @covered:listPets.list.limit @read-only @phase:stocked
    Scenario: limit is left out beside status "pending"
      Given a plain request to listPets that succeeds
      And its query parameter status is "pending"
      And it succeeds so as well
      When it is sent without limit and with its default in turns
      Then both show as many

    @covered:listPets.list.limit @read-only @phase:stocked
    Scenario: limit is left out beside status "sold"
      Given a plain request to listPets that succeeds
      And its query parameter status is "sold"
      And it succeeds so as well
      When it is sent without limit and with its default in turns
      Then both show as many

  @rule:list.limit.outside @level:open
  Rule: What a limit below 1 or above 100 gives is not said

    @covered:listPets.refused.parameter @read-only
    Scenario Outline: <case>
      Given a plain request to listPets
      But its query parameter limit is <value>
      When it is sent
      Then what comes of it is the service's own choice

      Examples:
        | case                                 | value |
        | limit is 0, one below its minimum    | 0     |
        | limit is 101, one above its maximum  | 101   |
        | limit is 1010, far above its maximum | 1010  |

  @rule:list.limit.type @level:open
  Rule: What a limit that is no integer gives is not said

    @covered:listPets.refused.parameter @read-only
    Scenario Outline: <case>
      Given a plain request to listPets
      But its query parameter limit is <value>
      When it is sent
      Then what comes of it is the service's own choice

      Examples:
        | case                                           | value  |
        | limit is a string instead of an integer        | "text" |
        | limit is a boolean instead of an integer       | true   |
        | limit is 1.5, a fraction instead of an integer | 1.5    |

  @rule:list.status.accepted @level:must
  Rule: Each of the three statuses is accepted as a filter

    @covered:listPets.accepted @read-only
    Scenario: limit is 1, as small as may be
      Given a plain request to listPets that succeeds
      And its query parameter limit is 1
      When it is sent
      Then it is accepted as well

    @covered:listPets.accepted @read-only
    Scenario Outline: <case>
      Given a plain request to listPets that succeeds
      And its query parameter status is <value>
      When it is sent
      Then it is accepted as well

      Examples:
        | case                                             | value       |
        | status is "pending", the example of the document | "pending"   |
        | status is "available", as small as may be        | "available" |
        | status is "sold", one of its values              | "sold"      |
        | status is "pending", one of its values           | "pending"   |

  @rule:list.status.optional @level:must
  Rule: The status may be left out, alone and beside a limit

    @covered:listPets.accepted @read-only
    Scenario: status is left out
      Given a plain request to listPets that succeeds
      And it has no query parameter status
      When it is sent
      Then it is accepted as well

  @rule:list.status.honoured @level:must
  Rule: A list filtered by a status holds only animals that carry that status

    @covered:listPets.list.filter @read-only @phase:last
    Scenario Outline: <case>
      Given a plain request to listPets that succeeds
      And its query parameter status is <value>
      When it is sent
      Then each of its items has the asked status

      Examples:
        | case                  | value       |
        | status is "available" | "available" |
        | status is "pending"   | "pending"   |
        | status is "sold"      | "sold"      |

    @covered:listPets.list.filter @read-only @phase:stocked
    Scenario Outline: <case>
      Given a plain request to listPets that succeeds
      And its query parameter limit is 1
      And it succeeds so as well
      And its query parameter status is <value>
      When it is sent
      Then each of its items has the asked status

      Examples:
        | case                                  | value       |
        | status is "available", and limit is 1 | "available" |
        | status is "pending", and limit is 1   | "pending"   |
        | status is "sold", and limit is 1      | "sold"      |

    @covered:listPets.list.filter @read-only @phase:stocked
    Scenario Outline: <case>
      Given a plain request to listPets that succeeds
      And its query parameter limit is 100
      And it succeeds so as well
      And its query parameter status is <value>
      When it is sent
      Then each of its items has the asked status

      Examples:
        | case                                    | value       |
        | status is "available", and limit is 100 | "available" |
        | status is "pending", and limit is 100   | "pending"   |
        | status is "sold", and limit is 100      | "sold"      |

    @covered:listPets.list.filter @read-only @phase:stocked
    Scenario: each status shows all that has it
      Given a plain request to listPets that succeeds
      When it is sent without status and for each of its values
      Then each value shows just what has it

    @covered:listPets.list.filter @phase:first @at-once
    Scenario: each status shows all that has it, while there is little
      Given a plain request to listPets that succeeds
      When there is one to list
      And there is one to list that was created without status
      And it is sent without status and for each of its values
      Then each value shows just what has it

  @rule:list.status.unknown @level:open
  Rule: What a status other than the three gives is not said

    @covered:listPets.refused.parameter @read-only
    Scenario Outline: <case>
      Given a plain request to listPets
      But its query parameter status is <value>
      When it is sent
      Then what comes of it is the service's own choice

      Examples:
        | case                                                  | value        |
        | status is a number instead of a string                | 1            |
        | status is a boolean instead of a string               | true         |
        | status is "nonesuch", none of its values              | "nonesuch"   |
        | status is "AVAILABLE", in upper case                  | "AVAILABLE"  |
        | status is "Available", with a capital first letter    | "Available"  |
        | status is "availabl", cut short                       | "availabl"   |
        | status is "availablex", with one more character       | "availablex" |
        | status is "availablf", with a later last character    | "availablf"  |
        | status is "availabld", with an earlier last character | "availabld"  |
        | status is "PENDING", in upper case                    | "PENDING"    |
        | status is "Pending", with a capital first letter      | "Pending"    |
        | status is "pendin", cut short                         | "pendin"     |
        | status is "pendingx", with one more character         | "pendingx"   |
        | status is "pendinh", with a later last character      | "pendinh"    |
        | status is "pendinf", with an earlier last character   | "pendinf"    |
        | status is "SOLD", in upper case                       | "SOLD"       |
        | status is "Sold", with a capital first letter         | "Sold"       |
        | status is "sol", cut short                            | "sol"        |
        | status is "soldx", with one more character            | "soldx"      |
        | status is "sole", with a later last character         | "sole"       |
        | status is "solc", with an earlier last character      | "solc"       |

  @rule:list.robust @level:should
  Rule: An odd query is not answered with a server error

    @covered:listPets.robust @read-only
    Scenario: the query has a parameter that the contract does not list
      Given a plain request to listPets that succeeds
      But its query parameter hallmarkUnknown is "1"
      When it is sent
      Then no server error comes of it

  @rule:get.listed @level:must
  Rule: A listed animal can be read by its id and is the same animal

    @covered:listPets.link.readOne @read-only
    Scenario: the link readOne leads to getPet
      Given a plain request to listPets that succeeds
      When the link readOne of its response is followed
      Then it leads to a success

  @rule:other.robust @level:should
  Rule: What is not defined is not answered with a server error

    @covered:listPets.head @read-only
    Scenario: HEAD in the place of GET
      Given a plain request to listPets that succeeds
      When HEAD is sent in its place
      Then it is no reason to break
