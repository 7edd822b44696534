package terminal

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
)

func TestProgressLine(t *testing.T) {
	tally := record.Tally{Scenarios: 45, Failed: 2, Errors: 1, Skipped: 3, Exchanges: 1540, Areas: []record.AreaTally{{Area: "auth", Done: 20}, {Area: "list", Done: 25, Failed: 2}}}
	for _, c := range []struct {
		name    string
		tally   record.Tally
		total   int
		elapsed time.Duration
		width   int
		want    string
	}{
		{"at the beginning", record.Tally{}, 213, 0, 80, "0/213 scenarios · 0 exchanges"},
		{"no total", record.Tally{Scenarios: 1, Exchanges: 1}, 0, 0, 80, "1 scenario · 1 exchange"},
		{"wide", tally, 213, 2 * time.Second, 120, "45/213 scenarios · 2 failed · 1 error · about 8 s left · 1,540 exchanges · 770/s · auth 20 list 25 (2 failed)"},
		{"unknown width", tally, 213, 2 * time.Second, 0, ""},
		{"long", tally, 213, time.Minute, 80, "45/213 · 2 failed · 1 error · 3 min 44 s left · 25/s · list 25 (2 failed) auth…"},
		{"too early to tell", tally, 213, 900 * time.Millisecond, 80, "45/213 · 2 failed · 1 error · 1,711/s · list 25 (2 failed) auth 20"},
		{"at the end", record.Tally{Scenarios: 213, Exchanges: 10}, 213, 2 * time.Second, 80, "213/213 scenarios · 10 exchanges · 5/s"},
		{"narrow", tally, 213, 2 * time.Second, 40, "45/213 · 2 failed · 1 error · 8 s left"},
		{"very narrow", tally, 213, 2 * time.Second, 10, "45/213"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := progressLine(c.tally, c.total, c.elapsed, c.width, false)
			if c.name != "unknown width" && got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if c.width > 0 && text.Columns(got) >= c.width || text.Columns(got) > 79 && c.width == 0 {
				t.Errorf("%d columns: %s", text.Columns(got), got)
			}
		})
	}
	if line := progressLine(tally, 213, time.Second, 200, true); !strings.Contains(line, "\x1b[1;31m2 failed\x1b[0m") {
		t.Errorf("no colours: %q", line)
	}
}

type safeBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func TestProgressDrawsAndClears(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out safeBuffer
		rec := record.NewRecorder(record.Record{})
		p := StartProgress(&out, rec, ProgressLook{Total: 10, Width: func() int { return 80 }})
		<-time.After(time.Second + time.Millisecond)
		synctest.Wait()
		if n := strings.Count(out.String(), clearLine); n != 10 {
			t.Errorf("drawn %d times in a second, want 10", n)
		}
		out.Reset()
		if n, err := p.Write([]byte("a line of the log\n")); n != 18 || err != nil {
			t.Errorf("wrote %d, %v", n, err)
		}
		if out.String() != clearLine+"a line of the log\n" {
			t.Errorf("%q", out.String())
		}
		out.Reset()
		p.Stop()
		p.Stop()
		if !strings.HasSuffix(out.String(), clearLine) {
			t.Errorf("not cleared: %q", out.String())
		}
		out.Reset()
		<-time.After(time.Second)
		if out.Len() > 0 {
			t.Errorf("drawn after the end: %q", out.String())
		}
	})
}

func TestProgressIntoNothing(t *testing.T) {
	p := StartProgress(nil, record.NewRecorder(record.Record{}), ProgressLook{})
	if n, err := p.Write([]byte("x")); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	p.Stop()
	p.Stop()
}
