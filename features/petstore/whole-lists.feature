# Before the run fills the store: what only a list of the whole store can prove.
@phase:small @operation:listPets
Feature: A store that a list can still hold

  @at-once
  Rule: A list that holds the whole store holds every animal that was created, and no list holds one that was refused

    @rule:list.complete @read-only
    Scenario: all that this run has created so far
      Then a list of the whole store holds every animal that this run created

    @rule:create.no-trace @rule:auth.no-trace @read-only
    Scenario: every list that a refused animal could show in
      Given this run has had creations refused
      When the lists are looked through
      Then none holds an animal whose creation was refused
