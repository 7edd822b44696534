package judge

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hallmark/spec/exactjson"
)

// What is left out of a long list before the validator sees it breaks nothing: where few items are doubtful, both ways find
// the same in the same places.
func TestLongListsAreJudgedAsTheyStand(t *testing.T) {
	quick := testJudge(t).plans["listPets"]["200"]
	thorough := *quick
	thorough.thorough = true
	wrong := map[int]string{
		0: `{}`, 7: `null`, 640: `{"id":"1","name":"x","categoryId":1}`, 999: `[]`, 1000: `{"id":1,"name":"x"}`,
		1499: `{"id":9223372036854775808,"name":1,"categoryId":1,"status":"gone"}`,
	}
	for _, n := range []int{100, maxDoubtful, maxDoubtful + 1, 1500} {
		for _, broken := range []bool{false, true} {
			items := make([]string, n)
			for i := range items {
				items[i] = fmt.Sprintf(`{"id":%d,"name":"x","categoryId":1}`, i)
				if text, there := wrong[i]; there && broken {
					items[i] = text
				}
			}
			d, err := exactjson.Decode([]byte("[" + strings.Join(items, ",") + "]"))
			if err != nil {
				t.Fatal(err)
			}
			if got, want := told(quick, d), told(&thorough, d); !slices.Equal(got, want) {
				t.Errorf("%d items, broken: %v:\n%s\nwant\n%s", n, broken, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	}
}

func told(p *plan, d exactjson.Decoded) []string {
	found := p.violations(d)
	out := make([]string, len(found))
	for i, b := range found {
		out[i] = fmt.Sprint(b.path, " ", b.rule, " ", b.keyword, " ", b.variant, " ", b.expected, " ", b.actual, " ", b.among)
	}
	return out
}

// Of a list that is broken all through, the first items tell, and the findings do not say more than was looked at.
func TestALongBrokenListIsNotSearchedToItsEnd(t *testing.T) {
	_, findings, _ := testJudge(t).Answer(answer("listPets", 200, "["+strings.Repeat("{},", 5000)+"{}]"))
	text := ""
	for _, f := range findings {
		text += f.Rule + ": " + f.Actual.String() + "\n"
	}
	want := "list.maximum: 5,001 items\npet.id: no field id (at least 1,000 of 5,001 items; first at /0)\n"
	if !strings.HasPrefix(text, want) {
		t.Errorf("%s\nwant\n%s", text, want)
	}
}
