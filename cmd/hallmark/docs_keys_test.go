package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hallmark/internal/config"
	"hallmark/internal/session"
)

// TestDocsKeys compares the table of all keys in docs/configuration.md with the flags.
func TestDocsKeys(t *testing.T) {
	const heading = "## All keys\n"
	name := filepath.Join(docsRoot, "docs", "configuration.md")
	have, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	before, section, found := strings.Cut(string(have), heading)
	section, after, more := strings.Cut(section, "\n## ")
	if !found || !more {
		t.Fatalf("%s has no section %q with another behind it", name, strings.TrimSpace(heading))
	}
	prose, _, _ := strings.Cut(section, "\n|")
	want := before + heading + strings.TrimRight(prose, "\n") + "\n\n" + keysTable() + "\n## " + after
	if os.Getenv("UPDATE_DOCS") != "" {
		if err := replaceFile(name, want); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, string(have)); diff != "" {
		t.Errorf("docs/configuration.md does not list the keys as they are; run \"make docs\":\n%s", diff)
	}
}

// keysTable lists the keys of a target that are flags.
func keysTable() string {
	var text strings.Builder
	text.WriteString("| Key | Value | Default | What it does |\n|---|---|---|---|\n")
	for _, k := range session.TargetShape().Keys {
		fallback := k.Default
		if fallback != "" {
			fallback = "`" + fallback + "`"
		}
		help := strings.ReplaceAll(k.Help, "|", "\\|")
		text.WriteString("| `" + k.Name + "` | " + valueWords(k) + " | " + fallback + " | " + help + " |\n")
	}
	return text.String()
}

// valueWords say what a key takes.
func valueWords(k config.Key) string {
	words := map[config.Kind]string{
		config.Text: "text", config.Path: "a file", config.Number: "a whole number", config.Decimal: "a number",
		config.Switch: "true or false", config.Duration: "a time", config.Date: "a date", config.Choice: "one of " + strings.Join(k.Choices, ", "),
	}[k.Kind]
	if k.List {
		words += ", or a list"
	}
	return words
}
