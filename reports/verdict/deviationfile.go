package verdict

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"hallmark/internal/text"
	"hallmark/reports/prose"
	"hallmark/reports/record"
	"hallmark/spec"
)

// Todo is what stands in the place of a reason and a link that somebody still has to write.
const Todo = "TODO"

// maxDeviations bounds the file, in bytes.
const maxDeviations = 1 << 20

// deviationKeys are the members of an entry. All of them are needed.
func deviationKeys() []string { return []string{"rule", "message", "reason", "link", "expires"} }

// deviationEntry is a deviation in its file.
type deviationEntry struct {
	record.Deviation
	node *yaml.Node
}

// ReadDeviations reads a file of known violations: a list in YAML. It tells of everything that is wrong, not only of
// what comes first.
func ReadDeviations(data []byte, rules []spec.Rule) ([]record.Deviation, error) {
	_, entries, err := parseDeviations(data)
	if err != nil {
		return nil, err
	}
	var wrong []error
	all := make([]record.Deviation, 0, len(entries))
	for _, e := range entries {
		wrong = append(wrong, checkDeviation(e, rules)...)
		wrong = append(wrong, checkFilled(e)...)
		all = append(all, e.Deviation)
	}
	return all, errors.Join(append(wrong, overlaps(entries)...)...)
}

// parseDeviations takes the file apart. The document is nil for an empty file.
func parseDeviations(data []byte) (*yaml.Node, []deviationEntry, error) {
	if len(data) > maxDeviations {
		return nil, nil, fmt.Errorf("the file holds more than %d KiB, so it is none of known violations", maxDeviations>>10)
	}
	var doc, next yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	err := decoder.Decode(&doc)
	if errors.Is(err, io.EOF) {
		return nil, nil, nil
	}
	if err == nil && !errors.Is(decoder.Decode(&next), io.EOF) {
		err = errors.New("there is more than one document in it")
	}
	if err != nil {
		return nil, nil, fmt.Errorf("it cannot be read as YAML: %s", strings.TrimPrefix(prose.Visible(err.Error()), "yaml: "))
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

func keysInWords() string { return text.Enumerate(deviationKeys(), "and") }

func parseEntry(n *yaml.Node) (deviationEntry, error) {
	e := deviationEntry{node: n}
	if n.Kind != yaml.MappingNode {
		return e, fmt.Errorf("line %d: an entry must have %s", n.Line, keysInWords())
	}
	fields := map[string]*string{
		"rule": &e.Rule, "message": &e.Message, "reason": &e.Reason, "link": &e.Link, "expires": &e.Expires,
	}
	seen := map[string]bool{}
	var wrong []error
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		to := fields[key.Value]
		switch {
		case to == nil:
			hint := ""
			if near := spec.Nearest(key.Value, deviationKeys()); near != "" {
				hint = "; did you mean " + near + "?"
			}
			wrong = append(wrong, fmt.Errorf("line %d: an entry has no %q; it has %s%s", key.Line, prose.Visible(key.Value), keysInWords(), hint))
		case seen[key.Value]:
			wrong = append(wrong, fmt.Errorf("line %d: %s stands here a second time", key.Line, key.Value))
		case value.Kind != yaml.ScalarNode || value.Tag == "!!null":
			wrong = append(wrong, fmt.Errorf("line %d: %s must be text", key.Line, key.Value))
		default:
			*to = value.Value
		}
		seen[key.Value] = true
	}
	for _, key := range deviationKeys() {
		if !seen[key] {
			wrong = append(wrong, fmt.Errorf("line %d: the entry has no %s", n.Line, key))
		}
	}
	return e, errors.Join(wrong...)
}

// checkDeviation checks what the rest of hallmark relies on.
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
		if near := spec.Nearest(e.Rule, ids); near != "" {
			hint = "; did you mean " + near + "?"
		}
		say("no rule is called %q%s (hallmark rules lists them)", prose.Visible(e.Rule), hint)
	case r.Level == spec.Open:
		say("%s is an open rule, which no service can break", e.Rule)
	case r.Untestable != "":
		say("%s cannot be tested from outside, so nothing is ever found on it", e.Rule)
	}
	if !strings.HasPrefix(e.Message, "expected ") {
		say(`the message is %q; it is the start of what reports say, as in "expected status 400, actual status 201"`, prose.Visible(e.Message))
	}
	if _, err := time.Parse(time.DateOnly, e.Expires); err != nil {
		say("expires is %q; it is the last day on which the entry counts, as in 2027-01-31", prose.Visible(e.Expires))
	}
	return wrong
}

// checkFilled refuses what nobody has written yet.
func checkFilled(e deviationEntry) []error {
	var wrong []error
	if reason := strings.TrimSpace(e.Reason); reason == "" || strings.HasPrefix(strings.ToUpper(reason), Todo) {
		wrong = append(wrong, fmt.Errorf("line %d: %s has no reason; say why it is accepted", e.node.Line, prose.Visible(e.Rule)))
	}
	if !strings.HasPrefix(e.Link, "https://") && !strings.HasPrefix(e.Link, "http://") {
		wrong = append(wrong, fmt.Errorf("line %d: %s has no link; give the address of the issue or the agreement, with https://", e.node.Line, prose.Visible(e.Rule)))
	}
	return wrong
}

