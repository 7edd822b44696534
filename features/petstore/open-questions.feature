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
    Scenario: the key in the query
      Given the credential is the right key in the query
      When listPets is called
      Then the response is the service's own choice

  @rule:error.code.values
  Rule: Which codes an Error may carry is not said

    @read-only
    Scenario: the code for a missing credential
      Given the credential is missing
      When listPets is called
      Then the response is the service's own choice

  @rule:list.order @operation:listPets
  Rule: The order of a list is not said

    @read-only
    Scenario: a list of up to a hundred
      When listPets is called with the greatest limit
      Then the order of its items by id is recorded

  @rule:list.page @operation:listPets
  Rule: Whether a page may be shorter than its limit is not said

    @read-only
    Scenario Outline: a page of 5, asked for with <asked>
      When listPets is called with <asked>
      Then the response is the service's own choice

      Examples:
        | asked                        |
        | limit 5                      |
        | status available and limit 5 |

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
      Given a plain body without status
      When createPet is called
      Then in the response, status is absent

  @rule:create.value.refused @operation:createPet
  Rule: Which unusual but valid values a service refuses is not said

    Scenario Outline: the name is <name>
      Given a plain body where name is <name>
      When createPet is called
      Then the response is the service's own choice

      Examples:
        | name                              |
        | ""                                |
        | " {unique} "                      |
        | "'; DROP TABLE pets; -- {unique}" |
        | "{unique}\\u0000"                  |

  @rule:create.field.unknown @operation:createPet
  Rule: Whether a body may hold fields that are not defined is not said

    Scenario: a colour
      Given a plain body with "colour": "brown"
      When createPet is called
      Then the response is the service's own choice

  @rule:create.key.repeated @operation:createPet
  Rule: What a body gives that names a field twice is not said

    Scenario: a member stands twice
      Given a plain body with a member twice
      When createPet is called
      Then the response is the service's own choice

  @rule:create.text.unicode @operation:createPet
  Rule: What a body gives whose text is not Unicode is not said

    Scenario Outline: the body is <damage>
      Given a plain body <damage>
      When createPet is called
      Then the response is the service's own choice

      Examples:
        | damage                        |
        | with a byte that is not UTF-8 |

    Scenario: the name ends in half of a surrogate pair
      Given a plain request to "createPet" that succeeds
      And the text /name in its body ends in half of a surrogate pair
      When it is sent
      Then the response is the service's own choice

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

  @rule:create.name.repeated @operation:createPet
  Rule: Whether two animals may have one name is not said

    Scenario: the same body twice
      Given a plain request to "createPet" that succeeds
      When it is sent twice, word for word
      Then the response is the service's own choice

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

  @rule:get.removed @operation:getPet
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
    Scenario Outline: <method> /pets
      When <method> /pets is sent
      Then what is answered beyond the interface is recorded

      Examples:
        | method  |
        | HEAD    |
        | OPTIONS |

  @rule:other.routes @rule:other.robust
  Rule: What an address gives that no operation has is not said

    @read-only
    Scenario Outline: GET <path>
      When GET <path> is sent
      Then what is answered beyond the interface is recorded

      Examples:
        | path      |
        | /pets/    |
        | /nonesuch |
