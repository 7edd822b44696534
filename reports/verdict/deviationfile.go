package verdict

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/pb33f/go-yaml"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/internal/text/syntax"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
)

// todo is the placeholder for a reason and a link that somebody still has to write.
const todo = "TODO"

// maxDeviations is the maximum size of the file in bytes.
const maxDeviations = 1 << 20

// deviationKeys returns the keys of an entry in order; neededKeys returns the required ones.
func deviationKeys() []string {
	return []string{"rule", "operation", "kind", "place", "detail", "message", "reason", "link", "expires"}
}

func neededKeys() []string { return []string{"rule", "kind", "reason", "link", "expires"} }

// deviationEntry is a deviation with its node in the file.
type deviationEntry struct {
	record.Deviation
	node *yaml.Node
}

// ReadDeviations parses a YAML list of known violations. It reports all errors, not only the first.
func ReadDeviations(data []byte, rules []spec.Rule) ([]record.Deviation, error) {
	_, entries, err := parseDeviations(data)
	if err != nil {
		return nil, err
	}
	var wrong []error
	all := make([]record.Deviation, 0, len(entries))
	for i := range entries {
		e := &entries[i]
		wrong = append(wrong, resolve(e, rules)...)
		wrong = append(wrong, checkDeviation(*e, rules)...)
		wrong = append(wrong, checkFilled(*e)...)
		all = append(all, e.Deviation)
	}
	return all, errors.Join(append(wrong, overlaps(entries)...)...)
}

// parseDeviations splits the file into entries. The document is nil for an empty file.
func parseDeviations(data []byte) (*yaml.Node, []deviationEntry, error) {
	if len(data) > maxDeviations {
		return nil, nil, fmt.Errorf("the file is larger than %d KiB, so it is not a list of known violations", maxDeviations>>10)
	}
	var doc, next yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	err := decoder.Decode(&doc)
	if errors.Is(err, io.EOF) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, syntax.YAML(data)
	}
	if !errors.Is(decoder.Decode(&next), io.EOF) {
		return nil, nil, errors.New("there is more than one document in it")
	}
	list := doc.Content[0]
	if list.Kind == yaml.ScalarNode && list.Tag == "!!null" {
		return nil, nil, nil
	}
	if list.Kind != yaml.SequenceNode {
		return nil, nil, fmt.Errorf("line %d: it must be a list, each entry with %s", list.Line, keysInWords())
	}
	var entries []deviationEntry
	var wrong []error
	for _, n := range list.Content {
		e, err := parseEntry(n)
		wrong = append(wrong, err)
		entries = append(entries, e)
	}
	return &doc, entries, errors.Join(wrong...)
}

func keysInWords() string { return text.Enumerate(neededKeys(), "and") }

// members returns, for each text key of an entry, a pointer to its value.
func members(d *record.Deviation) map[string]*string {
	return map[string]*string{
		"rule": &d.Rule, "operation": &d.Operation, "kind": (*string)(&d.Kind), "place": &d.Place, "detail": &d.Detail,
		"message": &d.Message, "reason": &d.Reason, "link": &d.Link, "expires": &d.Expires,
	}
}

func parseEntry(n *yaml.Node) (deviationEntry, error) {
	e := deviationEntry{node: n}
	if n.Kind != yaml.MappingNode {
		return e, fmt.Errorf("line %d: an entry must have %s", n.Line, keysInWords())
	}
	fields := members(&e.Deviation)
	seen := map[string]bool{}
	var wrong []error
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		to := fields[key.Value]
		switch {
		case to == nil:
			hint := ""
			if near := text.Similar(key.Value, deviationKeys()); near != "" {
				hint = "; did you mean " + near + "?"
			}
			wrong = append(wrong, fmt.Errorf("line %d: an entry has no %q; it has %s%s", key.Line, text.Visible(key.Value), text.Enumerate(deviationKeys(), "and"), hint))
		case seen[key.Value]:
			wrong = append(wrong, fmt.Errorf("line %d: %s is given a second time", key.Line, key.Value))
		case value.Kind != yaml.ScalarNode || value.Tag == "!!null":
			wrong = append(wrong, fmt.Errorf("line %d: %s must be text", key.Line, key.Value))
		case value.Value == "" && !slices.Contains(neededKeys()[2:], key.Value) && key.Value != "message":
			wrong = append(wrong, fmt.Errorf("line %d: %s is empty", key.Line, key.Value))
		default:
			*to = value.Value
		}
		seen[key.Value] = true
	}
	byMessage := seen["message"] && !seen["kind"] && !seen["operation"] && !seen["place"] && !seen["detail"] // of an earlier version
	for _, key := range neededKeys() {
		if !seen[key] && (key != "kind" || !byMessage) {
			wrong = append(wrong, fmt.Errorf("line %d: the entry has no %s", n.Line, key))
		}
	}
	if e.Message == "" && !e.ByMessage() {
		e.Message = e.Entry()
	}
	return e, errors.Join(wrong...)
}

