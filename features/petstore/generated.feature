# What no list of examples can hold: bodies, sequences and concurrent histories that are generated, from the run's seed.
# A failing one is made as small as it gets before it is told. --examples says how many there are.
@any @phase:stocked
Feature: Whatever is generated

  @rule:create.name.unusual @rule:create.categoryId.unusual @rule:create.accepted @rule:create.echo.name
  @rule:create.echo.categoryId @rule:create.echo.status @rule:get.created @operation:createPet
  Rule: Any valid NewPet is refused with 400, or accepted with 201 and comes back exactly

    Scenario: For any valid NewPet
      When generated valid bodies are sent to createPet
      Then each is refused with 400, or accepted with 201 and comes back exactly

  @rule:create.refused @rule:create.body.json @rule:create.body.object @rule:create.name.required @rule:create.name.type
  @rule:create.categoryId.required @rule:create.categoryId.type @rule:create.categoryId.int64 @rule:create.status.type
  @rule:create.status.values @rule:create.no-trace @operation:createPet
  Rule: Any body that breaks one constraint is refused with 400 and leaves no trace

    Scenario: For any invalid NewPet
      When generated bodies that each break one constraint are sent to createPet
      Then each is refused with 400
      And no list holds an animal of theirs

  @rule:get.created @rule:get.kept @rule:get.stable @rule:pet.identity @rule:list.complete @rule:list.status.complete
  @operation:createPet
  Rule: After any sequence of operations each response agrees with those before it

    Scenario: For any sequence of operations
      When generated sequences of operations are performed
      Then each response agrees with those before it

  @rule:get.id @rule:get.extreme @rule:get.listed @rule:list.limit.honoured @rule:list.status.honoured @operation:listPets
  Rule: After any sequence of reading operations each response agrees with those before it

    @read-only
    Scenario: For any sequence of reading operations
      When generated sequences of reading operations are performed
      Then each response agrees with those before it

  @rule:create.id.unique @rule:get.created @rule:list.complete @rule:pet.identity @operation:createPet
  Rule: Whatever several clients do at once, the responses agree with the operations in some order

    Scenario: For any operations of several clients
      When generated operations of several clients are performed at once
      Then the responses agree with the operations in some order
