package petstore_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// TestMain runs the tests, and finds goroutines that they leave behind; or, in the child process of the kill test, the
// service that is going to be killed.
func TestMain(m *testing.M) {
	if path := os.Getenv(childFile); path != "" {
		os.Exit(runChild(path))
	}
	goleak.VerifyTestMain(m)
}
