package pathguard

import (
	"os"
	"testing"
)

func TestRestore(t *testing.T) {
	if now, there := os.LookupEnv("PATH"); there {
		t.Errorf("PATH is %q before Restore; it was to be removed", now)
	}
	if !set {
		t.Skip("these tests were started without PATH")
	}
	Restore()
	if now := os.Getenv("PATH"); now != path || now == "" {
		t.Errorf("after Restore PATH is %q, want %q", now, path)
	}
}
