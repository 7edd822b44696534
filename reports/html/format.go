package html

import (
	"bufio"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/view"
)

// Format returns the HTML format.
func Format() reports.Format {
	return reports.Format{
		Name:  "html",
		Says:  "one page for people, which opens without a network: causes, rules, exchanges",
		Write: write,

		Scripts: true,
	}
}

//go:embed style.css
var style string

//go:embed script.js
var script string

//go:embed parts/*.html
var parts embed.FS

func write(w io.Writer, v *view.View) error {
	pieces, err := template.New("page").Funcs(template.FuncMap{
		"number": text.Number[int], "plural": text.Count[int], "words": plurals, "command": command, "name": breakable,
	}).ParseFS(parts, "parts/*.html")
	if err != nil {
		return fmt.Errorf("the pieces of the page cannot be read: %w", err)
	}
	out := &printer{out: bufio.NewWriterSize(w, 64<<10), pieces: pieces}
	p := newPage(v)
	out.piece("page-top", p)
	writeBlocks(out, p)
	out.piece("page-bottom", p)
	return out.flush()
}

// printer writes templates and markup in sequence and keeps the first error.
type printer struct {
	out    *bufio.Writer
	pieces *template.Template
	err    error
}

func (p *printer) piece(name string, data any) {
	if p.err == nil {
		p.err = p.pieces.ExecuteTemplate(p.out, name, data)
	}
}

// raw writes trusted markup.
func (p *printer) raw(ours trusted) { p.bytes([]byte(ours)) }

// bytes writes markup made earlier.
func (p *printer) bytes(made []byte) {
	if p.err == nil {
		_, p.err = p.out.Write(made)
	}
}

func (p *printer) flush() error {
	if p.err != nil {
		return fmt.Errorf("the page cannot be written: %w", p.err)
	}
	return p.out.Flush()
}

// policy returns the content security policy: it allows the page its own style, script and icon, and nothing else.
func policy() string {
	return "default-src 'none'; style-src " + digest(style) + "; script-src " + digest(script) + "; img-src data:; base-uri 'none'; form-action 'none'"
}

func digest(content string) string {
	sum := sha256.Sum256([]byte(content))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
