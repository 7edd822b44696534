package openapi_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// TestCorpus reads every document of the folder that HALLMARK_CORPUS names: real ones, which belong to others and are no
// part of this project. All but two in forty have to be read, and none may take long or much memory.
func TestCorpus(t *testing.T) {
	folder := os.Getenv("HALLMARK_CORPUS")
	if folder == "" {
		t.Skip("HALLMARK_CORPUS names no folder of documents")
	}
	var files []string
	for _, ending := range []string{"*.yaml", "*.yml", "*.json"} {
		some, err := filepath.Glob(filepath.Join(folder, ending))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, some...)
	}
	slices.Sort(files)
	if len(files) == 0 {
		t.Fatalf("%s holds no documents", folder)
	}
	loaded := 0
	t.Logf("%-32s %5s %9s %7s %8s %8s", "document", "ops", "omissions", "defects", "ms", "peak MiB")
	for _, file := range files {
		name := filepath.Base(file)
		var c *spec.Contract
		var err error
		took, peak := measured(func() { c, err = openapi.LoadFile(file, source.Options{}) })
		if err != nil {
			t.Logf("%-32s %v", name, err)
			if strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "defect of hallmark") {
				t.Errorf("%s: not one clear line: %v", name, err)
			}
			continue
		}
		loaded++
		t.Logf("%-32s %5d %9d %7d %8d %8d", name, len(c.Operations()), len(c.Omissions()), len(c.Defects()), took.Milliseconds(), peak>>20)
		checkModel(t, name, c)
		if took > time.Minute || peak > 500<<20 {
			t.Errorf("%s takes %v and %d MiB", name, took, peak>>20)
		}
	}
	if missed := len(files) - loaded; missed > len(files)/20 {
		t.Errorf("%d of %d documents were not read", missed, len(files))
	}
}

// checkModel holds a contract against what every contract promises its users.
func checkModel(t *testing.T, name string, c *spec.Contract) {
	t.Helper()
	ids := map[string]bool{}
	pointers := map[string]*spec.Schema{}
	note := func(s *spec.Schema) {
		if other := pointers[s.Pointer]; other != nil && other != s {
			t.Errorf("%s: two schemas stand at %s", name, s.Pointer)
		}
		pointers[s.Pointer] = s
		for _, e := range s.Edges() {
			if e.Schema == nil {
				t.Errorf("%s: an edge of %s has no target", name, s.Pointer)
			}
		}
	}
	for _, op := range c.Operations() {
		if ids[op.ID] || op.ID == "" || op.Method == "" || !strings.HasPrefix(op.Path, "/") || !c.Exists(op.Pointer) {
			t.Errorf("%s: %q %q %q at %s is not whole, or there twice", name, op.ID, op.Method, op.Path, op.Pointer)
		}
		ids[op.ID] = true
		for _, p := range op.Parameters {
			if (p.Schema == nil) == (p.Content == nil) {
				t.Errorf("%s: the parameter %s of %s has a schema and content, or none of both", name, p.Name, op.ID)
			}
			p.Schema.Walk(note)
		}
		if op.Body != nil {
			for _, m := range op.Body.Content {
				m.Schema.Walk(note)
			}
		}
		for _, a := range op.Responses {
			for _, m := range a.Content {
				m.Schema.Walk(note)
			}
		}
	}
	for _, o := range c.Omissions() {
		if o.Line == 0 || o.What == "" || strings.Contains(o.What, "\n") {
			t.Errorf("%s: the omission %+v is not one line", name, o)
		}
	}
	for _, d := range c.Defects() {
		if d.Line == 0 || d.Text == "" || strings.Contains(d.Text, "\n") {
			t.Errorf("%s: the defect %+v is not one line", name, d)
		}
	}
}

// measured returns how long a function takes, and how much more memory is in use meanwhile.
func measured(f func()) (took time.Duration, peak uint64) {
	runtime.GC()
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	done, sampled := make(chan struct{}), make(chan uint64)
	go func() {
		most := uint64(0)
		for {
			runtime.ReadMemStats(&now)
			most = max(most, now.HeapInuse)
			select {
			case <-done:
				sampled <- most
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	start := time.Now()
	f()
	took = time.Since(start)
	close(done)
	return took, max(<-sampled, before.HeapInuse) - before.HeapInuse
}
