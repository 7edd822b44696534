Feature: Books

  Scenario: A book is on the shelf until it is removed
    Given a created "book" called "mine" with {"title": "Emma {new}", "pages": 474}
    When it is read
    Then in the response, pages is 474
    When it is deleted
    Then it can no longer be read
    And I say so
