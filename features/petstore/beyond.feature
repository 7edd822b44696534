Feature: Beyond the interface

  @rule:other.robust
  Rule: What is not defined is not answered with a server error

    @read-only
    Scenario Outline: <method> <path>
      When <method> <path> is sent
      Then what is answered beyond the interface is recorded

      Examples:
        | method  | path          |
        | GET     | /store/orders |
        | HEAD    | /pets         |
        | OPTIONS | /pets         |
        | GET     | /pets/        |
        | GET     | /nonesuch     |
