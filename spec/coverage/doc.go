// Package coverage lists what a contract documents, and says which of it an exchange puts to the test: operations, responses, media types,
// parameters, and keywords and branches of schemas.
//
// A request that was refused tests none of its parameters and nothing of its body: the service may have looked at neither. A response that
// could not be judged tests nothing at all.
package coverage
