package judge

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hallmark/spec"
	"hallmark/spec/openapi"
	"hallmark/spec/source"
)

// TestCorpus judges the examples of the documents in the folder that HALLMARK_CORPUS names, as if services had sent them.
// Whatever they break, all of them can be judged, in little time.
func TestCorpus(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(os.Getenv("HALLMARK_CORPUS"), "*.*"))
	if os.Getenv("HALLMARK_CORPUS") == "" || len(files) == 0 {
		t.Skip("HALLMARK_CORPUS names no folder of documents")
	}
	catalogue := catalogueFor(t)
	for _, file := range files {
		c, err := openapi.LoadFile(file, source.Options{})
		if err != nil {
			continue
		}
		begin := time.Now()
		j, err := New(c, catalogue)
		if err != nil {
			t.Errorf("%s: %v", filepath.Base(file), err)
			continue
		}
		ready := time.Since(begin)
		judged, broken, failed := 0, 0, 0
		for _, op := range c.Operations() {
			for _, a := range op.Responses {
				m := a.JSON()
				if m == nil || a.Status == 0 {
					continue
				}
				for _, e := range m.Examples {
					body, findings, _ := j.Answer(&spec.Exchange{
						Operation: op.ID,
						Request:   spec.Request{Method: op.Method, URL: "https://example.com" + op.Path},
						Response: &spec.Response{Status: a.Status, Header: http.Header{"Content-Type": {m.Type}}, Body: spec.Bytes(e.JSON),
							Size: len(e.JSON)},
					})
					judged++
					if len(findings) > 0 {
						broken++
					}
					if body.Err != nil {
						failed++
						t.Errorf("%s: %s: %v", filepath.Base(file), op.ID, body.Err)
					}
					for _, f := range findings {
						if f.Rule == "" || f.Kind == "" || strings.Contains(f.Expected.String(), "{}") || strings.Contains(f.Actual.String(), "{}") {
							t.Errorf("%s: %s: something is missing: %+v", filepath.Base(file), op.ID, f)
						}
					}
				}
			}
		}
		t.Logf("%-28s ready in %v, %d examples judged in %v, %d broken, unjudged %d", filepath.Base(file), ready.Round(time.Millisecond), judged,
			(time.Since(begin) - ready).Round(time.Millisecond), broken, len(j.Unjudged()))
		if took := time.Since(begin); took > time.Minute {
			t.Errorf("%s takes %v", filepath.Base(file), took)
		}
	}
}
