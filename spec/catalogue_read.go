package spec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pb33f/go-yaml"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/internal/text/syntax"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// Entry is an entry of a rules file: a new rule, or a change of an existing one.
type Entry struct {
	Rule
	// Line is the line where the entry begins.
	Line int
	// given are the keys of the entry.
	given []string
}

// maxRulesFile is the maximum size of a rules file, in bytes.
const maxRulesFile = 4 << 20

// entryKeys returns the keys of an entry in the order of messages.
func entryKeys() []string {
	return []string{"id", "level", "says", "asks", "source", "off", "section", "within", "contract", "cases", "always", "operations", "covers", "untestable"}
}

// ReadRules parses a rules file: a list of entries, each with an id, or none if the file has only comments. The error is a *RulesError with
// the line. Whether the rules make sense is checked by [Catalogue.Change] and [Catalogue.CheckChanged].
func ReadRules(data []byte) ([]Entry, error) {
	f, err := ReadRulesFile(data)
	return f.Entries, err
}

// RulesFile is a rules file.
type RulesFile struct {
	Entries []Entry
	// AssertFormats is set by "formats: assert": see [Contract.AssertingFormats].
	AssertFormats bool
}

// formatsKey is the key of a rules file that says whether formats are asserted.
const formatsKey = "formats"

// ReadRulesFile parses a rules file like ReadRules, with what it says beside its entries.
func ReadRulesFile(data []byte) (f RulesFile, err error) {
	defer func() {
		if p := recover(); p != nil {
			f, err = RulesFile{}, wrongRules(0, "it is not YAML")
		}
	}()
	if len(data) > maxRulesFile {
		return RulesFile{}, wrongRules(0, "it is larger than %d MiB", maxRulesFile>>20)
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	switch err := decoder.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return f, nil
	case err != nil:
		why := syntax.YAML(data)
		return RulesFile{}, wrongRules(why.Line, "%s", why.InLine())
	case len(doc.Content) != 1 || doc.Content[0].ShortTag() == "!!null":
		return f, nil
	}
	root := doc.Content[0]
	if keys := keysOf(root); slices.Contains(keys, formatsKey) || slices.ContainsFunc(keys, isShort) {
		err := f.readShort(root)
		return f, err
	}
	if root.Kind != yaml.SequenceNode {
		return RulesFile{}, wrongRules(root.Line, "it is %s; it must be a list of rules (- id: …)", source.DescribeYAML(root))
	}
	if len(root.Content) == 0 {
		return RulesFile{}, wrongRules(root.Line, "it is empty; it must be a list of rules")
	}
	for _, n := range root.Content {
		if keys := keysOf(n); len(keys) == 1 && (isShort(keys[0]) || keys[0] == formatsKey) {
			if err := f.readShort(n); err != nil {
				return RulesFile{}, err
			}
			continue
		}
		e, err := readEntry(n)
		if err != nil {
			return RulesFile{}, err
		}
		f.Entries = append(f.Entries, e)
	}
	return f, nil
}

// keysOf returns the keys of a mapping.
func keysOf(n *yaml.Node) []string {
	var all []string
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		all = append(all, n.Content[i].Value)
	}
	return all
}

// isShort reports whether a key of a rules file is the id of a rule, which always has a dot, and not one of the keys of an entry.
func isShort(key string) bool { return strings.Contains(key, ".") }

// readShort reads entries that are written as ids with their levels, or with the other keys of the entry, and whether formats are asserted.
func (f *RulesFile) readShort(n *yaml.Node) error {
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Value == formatsKey {
			if value.Value != "assert" || f.AssertFormats {
				return wrongRules(key.Line, `formats is given once, and can only be "assert"`)
			}
			f.AssertFormats = true
			continue
		}
		if !isShort(key.Value) {
			return wrongRules(key.Line, "%q is not the id of a rule, which has a dot", key.Value)
		}
		long := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: key.Line, Content: []*yaml.Node{textNode("id", key.Line), textNode(key.Value, key.Line)}}
		switch value.Kind {
		case yaml.ScalarNode:
			long.Content = append(long.Content, textNode("level", value.Line), textNode(value.Value, value.Line))
		case yaml.MappingNode:
			long.Content = append(long.Content, value.Content...)
		default:
			return wrongRules(value.Line, "after %s: a level is expected, or the keys of its entry, not %s", text.Visible(key.Value), source.DescribeYAML(value))
		}
		e, err := readEntry(long)
		if err != nil {
			return err
		}
		f.Entries = append(f.Entries, e)
	}
	return nil
}

// textNode returns a string as a YAML node of a line.
func textNode(value string, line int) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value, Line: line}
}

// readEntry reads one entry.
func readEntry(n *yaml.Node) (Entry, error) {
	e := Entry{Line: n.Line}
	if n.Kind != yaml.MappingNode {
		return e, wrongRules(n.Line, "a rule is expected (id: …), not %s", source.DescribeYAML(n))
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		switch {
		case !slices.Contains(entryKeys(), key.Value):
			hint := "the keys are " + strings.Join(entryKeys(), ", ")
			if near := text.Similar(key.Value, entryKeys()); near != "" {
				hint = "did you mean " + near + "?"
			}
			return e, wrongRules(key.Line, "there is no key %q; %s", key.Value, hint)
		case slices.Contains(e.given, key.Value):
			return e, wrongRules(key.Line, "the key %s is repeated", key.Value)
		}
		e.given = append(e.given, key.Value)
	}
	if err := n.Decode(&e.Rule); err != nil {
		line, why := syntax.Constructing(err)
		return e, wrongRules(max(line, n.Line), "the rule cannot be read: %s", why)
	}
	switch {
	case e.ID == "":
		return e, wrongRules(n.Line, "the rule has no id")
	case e.has("off") && e.Off == "":
		return e, wrongRules(n.Line, "the rule %s is switched off without a reason; write it after off:", text.Visible(e.ID))
	}
	return e, nil
}

// has reports whether the entry has a key.
func (e Entry) has(key string) bool { return slices.Contains(e.given, key) }

// states reports whether the entry quotes a sentence of the document for its rule, which makes an inferred rule a must. A level beside it
// other than must says that the rule stays weaker.
func (e Entry) states() bool {
	return e.has("source") && strings.TrimSpace(e.Source) != "" && (!e.has("level") || e.Level == Must)
}

// isOwn reports whether the entry defines a new rule. A change of an existing one needs no section.
func (e Entry) isOwn() bool { return e.has("section") && e.has("says") && e.has("level") }

// levels are all levels.
func levels() []Level { return []Level{Must, Should, Inferred, Open} }

func wrongRules(line int, format string, args ...any) error {
	return &RulesError{Line: line, Text: fmt.Sprintf(format, args...)}
}

// RulesError is a mistake in a rules file.
type RulesError struct {
	// Line is its line; 0 if it concerns the whole file.
	Line int
	Text string
}

func (e *RulesError) Error() string {
	if e.Line == 0 {
		return e.Text
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Text)
}
