//go:build unix

package source

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A reference to what is no regular file has no target, and nobody waits for it: not for a pipe that nobody writes to either.
func TestReferencesLeadToRegularFiles(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	if err := syscall.Mkfifo(at("pipe.yaml"), 0o600); err != nil {
		t.Skip(err)
	}
	t.Chdir(folder) // the name of a socket may not be long
	socket, err := net.Listen("unix", "socket.yaml")
	if err != nil {
		t.Skip(err)
	}
	defer socket.Close()
	for _, err := range []error{
		os.Mkdir(at("folder.yaml"), 0o700), os.Symlink("loop.yaml", at("loop.yaml")), os.Symlink("pipe.yaml", at("link.yaml")), os.Symlink("/dev/zero", at("device.yaml")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, why := range map[string]string{
		"pipe.yaml": "not a regular file", "socket.yaml": "not a regular file", "folder.yaml": "not a regular file", "link.yaml": "not a regular file", "loop.yaml": "too many", "device.yaml": "not a regular file",
	} {
		for _, remote := range []bool{false, true} {
			if name == "device.yaml" && !remote {
				continue // it refers to a file outside the folder
			}
			if err := os.WriteFile(at("api.yaml"), []byte("openapi: 3.0.3\npaths: {$ref: "+name+"}\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			d, err := Open(at("api.yaml"), Options{AllowRemote: remote})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if _, err := follow(d, "/paths"); err == nil || !strings.Contains(err.Error(), why) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// The document itself is whatever its user names: a pipe, too.
func TestTheDocumentMayBeAPipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "api.yaml")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	go func() { _ = os.WriteFile(name, []byte("openapi: 3.0.3\ninfo: {title: T}\n"), 0o600) }()
	d, err := Open(name, Options{})
	if err != nil || d.Text("/info/title") != "T" {
		t.Errorf("%v", err)
	}
}
