package vocabulary

// What tests of the package see besides.
const (
	EnoughLetIn  = enoughLetIn
	MaxTries     = maxTries
	MaxTriesEach = maxTriesEach
)

var CredentialRule = credentialRule
