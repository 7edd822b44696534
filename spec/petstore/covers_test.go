package petstore_test

import (
	"cmp"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/pb33f/go-yaml"

	"hallmark/spec"
	"hallmark/spec/promise"
	"hallmark/tests/petstoretest"
)

// judgedBy is an entry of covers.yaml.
type judgedBy struct {
	ID       string   `yaml:"id"`
	Covers   []string `yaml:"covers"`
	Feature  string   `yaml:"feature"`
	Memory   string   `yaml:"memory"`
	Untested string   `yaml:"untested"`
}

func (j judgedBy) ways() int {
	n := min(len(j.Covers), 1)
	for _, one := range []string{j.Feature, j.Memory, j.Untested} {
		n += min(len(one), 1)
	}
	return n
}

// Each rule of the Petstore is judged in one way, and what rules cover is derived from its contract.
func TestCovers(t *testing.T) {
	data, err := os.ReadFile("covers.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var table []judgedBy
	if err := yaml.Unmarshal(data, &table); err != nil {
		t.Fatal(err)
	}
	rules := petstoretest.Catalogue(t)
	var entries []map[string]any
	var ids []string
	count := map[string]int{}
	for _, one := range table {
		rule, known := rules.Rule(one.ID)
		if !known || one.ways() != 1 {
			t.Errorf("%s: it is a rule: %v; it is judged in %d ways", one.ID, known, one.ways())
			continue
		}
		ids = append(ids, one.ID)
		switch {
		case len(one.Covers) > 0:
			count["covers"]++
			entries = append(entries, map[string]any{"id": one.ID, "level": entryLevel(rule), "section": rule.Section, "says": rule.Says, "source": cmp.Or(rule.Source, "the interface"), "covers": one.Covers})
		case one.Memory != "":
			count["memory"]++
		case one.Untested != "":
			count["untested"]++
		default:
			count["feature"]++
		}
	}
	for _, r := range rules.Rules {
		if !slices.Contains(ids, r.ID) {
			t.Errorf("%s is not in the table", r.ID)
		}
	}
	if len(ids) != len(rules.Rules) {
		t.Errorf("the table has %d entries for %d rules", len(ids), len(rules.Rules))
	}
	text, err := yaml.Marshal(entries)
	if err != nil {
		t.Fatal(err)
	}
	file, err := spec.ReadRules(text)
	if err != nil {
		t.Fatal(err)
	}
	p := promise.Of(petstoretest.Contract(t), 1, 0)
	derived, err := p.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	catalogue, err := derived.Change(file)
	if err != nil {
		t.Fatal(err)
	}
	tried := map[string]bool{}
	p.Scenarios(catalogue, func(s promise.Scenario) {
		for id := s.Rule; id != "" && !tried[id]; { // what tries a part of a rule tries that
			tried[id] = true
			r, _ := rules.Rule(id)
			id = r.Within
		}
	})
	var left []string
	for _, r := range catalogue.Rules {
		if _, own := rules.Rule(r.ID); own && !r.Always && !tried[r.ID] {
			t.Errorf("no derived scenario is about %s, which covers %s", r.ID, strings.Join(r.Covers, ", "))
		} else if !own {
			left = append(left, r.ID)
		}
	}
	t.Logf("%v; derived rules that none covers: %s", count, strings.Join(left, " "))
}

// entryLevel is the level of a rule of the Petstore, but for what is open there and judged by each response of any contract.
func entryLevel(r spec.Rule) spec.Level {
	if r.ID == "create.location" {
		return spec.Should
	}
	return r.Level
}
