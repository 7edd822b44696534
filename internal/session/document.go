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
	"hallmark/spec/resource"
	"hallmark/steps/credentials/scheme"
	"hallmark/steps/scenario"
)

// Document is what a look at a contract alone gives.
type Document struct {
	File       string `json:"file"`
	OpenAPI    string `json:"openapi"`
	Operations int    `json:"operations"`
	Rules      int    `json:"rules"`
	record.Document
	// NeverCalled are the operations that no run calls, by the reason; Locked those for which a credential is missing, by what to do.
	NeverCalled []Group `json:"neverCalled,omitempty"`
	Locked      []Group `json:"locked,omitempty"`
	// Off are the rules that are switched off, with the reason.
	Off []string `json:"off,omitempty"`
}

// Group are operations of which the same is to be said.
type Group struct {
	Says       string   `json:"says"`
	Operations []string `json:"operations"`
}

// group adds an operation to the group of which that is said.
func group(all []Group, says, operation string) []Group {
	for i := range all {
		if all[i].Says == says {
			all[i].Operations = append(all[i].Operations, operation)
			return all
		}
	}
	return append(all, Group{says, []string{operation}})
}

// count returns how many operations the groups hold.
func count(all []Group) int {
	n := 0
	for _, g := range all {
		n += len(g.Operations)
	}
	return n
}

// Document looks at the contract: what in it is not understood or wrong, what no run calls, and for what a credential is missing. It sends nothing.
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
	from := resource.Of(b.Contract)
	for i := range operations {
		op := &operations[i]
		if why := scenario.NeverCalled(op, b.promises, from); why != "" {
			d.NeverCalled = group(d.NeverCalled, why, op.ID)
		}
		if missing := (scheme.Missing{}); errors.As(keys.Lacks(op, o.Role), &missing) {
			d.Locked = group(d.Locked, missing.Remedy(), op.ID)
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
	groups := func(title string, all []Group) {
		said := make([]string, len(all))
		for i, g := range all {
			said[i] = g.Says + concerns(g.Operations)
		}
		lines(title+text.Count(count(all), "operation"), said)
	}
	groups("Never called: ", d.NeverCalled)
	groups("A credential is missing: ", d.Locked)
	lines("Switched off: "+text.Count(len(d.Off), "rule"), d.Off)
	if len(d.Omissions)+len(d.Defects)+len(d.NeverCalled)+len(d.Locked)+len(d.Off) == 0 {
		out.WriteString("\nEverything in it is understood, and a run may call each operation.\n")
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
