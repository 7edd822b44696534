package suite

import (
	"reflect"
	"slices"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/feature"
)

const divided = `# a comment
@operation:a
Feature: a feature

  Background:
    Given a pet shop

  @rule:x @more
  # between tags
  @tags
  Scenario: one
    When it is asked
      """
      @rule:x
      Scenario: none
      """

  # said of two
  @rule:x
  Scenario Outline: two of <n>
    When <n> is asked

    @first
    Examples: small
      | n |
      | 1 |
      | 2 |

    Examples: great
      | n  |
      | 10 |

  @rule:x
  Rule: a rule
    Background:
      Given another one

    Scenario: three
      When | is asked
      | a table |

    @rule:x
    Scenario: four
      When it is asked`

// Only leaves each chosen scenario as it was, at its line, and nothing else.
func TestOnly(t *testing.T) {
	catalogue := spec.RestoreCatalogue([]spec.Rule{{ID: "x"}}, "")
	whole, err := parse(feature.File{Name: "f", Content: divided}, catalogue)
	if err != nil {
		t.Fatal(err)
	}
	if len(whole.Scenarios) != 6 {
		t.Fatalf("%d scenarios were read", len(whole.Scenarios))
	}
	for chosen := range 1 << len(whole.Scenarios) {
		var want []*Scenario
		for i, p := range whole.Scenarios {
			if chosen>>i&1 == 1 {
				want = append(want, p)
			}
		}
		text := whole.Only(func(p *Scenario) bool { return slices.Contains(want, p) })
		if len(want) == 0 {
			if text != "" {
				t.Errorf("of none is left %s", text)
			}
			continue
		}
		got, err := parse(feature.File{Name: "f", Content: text}, catalogue)
		if err != nil {
			t.Fatalf("%b: %v\n%s", chosen, err, text)
		}
		if !reflect.DeepEqual(got.Scenarios, want) {
			t.Errorf("%b: chosen were %v, left is %v:\n%s", chosen, want, got.Scenarios, text)
		}
	}
}
