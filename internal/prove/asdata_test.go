package prove

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"hallmark/internal/bundled"
	"hallmark/spec/promise"
	"hallmark/steps"
	"hallmark/steps/scenario"
	"hallmark/steps/suite"
	"hallmark/tests/petstoretest"
	"hallmark/tests/skip"
)

// The Petstore is judged here as data: by what serves every contract, with its own rules in the place of the derived ones that they cover
// and with written features for what no document says. None of its code takes part.

// What the whole of the Petstore's cases has to show at least, some below what was measured: not all show in each run.
const (
	leastFoundAsData = 690
	leastByOwnRule   = 688
	leastLedByOwn    = 630
)

var (
	wholeAsData = flag.Bool("asdata", false, "judge all faults and freedoms of the Petstore as data, and log what is missing")
	onlyAsData  = flag.String("asdata.only", "", "judge only these cases (names, families, rules, patterns), separated by commas, and log what their scenarios found")
	seedAsData  = flag.Uint("asdata.seed", 1, "the seed of the runs")
)

// featuresAsData holds the written features of the Petstore in sentences that every interface has.
func featuresAsData() fs.FS { return os.DirFS("../../spec/petstore/features") }

// petstoreAsData returns a prover that judges the Petstore as data, and its cases.
func petstoreAsData(t *testing.T, seed uint32) (*Prover, []Case) {
	t.Helper()
	i := bundled.Petstore()
	contract, err := i.Contract()
	if err != nil {
		t.Fatal(err)
	}
	own, err := i.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	cases, err := Cases(i, contract, own)
	if err != nil {
		t.Fatal(err)
	}
	promises := promise.Of(contract, uint64(seed), 0)
	derived, err := promises.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	entries := petstoretest.Rules(t)
	catalogue, err := derived.Change(entries)
	if err != nil {
		t.Fatal(err)
	}
	if err := catalogue.CheckChanged(contract, entries); err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for file := range promises.LastFeatures(catalogue) {
		files["derived/"+file.Name] = &fstest.MapFile{Data: []byte(file.Content)}
	}
	written := featuresAsData()
	names, err := fs.Glob(written, "*.feature")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := fs.ReadFile(written, name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	i.Code = scenario.Interface{}
	loaded, err := steps.LoadSuite(suite.Source{Folder: "features", FS: files}, i.Code, catalogue)
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := steps.Compile(loaded, i.Code)
	if err != nil {
		t.Fatal(err)
	}
	return &Prover{
		Interface: i, Contract: contract, Catalogue: catalogue, Suite: loaded, Compiled: compiled, Promises: promises, Workers: 1, Concurrency: 4,
		Seed: int64(seed), Now: time.Now(),
	}, cases
}

// tallyAsData counts what cases show of the Petstore as data.
type tallyAsData struct {
	mu                   sync.Mutex
	faults, found        int
	own, led             int
	freedoms, accused    int
	missing, misled, bad []string
	unexercised          string
	elapsed              time.Duration
}

// add adds a case.
func (a *tallyAsData) add(o Outcome) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.elapsed += o.Elapsed
	switch {
	case o.Kind == Clean:
		if len(o.Broken) > 0 {
			a.bad = append(a.bad, fmt.Sprintf("%s: %s (%s)", o.Name, strings.Join(o.Broken, ", "), o.Example))
		}
		a.unexercised = o.Because
	case o.Failure != "":
		a.bad = append(a.bad, fmt.Sprintf("%s: %s", o.Name, o.Failure))
	case o.Kind == Freedom:
		if a.freedoms++; !o.OK {
			a.accused++
			a.bad = append(a.bad, fmt.Sprintf("%s %s: %s (%s)", o.Kind, o.Name, strings.Join(o.Broken, ", "), o.Example))
		}
	default:
		a.faults++
		if o.Killed {
			a.found++
		}
		if o.Leading {
			a.led++
		}
		if o.Diagnosed {
			a.own++
		}
		switch {
		case !o.Diagnosed:
			a.missing = append(a.missing, fmt.Sprintf("%-26s %-36s %s", o.Rule, o.Name, strings.Join(o.Broken, ", ")))
		case !o.Leading:
			a.misled = append(a.misled, fmt.Sprintf("%-26s %-36s led by %s; %s", o.Rule, o.Name, o.Lead, strings.Join(o.Broken, ", ")))
		}
	}
}

// log logs the figures, and what is missing by the rule that should have shown it.
func (a *tallyAsData) log(t *testing.T) {
	t.Helper()
	for _, list := range [][]string{a.missing, a.misled, a.bad} {
		slices.Sort(list)
	}
	t.Logf("faults: %d, found %d, by their own rule %d, led by it %d; freedoms: %d, accused %d; %v", a.faults, a.found, a.own, a.led, a.freedoms, a.accused, a.elapsed)
	t.Logf("the clean service: %s", a.unexercised)
	t.Logf("not found by their own rule, and what was broken:\n%s", strings.Join(a.missing, "\n"))
	t.Logf("led by another rule:\n%s", strings.Join(a.misled, "\n"))
}

// TestAllAsData judges all faults and freedoms: go test -run TestAllAsData -v -asdata.
func TestAllAsData(t *testing.T) {
	if !*wholeAsData && *onlyAsData == "" {
		t.Skip("-asdata judges all cases of the Petstore as data")
	}
	p, cases := petstoreAsData(t, uint32(*seedAsData))
	if *onlyAsData != "" {
		chosen, err := Find(cases, strings.Split(*onlyAsData, ","))
		if err != nil {
			t.Fatal(err)
		}
		cases = chosen
	}
	a := new(tallyAsData)
	t.Run("cases", func(t *testing.T) {
		for _, c := range cases {
			t.Run(c.Name, func(t *testing.T) {
				t.Parallel()
				if *onlyAsData != "" && len(cases) < 10 {
					logCase(t, p, c)
				}
				a.add(p.repeat(t.Context(), c, false))
			})
		}
	})
	a.log(t)
	for _, one := range a.bad {
		t.Error(one)
	}
	if *onlyAsData != "" {
		return
	}
	for what, n := range map[string][2]int{"found": {a.found, leastFoundAsData}, "found by their own rule": {a.own, leastByOwnRule}, "led by their own rule": {a.led, leastLedByOwn}} {
		if n[0] < n[1] {
			t.Errorf("%d faults are %s, want at least %d", n[0], what, n[1])
		}
	}
}

// A sample of the legal variants is not accused when the Petstore is judged as data.
func TestAsDataAccusesNoFreedom(t *testing.T) {
	p, cases := petstoreAsData(t, 1)
	for i, c := range cases {
		if c.Kind == Fault {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			skip.Sampled(t, i, 12)
			t.Parallel()
			if o := p.repeat(t.Context(), c, false); len(o.Broken) > 0 || o.Failure != "" && c.Kind != Clean {
				t.Errorf("%s Broken are %q: %s %s", c.Says, o.Broken, o.Example, o.Failure)
			}
		})
	}
}
