package schema

import (
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec/source"
)

// described is what a schema says about the names of an object's members, with all that it refers to or includes
// by allOf.
type described struct {
	properties, required []string
	// closed holds the schemas among them that forbid members which they do not describe.
	closed []string
	// branches reports whether alternatives, or patterns of names, may describe more.
	branches bool
}

// describeNames collects what a schema says about names.
func describeNames(s *Set, pointer string) described {
	var d described
	for at, n := range together(s, pointer) {
		allowed, flag := boolean(lookup(n, "additionalProperties"))
		if flag && !allowed && lookup(n, "patternProperties") == nil {
			d.closed = append(d.closed, at)
		}
		for _, keyword := range [...]string{"oneOf", "anyOf", "if", "dependentSchemas", "patternProperties"} {
			d.branches = d.branches || lookup(n, keyword) != nil
		}
		for _, p := range members(lookup(n, "properties")) {
			d.properties = append(d.properties, p.name)
		}
		required := lookup(n, "required")
		if required == nil || required.Kind != source.SequenceNode {
			continue
		}
		for _, item := range required.Content {
			if item.Kind == source.ScalarNode {
				d.required = append(d.required, item.Value)
			}
		}
	}
	return d
}

// opened returns the members of an object that its closed parts allow although only other parts describe them. To
// the letter, if another part requires what a closed one forbids, no value is valid, which the author cannot have
// meant: then all described members are allowed, as beside additionalProperties: false of the schema itself. If
// some value is valid, the letter applies.
func opened(s *Set, pointer string) exemptions {
	whole := describeNames(s, pointer)
	contradicted := slices.ContainsFunc(whole.closed, func(at string) bool {
		if at == pointer {
			return false
		}
		own := describeNames(s, at)
		return slices.ContainsFunc(whole.required, func(name string) bool {
			return slices.Contains(whole.properties, name) && !slices.Contains(own.properties, name)
		})
	})
	if !contradicted {
		return ""
	}
	entries := make([]string, len(whole.properties))
	for i, name := range whole.properties {
		entries[i] = "o" + name + "\x00"
	}
	slices.Sort(entries)
	return exemptions(strings.Join(slices.Compact(entries), ""))
}

// opens returns the names that are allowed.
func (e exemptions) opens() []string {
	var names []string
	for entry := range strings.SplitSeq(string(e), "\x00") {
		if name, ok := strings.CutPrefix(entry, "o"); ok {
			names = append(names, name)
		}
	}
	return names
}

// unopened returns the exemptions without those names: alternatives are distinguished by what they forbid.
func (e exemptions) unopened() exemptions {
	if e == "" {
		return e
	}
	kept := slices.DeleteFunc(strings.SplitAfter(string(e), "\x00"), func(entry string) bool { return strings.HasPrefix(entry, "o") })
	return exemptions(strings.Join(kept, ""))
}
