package listing_test

import (
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/listing"
	"github.com/hallmark-kit/hallmark/internal/prove"
	"github.com/hallmark-kit/hallmark/spec"
)

func TestRules(t *testing.T) {
	rules := []listing.Rule{
		{Rule: spec.Rule{ID: "list.array", Level: spec.Must, Says: "A list is an <array>.", Section: "1|2"}, Scenarios: 3},
		{Rule: spec.Rule{ID: "pet.color", Level: spec.Open, Says: "It may have a colour.", Asks: "Which?", Always: true}},
	}
	for format, want := range map[string]string{
		listing.Table: "RULE        LEVEL  SCENARIOS       SAYS\n" +
			"list.array  must   3               A list is an <array>.\n\n" +
			"pet.color   open   every response  It may have a colour. Which?\n",
		listing.Markdown: "## list\n\n| Rule | Level | Says | Section | Scenarios |\n|---|---|---|---|---|\n" +
			"| `list.array` | must | A list is an &lt;array>. | 1\\|2 | 3 |\n\n" +
			"## pet\n\n| Rule | Level | Says | Section | Scenarios |\n|---|---|---|---|---|\n" +
			"| `pet.color` | open | It may have a colour. Which? |  | every response |\n",
	} {
		var text strings.Builder
		if err := listing.Rules(&text, rules, format, 0); err != nil || text.String() != want {
			t.Errorf("%s, %v:\n%s\nwant:\n%s", format, err, text.String(), want)
		}
	}
}

func TestCases(t *testing.T) {
	cases := []prove.Case{
		{Name: "one", Family: "limit", Rule: "list.limit", Says: "It says a | b."},
		{Name: "another", Family: "auth", Rule: "auth", Says: "It says more."},
	}
	for format, want := range map[string]string{
		listing.Table:    "NAME     RULE        SAYS\none      list.limit  It says a | b.\n\nanother  auth        It says more.\n",
		listing.Markdown: "## limit\n\n| Name | Rule | Says |\n|---|---|---|\n| `one` | `list.limit` | It says a \\| b. |\n\n## auth\n\n| Name | Rule | Says |\n|---|---|---|\n| `another` | `auth` | It says more. |\n",
	} {
		var text strings.Builder
		if err := listing.Cases(&text, cases, format, 0); err != nil || text.String() != want {
			t.Errorf("%s, %v:\n%s\nwant:\n%s", format, err, text.String(), want)
		}
	}
}
