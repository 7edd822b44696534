package verdict

import (
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
)

// Sentences says what a run judged of the sentences of a document that state behaviour.
type Sentences struct {
	All int `json:"all"`
	// Judged is how many were judged: at least one of the rules of each was exercised. Aside is how many rules.yaml sets aside.
	Judged int `json:"judged"`
	Aside  int `json:"aside,omitempty"`
	// Open are those that no rule judges, and NotExercised those whose rules were not exercised.
	Open         []record.Sentence `json:"open,omitempty"`
	NotExercised []record.Sentence `json:"notExercised,omitempty"`
}

// sentences returns what a run judged of the sentences of its document, or nil if that has none.
func sentences(rec *record.Record, res *Result) *Sentences {
	if rec.Document == nil || len(rec.Document.Sentences) == 0 {
		return nil
	}
	exercised := make(map[string]bool, len(res.Rules))
	for _, r := range res.Rules {
		exercised[r.Rule] = r.Exercised > 0 && r.Verdict != NotExercised
	}
	s := &Sentences{All: len(rec.Document.Sentences)}
	for _, one := range rec.Document.Sentences {
		judged := false
		for _, rule := range one.Rules {
			judged = judged || exercised[rule]
		}
		switch {
		case judged:
			s.Judged++
		case len(one.Rules) > 0:
			s.NotExercised = append(s.NotExercised, one)
		case one.Aside != "":
			s.Aside++
		default:
			s.Open = append(s.Open, one)
		}
	}
	return s
}

// Summary says how many sentences were judged: "31 of 44 judged, 10 open, 3 not exercised".
func (s *Sentences) Summary() string {
	says := text.Number(s.Judged) + " of " + text.Number(s.All) + " judged"
	for _, part := range []struct {
		n    int
		what string
	}{{len(s.Open), "open"}, {len(s.NotExercised), "not exercised"}, {s.Aside, "set aside"}} {
		if part.n > 0 {
			says += ", " + text.Number(part.n) + " " + part.what
		}
	}
	return says
}

// missing says how many sentences were not judged, if the run requires all of them to be; otherwise it is empty.
func (s *Sentences) missing(rec *record.Record) string {
	if s == nil || !rec.Options.RequireProse {
		return ""
	}
	n := len(s.Open) + len(s.NotExercised)
	if n == 0 {
		return ""
	}
	return text.Number(n) + " of " + text.Count(s.All, "sentence") + " of the document " + text.Were(n) + " not judged"
}
