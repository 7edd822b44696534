package html

import (
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/view"
)

// How much was judged is on the page; which operations, and why not, is packed until somebody asks.
func TestCoverage(t *testing.T) {
	v := bulkView(t, 3)
	rec := *v.Record
	covered := *rec.Coverage
	covered.Operations = append([]record.OperationCoverage(nil), covered.Operations...)
	first := &covered.Operations[0]
	first.Judgements, first.Succeeded, first.Unsuccessful = record.Judgements{Seen: 4}, 0, []record.Tallied{{Name: "409", Count: 4}}
	first.Statuses = append([]record.ElementCoverage(nil), first.Statuses...)
	first.Statuses[0].Judgements = record.Judgements{}
	rec.Coverage = &covered
	page := packed(t, view.New(&rec, v.Sources))
	static := blocks.ReplaceAllString(page, "")
	if !strings.Contains(static, `<th scope="row">Operations</th><td class="figure">66.6 %</td><td>2 of 3, `) || strings.Contains(static, "never succeeded: 409 (4 responses)</span>") {
		t.Error("the page does not say how much was judged, or says all of it at once")
	}
	var matrix, unit string
	for _, part := range partsOf(t, page, "parts") {
		if strings.Contains(part, "by-operation") {
			matrix = part
		}
	}
	for _, part := range partsOf(t, page, "units") {
		if strings.Contains(part, "never succeeded: 409") {
			unit = part
		}
	}
	for _, want := range []string{
		`href="#operation-` + first.Operation + `"`, "never succeeded: 409 (4 responses)",
		`<span class="mark is-unasked" title="` + first.Statuses[0].Name + `: never: never succeeded: 409 (4 responses)">– ` + first.Statuses[0].Name + `</span>`,
		`<span class="mark is-conforms" title="`,
	} {
		if !strings.Contains(matrix, want) {
			t.Errorf("the matrix lacks %s:\n%.3000s", want, matrix)
		}
	}
	if !strings.Contains(unit, "<h3>Coverage</h3>") || !strings.Contains(unit, "not judged: never succeeded: 409 (4 responses)") {
		t.Errorf("the page of the operation does not say why it was not judged:\n%.2000s", unit)
	}
}

func TestUnknownCoverage(t *testing.T) {
	v := bulkView(t, 3)
	rec := *v.Record
	rec.Coverage = nil
	if page := written(t, view.New(&rec, v.Sources)); strings.Contains(page, `id="coverage"`) || strings.Contains(page, "<h3>Coverage</h3>") {
		t.Error("the page says something that nobody knows")
	}
}
