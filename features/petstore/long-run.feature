# What a run of many hundred requests leaves behind, looked at once more when all else is done, or nearly.
Feature: After some hundred requests

  @phase:last @rule:get.kept @rule:pet.identity @operation:getPet
  Rule: A created animal is still found at the end of the run

    Scenario: every animal that this run created
      Given an animal that this run created
      When every animal that this run created is looked for again
      Then each is there with the name and the categoryId that it was answered with

  @rule:answer.status @rule:error.body @rule:error.status @rule:error.status.same @rule:error.code @rule:error.message
  @rule:answer.body @rule:answer.media-type @rule:answer.json @rule:list.array
  Rule: The service answers as it did at the beginning

    @phase:stocked @read-only
    Scenario: plain requests and bad credentials in turn
      When 32 requests are made, each second one with a bad credential
      Then each bad one was answered 401 and each right one was let in

    @phase:last
    Scenario: one more animal
      When an animal is created with status available
      Then it is read back as it was answered
