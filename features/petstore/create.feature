@operation:createPet
Feature: Creating animals

  @rule:create.accepted
  Rule: A plain animal is accepted and answered 201

    Scenario Outline: its name is <case>
      Given a plain body where name is <name>
      When createPet is called
      Then the response is 201

      Examples:
        | case                            | name                       |
        | of mixed case, with blanks      | "{unique} Rex The Dog"     |
        | exactly 40 characters long      | "{unique:40}"              |
        | of digits behind the first word | "{unique} 1234567890"      |
        | 33 characters long              | "{unique:33}"              |

    Scenario: its name is two characters long
      Given a plain body where name is 2 characters long
      When createPet is called
      Then the response is 201

    Scenario: its name consists of digits
      Given a plain body where name is "{digits}"
      When createPet is called
      Then the response is 201

    Scenario Outline: its body is written <how>
      Given a plain body written <how>
      When createPet is called
      Then the response is 201

      Examples:
        | how                |
        | in reverse order   |
        | over several lines |

    Scenario: many, two at a time
      When "createPet" is called 24 times by 2 clients at once
      Then each response is 201

  @rule:create.refused
  Rule: A body that lacks a required field or holds an invalid value is answered 400

    Scenario Outline: the body is <body>
      Given the body is <body>
      When createPet is called
      Then the scenario goes on where the response is a refusal
      And the response is 400

      Examples:
        | body                               |
        | {"name": "Rex"}                    |
        | {"categoryId": 1}                  |
        | {"name": 1, "categoryId": 1}       |
        | {"name": "Rex", "categoryId": "1"} |
        | []                                 |

    Scenario: the body is an object without members
      Given the body is {}
      When createPet is called
      Then the response is 400

  @rule:create.name.required
  Rule: A creation whose name is missing or null is answered 400

    Scenario: its name is null
      Given a plain body where name is null
      When createPet is called
      Then the scenario goes on where the response is a refusal
      And the response is 400

  @rule:create.categoryId.required
  Rule: A creation whose categoryId is missing or null is answered 400

    Scenario: its categoryId is null
      Given a plain body where categoryId is null
      When createPet is called
      Then the scenario goes on where the response is a refusal
      And the response is 400

  @rule:create.status.type
  Rule: A creation whose status is no string is answered 400

    Scenario: its status is null
      Given a plain body where status is null
      When createPet is called
      Then the scenario goes on where the response is a refusal
      And the response is 400

  @rule:create.categoryId.int64
  Rule: A categoryId beyond int64 is answered 400

    Scenario Outline: its categoryId is <categoryId>
      Given a plain body where categoryId is <categoryId>
      When createPet is called
      Then the scenario goes on where the response is a refusal
      And the response is 400

      Examples:
        | categoryId           |
        | 9223372036854775808  |
        | -9223372036854775809 |

  @rule:create.body.required
  Rule: A creation without a body is answered 400

    Scenario: there is none
      Given there is no body
      And the Content-Type is application/json
      When createPet is called
      Then the scenario goes on where the response is a refusal
      And the response is 400

  @rule:create.body.json
  Rule: A body that is not one JSON text is answered 400

    Scenario: its last character is missing
      Given a plain body cut short
      When createPet is called
      Then the scenario goes on where the response is a refusal
      And the response is 400

  @rule:create.categoryId.type
  Rule: A creation whose categoryId is no integer is answered 400

    Scenario: its categoryId is an empty text
      Given a plain body where categoryId is ""
      When createPet is called
      Then the response is 400

  @rule:answer.status
  Rule: Whether two animals may have one name is not said, and it is answered 201 or 400

    Scenario: a name that another animal has
      Given "Rex the {new}" is remembered as "name"
      And a created "pet" with {"name": "{name}"}
      And a plain body where name is "{name}"
      When createPet is called
      Then the response is 201 or 400

  @rule:create.id.unique
  Rule: Every creation gives an id that no other animal has

    @phase:end
    Scenario: many, when there are many
      When "createPet" is called 12 times by 4 clients at once
      Then each identifier is new

    @phase:end
    Scenario Outline: several with status <status>, when there are many
      Given a plain body where status is "<status>"
      When createPet is called 3 times
      Then each identifier is new

      Examples:
        | status    |
        | available |
        | pending   |
        | sold      |

    Scenario Outline: now and then, in category <categoryId>
      Given a plain body where categoryId is <categoryId>
      When createPet is called 2 times
      Then each identifier is new

      Examples:
        | categoryId |
        | 1          |
        | 2          |
        | 3          |
        | 4          |
        | 5          |
        | 6          |

    @phase:filling
    Scenario: many at once
      When "createPet" is called 16 times by 8 clients at once
      Then each identifier is new

  @rule:create.echo.name
  Rule: The response to a creation gives the name exactly as it was sent

    Scenario Outline: the name <case>
      Given a plain body where name is <name>
      When createPet is called
      Then its name is what was sent, if it was accepted

      Examples:
        | case                                    | name                                                |
        | is empty                                | ""                                                  |
        | is of mixed case, with blanks           | "{unique} Rex The Dog"                              |
        | holds accents                           | "Zoë Ñandú Øre {unique}"                            |
        | holds accents as combining marks        | "Zoe\\u0308 {unique}"                               |
        | holds quotes and a backslash            | "\\"{unique}\\" 'it''s' \\\\"                       |
        | holds markup                            | "<b>{unique}</b> &amp; & <script>alert(1)</script>" |
        | begins and ends with blanks             | "  {unique}  "                                      |
        | holds several blanks in a row           | "a   b {unique}"                                    |
        | holds a tab and a line feed             | "a\\tb\\n{unique}"                                  |
        | holds control characters                | "\\u0001\\u001f{unique}\\u007f"                     |
        | holds the null character                | "a\\u0000b {unique}"                                |
        | begins and ends with the null character | "\\u0000{unique}\\u0000"                            |
        | holds the replacement character         | "a� {unique}"                                       |
        | holds characters that cannot be seen    | "\\u200b\\ufeff{unique}\\u2028\\u00a0"              |
        | holds marks of the direction of writing | "\\u202e{unique}\\u200f \\u2066a\\u2069"            |
        | holds two dashes                        | "'; DROP TABLE pets; -- {unique}"                   |

    @phase:last
    Scenario: many at once
      When "createPet" is called 12 times by 6 clients at once
      Then its name is what was sent, if it was accepted

    @phase:last
    Scenario Outline: the name is <length> characters long
      Given a plain body where name is <length> characters long
      When createPet is called
      Then its name is what was sent, if it was accepted

      Examples:
        | length |
        | 256    |
        | 1025   |
        | 65536  |

  @rule:create.name.unusual
  Rule: An unusual name is either accepted with 201 or refused with 400

    Scenario Outline: the name <case>
      Given a plain body where name is <name>
      When createPet is called
      Then the response is 201 or 400

      Examples:
        | case                                 | name                              |
        | holds SQL                            | "'; DROP TABLE pets; -- {unique}" |

    @phase:last
    Scenario: the name is long
      Given a plain body where name is 10000 characters long
      When createPet is called
      Then the response is 201 or 400

  @rule:create.echo.categoryId
  Rule: The response to a creation gives the categoryId exactly as it was sent

    Scenario Outline: the categoryId is <categoryId>
      Given a plain body where categoryId is <categoryId>
      When createPet is called
      Then its categoryId is what was sent, if it was accepted

      Examples:
        | categoryId           |
        | 2                    |
        | 9007199254740993     |

    Scenario: the name ends in half of a surrogate pair
      Given a plain request to "createPet" that succeeds
      And the text /name in its body ends in half of a surrogate pair
      When it is sent
      Then its categoryId is what was sent, if it was accepted

  @rule:create.echo.status
  Rule: The response to a creation gives the status exactly as it was sent

    Scenario Outline: the status is <status>
      Given a plain body where status is "<status>"
      When createPet is called
      Then its status is what was sent, if it was accepted

      Examples:
        | status    |
        | available |
        | pending   |
        | sold      |

  @rule:create.id.own
  Rule: The id is the service's own, never one that the client sent

    Scenario Outline: an id in the body that nothing has
      Given a plain body with "id": <id>
      When createPet is called
      Then in the response, id is not <id>

      Examples:
        | id                  |
        | 7391846205518       |
        | 8391846205518273645 |

    Scenario: an id in the body that another animal has
      Given "Rex the {new}" is remembered as "name"
      And a created "pet" called "mine" with {"name": "{name}"}
      And a plain body with "id": "{mine}"
      When createPet is called
      Then in the response, id is not "{mine}"
      When getPet is called with petId {mine}
      Then in the response, name is "{name}"

  @rule:create.robust
  Rule: An odd creation is not answered with a server error

    Scenario Outline: <members> is in the body
      Given a plain body with <members>
      When createPet is called
      Then the response is no server error

      Examples:
        | members               |
        | "colour": "brown"     |
        | "Name": "other"       |
        | "tags": [1, {"a": 2}] |

  @rule:create.no-trace @phase:last
  Rule: A creation that was answered 400 has stored nothing, whatever the store holds

    Scenario Outline: the body has no <member>
      Given a plain request to "createPet" that succeeds
      And its body has no <member>
      When it is refused three times, and "listPets" lists what there is around each
      Then the list shows nothing of it

      Examples:
        | member |
        | /name  |
