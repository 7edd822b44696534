# What the interface leaves to the service. Nothing here can fail: what the service does is recorded, so that people can
# compare services and ask the interface's authors.
@phase:stocked
Feature: Open questions

  @rule:auth.scheme.case
  Rule: Whether the scheme's name may be written in lower case is not said

    @read-only
    Scenario: bearer in lower case
      Given the credential is the right key under bearer in lower case
      When listPets is called
      Then the response is the service's own choice

  @rule:auth.scheme.absent
  Rule: Whether the key may stand in the header without a scheme is not said

    @read-only
    Scenario: the key alone
      Given the credential is the right key without a scheme
      When listPets is called
      Then the response is the service's own choice

  @rule:auth.query
  Rule: Whether the key may stand in the query is not said

    @read-only
    Scenario: the key as api_key in the query
      Given the credential is the right key in the query
      When listPets is called
      Then the response is the service's own choice

  @rule:list.order @operation:listPets
  Rule: The order of a list is not said

    @read-only
    Scenario: a list of up to a hundred
      When listPets is called with the greatest limit
      Then its order is recorded

  @rule:list.page @operation:listPets
  Rule: Whether a page may be shorter than its limit is not said

    @read-only
    Scenario Outline: a page of <limit>
      When listPets is called with <asked>
      Then the length of the page is recorded

      Examples:
        | limit | asked                        |
        | 5     | limit 5                      |
        | 5     | status available and limit 5 |

  @rule:list.parameter.unknown @operation:listPets
  Rule: What a query parameter that is not defined does is not said

    @read-only
    Scenario Outline: <parameter> in the query
      When listPets is called with <parameter>
      Then the response is the service's own choice

      Examples:
        | parameter  |
        | colour red |
        | offset 1   |
        | page 2     |
        | cursor abc |
        | Limit 1    |

  @rule:list.parameter.repeated @operation:listPets
  Rule: What a limit given twice does is not said

    @read-only
    Scenario: limit 1 and limit 2
      When listPets is called with limit 1 and limit 2
      Then the response is the service's own choice

  @rule:create.status.default @operation:createPet
  Rule: Which status an animal has that was created without one is not said

    Scenario: no status is sent
      When createPet is called
      Then the status that the animal got is recorded

  @rule:create.field.unknown @operation:createPet
  Rule: Whether a body may hold fields that are not defined is not said

    Scenario Outline: <members> is in the body
      Given a plain body with <members>
      When createPet is called
      Then the response is the service's own choice

      Examples:
        | members               |
        | "colour": "brown"     |
        | "Name": "other"       |
        | "tags": [1, {"a": 2}] |

  @rule:create.key.repeated @operation:createPet
  Rule: What a body gives that names a field twice is not said

    Scenario: categoryId stands twice
      Given a plain body with "categoryId": 1
      When createPet is called
      Then the response is the service's own choice

  @rule:create.text.unicode @operation:createPet
  Rule: What a body gives whose text is not Unicode is not said

    Scenario Outline: the body is <damage>
      Given a plain body <damage>
      When createPet is called
      Then the response is the service's own choice
      And its categoryId is what was sent

      Examples:
        | damage                                               |
        | with a byte that is not UTF-8                        |
        | with a character in more bytes than UTF-8 has for it |
        | with a character that lacks its last byte            |

    Scenario Outline: the name <case>
      Given a plain body where name is <name>
      When createPet is called
      Then the response is the service's own choice
      And its categoryId is what was sent

      Examples:
        | case                                                    | name                       |
        | holds the first half of a surrogate pair                | "a\\ud83d {unique}"        |
        | ends in the second half of a surrogate pair             | "{unique}\\udc15"          |
        | holds the halves of a surrogate pair in the wrong order | "a\\udc15\\ud83d {unique}" |

  @rule:create.integer.form @operation:createPet
  Rule: Whether an integer may be written 1.0 or 1e0 is not said

    Scenario Outline: the categoryId is written <categoryId>
      Given a plain body where categoryId is <categoryId>
      When createPet is called
      Then the response is the service's own choice

      Examples:
        | categoryId |
        | 1.0        |
        | 1e0        |

  @rule:create.media-type @operation:createPet
  Rule: What a creation gives whose Content-Type is not JSON, or missing, is not said

    Scenario Outline: Content-Type <type>
      Given a plain body with "x": 1
      And the Content-Type is <type>
      When createPet is called
      Then the response is the service's own choice

      Examples:
        | type                              |
        | absent                            |
        | text/plain                        |
        | application/x-www-form-urlencoded |
        | application/merge-patch+json      |

    Scenario: no body and no Content-Type
      Given there is no body
      And the Content-Type is absent
      When createPet is called
      Then the response is the service's own choice

  @rule:create.name.repeated @rule:answer.status @operation:createPet
  Rule: Whether two animals may have one name is not said

    Scenario: the same body twice
      When the same plain body is sent twice
      Then the response is the service's own choice of 201 and 400

  @rule:create.category.unknown @operation:createPet
  Rule: Whether a category must exist is not said

    Scenario: a category that is unlikely to exist
      Given a plain body where categoryId is 987654321
      When createPet is called
      Then the response is the service's own choice

  @rule:create.location @operation:createPet
  Rule: Whether the response to a creation carries a Location header is not said

    Scenario: the headers of a creation's response
      When createPet is called
      Then its header Location is recorded

  @rule:error.code.values
  Rule: Which codes an Error may carry is not said

    @read-only
    Scenario: the code for a missing credential
      Given the credential is missing
      When listPets is called
      Then the response is the service's own choice

  @rule:get.removed
  Rule: From 5 December 2030 on the operation may be gone

    @read-only
    Scenario: GET of an animal after that day
      When a removed getPet is called
      Then what is answered beyond the interface is recorded

  @rule:other.orders @rule:other.robust
  Rule: Store orders are mentioned, not defined

    @read-only
    Scenario: GET /store/orders
      When GET /store/orders is sent
      Then what is answered beyond the interface is recorded

  @rule:other.methods @rule:other.robust
  Rule: Update and removal of animals are not defined

    @read-only
    Scenario Outline: <method> <path>
      When <method> <path> is sent
      Then what is answered beyond the interface is recorded

      Examples:
        | method  | path  |
        | HEAD    | /pets |
        | OPTIONS | /pets |

  @rule:other.routes @rule:other.robust
  Rule: What an address gives that no operation has is not said

    @read-only
    Scenario Outline: GET <path>
      When GET <path> is sent
      Then what is answered beyond the interface is recorded

      Examples:
        | path        |
        | /pets/      |
        | /nonesuch   |
