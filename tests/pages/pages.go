package pages

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Page is a file of the documentation.
type Page struct {
	// Name is its path relative to the root of the module, with slashes.
	Name  string
	Lines []string
}

// Fence is a code block: Lines[From:To] of its page, without the fences.
type Fence struct {
	Language, Attributes string
	From, To             int
}

// Read returns the pages of the documentation of the module at root, including README.md and those for agents.
func Read(t testing.TB, root string) []Page {
	t.Helper()
	names := []string{filepath.Join(root, "README.md"), filepath.Join(root, "llms.txt")}
	for _, pattern := range []string{"docs/*.md", "skills/*/SKILL.md"} {
		found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, found...)
	}
	var all []Page
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		relative, err := filepath.Rel(root, name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, Page{filepath.ToSlash(relative), strings.Split(string(text), "\n")})
	}
	return all
}

// Fences returns the code blocks in order.
func (p Page) Fences() []Fence {
	var all []Fence
	inside := false
	for i, line := range p.Lines {
		info, isFence := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case isFence && !inside:
			language, attributes, _ := strings.Cut(info, " ")
			all = append(all, Fence{Language: language, Attributes: attributes, From: i + 1})
		case isFence:
			all[len(all)-1].To = i
		}
		inside = inside != isFence
	}
	return all
}

// Prose returns the lines of the page without its code blocks.
func (p Page) Prose() []string {
	text := slices.Clone(p.Lines)
	for _, f := range p.Fences() {
		for i := f.From - 1; i <= f.To; i++ {
			text[i] = ""
		}
	}
	return text
}

// Attribute returns the value after "name=" in the line that opens a block.
func (f Fence) Attribute(name string) string {
	for word := range strings.FieldsSeq(f.Attributes) {
		if text, found := strings.CutPrefix(word, name+"="); found {
			return text
		}
	}
	return ""
}

// Kind returns the first word after the language that is not name=value.
func (f Fence) Kind() string {
	for word := range strings.FieldsSeq(f.Attributes) {
		if !strings.Contains(word, "=") {
			return word
		}
	}
	return ""
}

// Anchors returns the link names of a page's headings.
func (p Page) Anchors() map[string]bool {
	all := map[string]bool{}
	for _, line := range p.Prose() {
		if title, isHeading := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); isHeading && strings.HasPrefix(line, "#") {
			name := regexp.MustCompile(`[^\w\s-]`).ReplaceAllString(strings.ToLower(title), "")
			all[strings.ReplaceAll(name, " ", "-")] = true
		}
	}
	return all
}
