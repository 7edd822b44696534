package suite

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestTogether(t *testing.T) {
	scenario := func(uri, sentence string, line int, tags string) *Scenario {
		return &Scenario{URI: uri, Sentence: sentence, Line: line, Tags: strings.Fields(tags)}
	}
	for name, c := range map[string]struct {
		scenarios []*Scenario
		ids       string
		atOnce    bool
	}{
		"none":            {nil, "", false},
		"in order":        {[]*Scenario{scenario("a", "x", 1, ""), scenario("a", "x", 2, ""), scenario("a", "y", 3, "@at-once")}, "a:1 a:2", false},
		"at once":         {[]*Scenario{scenario("a", "x", 1, "@at-once"), scenario("a", "x", 2, "@at-once"), scenario("b", "y", 3, "@at-once")}, "a:1 a:2 b:3", true},
		"neighbours only": {[]*Scenario{scenario("a", "x", 1, "@at-once"), scenario("a", "x", 2, ""), scenario("a", "x", 3, "@at-once")}, "a:1", true},
		"derived, whatever their rule": {
			[]*Scenario{scenario("a", "x", 1, "@derived @at-once"), scenario("b", "y", 2, "@derived @at-once"), scenario("c", "z", 3, "@at-once")}, "a:1 b:2", true,
		},
		"of one rule, and only reading": {[]*Scenario{scenario("a", "x", 1, "@read-only"), scenario("a", "x", 2, "@read-only"), scenario("a", "y", 3, "@read-only")}, "a:1 a:2", true},
		"reading beside writing":        {[]*Scenario{scenario("a", "x", 1, "@read-only"), scenario("a", "x", 2, "@at-once")}, "a:1", true},
		"writing, then reading":         {[]*Scenario{scenario("a", "x", 1, ""), scenario("a", "x", 2, "@read-only")}, "a:1", false},
		"derived, but in order":         {[]*Scenario{scenario("a", "x", 1, "@derived"), scenario("b", "y", 2, "@derived @at-once")}, "a:1", false},
	} {
		s := &Suite{Features: []File{{Scenarios: c.scenarios}}}
		ids, atOnce := s.Together(func(*Scenario) bool { return true })
		if got := strings.Join(slices.Sorted(maps.Keys(ids)), " "); got != c.ids || atOnce != c.atOnce {
			t.Errorf("%s: %q, at once %v", name, got, atOnce)
		}
	}
}
