package spec_test

import (
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
)

func TestWildcards(t *testing.T) {
	for text, want := range map[string]string{
		"- {id: '*.success', level: should, source: page 4}":                                       "list.success should, make.success should, list.limit inferred",
		"- '*.success': should":                                                                    "list.success should, make.success should, list.limit inferred",
		"'*.success': should\n'list.*': {off: It lies.}\n":                                         "list.success should off, make.success should, list.limit inferred off",
		"- {id: list.success, level: must}\n- {id: '*.success', level: should}":                    "list.success must, make.success should, list.limit inferred",
		"- '*.success': should\n- 'make.*': must":                                                  "list.success should, make.success must, list.limit inferred",
		"- {id: '*.limit', source: 'Guide: it is short.'}":                                         "list.success must, make.success must, list.limit must stated",
		"- {id: '*.limit', level: must}":                                                           "list.success must, make.success must, list.limit must",
		"- {id: '*.limit', level: must}\n- {id: list.limit, source: Guide}":                        "list.success must, make.success must, list.limit must stated",
		"- {id: '*.limit', source: Guide}\n- {id: list.limit, level: should}":                      "list.success must, make.success must, list.limit should",
		"- {id: '*.limit', level: should, source: Guide}":                                          "list.success must, make.success must, list.limit should",
		"- {id: '*.limit', source: ' '}":                                                           "list.success must, make.success must, list.limit inferred",
		"- {id: page.limit, covers: ['list.limit'], source: Guide}\n- '*.limit': should":           "list.success must, make.success must, page.limit must stated",
		"- {id: page.limit, covers: ['list.limit']}\n- {id: '*.success', source: Guide}":           "list.success must, make.success must, page.limit inferred",
		"- {id: page.limit, covers: ['list.limit'], level: should, source: Guide}\n- 'make.*': {}": "list.success must, make.success must, page.limit should",
	} {
		c, err := covered(t, text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var all []string
		for _, id := range []string{"list.success", "make.success", "list.limit"} {
			r, _ := c.Rule(id)
			one := r.ID + " " + string(r.Level)
			if r.Stated {
				one += " stated"
			}
			if r.Off != "" {
				one += " off"
			}
			all = append(all, one)
		}
		if got := strings.Join(all, ", "); got != want {
			t.Errorf("%s:\n%s, want\n%s", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"- '*.sucess': must":                  "line 1: *.sucess matches no rule; did you mean *.success?",
		"- 'lst.*': must":                     "line 1: lst.* matches no rule; did you mean list.*?",
		"- '*.robust': must":                  "line 1: *.robust matches no rule; ",
		"- {id: '*.x.y.z', off: x}":           `line 1: *.x.y.z matches no rule; "hallmark rules" lists the rules`,
		"- {id: '[*.y', off: x}":              "line 1: [*.y is not a valid pattern: * is the only wildcard",
		"- {id: 'a.*', covers: [list.limit]}": "line 1: the rule a.* covers others and needs an id without *",
		"- '*.success': perhaps":              `line 1: the rule *.success has the level "perhaps"`,
		"- '*.success': open":                 "line 1: the rule list.success is checked on every response",
		"- '*.success': [must]":               "line 1: after *.success: a level is expected, or the keys of its entry, not a list",
		"'*.success': must\nlimit: must":      `line 2: "limit" is not the id of a rule`,
		"- '*.success': {id: x}":              "line 1: the key id is repeated",
		"- '*.limit': must\n- {id: a.b, says: x, covers: ['*.limit']}":       "line 1: *.limit matches only rules that others cover: list.limit is covered by a.b (line 2); change them there",
		"- '*.success': must\n- '*.success': should":                         "line 2: the rule *.success is already defined in line 1",
		"- {id: p.a, says: x, covers: ['*.lmit']}":                           "line 1: the rule p.a covers *.lmit, which matches no rule; did you mean *.limit?",
		"- {id: '*.more', section: Shop, level: must, says: It is our own.}": "line 1: *.more matches no rule",
	} {
		entries, err := spec.ReadRules([]byte(text))
		if err == nil {
			_, err = derivedRules(t).Change(entries)
		}
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
