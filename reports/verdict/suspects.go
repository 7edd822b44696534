package verdict

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
)

// Suspect is a request that may have crashed a lost target.
type Suspect struct {
	Exchange *spec.Exchange
	// Request is the request as text: POST /pets {"name":"x"} (exchange 12).
	Request string
	// Evidence says what is known of the request, as the end of a sentence that begins with Request.
	Evidence string
}

// suspectBody is the maximum length of the quoted body, in characters.
const suspectBody = 80

// Suspects returns the requests in flight when the target was lost for good, the most likely cause first. A target that crashes has read
// the request that crashes it: the operating system then closes the connection, and resets connections with unread bytes. A request that
// got a response when sent before is less likely to be the cause.
func Suspects(rec *record.Record) []Suspect {
	type candidate struct {
		Suspect
		read   bool
		before int
	}
	var all []candidate
	for _, s := range rec.Suspects {
		i := slices.IndexFunc(rec.Exchanges, func(ex spec.Exchange) bool { return ex.Seq == s.Exchange })
		if i < 0 {
			continue
		}
		ex := &rec.Exchanges[i]
		c := candidate{Suspect: Suspect{Exchange: ex, Request: requestWords(rec, ex)}, read: s.Read, before: responses(rec, ex)}
		c.Evidence = "was read; then the connection was closed"
		if !s.Read {
			c.Evidence = "may not have been read: its connection was reset"
		}
		if c.before > 0 {
			c.Evidence += "; the same request got a response before"
		}
		all = append(all, c)
	}
	rank := func(c candidate) int {
		n := 0
		if !c.read {
			n += 2
		}
		if c.before > 0 {
			n++
		}
		return n
	}
	slices.SortStableFunc(all, func(x, y candidate) int {
		return cmp.Or(cmp.Compare(rank(x), rank(y)), x.Exchange.Started.Compare(y.Exchange.Started))
	})
	var out []Suspect
	for _, c := range all {
		out = append(out, c.Suspect)
	}
	return out
}

// responses returns the number of exchanges in which the same request got a response.
func responses(rec *record.Record, ex *spec.Exchange) int {
	n := 0
	for i := range rec.Exchanges {
		other := &rec.Exchanges[i]
		if other.Response != nil && other.Request.Method == ex.Request.Method && other.Request.URL == ex.Request.URL && bytes.Equal(other.Request.Body, ex.Request.Body) {
			n++
		}
	}
	return n
}

func requestWords(rec *record.Record, ex *spec.Exchange) string {
	path := ex.Request.URL
	if rest, ok := strings.CutPrefix(path, strings.TrimSuffix(rec.Target.BaseURL, "/")); ok && strings.HasPrefix(rest, "/") {
		path = rest
	}
	words := text.Visible(ex.Request.Method) + " " + text.Short(path)
	if len(ex.Request.Body) > 0 {
		words += " " + text.Elide(text.Visible(string(ex.Request.Body)), suspectBody)
	}
	return words + " (exchange " + text.Number(ex.Seq) + ")"
}

// LostPhrase says how the target was lost, or why else it could not be judged completely, and names the request that most likely crashed
// it.
func LostPhrase(rec *record.Record) string {
	lost := "the target was lost: " + rec.Lost
	if strings.HasPrefix(rec.Lost, "the target ") || strings.HasPrefix(rec.Lost, "the hook ") {
		lost = rec.Lost
	}
	switch suspects := Suspects(rec); {
	case len(suspects) == 1:
		return lost + "; " + suspects[0].Request + " was in flight"
	case len(suspects) > 1:
		return lost + "; the most likely cause is " + suspects[0].Request + ", one of " + text.Number(len(suspects)) + " requests in flight"
	case rec.Patience.Hangs():
		return "the target could not be judged completely: " + rec.Lost
	}
	return lost
}
