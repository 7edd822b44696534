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
	// Name is its path from the root of the module, with slashes.
	Name  string
	Lines []string
}

// Fence is a block of code: Lines[From:To] of its page, the fences not included.
type Fence struct {
	Language, Attributes string
	From, To             int
}

// Read returns the pages of the documentation, README.md among them, of the module whose root is given.
func Read(t testing.TB, root string) []Page {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	var all []Page
	for _, name := range append(names, filepath.Join(root, "README.md")) {
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

// Fences returns the blocks of code, in their order.
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

// Prose is the page without its blocks of code, line by line.
func (p Page) Prose() []string {
	text := slices.Clone(p.Lines)
	for _, f := range p.Fences() {
		for i := f.From - 1; i <= f.To; i++ {
			text[i] = ""
		}
	}
	return text
}

// Attribute is what stands behind "name=" in the line that opens a block.
func (f Fence) Attribute(name string) string {
	for word := range strings.FieldsSeq(f.Attributes) {
		if text, found := strings.CutPrefix(word, name+"="); found {
			return text
		}
	}
	return ""
}

// Kind is the first word behind the language that is no name=value.
func (f Fence) Kind() string {
	for word := range strings.FieldsSeq(f.Attributes) {
		if !strings.Contains(word, "=") {
			return word
		}
	}
	return ""
}

// Anchors are the names that a page's headings have in links.
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
