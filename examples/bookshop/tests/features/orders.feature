Feature: The orders of another customer

  @rule:orders.apart
  Scenario: an order is listed and read below its customer alone
    Given a created "customer" called "anna"
    And a created "customer" called "bert"
    When placeOrder is called with customerId {anna}
    Then the response is 201
    Given in the response, id is remembered as "hers"
    When listOrders is called with customerId {anna}
    Then in some item, id is "{hers}"
    When listOrders is called with customerId {bert}
    Then the response is 200
    And in no item, id is "{hers}"
    When readOrder is called with customerId {anna} and orderId {hers}
    Then the response is 200
    When readOrder is called with customerId {bert} and orderId {hers}
    Then the response is 404

  @rule:orders.private
  Scenario: an order is not shown to another customer
    Given a created "customer" called "anna"
    When placeOrder is called with customerId {anna}
    Then the response is 201
    Given in the response, id is remembered as "hers"
    And the credential is that of the role "neighbour"
    When readOrder is called with customerId {anna} and orderId {hers}
    Then the response is 403 or 404
    When readOrder is called with customerId {anna} and orderId {hers}
    Then the response is 200
