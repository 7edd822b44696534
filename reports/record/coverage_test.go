package record_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/coverage"
	"github.com/hallmark-kit/hallmark/spec/openapi"
)

const coveredDocument = `
openapi: 3.1.0
info: {title: Tickets, version: "1"}
paths:
  /tickets:
    get:
      operationId: listTickets
      parameters: [{name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 9}}]
      responses:
        "200": {description: tickets, content: {application/json: {schema: {type: array, items: {type: string, enum: [a, b]}}}}}
        "400": {description: refused}
    post:
      operationId: addTicket
      requestBody: {content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}}
      responses: {"201": {description: added}, "400": {description: refused}}
`

func coveredContract(t *testing.T) *spec.Contract {
	t.Helper()
	c, err := openapi.Load([]byte(coveredDocument))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// listing are the marks of a response of listTickets.
func listing(c *spec.Contract, status int, judged bool) *coverage.Marks {
	op, _ := c.Operation("listTickets")
	m := coverage.Marks{Operation: op.ID, Status: status, Succeeded: status < 300, Accepted: status < 300, Judged: judged}
	if status < 300 {
		m.Response, m.Media, m.Parameters = "200", []string{"200 application/json"}, []string{"query limit"}
		m.Elements = map[string][]coverage.Element{}
		for _, s := range coverage.Of(op).Schemas {
			m.Elements[s.Of] = s.Elements[:2]
		}
	} else {
		m.Response, m.SeenParameters = "400", []string{"query limit"}
	}
	return &m
}

func TestCoverage(t *testing.T) {
	c := coveredContract(t)
	for name, test := range map[string]struct {
		add  func(*record.CoverageTally)
		want map[record.Dimension]record.Covered
	}{
		"nothing": {
			add: func(*record.CoverageTally) {},
			want: map[record.Dimension]record.Covered{
				record.Operations: {All: 2}, record.Statuses: {All: 4}, record.MediaTypes: {All: 2}, record.Parameters: {All: 1}, record.Schemas: {All: 11},
			},
		},
		"a service that refuses everything": {
			add: func(tally *record.CoverageTally) { tally.Add(listing(c, 400, true), false) },
			want: map[record.Dimension]record.Covered{
				record.Operations: {Seen: 1, All: 2}, record.Statuses: {Judged: 1, All: 4}, record.MediaTypes: {All: 2},
				record.Parameters: {Seen: 1, All: 1}, record.Schemas: {All: 11},
			},
		},
		"a response that could not be judged": {
			add: func(tally *record.CoverageTally) { tally.Add(listing(c, 200, false), false) },
			want: map[record.Dimension]record.Covered{
				record.Operations: {Seen: 1, All: 2}, record.Statuses: {Seen: 1, All: 4}, record.MediaTypes: {Seen: 1, All: 2},
				record.Parameters: {Seen: 1, All: 1}, record.Schemas: {Seen: 4, All: 11},
			},
		},
		"a success": {
			add: func(tally *record.CoverageTally) { tally.Add(listing(c, 200, true), false) },
			want: map[record.Dimension]record.Covered{
				record.Operations: {Judged: 1, All: 2}, record.Statuses: {Judged: 1, All: 4}, record.MediaTypes: {Judged: 1, All: 2},
				record.Parameters: {Judged: 1, All: 1}, record.Schemas: {Judged: 4, All: 11},
			},
		},
		"a success, and one with a finding": { // about the response, more likely than about the parameter
			add: func(tally *record.CoverageTally) {
				tally.Add(listing(c, 200, true), true)
				tally.Add(listing(c, 200, true), false)
			},
			want: map[record.Dimension]record.Covered{
				record.Operations: {Judged: 1, Broken: 1, All: 2}, record.Statuses: {Judged: 1, Broken: 1, All: 4},
				record.MediaTypes: {Judged: 1, Broken: 1, All: 2}, record.Parameters: {Judged: 1, All: 1}, record.Schemas: {Judged: 4, All: 11},
			},
		},
		"a success with a finding": {
			add: func(tally *record.CoverageTally) { tally.Add(listing(c, 200, true), true) },
			want: map[record.Dimension]record.Covered{
				record.Operations: {Judged: 1, Broken: 1, All: 2}, record.Statuses: {Judged: 1, Broken: 1, All: 4},
				record.MediaTypes: {Judged: 1, Broken: 1, All: 2}, record.Parameters: {Judged: 1, Broken: 1, All: 1}, record.Schemas: {Judged: 4, Broken: 4, All: 11},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var tally record.CoverageTally
			test.add(&tally)
			got := tally.Coverage(c)
			for _, d := range record.Dimensions() {
				if got.Covered(d) != test.want[d] {
					t.Errorf("%s are %+v, not %+v", d, got.Covered(d), test.want[d])
				}
			}
		})
	}
}

// TestCoverageOfAny adds exchanges at random: an operation counts only with a success that was judged, and the coverage of two parts together
// is that of all their exchanges, in either order.
func TestCoverageOfAny(t *testing.T) {
	c := coveredContract(t)
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var parts [2]record.CoverageTally
		var all record.CoverageTally
		judged := false
		for range random.IntN(4) {
			m, broken := listing(c, []int{200, 400}[random.IntN(2)], random.IntN(2) == 0), random.IntN(3) == 0
			judged = judged || m.Judged && m.Succeeded
			parts[random.IntN(2)].Add(m, broken)
			all.Add(m, broken)
		}
		a, b, want := parts[0].Coverage(c), parts[1].Coverage(c), all.Coverage(c)
		if got := want.Operations[0].Judgement().Judged(); got != judged {
			t.Fatalf("judged: %t, not %t: %+v", got, judged, want.Operations[0])
		}
		if !reflect.DeepEqual(a.Plus(b), want) || !reflect.DeepEqual(b.Plus(a), want) {
			t.Fatalf("%+v and %+v are together\n%+v and\n%+v, not\n%+v", a, b, a.Plus(b), b.Plus(a), want)
		}
	}
}

func TestMergedCoverage(t *testing.T) {
	c := coveredContract(t)
	all := shardsOf(t, 2)
	var refused, succeeded record.CoverageTally
	refused.Add(listing(c, 400, true), false)
	succeeded.Add(listing(c, 200, true), false)
	all[0].Record.Coverage, all[1].Record.Coverage = refused.Coverage(c), succeeded.Coverage(c)
	merged, err := record.Merge(all)
	if err != nil {
		t.Fatal(err)
	}
	if got := merged.Coverage.Covered(record.Statuses); got != (record.Covered{Judged: 2, All: 4}) {
		t.Errorf("statuses of both shards: %+v", got)
	}
	all[1].Record.Coverage = nil
	if merged, err = record.Merge(all); err != nil || merged.Coverage != nil {
		t.Errorf("what one shard does not know, both know: %+v, %v", merged, err)
	}
}
