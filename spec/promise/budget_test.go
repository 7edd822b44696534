package promise

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec/openapi"
)

// operations is a contract of operations that each have many cases.
func operations(n int) string {
	var b strings.Builder
	b.WriteString("openapi: 3.0.3\ninfo: {title: t, version: \"1\"}\npaths:\n")
	for i := range n {
		fmt.Fprintf(&b, "  /a%d:\n    get:\n      operationId: a%d\n      parameters:\n", i, i)
		for p := range 9 {
			fmt.Fprintf(&b, "      - {name: p%d, in: query, schema: {type: integer, minimum: 1, maximum: 90}}\n", p)
		}
		b.WriteString("      responses: {\"200\": {description: ok}, \"400\": {description: no}}\n")
	}
	return b.String()
}

func TestBudgetOfRequests(t *testing.T) {
	of := func(n, perOperation int) *Promises {
		contract, err := openapi.Load([]byte(operations(n)))
		if err != nil {
			t.Fatal(err)
		}
		return Of(contract, 1, perOperation)
	}
	for _, n := range []int{1, 50, 150, 200} {
		p := of(n, 0)
		b := p.Budget()
		if most := max(mostRequests, n*requestsEach); b.Requests > most || b.PerOperation < fewestCases || n >= 150 && (b.LeftOut == 0 || b.Requests < most/2) {
			t.Errorf("%d operations: %+v", n, b)
		}
		cases := 0
		for _, all := range p.derive() {
			cases += len(all)
			if len(all) > b.PerOperation+mostBack {
				t.Errorf("%d operations: one has %d cases of %d", n, len(all), b.PerOperation)
			}
		}
		if cases != b.Cases || b.Requests < cases-n*mostBack {
			t.Errorf("%d operations: %d cases are counted, and there are %d", n, b.Cases, cases)
		}
	}
	if b := of(3, 7).Budget(); b.PerOperation != 7 || !b.Given || b.Cases != 21 || b.LeftOut == 0 {
		t.Errorf("the given bound is not kept: %+v", b)
	}
}

// A draft may drop cases that the budget cannot choose: the choice from the rest is the same as from all.
func TestADraftKeepsWhatMayBeChosen(t *testing.T) {
	var groups [][]Case
	for i, n := range []int{3, 0, 7, 1, 12} {
		var group []Case
		for j := range n {
			group = append(group, Case{Kind: Kind(fmt.Sprint("kind ", (i+j)%4)), Title: fmt.Sprint(i, "-", j), Asks: j})
		}
		groups = append(groups, group)
	}
	titles := func(groups [][]Case) string {
		var b strings.Builder
		for _, group := range groups {
			for _, c := range group {
				b.WriteString(c.Title + " ")
			}
		}
		return b.String()
	}
	for limit := range 26 {
		d := newDraft(Case{}, groups, nil, limit)
		if d.size != 24 || d.asks != 3+21+66 {
			t.Fatalf("%d cases that take %d more requests are counted", d.size, d.asks)
		}
		for most := range limit + 1 {
			if got, want := titles(roundRobin(d.groups, most)), titles(roundRobin(groups, most)); got != want {
				t.Errorf("%d of %d: chosen are %s, want %s", most, limit, got, want)
			}
		}
	}
}
