package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"hallmark/internal/cli"
	"hallmark/internal/options"
	"hallmark/internal/text"
	"hallmark/reports/record"
	"hallmark/spec"
	"hallmark/steps/credentials/scheme"
)

// Document is what a look at a contract alone gives.
type Document struct {
	File       string `json:"file"`
	OpenAPI    string `json:"openapi"`
	Operations int    `json:"operations"`
	Rules      int    `json:"rules"`
	record.Document
	// Impossible are the operations to which no request can be made, with the reason; Locked those for which a credential is missing.
	Impossible []string `json:"impossible,omitempty"`
	Locked     []string `json:"locked,omitempty"`
	// Off are the rules that are switched off, with the reason.
	Off []string `json:"off,omitempty"`
}

// Document looks at the contract: what in it is not understood or wrong, what no request can be made to, and for what a credential
// is missing. It sends nothing.
func (b *Basis) Document(ctx context.Context, env *cli.Env, o options.Options) (*Document, error) {
	operations := b.Contract.Operations()
	d := &Document{
		File: b.from.File, OpenAPI: b.Contract.OpenAPI(), Operations: len(operations), Rules: len(b.Catalogue.Rules), Document: documentOf(b.Contract),
	}
	for _, r := range b.Catalogue.Rules {
		if r.Off != "" {
			d.Off = append(d.Off, r.ID+": "+r.Off)
		}
	}
	if b.promises == nil {
		return d, nil
	}
	keys, err := o.Settings.Keyring(env, operations, "http://localhost", scheme.Secret{Text: env.Getenv(options.KeyVariable), Place: options.KeyVariable}, &http.Client{Timeout: o.Timeout}, false, o.Role)
	if err != nil {
		return nil, err
	}
	for i := range operations {
		op := &operations[i]
		if _, err := b.promises.Requests(op); err != nil {
			d.Impossible = append(d.Impossible, err.Error())
		}
		if missing := (scheme.Missing{}); errors.As(keys.Lacks(op, o.Role), &missing) {
			d.Locked = append(d.Locked, missing.Error())
		}
	}
	return d, ctx.Err()
}

// documentOf returns what in a contract is not understood, and what is wrong with it.
func documentOf(c *spec.Contract) record.Document {
	var d record.Document
	for _, o := range c.Omissions() {
		d.Omissions = append(d.Omissions, record.Remark{File: o.File, Line: o.Line, Pointer: o.Pointer, Text: o.What, Operations: o.Scope})
	}
	for _, f := range c.Defects() {
		d.Defects = append(d.Defects, record.Remark{File: f.File, Line: f.Line, Pointer: f.Pointer, Text: f.Text})
	}
	return d
}

// mostNamed is how many operations a line names.
const mostNamed = 3

// Write writes what was found, a line each.
func (d *Document) Write(w io.Writer) error {
	var out strings.Builder
	fmt.Fprintf(&out, "%s: OpenAPI %s, %s, %s\n", text.Visible(d.File), d.OpenAPI, text.Count(d.Operations, "operation"), text.Count(d.Rules, "rule"))
	remarks := func(title string, all []record.Remark) {
		if len(all) == 0 {
			return
		}
		fmt.Fprintf(&out, "\n%s\n", title)
		for _, r := range all {
			where := text.Visible(cmp.Or(r.File, d.File))
			if r.Line > 0 {
				where += fmt.Sprintf(":%d", r.Line)
			}
			fmt.Fprintf(&out, "  %s: %s%s\n", where, text.Visible(r.Text), concerns(r.Operations))
		}
	}
	lines := func(title string, all []string) {
		if len(all) == 0 {
			return
		}
		fmt.Fprintf(&out, "\n%s\n", title)
		for _, line := range all {
			fmt.Fprintf(&out, "  %s\n", text.Visible(line))
		}
	}
	remarks("Not understood, and so not judged by: "+text.Count(len(d.Omissions), "omission"), d.Omissions)
	remarks("Wrong in the document: "+text.Count(len(d.Defects), "defect"), d.Defects)
	lines("No request can be made: "+text.Count(len(d.Impossible), "operation"), d.Impossible)
	lines("A credential is missing: "+text.Count(len(d.Locked), "operation"), d.Locked)
	lines("Switched off: "+text.Count(len(d.Off), "rule"), d.Off)
	if len(d.Omissions)+len(d.Defects)+len(d.Impossible)+len(d.Locked)+len(d.Off) == 0 {
		out.WriteString("\nEverything in it is understood, and a request can be made to each operation.\n")
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// concerns names the operations that something is about.
func concerns(operations []string) string {
	switch n := len(operations); {
	case n == 0:
		return ""
	case n > mostNamed:
		return fmt.Sprintf(" (%s and %d more operations)", text.Visible(strings.Join(operations[:mostNamed], ", ")), n-mostNamed)
	}
	return " (" + text.Visible(text.Enumerate(operations, "and")) + ")"
}

// notice is the line of a run that says what of the contract is not judged by; empty when that is nothing.
func (b *Basis) notice() string {
	omissions, defects := len(b.Contract.Omissions()), len(b.Contract.Defects())
	if b.promises == nil || omissions+defects == 0 {
		return ""
	}
	return fmt.Sprintf("the contract has %s and %s: hallmark doctor --contract %s", text.Count(omissions, "omission"), text.Count(defects, "defect"), text.ShellQuote(b.from.File))
}
