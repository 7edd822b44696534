package second

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/source"
)

var corpus = flag.String("second.corpus", "", "a folder of OpenAPI documents: build the models of their operations, and log how long that takes")

func TestModelsOfCorpus(t *testing.T) {
	if *corpus == "" {
		t.Skip("-second.corpus names a folder of documents")
	}
	files, _ := os.ReadDir(*corpus)
	for _, f := range files {
		contract, err := openapi.LoadFile(filepath.Join(*corpus, f.Name()), source.Options{})
		if err != nil {
			continue
		}
		j := New(contract)
		ops := contract.Operations()
		step := max(len(ops)/60, 1)
		n, failed, whys := 0, 0, map[string]int{}
		var most, first, sum time.Duration
		at := ""
		for i := 0; i < len(ops); i += step {
			for _, s := range []side{requestSide, responseSide} {
				ex := &spec.Exchange{Operation: ops[i].ID, Request: spec.Request{Body: []byte(`{"id":"x","name":"y","object":"z","data":[{"id":"x"}]}`)}, Response: &spec.Response{Status: max(answered(&ops[i]), 200), Body: []byte(`{"id":"x","name":"y","object":"z","data":[{"id":"x"}]}`)}}
				began := time.Now()
				if _, err := j.model(&ops[i], ex, s); err != nil {
					failed++
					whys[err.Error()]++
				}
				took := time.Since(began)
				if n++; n == 1 {
					first = took
					continue
				}
				sum += took
				if took > most {
					most, at = took, ops[i].ID
				}
			}
		}
		t.Logf("MODELS %-28s %4d models, %d failed %v, first %v, mean %v, most %v (%s)", f.Name(), n, failed, whys, first.Round(time.Millisecond), (sum / time.Duration(max(n-1, 1))).Round(time.Microsecond*100), most.Round(time.Millisecond), at)
	}
}

// answered returns a status that an operation documents.
func answered(op *spec.Operation) int {
	for i := range op.Responses {
		if op.Responses[i].Status > 0 {
			return op.Responses[i].Status
		}
	}
	return 0
}
