package session_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/tests/sample"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

// manyScenarios is the size of the run with which formats are measured; it has nearly three times as many
// exchanges.
const manyScenarios = 2000

// Every format of the registry, over a run with many scenarios and failures.
func BenchmarkFormats(b *testing.B) {
	view := sample.Big(b, manyScenarios)
	for _, f := range session.Formats() {
		b.Run(f.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				out := &meter{}
				if err := f.Write(out, view); err != nil {
					b.Fatal(err)
				}
				b.SetBytes(out.written)
			}
		})
	}
}

// A run may have thousands of exchanges, and each format may be written while it goes on: none may hold them a second
// time in memory.
func TestFormatsHoldExchangesOnce(t *testing.T) {
	skip.UnderRace(t)
	if testing.Short() {
		t.Skip("-short: a run of many scenarios takes long to make and to write")
	}
	before := live()
	view := sample.Big(t, manyScenarios)
	weight := live() - before
	for _, f := range session.Formats() {
		t.Run(f.Name, func(t *testing.T) {
			total := &meter{}
			if err := f.Write(total, view); err != nil {
				t.Fatal(err)
			}
			base := live()
			out := &meter{every: total.written/8 + 1}
			if err := f.Write(out, view); err != nil {
				t.Fatal(err)
			}
			if out.samples == 0 && total.written > 0 {
				t.Error("nothing was measured")
			}
			t.Logf("%d KiB written, at most %d KiB held besides the record of %d KiB", total.written>>10, (out.most-base)>>10, weight>>10)
			if held := out.most - base; held > weight/2 {
				t.Errorf("%d KiB are held while it is written, besides the record of %d KiB", held>>10, weight>>10)
			}
		})
	}
	runtime.KeepAlive(view)
}

// At the end of a run all reports are written at the same time: none may change what another reads.
func TestFormatsAreWrittenTogether(t *testing.T) {
	view := sample.Broken(t)
	folder := t.TempDir()
	var wanted []string
	for _, f := range session.Formats() {
		wanted = append(wanted, f.Name+":"+filepath.Join(folder, f.Name))
	}
	sinks, err := reports.OpenSinks(wanted, session.Formats(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := sinks.Finish(view); err != nil {
		t.Fatal(err)
	}
	for _, f := range session.Formats() {
		var alone bytes.Buffer
		if err := f.Write(&alone, view); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(folder, f.Name)); err != nil || !bytes.Equal(got, alone.Bytes()) {
			t.Errorf("%s is another one beside the others: %d bytes, alone %d, %v", f.Name, len(got), alone.Len(), err)
		}
	}
}

// All of them at the end of a run with many scenarios, into files.
func BenchmarkAllFormats(b *testing.B) {
	view := sample.Big(b, manyScenarios)
	folder := b.TempDir()
	var wanted []string
	for _, f := range session.Formats() {
		wanted = append(wanted, f.Name+":"+filepath.Join(folder, f.Name))
	}
	b.ReportAllocs()
	for b.Loop() {
		sinks, err := reports.OpenSinks(wanted, session.Formats(), nil)
		if err != nil {
			b.Fatal(err)
		}
		if err := sinks.Finish(view); err != nil {
			b.Fatal(err)
		}
	}
}

// live is how many bytes are in use.
func live() int64 {
	runtime.GC()
	runtime.GC() // what had a finalizer, or was in a pool
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// meter counts what is written, and measures the memory in use at certain intervals of bytes.
type meter struct {
	every         int64 // 0: never
	written, next int64
	samples       int
	most          int64
}

var _ io.Writer = (*meter)(nil)

// Write implements [io.Writer].
func (m *meter) Write(p []byte) (int, error) {
	m.written += int64(len(p))
	if m.every > 0 && m.written >= m.next {
		m.samples++
		m.most = max(m.most, live())
		m.next = m.written + m.every
	}
	return len(p), nil
}
