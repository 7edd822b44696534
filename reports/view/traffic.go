package view

import (
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
)

// How many operations, and how many kinds of exchanges, are named.
const operationsNamed, talliedNamed = 12, 5

// Traffic says what was judged of traffic, and what was not: a summary, and a sentence each for what was left out. All reports whether
// nothing is to be shortened. The summary is empty for a run.
func (v *View) Traffic(all bool) (summary string, sentences []string) {
	t := v.Record.Traffic
	if t == nil {
		return "", nil
	}
	summary = text.Count(t.Seen, "exchange") + " of " + text.Visible(t.Source) + ", " + text.Number(t.Judged) + " judged"
	say := func(what string, counts []record.Tallied) {
		if len(counts) > 0 {
			sentences = append(sentences, text.Number(record.Total(counts))+" "+what+": "+tallied(counts, all))
		}
	}
	say("left out, with other hosts than the service's", t.Hosts)
	say("left out, for no operation of the contract", t.Outside)
	say("not judged, or not completely", t.NotJudged)
	say("with more findings of the kinds shown", t.More)
	if t.Forgotten > 0 {
		sentences = append(sentences, text.Count(t.Forgotten, "exchange")+" "+text.Were(t.Forgotten)+" not remembered until the end, to be compared with later ones")
	}
	if n := len(t.Unseen); n > 0 {
		sentences = append(sentences, text.Count(n, "operation")+" "+text.Were(n)+" not seen: "+names(t.Unseen, all))
	}
	return summary, sentences
}

// tallied lists counts, the largest first.
func tallied(counts []record.Tallied, all bool) string {
	var parts []string
	for i, one := range counts {
		if i == talliedNamed && !all {
			parts = append(parts, text.Number(len(counts)-i)+" more (--verbose)")
			break
		}
		parts = append(parts, text.Short(text.Visible(one.Name))+" ("+text.Number(one.Count)+")")
	}
	return strings.Join(parts, ", ")
}

// names lists names.
func names(of []string, all bool) string {
	more := ""
	if left := len(of) - operationsNamed; left > 0 && !all {
		of, more = of[:operationsNamed], ", and "+text.Number(left)+" more (--verbose)"
	}
	return text.Visible(strings.Join(of, ", ")) + more
}
