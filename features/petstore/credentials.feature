Feature: Credentials are checked again and again

  @rule:auth.steady @rule:auth.required
  Rule: The key is checked every time, not only now and then

    @read-only @phase:any
    Scenario: bad and right credentials in turn, for every reading operation
      When 96 requests are made, each second one with a bad credential
      Then each bad one was answered 401 and each right one was let in

    Scenario: bad and right credentials in turn, for creation
      When 48 creations are tried with bad credentials
      Then each bad one was answered 401 and each right one was let in
