package schema

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// TestCorpus reads and compiles every schema of real documents, in little time and memory. The only parts that
// cannot be used to judge are those that are really broken.
func TestCorpus(t *testing.T) {
	total, holes := 0, 0
	for _, file := range corpus(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		d := parse(t, string(text))
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		s := New(d, DialectOf(versionOf(d)))
		pointers := schemasOf(d)
		begin := time.Now()
		survey := s.Survey(pointers)
		surveyed := time.Since(begin)
		begin = time.Now()
		for _, p := range pointers {
			if x, ok := s.At(p); ok {
				x.unit.compiled(s)
			}
		}
		compiled := 0
		for i := 0; i < len(s.numbered); i++ { // grows
			u := s.numbered[i]
			u.compiled(s)
			compiled++
		}
		took := time.Since(begin)
		runtime.GC()
		runtime.ReadMemStats(&after)
		t.Logf("%-28s %6d roots, %6d schemas, %3d holes, survey %5d ms, compile %5d ms (%d units), %4d MB",
			filepath.Base(file), len(pointers), survey.Schemas, len(survey.Holes), surveyed.Milliseconds(), took.Milliseconds(), compiled,
			(int64(after.HeapAlloc)-int64(before.HeapAlloc))>>20)
		if met := s.allHoles(); len(met) != len(survey.Holes) {
			t.Errorf("%s: %d holes appear only where schemas are compiled", filepath.Base(file), len(met)-len(survey.Holes))
		}
		if used := int64(after.HeapAlloc) - int64(before.HeapAlloc); used > 200<<20 || took > time.Minute {
			t.Errorf("%s takes %v and %d MB", filepath.Base(file), took, used>>20)
		}
		for i, h := range survey.Holes {
			if i < 12 {
				t.Logf("    line %d: %s: %s", h.Line, h.Pointer, h.Reason)
			}
		}
		total, holes = total+survey.Schemas, holes+len(survey.Holes)
		runtime.KeepAlive(s)
	}
	t.Logf("%d schemas, %d holes", total, holes)
	if holes*100 > total {
		t.Errorf("of %d schemas %d cannot be judged by", total, holes)
	}
}
