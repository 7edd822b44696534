package traffic_test

import (
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
)

// Of traffic, too, only what was judged is covered.
func TestCoverage(t *testing.T) {
	refused := good()
	refused.status, refused.content = 400, map[string]any{"size": 13, "mimeType": "application/json", "text": `{"error":"x"}`}
	truncated := good()
	truncated.content = map[string]any{"size": 900, "mimeType": "application/json", "text": `[{"kind":"small"`}
	wrong := good()
	wrong.content = map[string]any{"size": 17, "mimeType": "application/json", "text": `[{"kind":"small"}]`}
	for name, test := range map[string]struct {
		recording string
		want      [4]record.Judgement // of the operation, its 200, its 400, and the parameter state
	}{
		"a success":    {archive(good()), [4]record.Judgement{record.JudgedRight, record.JudgedRight, record.Never, record.JudgedRight}},
		"a refusal":    {archive(refused, refused), [4]record.Judgement{record.OnlySeen, record.Never, record.JudgedRight, record.OnlySeen}},
		"what was cut": {archive(truncated), [4]record.Judgement{record.OnlySeen, record.OnlySeen, record.Never, record.OnlySeen}},
		"a wrong body": {archive(wrong), [4]record.Judgement{record.JudgedBroken, record.JudgedBroken, record.Never, record.JudgedBroken}},
	} {
		t.Run(name, func(t *testing.T) {
			op := judged(t, test.recording).Coverage.Operations[0]
			got := [4]record.Judgement{op.Judgement(), op.Statuses[0].Judgement(), op.Statuses[1].Judgement(), op.Parameters[2].Judgement()}
			if got != test.want {
				t.Errorf("%v, not %v: %+v", got, test.want, op)
			}
		})
	}
}
