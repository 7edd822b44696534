Feature: Signs

  @rule:signs.lost-update
  Scenario: a change by an old ETag is refused
    Given a created "sign" with {"title": "One {new}", "colour": "red"}
    When it is read
    Then the response is 200
    Given the response's header ETag is remembered as "tag"
    When it is changed with {"colour": "green"}
    Then the response is 200
    Given the header If-Match is "{tag}"
    When it is changed with {"colour": "blue"}
    Then the response is 412
    When it is read
    Then in the response, colour is "green"

  @rule:signs.lost-update
  Scenario: a change by no ETag is refused
    Given a created "sign" with {"title": "One {new}"}
    And the header If-Match is absent
    When it is replaced with {"colour": "blue"}
    Then the response is 428

  @rule:signs.not-modified
  Scenario: what is known is not sent again
    Given a created "sign" with {"title": "One {new}"}
    When readSign is called
    Then the response has the header ETag
    Given the response's header ETag is remembered as "tag"
    And the header If-None-Match is "{tag}"
    When readSign is called
    Then the response is 304
