package verdict

import (
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
)

// ProofStanding tells whether a proof applies to a run.
type ProofStanding struct {
	// Holds reports whether the whole suite was run as proven.
	Holds bool `json:"holds"`
	// Because says what is different if the proof does not apply.
	Because string `json:"because,omitempty"`
	// Says describes the proof, or the lack of one, in a sentence or two.
	Says string `json:"says"`
	// Elsewhere reports whether the figures are not those of what was run, but of another suite, or of a whole of which this is a part.
	Elsewhere bool `json:"-"`
}

// standProof says what the proof is worth for a run. It returns nil if the record has no proof, or the suite follows from another contract: the
// proof of the built-in suite says nothing about that one.
func standProof(rec *record.Record, res *Result) *ProofStanding {
	p := rec.Proof
	switch {
	case p == nil, rec.Suite.ForeignContract():
		return nil
	case p.Faults == 0:
		return &ProofStanding{Because: "nothing has been proven yet", Says: "Nothing has been proven about this suite yet."}
	}
	if other := p.Others(rec.Suite); len(other) > 0 {
		because := "its " + text.Enumerate(other, "and") + " differ"
		if len(other) == 1 && other[0] == "contract" {
			because = "its contract differs"
		}
		return &ProofStanding{Because: because, Says: "This suite is not the one that was proven: " + because + ". That one " + p.Figures() + ".", Elsewhere: true}
	}
	if rec.Options.Quick && p.Quick != nil {
		return standQuick(p, rec)
	}
	if left := leftOut(p, rec, res); left != "" {
		return &ProofStanding{Because: left, Says: "Only a part of the suite was run: " + left + ". The whole " + p.Figures() + ".", Elsewhere: true}
	}
	if n := len(rec.Shards); n > 0 {
		because := "it was divided among " + text.Count(n, "shard")
		return &ProofStanding{Because: because, Says: "The whole suite was run, but " + because +
			", which hides what shows only after many requests. Undivided, it " + p.Figures() + "."}
	}
	return &ProofStanding{Holds: true, Says: "This suite " + p.Figures() + "."}
}

// standQuick says what the proof is worth for a quick run. The run's verdict names the rules that were not judged.
func standQuick(p *record.Proof, rec *record.Record) *ProofStanding {
	says := "A quick run " + p.QuickFigures() + "."
	rest := *rec
	rest.Options.Quick = false
	if left := leftOut(p, &rest, new(Result)); left != "" {
		says = "Only a part of a quick run was played: " + left + ". " + says
	}
	return &ProofStanding{Because: "the run was quick (--quick)", Says: says}
}

// leftOut says why a part of the suite was not run, or "".
func leftOut(p *record.Proof, rec *record.Record, res *Result) string {
	missed := res.Count(NotExercised, spec.Must)
	switch {
	case rec.Options.Shard != "":
		return "this is shard " + text.Visible(rec.Options.Shard)
	case rec.Filtered():
		return "not all scenarios were selected"
	case rec.Lost != "":
		return "the target was lost"
	case !rec.Complete:
		return "the run ended early"
	case rec.Target.ReadOnly:
		return "the run was read-only"
	case rec.Options.MaxCreated > 0 && rec.Options.MaxCreated-rec.Options.Reserved < p.MaxCreated:
		return "it might create " + text.Count(rec.Options.MaxCreated-rec.Options.Reserved, "resource") + ", but was proven with " + text.Number(p.MaxCreated)
	case missed > 0:
		return text.Count(missed, "must rule") + " " + text.Were(missed) + " not exercised"
	}
	return ""
}
