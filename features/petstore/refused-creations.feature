# When the store is full and hardly anything is created any more: what appears in the lists then has come of what was asked just
# now, or of other clients.
@phase:last @operation:createPet
Feature: Refused when all else is done

  @rule:create.no-trace
  Rule: A creation that was answered 400 has stored nothing, whatever the store holds

    Scenario: an animal that nobody would recognise, in a store of whatever size
      When creations that must be refused with 400 are tried
      Then no animal appears behind them

  @rule:auth.no-trace
  Rule: A request that was answered 401 has changed nothing, whatever the store holds

    Scenario: an animal that nobody would recognise, in a store of whatever size
      When creations that must be refused with 401 are tried
      Then no animal appears behind them
