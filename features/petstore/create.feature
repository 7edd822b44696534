@operation:createPet
Feature: Creating animals

  @rule:create.accepted @rule:create.echo.name
  Rule: A plain animal is accepted and answered 201

    Scenario Outline: its name is <case>
      Given a plain body where name is <name>
      When createPet is called
      Then the response is 201
      And what was sent comes back

      Examples:
        | case                            | name                                |
        | of mixed case, with blanks      | "{unique} Rex The Dog"              |
        | exactly 40 characters long      | "{unique:40}"                       |
        | of digits behind the first word | "{unique} 1234567890"               |

    Scenario: its name is two characters long
      Given a plain body where name is 2 characters long
      When createPet is called
      Then the response is 201
      And what was sent comes back

    Scenario: its name consists of digits
      Given a plain body where name is "{digits}"
      When createPet is called
      Then the response is 201
      And what was sent comes back
      And it is read back as it was answered

    Scenario Outline: its body is written <how>
      Given a plain body written <how>
      When createPet is called
      Then the response is 201
      And what was sent comes back

      Examples:
        | how                      |
        | in reverse order         |
        | over several lines       |
        | without any blanks       |
        | with its letters escaped |

    Scenario: many in a row
      When createPet is called 3 times
      Then each response is 201
      And each id is new

  @rule:create.name.unusual @rule:create.echo.name @rule:get.created
  Rule: An unusual name is either accepted with 201 or refused with 400, and comes back exactly

    Scenario Outline: the name <case>
      Given a plain body where name is <name>
      When createPet is called
      Then the response is 201 or 400
      And what was sent comes back, if it was accepted
      And it is read back as it was answered, if it was accepted

      Examples:
        | case                                     | name                                                   |
        | holds accents                            | "Zoë Ñandú Øre {unique}"                               |
        | holds accents as combining marks         | "Zoe\\u0308 {unique}"                                  |
        | is in Chinese, Arabic and Greek          | "小黑 قطة Γάτα {unique}"                                 |
        | holds emoji                              | "🐕 {unique} 👨‍👩‍👧‍👦"                                    |
        | holds a letter beyond the basic plane    | "𝒜 {unique} 𐍈"                                         |
        | holds quotes and a backslash             | "\\"{unique}\\" 'it''s' \\\\"                          |
        | holds markup                             | "<b>{unique}</b> &amp; & <script>alert(1)</script>"    |
        | holds SQL                                | "'; DROP TABLE pets; -- {unique}"                      |
        | holds percent signs and a path           | "%41 %00 ../../{unique}?a=b#c"                         |
        | holds placeholders of templates          | "${HOME} {{7*7}} %s {unique}"                          |
        | begins and ends with blanks              | "  {unique}  "                                         |
        | holds several blanks in a row            | "a   b {unique}"                                       |
        | holds a tab and a line feed              | "a\\tb\\n{unique}"                                     |
        | holds control characters                 | "\\u0001\\u001f{unique}\\u007f"                        |
        | holds the null character                 | "a\\u0000b {unique}"                                   |
        | begins and ends with the null character  | "\\u0000{unique}\\u0000"                             |
        | holds the replacement character          | "a� {unique}"                                          |
        | holds marks of the direction of writing  | "\\u202e{unique}\\u200f \\u2066a\\u2069"             |
        | holds characters that cannot be seen     | "\\u200b\\ufeff{unique}\\u2028\\u00a0"                 |

    Scenario Outline: the name is <length> characters long
      Given a plain body where name is <length> characters long
      When createPet is called
      Then the response is 201 or 400
      And what was sent comes back, if it was accepted
      And it is read back as it was answered, if it was accepted

      Examples:
        | length |
        | 41     |
        | 65     |
        | 129    |
        | 256    |
        | 1025   |
        | 65536  |

    Scenario Outline: the name is <case>
      Given a plain body where name is <name>
      When createPet is called
      Then the response is 201 or 400
      And what was sent comes back, if it was accepted

      Examples:
        | case                  | name   |
        | empty                 | ""     |
        | a blank               | " "    |
        | the word null         | "null" |
        | a single letter       | "x"    |

  @rule:create.categoryId.unusual @rule:create.echo.categoryId @rule:get.created
  Rule: An unusual categoryId is either accepted with 201 or refused with 400, and comes back exactly

    Scenario Outline: the categoryId is <categoryId>
      Given a plain body where categoryId is <categoryId>
      When createPet is called
      Then the response is 201 or 400
      And what was sent comes back, if it was accepted
      And it is read back as it was answered, if it was accepted

      Examples:
        | categoryId           |
        | 9007199254740993     |
        | -9223372036854775808 |

  @rule:create.id.own
  Rule: The id is the service's own, never one that the client sent

    Scenario: an id in the body that nothing has
      Given a plain body with an id of the client's own
      When createPet is called
      Then the id that was sent is not used

    Scenario: an id in the body that another animal has
      Given an animal that this run created
      And a plain body with that animal's id
      When createPet is called
      Then the id that was sent is not used
      And that animal is as it was
