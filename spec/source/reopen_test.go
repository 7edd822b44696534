package source_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hallmark-kit/hallmark/spec/source"
)

// A document is the same when it is read from its texts, whatever has become of its files.
func TestReopen(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"api.yaml":        "a: {$ref: 'parts/b.yaml#/b'}\nc: {$ref: gone.yaml}\n",
		"parts/b.yaml":    "b: {$ref: '../api.yaml#/a'}\nd: {$ref: c.json}\n",
		"parts/c.json":    `{"e": [1, 2]}`,
		"parts/other.txt": "no part of it",
	} {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	first, err := source.Open(filepath.Join(folder, "api.yaml"), source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	again, err := source.Reopen(first.Own(), first.Texts())
	if err != nil {
		t.Fatal(err)
	}
	if again.Digest() != first.Digest() {
		t.Errorf("it has the digest %s, and had %s", again.Digest(), first.Digest())
	}
	for _, pointer := range []string{"/a/$ref", "parts/b.yaml#/d", "parts/c.json#/e/1", "gone.yaml#/x"} {
		if was, is := first.Line(pointer), again.Line(pointer); was != is {
			t.Errorf("%s stands in line %d, and stood in line %d", pointer, is, was)
		}
	}
	if got := again.Text("parts/c.json#/e/1"); got != "2" {
		t.Errorf("/e/1 is %q, want 2", got)
	}
	texts := first.Texts()
	texts[""] = "{"
	if _, err := source.Reopen(first.Own(), texts); err == nil {
		t.Error("a damaged text was read")
	}
}
