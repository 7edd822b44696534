Feature: Books

  @rule:pages.total
  Scenario: the total is that of all pages
    Given 3 created "books" with {"genre": "history"}
    Then it is listed
    When listBooks is called with genre history and limit 1
    Then the response is 200
    And the response has exactly 1 item
    And the response's header X-Total-Count is at least 3

  @rule:listBooks.list.pages-disjoint @rule:listBooks.list.limit
  Scenario: the next page goes on behind the one before
    Given 3 created "books" with {"genre": "poetry"}
    Then it is listed
    When listBooks is called with genre poetry and limit 1
    Then the response has exactly 1 item
    Given in the response, next is remembered as "next"
    And in the response, /items/0/id is remembered as "shown"
    When listBooks is called with genre poetry and limit 1 and cursor {next}
    Then the response is 200
    And the response has at most 1 item
    And in no item, id is "{shown}"

  @rule:changeBook.updated.rest
  Scenario: a change keeps what it does not name
    Given "The Tide {new}" is remembered as "title"
    And a created "book" with {"title": "{title}", "pages": 211, "genre": "science", "price": 7.25, "inPrint": true}
    When it is changed with {"pages": 212}
    Then the response is 200
    When "readBook" is called until pages is 212
    Then in the response, pages is 212
    And in the response, title is "{title}"
    And in the response, genre is "science"
    And in the response, price is 7.25
    And in the response, inPrint is true

  @rule:changeBook.updated.rest
  Scenario: a change to null takes a member away, and nothing else
    Given a created "book" with {"subtitle": "A Memoir", "pages": 80, "price": 3}
    When it is changed with {"subtitle": null, "pages": 81}
    Then the response is 200
    When "readBook" is called until pages is 81
    Then in the response, subtitle is not "A Memoir"
    And in the response, price is 3
    And in the response, pages is 81

  @rule:covers.shown
  Scenario: an uploaded cover takes the place of the plain one
    Given a created "book"
    When readCover is called
    Then the response is 200
    When uploadCover is called
    Then the response is 200
    And in the response, bytes is at least 1
    And in the response, caption is what was sent
    When readCover is called
    Then the response is not as before
    When readCover is called
    Then the response is as before

  @rule:problems.place
  Scenario Outline: a refused <member> is named
    Given a plain body where <member> is <value>
    When addBook is called
    Then the response is a refusal
    And the response's header Content-Type matches "^(?i)application/problem\+json"
    And in some item of errors, at contains "<member>"

    Examples:
      | member | value   |
      | pages  | 0       |
      | genre  | "prose" |
      | title  | ""      |
