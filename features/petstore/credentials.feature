Feature: Credentials

  @rule:auth.accepted
  Rule: The right key is let in by every operation

    @read-only
    Scenario: a list
      When listPets is called
      Then the response is 200

    Scenario: a creation
      When createPet is called
      Then the response is 201

    Scenario: a read
      Given a created "pet"
      When it is read
      Then the response is 200

  @rule:auth.first @operation:createPet
  Rule: A missing or invalid key is answered 401 whatever else is wrong with the request

    Scenario Outline: a creation with a wrong body, and the credential is <credential>
      Given a plain body without name
      And the credential is <credential>
      When createPet is called
      Then the response is 401

      Examples:
        | credential   |
        | missing      |
        | a random key |

    Scenario Outline: a creation with a body that is no JSON, and the credential is <credential>
      Given a plain body cut short
      And the credential is <credential>
      When createPet is called
      Then the response is 401

      Examples:
        | credential   |
        | missing      |
        | a random key |

    Scenario Outline: a creation whose Content-Type is <type>, and the credential is <credential>
      Given a plain body with "x": 1
      And the Content-Type is <type>
      And the credential is <credential>
      When createPet is called
      Then the response is 401

      Examples:
        | type       | credential   |
        | text/plain | missing      |
        | text/plain | a random key |

    Scenario: a creation without a body
      Given there is no body
      And the credential is missing
      When createPet is called
      Then the response is 401

  @rule:auth.first @operation:listPets
  Rule: A list with a wrong query is answered 401 all the same

    @read-only
    Scenario Outline: <asked>, and the credential is <credential>
      Given the credential is <credential>
      When listPets is called with <asked>
      Then the response is 401

      Examples:
        | asked         | credential   |
        | limit 0       | missing      |
        | limit 101     | a random key |
        | limit abc     | missing      |
        | limit abc     | a random key |
        | status hungry | missing      |
        | status hungry | a random key |

  @rule:auth.first @operation:getPet
  Rule: A read of nothing is answered 401 all the same

    @read-only
    Scenario Outline: the petId is <petId>, and the credential is <credential>
      Given the credential is <credential>
      When getPet is called with petId <petId>
      Then the response is 401

      Examples:
        | petId               | credential   |
        | abc                 | missing      |
        | abc                 | a random key |
        | 9223372036854775807 | missing      |
        | 9223372036854775807 | a random key |

  @rule:auth.steady @phase:any
  Rule: The key is checked every time, not only now and then

    @read-only
    Scenario Outline: <operation> is called 48 times, two at a time, and the credential is <credential>
      Given the credential is <credential>
      When "<operation>" is called 48 times by 2 clients at once
      Then each response is 401

      Examples:
        | operation | credential   |
        | listPets  | a random key |
        | getPet    | a random key |
        | createPet | a random key |

  @rule:auth.required @phase:end
  Rule: Every operation answers 401 when the key is missing or not valid, however long it was asked

    @read-only
    Scenario Outline: <operation> at the end of the run
      Given the credential is a random key
      When <operation> is called
      Then the response is 401

      Examples:
        | operation |
        | listPets  |
        | getPet    |
        | createPet |
