package markdown_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/markdown"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

// hostile are texts that Markdown, HTML or a forge would make something of.
func hostile() []string {
	return []string{
		sample.Evil, "@admin", "mail root@example.com.", "see #12", "(#12)", "owner/repo#12", "GH-12", "PETS-123", "!7", ":tada:", "~bug",
		"https://evil.example.com/", "www.evil.example.com", "deadbeef1234567890", "1234567", "deadbee漢", "漢PETS-123é", "1,2345678",
		"[text](https://evil.example.com)", "![i](x)", "<b>bold</b>", "&lt;b&gt;", "&#64;admin", "a|b", `a\|b`, `a\\|b`, `ends with \`,
		"`code`", "``", "` `", "```", "~~~", "**bold**", "_it_", "a_b_c", "# title", "1. item", "1) item", "12. item", "- item", "+ item", "* item",
		"> quote", "===", "---", "| a | b |", "  ", "", "$x$", "[^1]", "<!-- -->", "<details>", "</details>", "</code></td>", "a  b", " a ", "\t", "/close",
		"::error::owned", "##[error]owned", "http", "e.g. 1,204 animals (of 3.5)", `code "not_found", then`, "ελληνικά 漢字 🐶", "a\u202eb", "a\x1b[2Jb", "\xff",
	}
}

// What is written as text is read as the same text, wherever it stands.
func TestTextStaysText(t *testing.T) {
	for _, s := range hostile() {
		for name, write := range map[string]func(string) string{"text": markdown.Text, "code": markdown.Code} {
			checkCell(t, name, s, write(s))
			if strings.TrimSpace(s) != "" {
				checkParagraph(t, name, s, write(s))
			}
		}
		checkFence(t, s)
	}
}

func TestAnyTextStaysText(t *testing.T) {
	letters := []rune("ab1 @#!|\\`*_~<>&[]()\"'.:-+=/$^{}%\nGw0\u202e漢")
	rapid.Check(t, func(r *rapid.T) {
		s := rapid.StringOfN(rapid.RuneFrom(letters), 1, 30, -1).Draw(r, "text")
		checkCell(r, "text", s, markdown.Text(s))
		checkCell(r, "code", s, markdown.Code(s))
		if strings.TrimSpace(s) != "" {
			checkParagraph(r, "text", s, markdown.Text(s))
			checkParagraph(r, "code", s, markdown.Code(s))
		}
		checkFence(r, s)
	})
}

func checkCell(t rapid.TB, name, s, written string) {
	t.Helper()
	doc := sample.Rendered(t, markdown.Table([]string{"a", "b"}, [][]string{{written, "end"}}))
	if all := sample.Troubles(doc); len(all) > 0 {
		t.Fatalf("%s of %q in a table, %q: %s", name, s, written, all)
	}
	cells := sample.Elements(doc, "td")
	if len(cells) != 2 {
		t.Fatalf("%s of %q in a table, %q: %d cells", name, s, written, len(cells))
	}
	same(t, name+" in a table", s, sample.Content(cells[0]))
}

func checkParagraph(t rapid.TB, name, s, written string) {
	t.Helper()
	doc := sample.Rendered(t, written+"\n")
	all, paragraphs := sample.Troubles(doc), sample.Elements(doc, "p")
	if len(all) > 0 || len(paragraphs) != 1 {
		t.Fatalf("%s of %q as a paragraph, %q: %d paragraphs, %s", name, s, written, len(paragraphs), all)
	}
	same(t, name+" in a paragraph", s, sample.Content(paragraphs[0]))
}

func checkFence(t rapid.TB, s string) {
	t.Helper()
	doc := sample.Rendered(t, markdown.Fence("text", s, "end"))
	blocks := sample.Elements(doc, "pre")
	if all := sample.Troubles(doc); len(all) > 0 || len(blocks) != 1 {
		t.Fatalf("the fence of %q: %d blocks, %s", s, len(blocks), all)
	}
	if got, want := sample.Content(blocks[0]), text.Visible(s)+"\nend\n"; got != want {
		t.Fatalf("the fence of %q shows %q", s, got)
	}
}

// same compares what is read with what was meant; a browser shows runs of spaces as one.
func same(t rapid.TB, where, s, got string) {
	t.Helper()
	want := strings.Join(strings.Fields(text.Visible(s)), " ")
	if got = strings.Join(strings.Fields(got), " "); got != want {
		t.Fatalf("%s: %q reads %q", where, s, got)
	}
}
