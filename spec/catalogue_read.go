package spec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pb33f/go-yaml"

	"hallmark/internal/text"
	"hallmark/spec/source"
)

// Entry is what a file of rules says of one rule: a rule of its own, or a change of one that is there.
type Entry struct {
	Rule
	// Line is where the entry begins.
	Line int
	// given are the keys that the entry has.
	given []string
}

// maxRulesFile is the most that a file of rules holds, in bytes.
const maxRulesFile = 4 << 20

// entryKeys are the keys of an entry, in the order in which messages list them.
func entryKeys() []string {
	return []string{"id", "level", "says", "asks", "source", "off", "section", "within", "contract", "cases", "always", "operations", "covers", "untestable"}
}

// ReadRules reads a file of rules: a list of entries, each with an id; none where the file holds only comments. The error is a
// *RulesError, which names the line. It finds what makes the text unreadable; whether the rules make sense is for [Catalogue.Change] and
// [Catalogue.Check].
func ReadRules(data []byte) (all []Entry, err error) {
	defer func() {
		if p := recover(); p != nil {
			all, err = nil, wrongRules(0, "it cannot be read as YAML")
		}
	}()
	if len(data) > maxRulesFile {
		return nil, wrongRules(0, "it holds more than %d MiB, so it is no list of rules", maxRulesFile>>20)
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	switch err := decoder.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, wrongRules(0, "it cannot be read as YAML: %s", strings.TrimPrefix(source.OneLine(err.Error()), "yaml: "))
	case len(doc.Content) != 1 || doc.Content[0].ShortTag() == "!!null":
		return nil, nil
	}
	root := doc.Content[0]
	if root.Kind != yaml.SequenceNode {
		return nil, wrongRules(root.Line, "it holds %s, where a list of rules is expected (- id: …)", source.DescribeYAML(root))
	}
	if len(root.Content) == 0 {
		return nil, wrongRules(root.Line, "it is empty; it must be a list of rules")
	}
	for _, n := range root.Content {
		e, err := readEntry(n)
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, nil
}

// readEntry reads what is said of one rule.
func readEntry(n *yaml.Node) (Entry, error) {
	e := Entry{Line: n.Line}
	if n.Kind != yaml.MappingNode {
		return e, wrongRules(n.Line, "%s stands where a rule is expected (id: …)", source.DescribeYAML(n))
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		switch {
		case !slices.Contains(entryKeys(), key.Value):
			hint := "the keys are " + strings.Join(entryKeys(), ", ")
			if near := text.Similar(key.Value, entryKeys()); near != "" {
				hint = "did you mean " + near + "?"
			}
			return e, wrongRules(key.Line, "a rule has no key %q; %s", key.Value, hint)
		case slices.Contains(e.given, key.Value):
			return e, wrongRules(key.Line, "the key %s is here twice", key.Value)
		}
		e.given = append(e.given, key.Value)
	}
	if err := n.Decode(&e.Rule); err != nil {
		return e, wrongRules(n.Line, "the rule cannot be read: %s", strings.TrimPrefix(source.OneLine(err.Error()), "yaml: "))
	}
	switch {
	case e.ID == "":
		return e, wrongRules(n.Line, "the rule has no id")
	case e.has("off") && e.Off == "":
		return e, wrongRules(n.Line, "the rule %s is switched off without a reason; write why behind off:", text.Visible(e.ID))
	}
	return e, nil
}

// has reports whether the entry has a key.
func (e Entry) has(key string) bool { return slices.Contains(e.given, key) }

// isOwn reports whether the entry is a rule of its own: what changes another one needs no section.
func (e Entry) isOwn() bool { return e.has("section") && e.has("says") && e.has("level") }

// levels are all levels.
func levels() []Level { return []Level{Must, Should, Inferred, Open} }

func wrongRules(line int, format string, args ...any) error {
	return &RulesError{Line: line, Text: fmt.Sprintf(format, args...)}
}

// RulesError is what is wrong with a file of rules.
type RulesError struct {
	// Line is where; 0 when it is about the whole.
	Line int
	Text string
}

func (e *RulesError) Error() string {
	if e.Line == 0 {
		return e.Text
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Text)
}
