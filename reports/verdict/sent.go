package verdict

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

// sentValues relates defects by the values that requests sent.
type sentValues struct {
	relations *relations
	// by holds the values that requests sent and the run made up: operation, member and value as JSON text.
	by map[[3]string]bool
	// swapped holds the findings that a response shows what another request sent, by operation.
	swapped map[string][]holder
	// chosen holds the findings that what is created has the identifier that its request sent, by that identifier.
	chosen map[string][]holder
}

func newSentValues(x *relations, rec *record.Record) *sentValues {
	s := &sentValues{relations: x, by: map[[3]string]bool{}, swapped: map[string][]holder{}, chosen: map[string][]holder{}}
	for i := range rec.Exchanges {
		ex := &rec.Exchanges[i]
		for name, value := range x.fields.request(ex.Seq) {
			if strings.HasPrefix(name, ".") && strings.Contains(value, x.fields.marker) {
				s.by[[3]string{ex.Operation, name, value}] = true
			}
		}
	}
	const identifier = "id"         // the value of another member is that of a resource only by coincidence
	chosen := map[string][]holder{} // by operation
	for i, d := range x.defects {
		for _, it := range d.items {
			h := holder{i, it}
			if isEcho(it) && s.showsSwapped(it.at) {
				s.swapped[it.operation] = append(s.swapped[it.operation], h)
			}
			if it.Status == 0 && fieldOf(it) == identifier && !isSchema(it) && !it.rule.Always && s.showsSent(it.at, identifier) {
				chosen[it.operation] = append(chosen[it.operation], h)
			}
		}
	}
	for i := range rec.Exchanges {
		ex := &rec.Exchanges[i]
		if holders := chosen[ex.Operation]; len(holders) > 0 && s.showsSent(ex.Seq, identifier) {
			s.chosen[s.scalarShown(ex.Seq, identifier)] = holders
		}
	}
	return s
}

// isEcho reports whether a finding says that a response shows another value of a field than was sent.
func isEcho(it *item) bool {
	return it.Status == 0 && len(it.Exchanges) == 1 && subjectOf(it) != ""
}

// scalarShown returns the text of a scalar member of a successful response, or "".
func (s *sentValues) scalarShown(seq int, name string) string {
	ex := s.relations.exchanges.by[seq]
	if ex == nil || ex.Response == nil || ex.Response.Status/100 != http.StatusOK/100 {
		return ""
	}
	value, _ := s.relations.valueShown(seq, []string{name})
	return scalarText(value)
}

// showsSent reports whether a successful response shows a member as its request sent it.
func (s *sentValues) showsSent(seq int, name string) bool {
	shown := s.scalarShown(seq, name)
	d, err := exactjson.Decode([]byte(s.relations.fields.request(seq)["."+name]))
	return shown != "" && err == nil && scalarText(d.Tree) == shown
}

// showsSwapped reports whether a successful response shows a value that the run made up for another request.
func (s *sentValues) showsSwapped(seq int) bool {
	ex := s.relations.exchanges.by[seq]
	for name, value := range s.relations.fields.request(seq) {
		member, inBody := strings.CutPrefix(name, ".")
		if shown := s.scalarShown(seq, member); inBody && shown != "" {
			text, err := json.Marshal(shown)
			if err == nil && string(text) != value && s.by[[3]string{ex.Operation, name, string(text)}] {
				return true
			}
		}
	}
	return false
}

// sameSwapped returns the findings that responses of the operation show what other requests sent, where an item says that such a response is
// not as sent.
func (s *sentValues) sameSwapped(it *item) []holder {
	all := s.swapped[it.operation]
	if !slices.ContainsFunc(all, func(h holder) bool { return h.it == it }) {
		return nil
	}
	return all
}

// sameChosen returns the findings that creations use the identifier that they are sent, where an item is about a resource with such an
// identifier.
func (s *sentValues) sameChosen(it *item) []holder {
	if len(s.chosen) == 0 {
		return nil
	}
	var all []holder
	for _, id := range it.About.IDs {
		all = append(all, s.chosen[id]...)
	}
	for _, address := range s.relations.addresses(it) {
		if id, err := url.PathUnescape(address[strings.LastIndexByte(address, '/')+1:]); err == nil {
			all = append(all, s.chosen[id]...)
		}
	}
	return all
}
