# When all else is done: is it what was asked for that was answered wrongly, or was it the moment? Where nothing was, nothing
# is asked.
@phase:end
Feature: Asked once more

  @rule:answer.status
  Rule: A request that keeps the contract gets a documented status whenever it is made

    @read-only
    Scenario: once more
      When whatever got a response that its operation never gives is asked for once more
      Then each is answered as it was before
