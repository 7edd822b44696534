package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// Document is what an inspection of the contract alone shows.
type Document struct {
	File       string `json:"file"`
	OpenAPI    string `json:"openapi"`
	Operations int    `json:"operations"`
	Rules      int    `json:"rules"`
	record.Document
	// Changing are the operations that a run calls and that may change something; HeldBack those that it does not
	// call because of the damage they may do, unless a flag names them.
	Changing []Effect `json:"changing,omitempty"`
	HeldBack []Effect `json:"heldBack,omitempty"`
	// NeverCalled are the operations that no run calls, by reason; Locked those without a credential, by remedy.
	NeverCalled []Group `json:"neverCalled,omitempty"`
	Locked      []Group `json:"locked,omitempty"`
	// Unlocking are lines of a file of values that would unlock operations.
	Unlocking []Group `json:"unlocking,omitempty"`
	// Refused are the operations that refused each plain body in the last run by the contract, and what was found or not found instead.
	Refused []record.BodySearch `json:"refused,omitempty"`
	// Suggested are lines of a file of values that may make operations succeed that never did in the last run by the contract.
	Suggested []Group `json:"suggested,omitempty"`
	// Off are the rules that are switched off, with the reason.
	Off []string `json:"off,omitempty"`
}

// Effect is what a call of an operation does, or may do.
type Effect struct {
	Operation string `json:"operation"`
	Method    string `json:"method"`
	Path      string `json:"path"`
	Does      string `json:"does"`
	// Flag makes a run call it anyway; empty if it is called without a flag.
	Flag string `json:"flag,omitempty"`
}

// String is one line, without a line end.
func (e Effect) String() string {
	line := e.Operation + " (" + e.Method + " " + e.Path + "): " + e.Does
	if e.Flag != "" {
		line += "; " + e.Flag + " calls it"
	}
	return line
}

// Group is a group of operations with the same remark.
type Group struct {
	Says       string   `json:"says"`
	Operations []string `json:"operations"`
}

// group adds an operation to the group with that remark.
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

// Document inspects the contract: which parts are not understood or wrong, which operations no run calls, and
// which need a credential that is missing. It sends nothing.
func (b *Basis) Document(ctx context.Context, env *cli.Env, o options.Options) (*Document, error) {
	operations := b.Contract.Operations()
	d := &Document{
		File: b.from.File, OpenAPI: b.Contract.OpenAPI(), Operations: len(operations), Rules: len(b.Catalogue.Rules), Document: b.document(),
	}
	for _, r := range b.Catalogue.Rules {
		if r.Off != "" {
			d.Off = append(d.Off, r.ID+": "+r.Off)
		}
	}
	keys, err := o.Settings.Keyring(env, operations, "http://localhost", scheme.Secret{Text: env.Getenv(options.KeyVariable), Place: options.KeyVariable}, &http.Client{Timeout: o.Run.Timeout}, false, o.Run.Target.Role)
	if err != nil {
		return nil, err
	}
	base, err := scenario.ParseBaseURL(o.BaseURL)
	if err != nil {
		base = "" // the checks of the target report that
	}
	from := resource.Of(b.Contract)
	for i := range operations {
		op := &operations[i]
		d.effect(op, b.promises, from, base, o.Run.Target.Allowed)
		if missing := (scheme.Missing{}); errors.As(keys.Lacks(op, o.Run.Target.Role), &missing) {
			d.Locked = group(d.Locked, missing.Remedy(), op.ID)
		}
	}
	d.Unlocking = unlocking(b.Contract, b.promises, from)
	if last := lastRun(env, b.Contract.Digest(), base); last != nil {
		d.Refused = slices.DeleteFunc(last.Bodies, func(one record.BodySearch) bool { return !one.OfPlain() })
		for _, one := range view.New(last, view.Sources{Catalogue: b.Catalogue}).Suggested() {
			if one.Key != "" {
				d.Suggested = append(d.Suggested, Group{one.Key + ": " + one.Example + "  # " + one.Says, one.Operations})
			}
		}
	}
	return d, ctx.Err()
}

// effect records what a run's calls of an operation change, or why it makes none.
func (d *Document) effect(op *spec.Operation, promises *promise.Promises, from *resource.Map, base string, allowed []string) {
	e := Effect{Operation: op.ID, Method: op.Method, Path: op.Path}
	switch why, held := scenario.NeverCalled(op, promises, from, base, allowed); {
	case held:
		e.Does, e.Flag = why, "--allow "+text.ShellQuote(op.ID)
		d.HeldBack = append(d.HeldBack, e)
		return
	case why != "":
		d.NeverCalled = group(d.NeverCalled, why, op.ID)
		return
	}
	if danger, is := from.Danger(op); is {
		e.Does = danger.String() + ", and --allow names it"
	} else if e.Does = from.Effect(op); slices.Contains(allowed, op.ID) {
		e.Does += ", and --allow names it"
	}
	if e.Does != "" {
		d.Changing = append(d.Changing, e)
	}
}

