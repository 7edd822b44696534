package stub

import (
	"encoding/json"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"
)

// What documents say in sentences of values that no two resources have, and of values that lie above others, in a few ways.

var (
	// conflicts matches descriptions of a 409: "a ticket with this title exists already", "the title is taken".
	conflicts = regexp.MustCompile(`(?i)\b(?:(?:with|by|of) (?:this|that|the same|the given|such an?|an identical) ([\w' -]+?)(?: (?:already|exists|is|was|has)\b|\.?$)|(?:the|this|that) ([\w' -]+?)(?: of [\w' -]+?)? (?:(?:is|was|has been) (?:already )?(?:taken|in use|used|registered|known)|already exists|exists already))`)
	// differs matches descriptions of members that say that their values differ.
	differs = regexp.MustCompile(`(?i)\b(?:must be|is|has to be|are|have to be) unique\b`)
	// uniques matches descriptions of operations that say whose values differ.
	uniques = regexp.MustCompile(`(?i)(?:^|[.!] +)(?:the |all |each )?([\w'-]+)(?: of [\w' -]+?)? (?:must be|are|is|have to be|has to be) unique\b`)
)

// uniquesOf returns the members of a body of which no two resources of a kind have the same value.
func uniquesOf(op *operation) []string {
	if op.Body == nil || op.Body.Schema() == nil {
		return nil
	}
	var said []string
	for i := range op.Responses {
		if r := &op.Responses[i]; r.Status == http.StatusConflict {
			for _, m := range conflicts.FindAllStringSubmatch(r.Description, -1) {
				said = append(said, m[1]+m[2])
			}
		}
	}
	for _, m := range uniques.FindAllStringSubmatch(op.Summary+". "+op.Description+". "+op.Body.Description, -1) {
		said = append(said, m[1])
	}
	var all []string
	for _, part := range applicableSchemas(op.Body.Schema()) {
		for _, p := range part.Properties {
			named := slices.ContainsFunc(said, func(words string) bool {
				words = strings.TrimSpace(words)
				return plainName(words) == plainName(p.Name) || plainName(strings.TrimSuffix(words, "s")) == plainName(p.Name)
			})
			if named || p.Schema != nil && differs.MatchString(p.Schema.Description) {
				all = append(all, p.Name)
			}
		}
	}
	return all
}

// taken returns the refusal of members that another resource in the same place has.
func (s *Service) taken(at *call, members map[string]any) *problem {
	for _, name := range at.op.uniques {
		value, there := members[name]
		if !there || value == nil {
			continue
		}
		for _, other := range s.store.table(at.op.kind.family).all {
			if other.kind == at.op.kind && other.inScope(at.scope) && reflect.DeepEqual(other.members[name], value) {
				return &problem{status: http.StatusConflict, others: []int{http.StatusUnprocessableEntity, http.StatusBadRequest}, text: "there is one with this " + name + " already"}
			}
		}
	}
	return nil
}

// ordered is two members of a body, one of which lies above the other.
type ordered struct{ low, high string }

// Words for how two values are ordered, and for a member.
const (
	orderly = `((?:on|at) or (?:after|before)|after|before|at least|at most|(?:no |not )?(?:later|greater|larger|higher|more|bigger|earlier|less|smaller|lower|fewer) than(?: or (?:equal to|the same as|on|at))?)`
	verbs   = `must not|must|can ?not|can't|may not|has to`
	partner = "(?:the )?(?:value of )?`?([\\w-]+(?: [\\w-]+)?)`?[.]?$"
)

var (
	// ofMember matches what a description of a member says about another one, and ofTwo what a sentence says about two.
	ofMember = regexp.MustCompile(`(?i)\b(` + verbs + `) (?:always )?(?:be|lie) ` + orderly + ` ` + partner)
	ofTwo    = regexp.MustCompile("(?i)(?:\\b(?:if|when|the) |^)`?([\\w-]+(?: date| time)?)`? (" + verbs + "|is not|is|lies)(?: always)?(?: be| lie)? " + orderly + " " + partner)
	// upwards matches those of the words that say that the first lies above.
	upwards = regexp.MustCompile(`(?i)^(?:(?:on|at) or after|after|at least|(?:no|not) (?:earlier|less|smaller|lower|fewer) than.*|(?:later|greater|larger|higher|more|bigger) than.*)$`)
)

// orderedOf returns the pairs of members of a body of which a sentence says that one lies above the other.
func orderedOf(op *operation) []ordered {
	if op.Body == nil || op.Body.Schema() == nil {
		return nil
	}
	names := map[string]string{}
	var all []ordered
	add := func(first, verb, words, second string) {
		a, b := names[plainName(first)], names[plainName(second)]
		if a == "" || b == "" || a == b {
			return
		}
		verb = strings.ToLower(verb)
		up := upwards.MatchString(words)
		if strings.HasSuffix(verb, "not") && verb != "is not" || verb == "can't" || verb == "is" || verb == "lies" {
			up = !up
		}
		pair := ordered{b, a}
		if !up {
			pair = ordered{a, b}
		}
		all = append(all, pair)
	}
	parts := applicableSchemas(op.Body.Schema())
	for _, part := range parts {
		for _, p := range part.Properties {
			names[plainName(p.Name)] = p.Name
		}
	}
	for _, part := range parts {
		for _, p := range part.Properties {
			if p.Schema == nil {
				continue
			}
			for line := range strings.SplitSeq(p.Schema.Description, ". ") {
				if m := ofMember.FindStringSubmatch(line); m != nil {
					add(p.Name, m[1], m[2], m[3])
				}
			}
		}
	}
	texts := []string{op.Summary, op.Description, op.Body.Description}
	for i := range op.Responses {
		if r := &op.Responses[i]; r.Status == http.StatusBadRequest || r.Status == http.StatusUnprocessableEntity {
			texts = append(texts, r.Description)
		}
	}
	for _, text := range texts {
		for line := range strings.SplitSeq(text, ". ") {
			if m := ofTwo.FindStringSubmatch(line); m != nil {
				add(m[1], m[2], m[3], m[4])
			}
		}
	}
	return all
}

// disordered returns the refusal of a body whose members are not in the order that the document names.
func disordered(at *call) *problem {
	members, _ := at.body.(map[string]any)
	for _, pair := range at.op.ordered {
		if below(members[pair.high], members[pair.low]) {
			return &problem{status: http.StatusUnprocessableEntity, others: []int{http.StatusBadRequest}, text: pair.high + " lies below " + pair.low}
		}
	}
	return nil
}

// below reports whether a number, a day or a moment lies below another one.
func below(a, b any) bool {
	x, isText := a.(string)
	y, also := b.(string)
	if isText && also {
		for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
			s, bad := time.Parse(layout, strings.ToUpper(x))
			t, worse := time.Parse(layout, strings.ToUpper(y))
			if bad == nil && worse == nil {
				return s.Before(t)
			}
		}
		return false
	}
	_, isNumber := a.(json.Number)
	_, too := b.(json.Number)
	return isNumber && too && compareScalars(a, b) < 0
}
