package sample

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	nethtml "golang.org/x/net/html"
)

// Reader is what reads Markdown: a test or a property.
type Reader interface {
	Helper()
	Fatal(args ...any)
}

// Rendered returns Markdown as a forge displays it: parsed as GitHub's dialect with all HTML allowed, so that safety does not depend on the
// renderer.
func Rendered(t Reader, source string) *nethtml.Node {
	t.Helper()
	md := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	var page bytes.Buffer
	if err := md.Convert([]byte(source), &page); err != nil {
		t.Fatal(err)
	}
	doc, err := nethtml.Parse(&page)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// linkedWords matches what forges turn into links or mentions outside code.
var linkedWords = regexp.MustCompile(`@\w|#\w|!\d|://|www\.\w|GH-\d|:\w+:|\b[0-9a-f]{7,}\b|\b[A-Z]{2,}-\d+\b`)

// Troubles returns what a page must not contain: elements and attributes that we do not write, words that a forge would link, rows that do
// not fit their table.
func Troubles(doc *nethtml.Node) []string {
	var all []string
	elements := []string{
		"html", "head", "body", "h2", "h3", "p", "br", "code", "pre", "strong", "em", "ul", "li",
		"details", "summary", "table", "thead", "tbody", "tr", "th", "td",
	}
	for n := range doc.Descendants() {
		switch n.Type {
		case nethtml.CommentNode:
			all = append(all, "the comment "+n.Data)
		case nethtml.TextNode:
			if found := linkedWords.FindString(n.Data); found != "" && !within(n, "code") {
				all = append(all, "outside of code stands "+found+" in "+n.Data)
			}
		case nethtml.ElementNode:
			if !slices.Contains(elements, n.Data) {
				all = append(all, "the element "+n.Data)
			}
			for _, a := range n.Attr {
				if a.Key != "style" && a.Key != "class" || within(n, "details") && n.Data == "details" {
					all = append(all, "the attribute "+a.Key+"="+a.Val)
				}
			}
		default:
		}
	}
	for _, table := range Elements(doc, "table") {
		columns := len(Elements(table, "th"))
		for _, row := range Elements(table, "tr")[1:] {
			if n := len(Elements(row, "td")); n != columns || columns == 0 {
				all = append(all, "a row of another width: "+Content(row))
			}
		}
	}
	return all
}

func within(n *nethtml.Node, element string) bool {
	for ; n != nil; n = n.Parent {
		if n.Type == nethtml.ElementNode && n.Data == element {
			return true
		}
	}
	return false
}

// Elements returns the elements with a name, in page order.
func Elements(n *nethtml.Node, element string) []*nethtml.Node {
	var all []*nethtml.Node
	for d := range n.Descendants() {
		if d.Type == nethtml.ElementNode && d.Data == element {
			all = append(all, d)
		}
	}
	return all
}

// Content returns the visible text.
func Content(n *nethtml.Node) string {
	var text strings.Builder
	for d := range n.Descendants() {
		if d.Type == nethtml.TextNode {
			text.WriteString(d.Data)
		}
	}
	return text.String()
}
