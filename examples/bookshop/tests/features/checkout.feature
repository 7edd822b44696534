Feature: Checkout

  Background:
    Given "The Sea {new}" is remembered as "sea"
    And a created "book" called "first" with {"title": "{sea}", "price": 0.7}
    And "The Land {new}" is remembered as "land"
    And a created "book" called "second" with {"title": "{land}", "price": 0.1}
    And a created "customer"

  # In binary fractions the sum is 2.3999999999999995.
  @rule:checkout.total
  Scenario: an order of two titles costs what its copies cost
    Given a plain body where lines is [{"title": "{sea}", "copies": 3}, {"title": "{land}", "copies": 3}]
    When placeOrder is called
    Then the response is 201
    And in the response, total is 2.4
    When readOrder is called
    Then in the response, total is 2.4

  @rule:checkout.ordered
  Scenario: the copies of an order are counted
    When readBook is called with bookId {first}
    Then in the response, ordered is 0
    Given a plain body where lines is [{"title": "{sea}", "copies": 3}, {"title": "{land}", "copies": 1}]
    When placeOrder is called
    Then the response is 201
    When readBook is called with bookId {first}
    Then in the response, ordered is 3
    When readBook is called with bookId {second}
    Then in the response, ordered is 1

  @rule:checkout.ordered
  Scenario: an order that is refused orders nothing
    Given a plain body where lines is [{"title": "{sea}", "copies": 3}, {"title": "{sea}", "copies": 0}]
    When placeOrder is called
    Then the response is a refusal
    When readBook is called with bookId {first}
    Then in the response, ordered is 0

  @rule:placeOrder.created.same-key @rule:checkout.ordered
  Scenario: an order that is sent twice under one key is placed once
    Given "basket-{new}" is remembered as "key"
    And a plain body where lines is [{"title": "{sea}", "copies": 2}]
    When placeOrder is called 2 times with Idempotency-Key {key}
    Then at least one response is 201
    When listOrders is called
    Then the response has exactly 1 item
    When readBook is called with bookId {first}
    Then in the response, ordered is 2
