package stub

import (
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// Values that no two resources have, by a few ways in which documents say so.
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
