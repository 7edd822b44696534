package files_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/files"
)

func TestReplace(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "file")
	for _, content := range []string{"one\n", "another\n", ""} {
		if err := files.Replace(path, content); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != content {
			t.Errorf("the file holds %q, %v; it was to hold %q", got, err, content)
		}
	}
	if err := files.Replace(filepath.Join(folder, "none", "file"), ""); err == nil {
		t.Error("a file in a folder that is not there was written")
	}
	if err := files.Replace(folder, ""); err == nil {
		t.Error("a folder was replaced")
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 1 {
		t.Errorf("%d files are left, %v; only the written one was expected", len(left), err)
	}
}

func TestReplaceWithLeavesTheOldFile(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "file")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := files.ReplaceWith(path, func(w io.Writer) error {
		if _, err := io.WriteString(w, "new, but not whole"); err != nil {
			return err
		}
		return broken
	})
	if got, readErr := os.ReadFile(path); !errors.Is(err, broken) || readErr != nil || string(got) != "old" {
		t.Errorf("%v; the file holds %q, %v", err, got, readErr)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 1 {
		t.Errorf("%d files are left, %v", len(left), err)
	}
}

func TestReplaceKeepsPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such permissions")
	}
	path := filepath.Join(t.TempDir(), "file")
	for _, mode := range []os.FileMode{0o644, 0o600, 0o664} { // that of a new file first
		if err := files.Replace(path, "text"); err != nil {
			t.Fatal(err)
		}
		if mode != 0o644 {
			if err := os.Chmod(path, mode); err != nil {
				t.Fatal(err)
			}
			if err := files.Replace(path, "another"); err != nil {
				t.Fatal(err)
			}
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
			t.Errorf("the permissions are %v, %v; want %v", info.Mode(), err, mode)
		}
	}
}

func TestOverwrite(t *testing.T) {
	hello := func(w io.Writer) error {
		_, err := io.WriteString(w, "hello")
		return err
	}
	path := filepath.Join(t.TempDir(), "file")
	if err := files.Overwrite(path, hello); err == nil {
		t.Error("a file was made")
	}
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := files.Overwrite(path, hello); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(path)
	if err != nil || !os.SameFile(before, after) {
		t.Errorf("another file took its place: %v", err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "hello" {
		t.Errorf("the file holds %q, %v", got, err)
	}
}

func TestLock(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "plan9" {
		t.Skip("files are not locked there")
	}
	path := filepath.Join(t.TempDir(), "file")
	first, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	second, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = second.Close() }()
	if !files.Lock(first) {
		t.Fatal("a file that nobody uses cannot be locked")
	}
	if files.Lock(second) {
		t.Error("a file is locked twice")
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if !files.Lock(second) {
		t.Error("a file stays locked after it was closed")
	}
}
