package files_test

import (
	"os"
	"path/filepath"
	"testing"

	"hallmark/internal/files"
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
