package scaffold

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/promise"
)

// mostEntries is the maximum number of inferred rules in the file; "hallmark rules" lists all.
const mostEntries = 60

// rulesFile returns the text of the rules file, with commented-out entries.
func rulesFile(s *Suite) string {
	var b strings.Builder
	catalogue := s.basis.Catalogue.Rules
	fmt.Fprintf(&b, `# What your team changes in the rules that follow from %s. Nothing here is in force yet: take the # from the
# lines of an entry, and change it. "hallmark rules" lists all %s with their sentences.
#
# An entry has the id of a rule and what is to be different:
#   level   must and inferred fail a run, should warns, open is only recorded
#   says    the sentence that reports show; source: where that is written
#   off     why the rule is switched off
# With * in its id it changes each rule that matches, and may be written in short: - "*.robust": must
# An entry with an id of your own and covers: reports the rules that it covers by that id.
`, s.where.contract, text.Count(len(catalogue), "rule"))
	if r, ok := loosened(catalogue); ok {
		fmt.Fprintf(&b, `
# A rule that warns only. It says: %s
# - id: %s
#   level: should
`, sentence(r.Says), r.ID)
	}
	if id, ok := ownRule(s); ok {
		fmt.Fprintf(&b, `
# A rule of your own, which no document states; a scenario in %s that bears the tag @rule:%s tries it.
# - id: %s
#   level: must
#   section: Handbook, section 4
#   says: What the handbook says there, in one sentence.
`, featuresName, id, id)
	}
	if kind := string(promise.MediaType); slices.ContainsFunc(catalogue, func(r spec.Rule) bool { return strings.HasSuffix(r.ID, "."+kind) }) {
		fmt.Fprintf(&b, `
# One rule in the place of those of all operations (*), by the id and in the words of your handbook.
# - id: handbook.media-type
#   section: Handbook, section 4
#   says: The body of a response is of a documented media type.
#   covers: ['*.%s']
`, kind)
	}
	var inferred []spec.Rule
	for _, r := range catalogue {
		if r.Level == spec.Inferred {
			inferred = append(inferred, r)
		}
	}
	b.WriteString(sentenceRules(s))
	if len(inferred) == 0 {
		return b.String()
	}
	b.WriteString(`
# Inferred rules: no document states them; they follow from what operations create, read and delete, and from HTTP. Where your
# documentation says so, make one a must by quoting it (source: Handbook, section 4). Where that is not intended, lower
# it, or switch it off (off: It is not intended, because …).
`)
	for i, r := range inferred {
		if i == mostEntries {
			fmt.Fprintf(&b, "\n# … and %s: hallmark rules --level inferred\n", text.Count(len(inferred)-i, "more inferred rule"))
			break
		}
		fmt.Fprintf(&b, "\n# %s\n# - id: %s\n#   level: should\n", sentence(r.Says), r.ID)
	}
	return b.String()
}

// loosened returns a rule that teams often lower, and false if there is none.
func loosened(rules []spec.Rule) (spec.Rule, bool) {
	for _, kind := range []promise.Kind{promise.PropertyUnknown, promise.PropertyValue, promise.ParameterValue, promise.BodyMissing, promise.Success} {
		for _, r := range rules {
			if r.Level == spec.Must && !r.Always && strings.HasSuffix(r.ID, "."+string(kind)) {
				return r, true
			}
		}
	}
	return spec.Rule{}, false
}

// ownRule returns an unused id for a new rule.
func ownRule(s *Suite) (string, bool) {
	if len(s.basis.Contract.Operations()) == 0 {
		return "", false
	}
	id := s.basis.Promises().Names.Rule(s.basis.Contract.Operations()[0].ID, "handbook")
	_, there := s.basis.Catalogue.Rule(id)
	return id, !there
}

// sentence returns a text on one line, ending with a period.
func sentence(t string) string { return strings.TrimSuffix(oneLine(t), ".") + "." }
