package scaffold

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// example returns a written feature: about the life of a resource if possible, otherwise about a plain request. It returns "" if the contract
// has no request that a run would send.
func (s *Suite) example() string {
	if l, ok := s.story(); ok {
		return s.life(l)
	}
	return s.plain()
}

// life is a resource of the contract and the operation that creates it.
type life struct {
	resource.Life
	creates *spec.Operation
}

// story returns the resource whose life shows the most and needs the least; the first one of equals.
func (s *Suite) story() (best life, found bool) {
	most := 0
	operations, promises := s.basis.Contract.Operations(), s.basis.Promises()
	from := resource.Of(s.basis.Contract)
	for i := range operations {
		op := &operations[i]
		l, ok := promises.Life(op)
		if !ok || !s.callable(op, from) || !s.callable(l.Reader, from) || len(scenario.Unknown(op, promises, from)) > 0 {
			continue
		}
		worth := 100
		if l.Remover != nil && s.callable(l.Remover, from) {
			worth += 20
		} else {
			l.Remover = nil
		}
		if l.Lister != nil && s.callable(l.Lister.Operation, from) {
			worth += 5
		} else {
			l.Lister = nil
		}
		if l.Creator.Way == resource.Created {
			worth += 5
		}
		worth -= 10 * len(resource.SlotsOf(op)) // its parents
		for _, r := range from.Candidates(op) {
			if r.Required {
				worth -= 10
			}
		}
		if worth > most {
			best, found, most = life{l, op}, true, worth
		}
	}
	return best, found
}

// callable reports whether a run calls an operation.
func (s *Suite) callable(op *spec.Operation, from *resource.Map) bool {
	if why, _ := scenario.NeverCalled(op, s.basis.Promises(), from, "", nil); why != "" {
		return false
	}
	_, err := s.basis.Promises().Requests(op)
	return err == nil
}

// rule returns the id of a rule of a kind, and false if it does not exist or is switched off.
func (s *Suite) rule(op *spec.Operation, kind promise.Kind) (string, bool) {
	r, ok := s.basis.Catalogue.Rule(s.basis.Promises().Names.Rule(op.ID, kind))
	return r.ID, ok && r.Off == "" && r.Untestable == ""
}

const exampleHead = `# A feature of your own, to change: what your users rely on, and no document states. A scenario names the rule that it tries, which is
# one that follows from the contract ("hallmark rules") or one of your own (%s). "hallmark run" plays it with the derived ones,
# "hallmark run --rule %s" with those of its rule alone. "hallmark steps" lists what scenarios can say.
Feature: %s
`

// life returns a feature about a resource.
func (s *Suite) life(l life) string {
	var b strings.Builder
	created := "    Given " + promise.PlainRequest.Write(l.creates.ID) + promise.Succeeded + "\n    When " + promise.Creates + "\n"
	reads := promise.Reads.Write(l.Reader.ID)
	kind, then := promise.Kept, promise.HoldsSent
	first, ok := s.rule(l.creates, kind)
	if !ok {
		kind, then = promise.Readable, promise.IsFound
		first, ok = s.rule(l.creates, kind)
	}
	if ok {
		fmt.Fprintf(&b, "\n  @rule:%s\n  Scenario: what was created is still there after another one was\n%s    And %s\n    And %s\n    Then %s\n",
			first, created, promise.CreatesOther, reads, then)
	}
	if l.Remover != nil {
		if gone, ok := s.rule(l.Remover, promise.Gone); ok {
			if first == "" {
				first = gone
			}
			lists := ""
			if l.Lister != nil {
				lists = "    And " + promise.Lists.Write(l.Lister.Operation.ID) + "\n"
			}
			fmt.Fprintf(&b, "\n  @rule:%s\n  Scenario: what was created, shown and deleted is gone\n%s    And %s\n%s    And %s\n    And %s\n    Then %s\n",
				gone, created, reads, lists, promise.Deletes.Write(l.Remover.ID), promise.ReadsAgain.Write(l.Reader.ID), promise.IsGone)
		}
	}
	if b.Len() == 0 {
		return s.plain()
	}
	b.WriteString(s.own(l))
	return fmt.Sprintf(exampleHead, s.where.rules, first, "What "+oneLine(l.creates.ID)+" creates") + b.String()
}

// own returns a commented-out scenario for a rule of the team. It returns "" if no word stands for the resource alone, or rules.yaml
// contains no such rule.
func (s *Suite) own(l life) string {
	word := resource.Noun(l.Slot)
	all := resource.Named(resource.Of(s.basis.Contract), word)
	id, free := ownRule(s)
	if !free || !s.where.ownRules || l.Remover == nil || word == "" || len(all) != 1 || all[0].ID != l.creates.ID {
		return ""
	}
	listed := ""
	if l.Lister != nil {
		listed = "  #   And it is no longer listed\n"
	}
	return fmt.Sprintf(`
  # A scenario of a rule of your own, which %s shows. Such steps judge what they say, without the reservations of inferred rules.
  # @rule:%s
  # Scenario: what was deleted does not come back
  #   Given a created %q
  #   When it is deleted
  #   Then it can no longer be read
%s`, rulesName, id, word, listed)
}

// plain returns a feature about one request, a reading one if possible.
func (s *Suite) plain() string {
	operations := s.basis.Contract.Operations()
	from := resource.Of(s.basis.Contract)
	var best *spec.Operation
	most := -1
	for i := range operations {
		op := &operations[i]
		if _, ok := s.rule(op, promise.Success); !ok || !s.callable(op, from) {
			continue
		}
		worth := 0
		if op.Method == http.MethodGet {
			worth += 4
		}
		if len(resource.SlotsOf(op)) == 0 {
			worth += 2
		}
		if len(scenario.Unknown(op, s.basis.Promises(), from)) == 0 {
			worth++
		}
		if worth > most {
			best, most = op, worth
		}
	}
	if best == nil {
		return ""
	}
	rule, _ := s.rule(best, promise.Success)
	return fmt.Sprintf(exampleHead, s.where.rules, rule, "What "+oneLine(best.ID)+" answers") + fmt.Sprintf(`
  # By the contract nothing can be created and then read, so this asks one thing only.
  @rule:%s
  Scenario: a plain request succeeds
    Given %s
    When %s
    Then %s
`, rule, promise.PlainRequest.Write(best.ID), promise.Sent, promise.Outcome(promise.Keeps))
}