// overlaps finds entries of which one covers whatever another does: the other could never be missed.
func overlaps(entries []deviationEntry) []error {
	var wrong []error
	for i, e := range entries {
		for _, before := range entries[:i] {
			if e.Rule == before.Rule && (strings.HasPrefix(e.Message, before.Message) || strings.HasPrefix(before.Message, e.Message)) {
				wrong = append(wrong, fmt.Errorf("line %d: this entry and that of line %d are of one rule and one start of a message; keep one of them", e.node.Line, before.node.Line))
			}
		}
	}
	return wrong
}

// UpdateDeviations writes the file anew after a run of the whole suite: entries that still cover something stay as they
// are, with their comments; fixed ones go; and what is found beside them gets entries of its own, whose reasons somebody
// has to write. It tells what it changed, a line each. A new entry counts until the day that is given.
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
	for _, e := range entries {
		wrong = append(wrong, checkDeviation(e, rules)...)
		judged.Deviations = append(judged.Deviations, e.Deviation)
	}
	if err := errors.Join(append(wrong, overlaps(entries)...)...); err != nil {
		return nil, nil, err
	}
	if doc == nil {
		doc = &yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{{Kind: yaml.SequenceNode, Tag: "!!seq"}}, HeadComment: deviationsHead}
	}
	res := Judge(&judged, rules)
	var kept []*yaml.Node
	var covering []record.Deviation
	for i, v := range res.Deviations {
		if v.Findings == 0 && v.State != Undecided {
			changes = append(changes, "removed: "+v.Rule+": "+v.Message)
			continue
		}
		kept = append(kept, entries[i].node)
		covering = append(covering, v.Deviation)
		changes = append(changes, "kept:    "+v.Rule+": "+v.Message)
	}
	for _, d := range unknown(rec, rules, covering) {
		// An entry that is there may begin in the same way and say more; the wider one takes its place.
		if i := slices.IndexFunc(covering, func(c record.Deviation) bool { return c.Rule == d.Rule && strings.HasPrefix(c.Message, d.Message) }); i >= 0 {
			changes = append(changes, "widened: "+d.Rule+": "+covering[i].Message+" → "+d.Message)
			set(kept[i], "message", d.Message)
			covering[i].Message = d.Message
			continue
		}
		d.Reason, d.Link, d.Expires = Todo, Todo, until.UTC().Format(time.DateOnly)
		kept = append(kept, entryOf(d))
		changes = append(changes, "added:   "+d.Rule+": "+d.Message)
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

// set returns a member of an entry another value.
func set(n *yaml.Node, key, value string) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			n.Content[i+1].SetString(value)
		}
	}
}

const deviationsHead = `# Known violations, each accepted for a reason and until a day.
# hallmark run --deviations takes this file; hallmark deviations --update writes it anew.`

// updatable refuses records from which it cannot be told what is fixed.
func updatable(rec *record.Record) error {
	switch {
	case rec.Failure != "":
		return errors.New("the harness failed in this run, so it proves nothing; run again")
	case !rec.Complete:
		return errors.New("this run was ended before its end; only a whole run tells what is fixed")
	case rec.Lost != "":
		return fmt.Errorf("the target was lost in this run (%s); only a whole run tells what is fixed", prose.Visible(rec.Lost))
	case rec.Filtered():
		return errors.New("this run asked only a part of the suite; run without --tags, --rule, --operation and the like, or merge all shards first")
	}
	return nil
}

// entryOf returns the entry as it is written.
func entryOf(d record.Deviation) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for i, value := range []string{d.Rule, d.Message, d.Reason, d.Link, d.Expires} {
		style := yaml.Style(0)
		tag := "!!str"
		switch key := deviationKeys()[i]; key {
		case "message":
			style = yaml.DoubleQuotedStyle
		case "expires":
			tag = "!!timestamp"
		}
		n.Content = append(n.Content,
			&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: deviationKeys()[i]},
			&yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: value, Style: style})
	}
	return n
}

// unknown makes a deviation of each breach that none of the given ones covers, in the catalogue's order.
func unknown(rec *record.Record, rules []spec.Rule, covering []record.Deviation) []record.Deviation {
	b := NewIndex(rules)
	messages := map[string][]string{} // by rule
	for i := range rec.Scenarios {
		for _, f := range rec.Scenarios[i].Findings {
			covered := slices.ContainsFunc(covering, func(d record.Deviation) bool { return d.Covers(f) })
			if !covered && Blameless(f.Rule, rec, b) == "" {
				messages[f.Rule] = append(messages[f.Rule], record.Message(f))
			}
		}
	}
	var all []record.Deviation
	for _, rule := range slices.SortedFunc(maps.Keys(messages), func(x, y string) int { return b.Order(x) - b.Order(y) }) {
		for _, start := range commonPrefixes(messages[rule]) {
			all = append(all, record.Deviation{Rule: rule, Message: start})
		}
	}
	return all
}
