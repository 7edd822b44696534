# Many clients at once: first while a list can still hold the whole store, then while it is filled.
@operation:createPet
Feature: Creation by many clients at once

  @rule:create.id.unique @rule:get.created @rule:list.complete
  Rule: Of animals that many clients create at once none is lost, and each has an id of its own

    Scenario: a small store
      When 16 animals are created by 8 clients at once
      Then each of them is created
      And each id is new
      And each can be read as it was answered

  @phase:filling @rule:create.id.unique @rule:get.created
  Rule: Every creation gives an id that no other animal has, also when many create at once

    Scenario: a store of whatever size
      When 36 animals are created by 12 clients at once
      Then each of them is created
      And each id is new
      And each can be read as it was answered
