package config

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/pb33f/go-yaml"
)

// resolved is the node itself, or the node that an alias refers to.
func resolved(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}

// what names the kind of a node.
func what(n *yaml.Node) string {
	switch n.Kind {
	case yaml.SequenceNode:
		return "a list"
	case yaml.MappingNode:
		return "keys with values"
	default:
	}
	switch n.ShortTag() {
	case "!!null":
		return "nothing"
	case "!!bool":
		return n.Value
	case "!!int", "!!float":
		return "the number " + n.Value
	case "!!timestamp":
		return "a date"
	case "!!str":
		return "text"
	}
	return fmt.Sprintf("a value of the kind %q", n.ShortTag())
}

// expected describes the values that a kind accepts.
func (k Key) expected() string {
	switch k.Kind {
	case Number:
		if k.Word != "" {
			return "a whole number or " + k.Word
		}
		return "a whole number"
	case Decimal:
		return "a number"
	case Switch:
		return "true or false"
	case Duration:
		return "a length of time such as 10s or 1m30s"
	case Date:
		return "a date such as 2027-01-31"
	case Choice:
		return "one of " + strings.Join(k.Choices, ", ")
	case Any:
		return "a text or a number"
	case Path:
		return "the name of a file"
	case Hook:
		return "a command or a request"
	case Text:
	}
	return "text"
}

// takes reports whether a kind accepts a value with a tag.
func (k ValueKind) takes(tag string) bool {
	switch k {
	case Number, Decimal:
		return tag == "!!int" || tag == "!!float" // for a float, and for an integer beyond 64 bits, the flag has a better message
	case Switch:
		return tag == "!!bool"
	case Duration:
		return tag == "!!str" || tag == "!!int" || tag == "!!float"
	case Date:
		return tag == "!!str" || tag == "!!timestamp"
	case Any:
		return tag == "!!str" || tag == "!!int" || tag == "!!float" || tag == "!!bool" || tag == "!!timestamp"
	case Text, Path, Choice, Hook:
	}
	return tag == "!!str"
}

// read is a value that was read.
type read struct {
	text string
	// names are the environment variables in it; missing reports those that are not set.
	names   []string
	missing []Problem
	// hasDefault reports whether a variable has a default.
	hasDefault bool
}

// scalar reads one value of a key.
func (r *reader) scalar(key Key, n *yaml.Node) (read, bool) {
	tag, asked := "", expansion{text: n.Value}
	if n.Kind == yaml.ScalarNode {
		tag = n.ShortTag()
	}
	if tag == "!!str" {
		var err error
		if asked, err = expand(n.Value, r.lookup); err != nil {
			r.report(n, "%s: %v", key.Name, err)
			return read{}, false
		}
	}
	v := read{text: asked.text, names: asked.names, hasDefault: asked.hasDefault}
	if key.Verbatim {
		if v.text = n.Value; strings.Contains(n.Value, ":-") {
			r.report(n, "%s: a default such as ${NAME:-…} is not known here, since the value may hold a secret, and a default for a secret is a secret in a file; write ${NAME}", key.Name)
			return read{}, false
		}
	}
	if wrong := key.wrongKind(n, tag, v); wrong != "" {
		r.report(n, "%s: %s", key.Name, wrong)
		return read{}, false
	}
	for _, name := range asked.missing {
		remedy := "set it"
		if !key.Verbatim && !key.secret {
			remedy += ", or write ${" + name + ":-…} with what to take instead"
		}
		v.missing = append(v.missing, r.make(n, "%s: the environment has no %s; %s", key.Name, name, remedy))
	}
	if len(v.missing) > 0 {
		return v, true
	}
	switch {
	case key.Place != nil:
		v.text = key.Place(r.folder, v.text)
	case key.Kind == Path:
		v.text = relativeTo(r.folder, v.text)
	}
	if key.Check != nil {
		if err := key.Check(v.text); err != nil {
			r.report(n, "%s: %v", key.Name, err)
			return read{}, false
		}
	}
	return v, true
}

// wrongKind says what is wrong with the kind of a value. A text with variables may expand to anything.
func (k Key) wrongKind(n *yaml.Node, tag string, v read) string {
	several := ""
	if k.List {
		several = ", or a list of such"
	}
	switch {
	case tag == "!!null":
		return fmt.Sprintf("there is no value; write %s%s, or leave the line out", k.expected(), several)
	case k.Kind.takes(tag) || tag == "!!str" && (len(v.names) > 0 || k.Word != "" && v.text == k.Word):
		return ""
	case tag == "!!str" && (k.Kind == Number || k.Kind == Decimal) && number.MatchString(v.text):
		return "expected " + k.expected() + ", not text; write it without quotes"
	case tag == "!!str" && k.Kind == Switch:
		return fmt.Sprintf("expected true or false, not the text %q", v.text)
	}
	hint := ""
	if tag != "" && (k.Kind == Text || k.Kind == Path) {
		hint = "; put it into quotes"
	}
	return fmt.Sprintf("expected %s%s, not %s%s", k.expected(), several, what(n), hint)
}

// number is a number in digits.
var number = regexp.MustCompile(`^[+-]?[0-9]+(\.[0-9]+)?$`)
