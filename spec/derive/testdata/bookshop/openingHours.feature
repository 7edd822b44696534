# Derived from the contract by "hallmark derive"; "hallmark derive --check" tells when it is out of date.
# To change it, change the contract, the catalogue of rules or the deriving (spec/derive).
@derived @operation:openingHours
Feature: openingHours, GET /hours

  @rule:openingHours.answer @level:must
  Rule: answer in openingHours

    @read-only
    Scenario: a plain request
      When openingHours is called
      Then the response is 200

  @rule:openingHours.parameter-member @level:must
  Rule: parameter-member in openingHours

    @read-only
    Scenario Outline: <case>
      When openingHours is called with day <day>
      Then the response is 200

      Examples:
        | case           | day     |
        | day is weekday | weekday |
        | day is weekend | weekend |

  @rule:openingHours.parameter-left-out @level:must
  Rule: parameter-left-out in openingHours

    @read-only
    Scenario: no parameter is given
      When openingHours is called
      Then the response is 200

  @rule:openingHours.parameter-not-member @level:open
  Rule: parameter-not-member in openingHours

    @read-only
    Scenario Outline: <case>
      When openingHours is called with day <day>
      Then the response is the service's own choice

      Examples:
        | case                                          | day             |
        | day is empty                                  | ""              |
        | day is an unknown word                        | nonesuch        |
        | day is weekday in upper case                  | WEEKDAY         |
        | day is weekday capitalised                    | Weekday         |
        | day is weekday followed by a blank            | "weekday "      |
        | day is weekday preceded by a blank            | " weekday"      |
        | day is weekday cut short                      | weekda          |
        | day is weekday with a later last character    | weekdaz         |
        | day is weekday with an earlier last character | weekdax         |
        | day is weekend in upper case                  | WEEKEND         |
        | day is weekend capitalised                    | Weekend         |
        | day is weekend followed by a blank            | "weekend "      |
        | day is weekend preceded by a blank            | " weekend"      |
        | day is weekend cut short                      | weeken          |
        | day is weekend with a later last character    | weekene         |
        | day is weekend with an earlier last character | weekenc         |
        | day is two of them with a comma               | weekday,weekend |