// resolve replaces a derived rule with the rule that covers it.
func resolve(e *deviationEntry, rules []spec.Rule) []error {
	by := spec.RestoreCatalogue(rules, "").ResolveWithin(e.Rule, func(string) bool { return true })
	if len(by) > 1 {
		return []error{fmt.Errorf("line %d: the rule %s is covered by several others; name one of them: %s", e.node.Line, text.Visible(e.Rule), text.Enumerate(by, "or"))}
	}
	e.Rule = by[0]
	return nil
}

// checkDeviation checks everything that the rest of the program relies on.
func checkDeviation(e deviationEntry, rules []spec.Rule) []error {
	var wrong []error
	say := func(format string, args ...any) {
		wrong = append(wrong, fmt.Errorf("line %d: "+format, append([]any{e.node.Line}, args...)...))
	}
	r, known := NewIndex(rules).Rule(e.Rule)
	switch {
	case !known:
		var ids []string
		for _, r := range rules {
			ids = append(ids, r.ID)
		}
		hint := ""
		if near := text.Similar(e.Rule, ids); near != "" {
			hint = "; did you mean " + near + "?"
		}
		say("no rule is called %q%s (hallmark rules lists them)", text.Visible(e.Rule), hint)
	case r.Level == spec.Open:
		say("%s is an open rule, which no service can break", e.Rule)
	case r.Untestable != "":
		say("%s cannot be tested from outside, so nothing is ever found on it", e.Rule)
	}
	if !e.ByMessage() && !slices.Contains(spec.Kinds(), e.Kind) {
		var kinds []string
		for _, k := range spec.Kinds() {
			kinds = append(kinds, string(k))
		}
		say("there is no kind of finding %q; the kinds are %s", text.Visible(string(e.Kind)), text.Enumerate(kinds, "and"))
	}
	if e.ByMessage() && !strings.HasPrefix(e.Message, "expected ") {
		say(`the message is %q; it is the start of what reports say, as in "expected status 400, actual status 201"`, text.Visible(e.Message))
	}
	if _, err := time.Parse(time.DateOnly, e.Expires); err != nil {
		say("expires is %q; it is the last day on which the entry counts, as in 2027-01-31", text.Visible(e.Expires))
	}
	return wrong
}

// checkFilled rejects entries that still contain placeholders.
func checkFilled(e deviationEntry) []error {
	var wrong []error
	if reason := strings.TrimSpace(e.Reason); reason == "" || strings.HasPrefix(strings.ToUpper(reason), todo) {
		wrong = append(wrong, fmt.Errorf("line %d: %s has no reason; say why it is accepted", e.node.Line, text.Visible(e.Rule)))
	}
	if !strings.HasPrefix(e.Link, "https://") && !strings.HasPrefix(e.Link, "http://") {
		wrong = append(wrong, fmt.Errorf("line %d: %s has no link; give the address of the issue or the agreement, with https://", e.node.Line, text.Visible(e.Rule)))
	}
	return wrong
}

// overlaps finds entries that cover everything another entry covers: the other entry could never be reported as fixed.
func overlaps(entries []deviationEntry) []error {
	var wrong []error
	for i, e := range entries {
		for _, before := range entries[:i] {
			if e.Overlaps(before.Deviation) {
				wrong = append(wrong, fmt.Errorf("line %d: this entry and that of line %d cover the same findings; keep one of them", e.node.Line, before.node.Line))
			}
		}
	}
	return wrong
}

// UpdateDeviations rewrites the file after a run of the whole suite. Entries that still cover something stay as they are, with their
// comments. Entries of an earlier version get the keys of what they cover. Fixed entries are removed. New violations get entries whose
// reasons somebody has to write. The changes are returned one line each. A new entry is valid until the given day.
func UpdateDeviations(data []byte, rec *record.Record, rules []spec.Rule, until time.Time) (text []byte, changes []string, err error) {
	if err := updatable(rec); err != nil {
		return nil, nil, err
	}
	doc, entries, err := parseDeviations(data)
	if err != nil {
		return nil, nil, err
	}
	var wrong []error
	judged := *rec
	judged.Deviations = nil
	for i := range entries {
		e := &entries[i]
		wrong = append(wrong, resolve(e, rules)...)
		wrong = append(wrong, checkDeviation(*e, rules)...)
		judged.Deviations = append(judged.Deviations, e.Deviation)
	}
	if err := errors.Join(append(wrong, overlaps(entries)...)...); err != nil {
		return nil, nil, err
	}
	if doc == nil {
		doc = &yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{{Kind: yaml.SequenceNode, Tag: "!!seq"}}, HeadComment: deviationsHead}
	}
	res := Draw(&judged, rules)
	var kept []*yaml.Node
	var covering []record.Deviation
	keep := func(what string, n *yaml.Node, d record.Deviation) {
		kept, covering = append(kept, n), append(covering, d)
		changes = append(changes, what+d.Rule+": "+d.Message)
	}
	for i, v := range res.Deviations {
		switch {
		case v.Findings == 0 && v.State != Undecided:
			changes = append(changes, "removed: "+v.Rule+": "+v.Message)
		case v.Findings == 0 || !v.ByMessage():
			keep("kept:    ", entries[i].node, v.Deviation)
		default:
			n := entries[i].node
			for _, d := range unknown(rec, rules, v.Covers, slices.Concat(covering, keyed(judged.Deviations))) {
				d.Reason, d.Link, d.Expires = v.Reason, v.Link, v.Expires
				if n != nil {
					rewrite(n, d)
				} else {
					n = entryOf(d)
				}
				keep("renewed: ", n, d)
				n = nil
			}
			if n != nil {
				changes = append(changes, "removed: "+v.Rule+": "+v.Message)
			}
		}
	}
	for _, d := range unknown(rec, rules, func(spec.Finding) bool { return true }, covering) {
		d.Reason, d.Link, d.Expires = todo, todo, until.UTC().Format(time.DateOnly)
		keep("added:   ", entryOf(d), d)
	}
	list := doc.Content[0]
	list.Content = kept
	list.Style &^= yaml.FlowStyle
	if len(kept) == 0 {
		list.Style |= yaml.FlowStyle
	}
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(doc); err != nil {
		return nil, nil, fmt.Errorf("the entries cannot be written as YAML: %w", err)
	}
	return out.Bytes(), changes, nil
}