// document returns the parts of the contract that are not understood, what is wrong with it, and which cases are
// left out.
func (b *Basis) document() record.Document {
	var d record.Document
	d.Omissions, d.Defects = remarksOf(b.Contract.Omissions(), b.Contract.Defects())
	all := b.promises.Budget()
	for _, id := range all.Incomplete {
		if op, ok := b.Contract.Operation(id); ok {
			d.Omissions = append(d.Omissions, record.Remark{
				Line: b.Contract.Line(op.Pointer), Pointer: op.Pointer, Operations: []string{id},
				Text: "its schemas have more combinations, properties or values than requests are generated for; only some are tried",
			})
		}
	}
	if all.LeftOut > 0 {
		d.Budget = &record.Budget{Cases: all.Cases, LeftOut: all.LeftOut, PerOperation: all.PerOperation, Requests: all.Requests, Operations: all.Short}
	}
	return d
}

// sentences returns the sentences of the contract that state behaviour, as records hold them.
func (b *Basis) sentences() []record.Sentence {
	var all []record.Sentence
	for _, s := range b.Sentences() {
		all = append(all, record.Sentence{File: s.File, Line: s.Line, Text: s.Text, Rules: s.Rules[:min(len(s.Rules), record.MostRules)], Aside: s.Aside})
	}
	return all
}

// remarksOf returns what is not understood and what is wrong. A part that is both, such as a dangling reference,
// is listed once: as wrong, with the operations that it affects.
func remarksOf(omissions []spec.Omission, defects []spec.Defect) (omitted, wrong []record.Remark) {
	type key struct{ pointer, text string }
	at := map[key]int{}
	for i, f := range defects {
		at[key{f.Pointer, f.Text}] = i
		wrong = append(wrong, record.Remark{File: f.File, Line: f.Line, Pointer: f.Pointer, Text: f.Text})
	}
	for _, o := range omissions {
		if i, both := at[key{o.Pointer, o.What}]; both {
			wrong[i].Operations = o.Scope
			wrong[i].Text += "; it is ignored"
			continue
		}
		omitted = append(omitted, record.Remark{File: o.File, Line: o.Line, Pointer: o.Pointer, Text: o.What, Operations: o.Scope})
	}
	return omitted, wrong
}

// mostNamed is how many operations a line names.
const mostNamed = 3

// Write writes what was found, one line each.
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
	remarks("Not supported and ignored: "+text.Count(len(d.Omissions), "omission"), d.Omissions)
	remarks("Mistakes in the document: "+text.Count(len(d.Defects), "defect"), d.Defects)
	groups := func(title string, all []Group) {
		said := make([]string, len(all))
		for i, g := range all {
			said[i] = g.Says + concerns(g.Operations)
		}
		lines(title+text.Count(count(all), "operation"), said)
	}
	effects := func(title string, all []Effect) {
		said := make([]string, len(all))
		for i, e := range all {
			said[i] = e.String()
		}
		lines(title+text.Count(len(all), "operation"), said)
	}
	effects("Called and may change something: ", d.Changing)
	effects("Held back because of possible harm: ", d.HeldBack)
	groups("Never called: ", d.NeverCalled)
	groups("A credential is missing: ", d.Locked)
	groups("Unlocked by lines of values.yaml: ", d.Unlocking)
	refused := make([]string, len(d.Refused))
	for i := range d.Refused {
		refused[i] = d.Refused[i].Sentence()
	}
	lines("Refused with each plain body in the last run: "+text.Count(len(refused), "operation"), refused)
	groups("Suggested by the last run, as lines of values.yaml: ", d.Suggested)
	lines("Switched off: "+text.Count(len(d.Off), "rule"), d.Off)
	if d.Budget != nil {
		fmt.Fprintf(&out, "\nLeft out for the budget\n  %s\n", beyond(d.Budget))
	}
	if len(d.Omissions)+len(d.Defects)+len(d.HeldBack)+len(d.NeverCalled)+len(d.Locked)+len(d.Off) == 0 {
		out.WriteString("\nEverything is supported, and a run can call every operation.\n")
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
		return fmt.Sprintf(" (%s and %s)", text.Visible(strings.Join(operations[:mostNamed], ", ")), text.Count(n-mostNamed, "more operation"))
	}
	return " (" + text.Visible(text.Enumerate(operations, "and")) + ")"
}

// notices are the lines of a run that say which parts of the contract are not used to judge.
func (b *Basis) notices() []string {
	var all []string
	d := b.document()
	if omissions, defects := len(d.Omissions), len(d.Defects); omissions+defects > 0 {
		all = append(all, fmt.Sprintf("the contract has %s and %s: hallmark doctor --contract %s", text.Count(omissions, "omission"), text.Count(defects, "defect"), text.ShellQuote(b.from.File)))
	}
	if d.Budget != nil {
		all = append(all, beyond(d.Budget))
	}
	return all
}

// beyond says which cases are left out.
func beyond(b *record.Budget) string {
	return fmt.Sprintf("%s derived, at most %d for each operation, which take about %s; %s left out (--per-operation N derives more)",
		text.Count(b.Cases, "case"), b.PerOperation, text.Count(b.Requests, "request"), text.Count(b.LeftOut, "more case"))
}
