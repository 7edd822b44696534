package scaffold

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/prose"
	"github.com/hallmark-kit/hallmark/spec/resource"
)

// mostSentences is the maximum number of open sentences with a scenario; "hallmark rules --prose --uncovered" lists all.
const mostSentences = 40

// openSentence is a sentence of the document that no rule judges, with the scenario to fill in for it.
type openSentence struct {
	promise.Sentence
	// rule is the id of the rule to write for it, section its section, and steps the steps of the scenario.
	rule, section string
	steps         []string
}

// openSentences returns the open sentences that a scenario could try, and how many more there are.
func openSentences(s *Suite) (all []openSentence, more int) {
	from := resource.Of(s.basis.Contract)
	numbers := map[string]int{}
	for _, one := range s.basis.Sentences() {
		if !one.Open() {
			continue
		}
		use, ok := s.nearest(&one, from)
		switch {
		case !ok:
			continue
		case len(all) == mostSentences:
			more++
			continue
		}
		names := s.basis.Promises().Names
		open := openSentence{Sentence: one, section: use.Operation.Method + " " + use.Operation.Path, steps: s.steps(use, from)}
		for open.rule == "" {
			numbers[use.Operation.ID]++
			id := names.Rule(use.Operation.ID, promise.Kind("sentence-"+strconv.Itoa(numbers[use.Operation.ID])))
			if _, taken := s.basis.Catalogue.Rule(id); !taken {
				open.rule = id
			}
		}
		all = append(all, open)
	}
	return all, more
}

// nearest returns the use of a sentence that a scenario can show best: of the first operation that a run calls, for a sentence about the whole
// document of the first of all.
func (s *Suite) nearest(one *promise.Sentence, from *resource.Map) (prose.Use, bool) {
	for _, use := range one.Uses {
		if s.callable(use.Operation, from) {
			return use, true
		}
	}
	if len(one.Uses) > 0 {
		return prose.Use{}, false
	}
	operations := s.basis.Contract.Operations()
	i := slices.IndexFunc(operations, func(op spec.Operation) bool { return s.callable(&op, from) })
	if i < 0 {
		return prose.Use{}, false
	}
	return prose.Use{Operation: &operations[i]}, true
}

// steps returns the steps that send the request of a sentence: what it needs exists, and the request is a plain one with the value that the
// sentence is about.
func (s *Suite) steps(use prose.Use, from *resource.Map) []string {
	op, promises := use.Operation, s.basis.Promises()
	var all []string
	with := ""
	if _, creates, ok := promise.LifeChanged(promises, op); ok {
		all = append(all, "Given what "+strconv.Quote(creates.ID)+" creates")
	} else if creates := s.creatorOf(op, from); creates != nil {
		all = append(all, "Given what "+strconv.Quote(creates.ID)+" creates")
	}
	if p := use.Parameter; p != nil && p.In == "query" && p.Schema != nil {
		with = " with " + p.Name + " " + sampleOf(p.Schema)
	}
	if use.Sent && use.Parameter == nil && use.Member != "" && op.Body != nil && op.Body.Schema() != nil && op.Body.Schema().Property(use.Member) != nil {
		all = append(all, "Given a plain body where "+use.Member+" is "+jsonSample(use.Schema))
	}
	return append(all, "When "+strconv.Quote(op.ID)+" is called"+with, fmt.Sprintf("Then the response is %d", op.Success(usualSuccess(s, op))))
}

// creatorOf returns the operation that creates what another one reads, or nil.
func (s *Suite) creatorOf(op *spec.Operation, from *resource.Map) *spec.Operation {
	operations := s.basis.Contract.Operations()
	for i := range operations {
		if l, ok := s.basis.Promises().Life(&operations[i]); ok && l.Reader.ID == op.ID && s.callable(&operations[i], from) {
			return &operations[i]
		}
	}
	return nil
}

// usualSuccess returns the usual status of a success of an operation.
func usualSuccess(s *Suite, op *spec.Operation) int {
	if _, creates := s.basis.Promises().Life(op); creates {
		return 201
	}
	return 200
}

// plainWord matches values that a step takes without quotes.
var plainWord = regexp.MustCompile(`^[\w.-]+$`)

// sampleOf returns a value of a query parameter as a step takes it.
func sampleOf(s *spec.Schema) string {
	if item := s.Item(); item != nil {
		s = item
	}
	value := jsonSample(s)
	if plain, err := strconv.Unquote(value); err == nil && plainWord.MatchString(plain) {
		return plain
	}
	return value
}

// jsonSample returns a value of a schema as JSON: one that the document names, if it names one.
func jsonSample(s *spec.Schema) string {
	switch {
	case s.Const != "":
		return s.Const
	case len(s.Enum) > 0:
		return s.Enum[0]
	case len(s.Examples) > 0:
		return s.Examples[0].JSON
	case s.Default != "":
		return s.Default
	case s.Type == "boolean":
		return "true"
	case (s.Type == "integer" || s.Type == "number") && s.Minimum != "":
		return s.Minimum
	case s.Type == "integer" || s.Type == "number":
		return "1"
	case s.Type == "array":
		return "[]"
	case s.Type == "object":
		return "{}"
	}
	return `"…"`
}

// sentencesFile returns a feature with a scenario to fill in for each open sentence, or "" if there are none.
func sentencesFile(s *Suite) string {
	if len(s.open) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, `# Sentences of the document that state behaviour and that no rule judges. To judge one, take the # from the lines of its scenario, and
# from the rule of the same id in %s, which quotes the sentence. The requests are right as they are: say in the last step what
# the sentence says of the response, or add requests. "hallmark steps" lists what scenarios can say, "hallmark rules --prose" all sentences.
Feature: What the document says in words
`, s.where.rules)
	for _, one := range s.open {
		fmt.Fprintf(&b, "\n  # %s\n  # @rule:%s\n  # Scenario: %s\n", lineOf(s, &one), one.rule, oneLine(one.Text))
		for _, step := range one.steps {
			b.WriteString("  #   " + step + "\n")
		}
		b.WriteString("  #   # And …\n")
	}
	if s.moreOpen > 0 {
		fmt.Fprintf(&b, "\n  # … and %s: hallmark rules --prose --uncovered\n", text.Count(s.moreOpen, "more sentence"))
	}
	return b.String()
}

// lineOf says where a sentence is.
func lineOf(s *Suite, one *openSentence) string {
	file := s.where.contract
	if one.File != "" {
		file = oneLine(one.File)
	}
	return file + ", line " + strconv.Itoa(one.Line)
}

// sentenceRules returns commented-out rules that quote the open sentences.
func sentenceRules(s *Suite) string {
	if len(s.open) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, `
# Sentences of the document that no rule judges; the scenarios to fill in for them are in %s.
`, sentencesName)
	for _, one := range s.open {
		says := oneLine(one.Text)
		fmt.Fprintf(&b, "\n# - id: %s\n#   level: must\n#   section: %s\n#   says: %s\n#   source: %s\n",
			one.rule, yamlWord(one.section), yamlWord(says), yamlWord(lineOf(s, &one)+": "+says))
	}
	return b.String()
}
