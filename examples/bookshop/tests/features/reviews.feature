Feature: Reviews of a book

  Background:
    Given a created "book" called "read"
    And a created "book" called "unread"
    And a plain body where text is "The first {new}"
    When addReview is called with bookId {read}
    Then the response is 201
    Given in the response, id is remembered as "first"

  @rule:reviews.of-their-book
  Scenario: a review is listed and read below its book alone
    When listReviews is called with bookId {unread}
    Then the response is 200
    And the response has exactly 0 items
    When readReview is called with bookId {read} and reviewId {first}
    Then the response is 200
    When readReview is called with bookId {unread} and reviewId {first}
    Then the response is 404

  @rule:reviews.oldest-first
  Scenario: reviews are listed as they came
    Given a plain body where text is "The second {new}"
    When addReview is called with bookId {read}
    Then the response is 201
    Given in the response, id is remembered as "second"
    When listReviews is called with bookId {read}
    Then the response has exactly 2 items
    And in the response, /0/id is "{first}"
    And in the response, /1/id is "{second}"
