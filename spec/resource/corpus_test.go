package resource_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// leastFilled is the part of path parameters, in percent, that is to be filled without help.
const leastFilled = 60

// TestCorpus counts the path parameters of the documents in HALLMARK_CORPUS for which the contract itself says
// where their values come from, including everything needed before.
func TestCorpus(t *testing.T) {
	folder := os.Getenv("HALLMARK_CORPUS")
	if folder == "" {
		t.Skip("HALLMARK_CORPUS names no folder of documents")
	}
	names, err := filepath.Glob(filepath.Join(folder, "*.[yj]*"))
	if err != nil {
		t.Fatal(err)
	}
	parameters, filled, ways, documents := 0, 0, [4]int{}, 0.0
	with := 0
	for _, name := range names {
		contract, err := openapi.LoadFile(name, source.Options{})
		if err != nil {
			continue
		}
		began := time.Now()
		m := resource.Of(contract)
		all, some := 0, 0
		missed := map[string]int{}
		operations := contract.Operations()
		for i := range operations {
			for _, slot := range resource.SlotsOf(&operations[i]) {
				all++
				if m.Fillable(slot) {
					some++
					ways[m.Producers(slot)[0].Way]++
				} else {
					missed[slot.Key+" "+slot.Parameter.Name]++
				}
			}
		}
		took := time.Since(began)
		t.Logf("%-32s %5d of %5d parameters filled, in %v", filepath.Base(name), some, all, took.Round(time.Millisecond))
		if took > time.Minute {
			t.Errorf("%s takes %v", name, took)
		}
		if testing.Verbose() && os.Getenv("HALLMARK_MISSED") != "" {
			var keys []string
			for k := range missed {
				keys = append(keys, k)
			}
			slices.SortFunc(keys, func(a, b string) int { return missed[b] - missed[a] })
			for _, k := range keys[:min(len(keys), 12)] {
				t.Logf("    %4d %s", missed[k], k)
			}
		}
		parameters, filled = parameters+all, filled+some
		if all > 0 {
			documents += float64(some) / float64(all)
			with++
		}
	}
	t.Logf("%d of %d path parameters filled (%d %%): %d created, %d chosen, %d listed, %d shown first; mean of %d documents %.0f %%",
		filled, parameters, 100*filled/parameters, ways[0], ways[1], ways[2], ways[3], with, 100*documents/float64(with))
	if 100*filled < leastFilled*parameters {
		t.Errorf("%d of %d path parameters filled, want %d %%", filled, parameters, leastFilled)
	}
}

// TestReferencesOfTheCorpus counts the required parameters and members of bodies that are named like identifiers,
// and those of them whose resource the contract gives.
func TestReferencesOfTheCorpus(t *testing.T) {
	folder := os.Getenv("HALLMARK_CORPUS")
	if folder == "" {
		t.Skip("HALLMARK_CORPUS names no folder of documents")
	}
	names, err := filepath.Glob(filepath.Join(folder, "*.[yj]*"))
	if err != nil {
		t.Fatal(err)
	}
	var total, found [2]int
	for _, name := range names {
		contract, err := openapi.LoadFile(name, source.Options{})
		if err != nil {
			continue
		}
		began := time.Now()
		m := resource.Of(contract)
		operations := contract.Operations()
		var all, some [2]int
		for i := range operations {
			for _, r := range m.Candidates(&operations[i]) {
				if kind := kindOf(r); r.Required {
					all[kind]++
					if os.Getenv("HALLMARK_MISSED") != "" && r.Slot.Key == "" {
						t.Logf("    %s %s: nothing", operations[i].ID, r.Name())
					}
				}
			}
			for _, r := range m.References(&operations[i]) {
				if kind := kindOf(r); r.Required {
					some[kind]++
					if os.Getenv("HALLMARK_MISSED") != "" {
						t.Logf("    %s %s: %s", operations[i].ID, r.Name(), r.Slot.Key)
					}
				}
			}
		}
		took := time.Since(began)
		if all[0]+all[1] > 0 {
			t.Logf("%-32s %3d of %3d in parameters, %3d of %3d in bodies, in %v", filepath.Base(name), some[0], all[0], some[1], all[1], took.Round(time.Millisecond))
		}
		if took > 10*time.Second {
			t.Errorf("%s takes %v", name, took)
		}
		for i := range total {
			total[i], found[i] = total[i]+all[i], found[i]+some[i]
		}
	}
	t.Logf("%d of %d in parameters, %d of %d in bodies", found[0], total[0], found[1], total[1])
}

// kindOf is 0 for a parameter, 1 for a member of a body.
func kindOf(r resource.Reference) int {
	if r.Parameter != nil {
		return 0
	}
	return 1
}
