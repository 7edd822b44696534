package html

import (
	"strings"

	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
)

// look is how a verdict is displayed: its class, which is also the name of its icon, and its word.
type look struct{ Class, Word string }

// order is the order of verdicts in legends.
var order = []verdict.Verdict{
	verdict.Violated, verdict.Warned, verdict.Doubtful, verdict.Intermittent, verdict.Deviates, verdict.Conforms, verdict.Observed, verdict.NotExercised,
	verdict.NotApplicable, verdict.Untestable,
}

func lookOf(v verdict.Verdict) look {
	switch v {
	case verdict.Violated, verdict.Warned, verdict.Deviates, verdict.Conforms, verdict.Observed, verdict.Untestable:
		return look{string(v), string(v)}
	case verdict.Doubtful, verdict.Intermittent:
		return look{"warned", string(v)}
	case verdict.NotApplicable:
		return look{"inapplicable", string(v)}
	default:
		return look{"unasked", string(v)}
	}
}

// plurals returns the word for a verdict on n rules.
func plurals(n int, word string) string {
	if n != 1 && (word == string(verdict.Conforms) || word == string(verdict.Deviates)) {
		return strings.TrimSuffix(word, "s")
	}
	return word
}

// lookOfRun returns the look of a run's verdict, with the class of the most similar verdict on a rule.
func lookOfRun(v verdict.Verdict) look {
	switch v {
	case verdict.Violated:
		return look{"violated", "Violated"}
	case verdict.Conformant:
		return look{"conforms", "Conformant"}
	case verdict.Excepted:
		return look{"deviates", "Conformant except for known violations"}
	case verdict.Outdated:
		return look{"violated", "Deviations outdated"}
	case verdict.Partial:
		return look{"warned", "Partial"}
	default:
		return look{"warned", "Inconclusive"}
	}
}

// colour returns the colour of a verdict in the favicon, which the style sheet does not reach.
func colour(class string) string {
	switch class {
	case "violated":
		return "#b3261e"
	case "conforms":
		return "#1a7f4b"
	case "deviates":
		return "#6b4ea0"
	}
	return "#8a5a00"
}

// share is the number of rules of a level with a verdict, and the start of their part of the bar in percent.
type share struct {
	look
	Count       int
	From, Width float64
}

// standing counts the rules of a level by verdict.
type standing struct {
	Level  spec.Level
	Rules  int
	Shares []share
}

func standings(res *verdict.Result) []standing {
	var all []standing
	for _, level := range []spec.Level{spec.Must, spec.Inferred, spec.Should, spec.Open} {
		s := standing{Level: level}
		for _, v := range order {
			if v == verdict.Untestable {
				continue
			}
			if n := res.Count(v, level); n > 0 {
				s.Rules += n
				s.Shares = append(s.Shares, share{look: lookOf(v), Count: n})
			}
		}
		from := 0.0
		for i := range s.Shares {
			s.Shares[i].From, s.Shares[i].Width = from, 100*float64(s.Shares[i].Count)/float64(s.Rules)
			from += s.Shares[i].Width
		}
		if s.Rules > 0 {
			all = append(all, s)
		}
	}
	return all
}
