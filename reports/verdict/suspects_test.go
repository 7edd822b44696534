package verdict_test

import (
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/tests/fixture"
)

// A target that dies has read the request that it dies of, and has not answered it before.
func TestSuspects(t *testing.T) {
	r := fixture.New(t)
	lose := func(request string, read bool) int {
		seq := r.Exchange(request, 0, "")
		r.Rec.Exchanges[seq-1].Response = nil
		r.Rec.Suspects = append(r.Rec.Suspects, record.Suspect{Exchange: seq, Read: read})
		return seq
	}
	r.Exchange(`POST /pets {"name":"a"}`, 201, "{}")
	reset := lose(`POST /pets {"name":"reset"}`, false)
	known := lose(`POST /pets {"name":"a"}`, true)
	lethal := lose(`POST /pets {"name":"lethal"}`, true)
	r.Rec.Suspects = append(r.Rec.Suspects, record.Suspect{Exchange: 99})
	r.Rec.Complete, r.Rec.Lost = false, "the target stopped answering: connection refused"

	want := []struct {
		seq      int
		evidence string
	}{
		{lethal, "was read; then the connection was closed"},
		{known, "was read; then the connection was closed; the same request got a response before"},
		{reset, "may not have been read: its connection was reset"},
	}
	all := verdict.Suspects(&r.Rec)
	if len(all) != len(want) {
		t.Fatalf("%d suspects: %+v", len(all), all)
	}
	for i, w := range want {
		if all[i].Exchange.Seq != w.seq || all[i].Evidence != w.evidence {
			t.Errorf("%d: exchange %d %s, want %d %s", i, all[i].Exchange.Seq, all[i].Evidence, w.seq, w.evidence)
		}
	}
	phrase := verdict.LostPhrase(&r.Rec)
	if !strings.HasPrefix(phrase, "the target stopped answering: connection refused; the most likely cause is POST /") || !strings.Contains(phrase, `"lethal"`) || !strings.HasSuffix(phrase, "one of 3 requests in flight") {
		t.Error(phrase)
	}
	r.Rec.Suspects = r.Rec.Suspects[:1]
	if phrase := verdict.LostPhrase(&r.Rec); !strings.HasSuffix(phrase, " was in flight") {
		t.Error(phrase)
	}
}
