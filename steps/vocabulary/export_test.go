package vocabulary

// Unexported constants for tests.
const (
	EnoughLetIn  = enoughLetIn
	MaxTries     = maxTries
	MaxTriesEach = maxTriesEach
)

var CredentialRule = credentialRule