// keyed returns the deviations that have keys.
func keyed(all []record.Deviation) []record.Deviation {
	return slices.DeleteFunc(slices.Clone(all), record.Deviation.ByMessage)
}

// rewrite updates an entry's node to match the deviation. Comments and styles next to its keys are kept.
func rewrite(n *yaml.Node, d record.Deviation) {
	old := map[string][2]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		old[n.Content[i].Value] = [2]*yaml.Node{n.Content[i], n.Content[i+1]}
	}
	n.Content = entryOf(d).Content
	for i := 0; i+1 < len(n.Content); i += 2 {
		was, there := old[n.Content[i].Value]
		if !there {
			continue
		}
		n.Content[i] = was[0]
		if was[1].Value == n.Content[i+1].Value {
			n.Content[i+1] = was[1]
		}
	}
}

const deviationsHead = `# Known violations, each accepted for a reason and until a day.
# hallmark run --deviations takes this file; hallmark deviations --update writes it anew.`

// updatable rejects records that cannot show what is fixed.
func updatable(rec *record.Record) error {
	switch {
	case rec.Failure != "":
		return errors.New("hallmark itself failed in this run, so it proves nothing; run again")
	case !rec.Complete:
		return errors.New("this run ended early; only a whole run shows what is fixed")
	case rec.Lost != "":
		return fmt.Errorf("the target was lost in this run (%s); only a whole run shows what is fixed", text.Visible(rec.Lost))
	case rec.Filtered():
		return errors.New("this run covered only a part of the suite; run without --tags, --rule, --operation and the like, or merge all shards first")
	}
	for i := range rec.Scenarios {
		for _, f := range rec.Scenarios[i].Findings {
			if f.Kind == "" {
				return errors.New("an earlier version of hallmark wrote this record, without the kinds of its findings; run again")
			}
		}
	}
	return nil
}

// entryOf returns the YAML node of an entry.
func entryOf(d record.Deviation) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	values := members(&d)
	for _, key := range deviationKeys() {
		value := *values[key]
		if value == "" {
			continue
		}
		style := yaml.Style(0)
		tag := "!!str"
		switch key {
		case "message", "detail":
			style = yaml.DoubleQuotedStyle
		case "expires":
			tag = "!!timestamp"
		}
		n.Content = append(n.Content,
			&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key},
			&yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: value, Style: style})
	}
	return n
}

// unknown returns a deviation for each defect that shows in one of the wanted findings and is not covered by the given deviations, in
// catalogue order.
func unknown(rec *record.Record, rules []spec.Rule, wanted func(spec.Finding) bool, covering []record.Deviation) []record.Deviation {
	b := NewIndex(rules)
	seen := map[spec.Key]bool{}
	var all []record.Deviation
	for i := range rec.Scenarios {
		for _, f := range rec.Scenarios[i].Findings {
			k := f.Key()
			covered := slices.ContainsFunc(covering, func(d record.Deviation) bool { return d.Covers(f) })
			if seen[k] || covered || !wanted(f) || Blameless(f.Rule, rec, b) != "" {
				continue
			}
			seen[k] = true
			all = append(all, record.NewDeviation(f))
		}
	}
	slices.SortFunc(all, func(x, y record.Deviation) int {
		return cmp.Or(
			cmp.Compare(b.Order(x.Rule), b.Order(y.Rule)), cmp.Compare(x.Operation, y.Operation), cmp.Compare(x.Kind, y.Kind),
			cmp.Compare(x.Place, y.Place), cmp.Compare(x.Detail, y.Detail),
		)
	})
	// An entry without a place or a detail covers those with one, which come after it.
	var apart []record.Deviation
	for _, d := range all {
		if !slices.ContainsFunc(apart, d.Overlaps) {
			apart = append(apart, d)
		}
	}
	return apart
}
