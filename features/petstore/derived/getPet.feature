# Derived from the contract by "hallmark derive"; "hallmark derive --check" tells when it is out of date.
# To change it, change the contract, the catalogue of rules or the deriving (spec/derive).
@derived @operation:getPet
Feature: getPet, GET /pets/{petId}
  Read one animal.

  @rule:auth.required @level:must
  Rule: Every operation answers 401 when the key is missing or not valid

    @read-only @phase:any
    Scenario: no credential is sent
      Given the credential is missing
      When getPet is called
      Then the response is 401

  @rule:auth.missing @level:must
  Rule: A request without a credential is answered 401

    @read-only @phase:any
    Scenario: the credential is missing
      Given the credential is missing
      When getPet is called
      Then the response is 401

  @rule:auth.empty @level:must
  Rule: An empty bearer token is answered 401

    @read-only @phase:any
    Scenario: the credential is an empty bearer token
      Given the credential is an empty bearer token
      When getPet is called
      Then the response is 401

  @rule:auth.scheme @level:must
  Rule: A credential under another scheme than Bearer is answered 401

    @read-only @phase:any
    Scenario Outline: the credential is <credential>
      Given the credential is <credential>
      When getPet is called
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

    @read-only @phase:any
    Scenario: the credential is a random key
      Given the credential is a random key
      When getPet is called
      Then the response is 401

  @rule:auth.prefix @level:must
  Rule: A part of the right key is answered 401

    @read-only @phase:any
    Scenario Outline: the credential is <credential>
      Given the credential is <credential>
      When getPet is called
      Then the response is 401

      Examples:
        | credential                                |
        | the right key without its last character  |
        | the first half of the right key           |
        | the right key without its first character |

  @rule:auth.appended @level:must
  Rule: The right key with something added to it is answered 401

    @read-only @phase:any
    Scenario Outline: the credential is <credential>
      Given the credential is <credential>
      When getPet is called
      Then the response is 401

      Examples:
        | credential                                   |
        | the right key with a character added         |
        | the right key given twice without a gap      |
        | the right key with a character put before it |

  @rule:auth.case @level:must
  Rule: The right key with its letters' case swapped is answered 401

    @read-only @phase:any
    Scenario: the credential is the right key with its case swapped
      Given the credential is the right key with its case swapped
      When getPet is called
      Then the response is 401

  @rule:auth.altered @level:must
  Rule: Another key of the right key's length, however alike, is answered 401

    @read-only @phase:any
    Scenario Outline: the credential is <credential>
      Given the credential is <credential>
      When getPet is called
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

    @read-only @phase:any
    Scenario Outline: petId belongs to nothing, the credential is <credential>
      Given the credential is <credential>
      When getPet is called with an unknown petId
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

    @read-only @phase:any
    Scenario Outline: petId is a word, the credential is <credential>
      Given the credential is <credential>
      When getPet is called with petId abc
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

  @rule:get.found @level:must
  Rule: Asked for an animal that exists, the response is 200 with the animal

    @read-only @rule:pet.object @rule:pet.id @rule:pet.name @rule:pet.categoryId @rule:pet.status
    Scenario: petId comes from a response of listPets
      Given listPets has answered 200
      When getPet is called with the petId of that response
      Then the response is 200

    @rule:pet.object @rule:pet.id @rule:pet.name @rule:pet.categoryId @rule:pet.status
    Scenario: petId comes from a response of createPet
      Given createPet has answered 201
      When getPet is called with the petId of that response
      Then the response is 200

  @rule:get.created @level:must
  Rule: A created animal is found at once, just as it was answered on creation

    Scenario: compared with the response of createPet
      Given createPet has answered 201
      When getPet is called with the petId of that response
      Then the response is 200
      And it is what that response held

  @rule:get.listed @level:must
  Rule: A listed animal can be read by its id and is the same animal

    @read-only
    Scenario: compared with the response of listPets
      Given listPets has answered 200
      When getPet is called with the petId of that response
      Then the response is 200
      And it is what that response held

  @rule:get.unknown @level:must
  Rule: Asked for an id that no animal has, the response is 404

    @read-only @phase:any
    Scenario: petId belongs to nothing
      When getPet is called with an unknown petId
      Then the response is 404

    @read-only @phase:any
    Scenario: petId belongs to nothing, again and again
      When getPet is called 5 times with an unknown petId
      Then each response is 404

  @rule:get.extreme @level:must
  Rule: Asked for any int64, the response is 404 or the animal with exactly that id

    @read-only @phase:any
    Scenario Outline: <case>
      When getPet is called with petId <petId>
      Then the response is 404, or 200 with that petId

      Examples:
        | case                        | petId                |
        | petId is zero               | 0                    |
        | petId is negative           | -1                   |
        | petId is the greatest int64 | 9223372036854775807  |
        | petId is the least int64    | -9223372036854775808 |
        | petId is 2^31-10            | 2147483638           |
        | petId is 2^31-1             | 2147483647           |
        | petId is 2^31               | 2147483648           |
        | petId is 2^31+1             | 2147483649           |
        | petId is 2^31+10            | 2147483658           |
        | petId is -2^31-10           | -2147483658          |
        | petId is -2^31-1            | -2147483649          |
        | petId is -2^31              | -2147483648          |
        | petId is -2^31+1            | -2147483647          |
        | petId is -2^31+10           | -2147483638          |
        | petId is 2^53-10            | 9007199254740982     |
        | petId is 2^53-1             | 9007199254740991     |
        | petId is 2^53               | 9007199254740992     |
        | petId is 2^53+1             | 9007199254740993     |
        | petId is 2^53+10            | 9007199254741002     |
        | petId is -2^53-10           | -9007199254741002    |
        | petId is -2^53-1            | -9007199254740993    |
        | petId is -2^53              | -9007199254740992    |
        | petId is -2^53+1            | -9007199254740991    |
        | petId is -2^53+10           | -9007199254740982    |
        | petId is 2^63-10            | 9223372036854775798  |
        | petId is -2^63+1            | -9223372036854775807 |
        | petId is -2^63+10           | -9223372036854775798 |

  @rule:get.petId.type @level:open
  Rule: Which error an id gives that is not an int64 is not said

    @read-only
    Scenario Outline: <case>
      When getPet is called with petId <petId>
      Then the response is the service's own choice

      Examples:
        | case                                   | petId                |
        | petId is a word                        | abc                  |
        | petId is a fraction                    | 1.5                  |
        | petId is a number followed by a letter | 1x                   |
        | petId is one above the greatest int64  | 9223372036854775808  |
        | petId is one below the least int64     | -9223372036854775809 |
        | petId is the word null                 | null                 |
