package score

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/reference/mutate"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/source"
	"github.com/hallmark-kit/hallmark/steps"
)

var (
	corpus       = flag.String("score.corpus", "", "a folder of OpenAPI documents: measure the suite of each of them over a service that is made of it")
	corpusSample = flag.Int("score.sample", 100, "how many faults of each document are tried")
	corpusMost   = flag.Int("score.operations", 1500, "how many operations a document may have")
	corpusPage   = flag.String("score.page", "", "the page that keeps the figures, between its markers")
)

// corpusTime limits the measurement of one document.
const corpusTime = 20 * time.Minute

// The marks between which a page keeps the figures.
const corpusBegin, corpusEnd = "<!-- figures of a corpus: make prove-corpus -->\n", "<!-- end of the figures -->\n"

// TestCorpus measures the suites of many documents: make prove-corpus CORPUS=folder.
func TestCorpus(t *testing.T) {
	if *corpus == "" {
		t.Skip("-score.corpus names a folder of documents")
	}
	var files []string
	for _, ending := range []string{"yaml", "yml", "json"} {
		found, err := filepath.Glob(filepath.Join(*corpus, "*."+ending))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	slices.Sort(files)
	var rows []string
	var sum Figures
	accepted, freedoms := 0, 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		m, operations, err := measured(t, file)
		if err != nil {
			t.Logf("%s is left out: %v", name, err)
			continue
		}
		row := fmt.Sprintf("| %s | %d | %d | %d | %s | %s | %d of %d |", name, operations, m.Figures.Faults, m.Figures.Shown,
			ratio(m.Figures.Killed, m.Figures.Shown), ratio(m.Figures.Named, m.Figures.Shown), m.Accepted, len(m.Freedoms))
		t.Log(row)
		for _, o := range m.Outcomes {
			if o.Fate == Survived {
				t.Logf("  %s survives; it breaks %s", o.Name, o.Rule())
			}
		}
		for _, o := range m.Freedoms {
			if o.Fate != Survived {
				t.Errorf("%s: %s is accused: %v %v", name, o.Name, o.Broken, o.Reason)
			}
		}
		rows = append(rows, row)
		sum.Faults, sum.Shown, sum.Killed, sum.Named = sum.Faults+m.Figures.Faults, sum.Shown+m.Figures.Shown, sum.Killed+m.Figures.Killed, sum.Named+m.Figures.Named
		accepted, freedoms = accepted+m.Accepted, freedoms+len(m.Freedoms)
	}
	rows = append(rows, fmt.Sprintf("| all of these | | %d | %d | %s | %s | %d of %d |", sum.Faults, sum.Shown, ratio(sum.Killed, sum.Shown), ratio(sum.Named, sum.Shown), accepted, freedoms))
	keep(t, rows)
}

// measured measures the suite of a document with a service that is made from it.
func measured(t *testing.T, file string) (m Measurement, operations int, err error) {
	t.Helper()
	c, err := openapi.LoadFile(file, source.Options{})
	if err != nil {
		return m, 0, err
	}
	if operations = len(c.Operations()); operations == 0 || operations > *corpusMost {
		return m, operations, fmt.Errorf("it has %d operations", operations)
	}
	p := promise.Of(c, 1, 0)
	b := Basis{Contract: c, Promises: p}
	if b.Catalogue, b.Suite, err = steps.LoadPromises(p); err != nil {
		return m, operations, err
	}
	d, err := Made(b, 1)
	if err != nil {
		return m, operations, err
	}
	d.Workers = runtime.GOMAXPROCS(0)
	ctx, cancel := context.WithTimeout(t.Context(), corpusTime)
	defer cancel()
	m, err = d.Measure(ctx, Choose(b.Faults(), *corpusSample), mutate.Freedoms())
	return m, operations, err
}

// keep writes the figures into the page.
func keep(t *testing.T, rows []string) {
	t.Helper()
	if *corpusPage == "" {
		return
	}
	text, err := os.ReadFile(*corpusPage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), corpusBegin)
	_, after, closed := strings.Cut(rest, corpusEnd)
	if !found || !closed {
		t.Fatalf("%s has no place for the figures: %q and %q", *corpusPage, corpusBegin, corpusEnd)
	}
	head := "| document | operations | faults tried | shown | found of those | by their rule | freedoms accepted |\n|---|---|---|---|---|---|---|\n"
	if err := os.WriteFile(*corpusPage, []byte(before+corpusBegin+head+strings.Join(rows, "\n")+"\n"+corpusEnd+after), 0o600); err != nil {
		t.Fatal(err)
	}
}
