package mutate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"
)

// The acts on resources over several requests.
const (
	// ActLost creates nothing that can be read, ActSameID gives all created resources the identifier of the first.
	ActLost   Act = "lost"
	ActSameID Act = "same-id"
	// ActOther shows another resource than the requested one, ActCounts another value of the member At on each read.
	ActOther  Act = "other"
	ActCounts Act = "counts"
	// ActCutText shows only the first characters of the member At, ActOffByOne a number that is one less.
	ActCutText  Act = "cut-text"
	ActOffByOne Act = "off-by-one"
	// ActLostUpdate answers a change with a success that has no effect, ActStale always shows what was read first.
	ActLostUpdate Act = "lost-update"
	ActStale      Act = "stale"
	// ActIneffective answers an action on a resource with a success that has no effect.
	ActIneffective Act = "ineffective"
	// ActMerges keeps the member At that a replacement leaves out, ActResets changes it if a change does not name it.
	ActMerges Act = "merges"
	ActResets Act = "resets"
	// ActForgets does not show the member At of what was created until a change names it, ActInstead shows another text there, ActShortens all
	// but the last item of a list, ActAppends adds what a change sends of
	// the list At to what was there, ActRenews shows another time in the member At after each change.
	ActForgets  Act = "forgets"
	ActInstead  Act = "instead"
	ActShortens Act = "shortens"
	ActAppends  Act = "appends"
	ActRenews   Act = "renews"
	// ActKeepsNull keeps the member At that a change sets to null, ActUnmerged what a change does not name in the object At.
	ActKeepsNull Act = "keeps-null"
	ActUnmerged  Act = "unmerged"
	// ActWrites allows a creation or a change to set a read-only member, ActApplies performs what was refused.
	ActWrites Act = "writes"
	// ActTwins creates what is refused because another resource has the same member Name.
	ActTwins   Act = "twins"
	ActApplies Act = "applies"
	// ActNotDeleted shows what was deleted, ActStillListed lists it, ActAgain refuses to delete it again, with the
	// status To.
	ActNotDeleted  Act = "not-deleted"
	ActStillListed Act = "still-listed"
	ActAgain       Act = "again"
	// ActTrace lists what was refused.
	ActTrace Act = "trace"
	// ActFabricates shows a resource that does not exist.
	ActFabricates Act = "fabricates"
	// ActOldTag never changes the ETag, ActNoCondition ignores the header Name, ActAlwaysSame answers 304 to any
	// If-None-Match, ActMismatch 412 to any If-Match.
	ActOldTag      Act = "old-tag"
	ActNoCondition Act = "no-condition"
	ActAlwaysSame  Act = "always-same"
	ActMismatch    Act = "mismatch"
	// ActText stores bytes as a text in which what is not ASCII is replaced.
	ActText Act = "text"
	// ActOneKey answers any idempotency key in the header Name like the first one.
	ActOneKey Act = "one-key"
	// ActSometimes fails now and then, with the status To.
	ActSometimes Act = "sometimes"
	// ActHeadFails answers HEAD with the status To.
	ActHeadFails Act = "head-fails"
	// ActMissingCredential and ActWrongCredential accept requests without a credential, or with a wrong one.
	ActMissingCredential Act = "missing-credential"
	ActWrongCredential   Act = "wrong-credential"
	// ActHeedCredential refuses a wrong credential at the place Name where none is needed, ActShunCredential any credential at that place.
	ActHeedCredential Act = "heed-credential"
	ActShunCredential Act = "shun-credential"
	// ActUnconditional takes a change that lacks the header Name, an ETag, and is refused for that.
	ActUnconditional Act = "unconditional"
	// ActOldLocation answers each creation with the Location of the first, ActTakesAnother hides what was created before with what is deleted.
	ActOldLocation  Act = "old-location"
	ActTakesAnother Act = "takes-another"
)

// story is a mutation that remembers earlier requests, or sends more than one.
type story struct{ Mutation }

// withState returns the middleware of a mutation that remembers earlier requests, or sends more than one; nil for
// another act.
func (m Mutation) withState() (Middleware, error) {
	s := story{m}
	switch m.Do {
	case ActLenient:
		return leniency{m}.lenient(), nil
	case ActStrict:
		return leniency{m}.strict(), nil
	case ActMissingCredential:
		return acceptsBadCredential(m, true), nil
	case ActWrongCredential:
		return acceptsBadCredential(m, false), nil
	case ActHeedCredential:
		return heeds(m), nil
	case ActShunCredential:
		return shuns(m), nil
	case ActUnconditional:
		return s.unconditional, nil
	case ActText:
		return s.asText, nil
	case ActSometimes:
		return s.sometimes(), nil
	case ActFabricates:
		return s.fabricates(), nil
	case ActHeadFails:
		return func(x *Exchange, next func()) {
			if next(); x.Request.Method == http.MethodHead && x.handler.Operation != nil && x.handler.Operation(http.MethodGet, x.Path) == m.Operation && x.Status/100 == 2 {
				x.change(func(x *Exchange) { x.Status = m.To })
			}
		}, nil
	case ActNoCondition, ActMismatch, ActAlwaysSame, ActOneKey:
		return s.onConditions(), nil
	default:
	}
	act, known := map[Act]func(*Exchange, *memory, func()){
		ActLost: s.lost, ActSameID: s.sameID, ActOther: s.other, ActCounts: s.counts, ActCutText: s.misshown, ActOffByOne: s.misshown,
		ActLostUpdate: s.lostUpdate, ActIneffective: s.lostUpdate, ActStale: s.stale, ActMerges: s.merges, ActResets: s.resets, ActWrites: s.writes, ActTwins: s.twins, ActForgets: s.forgets, ActInstead: s.forgets, ActShortens: s.forgets, ActAppends: s.appends, ActRenews: s.renews, ActKeepsNull: s.patches, ActUnmerged: s.patches, ActApplies: s.applies,
		ActNotDeleted: s.notDeleted, ActStillListed: s.stillListed, ActAgain: s.again, ActTrace: s.trace, ActOldTag: s.oldTag,
		ActUnlisted: s.unlisted, ActIgnore: s.ignore, ActReverse: s.reverse, ActDisorder: s.disorder, ActRepeat: s.repeats, ActLose: s.lose, ActTotal: s.total, ActHides: s.hides,
		ActOldLocation: s.oldLocation, ActTakesAnother: s.takesAnother,
	}[m.Do]
	if !known {
		return nil, nil
	}
	if m.Resource == nil {
		return nil, fmt.Errorf("the mutation %q is about no resource", m.Do)
	}
	kept := newMemory()
	return func(x *Exchange, next func()) { act(x, kept, next) }, nil
}

// asText changes the bytes that a request stores.
func (m story) asText(x *Exchange, next func()) {
	if !m.matches(x) {
		next()
		return
	}
	was := x.Body
	x.Body = bytes.Map(func(r rune) rune {
		if r >= utf8.RuneSelf {
			return '?'
		}
		return r
	}, was)
	next()
	x.Applied = x.Applied || x.Status/100 == 2 && !bytes.Equal(was, x.Body)
}

// apply lets f change the response, and records whether it did.
func (x *Exchange) apply(f func(x *Exchange)) {
	was := x.Response()
	f(x)
	x.Applied = x.Applied || !x.Response().equalTo(was)
}

// success reports whether an exchange is a success of an operation.
func (x *Exchange) success(operation string) bool {
	return operation != "" && x.Operation == operation && x.Status/100 == 2
}

func (m story) lost(x *Exchange, kept *memory, next func()) {
	next()
	r := m.Resource
	kept.mu.Lock()
	defer kept.mu.Unlock()
	if id := r.createdID(x); id != "" {
		kept.count[id]++
	}
	if x.success(r.Reads) && kept.count[r.namedID(x)] > 0 && m.Refusal != nil {
		x.apply(m.Refusal.reply)
	}
}

func (m story) sameID(x *Exchange, kept *memory, next func()) {
	next()
	kept.mu.Lock()
	defer kept.mu.Unlock()
	id := m.Resource.createdID(x)
	if id == "" || len(m.Resource.ID) == 0 {
		return
	}
	if kept.first == "" {
		kept.first = id
		return
	}
	x.apply(func(x *Exchange) {
		x.Edit(func(tree any) any {
			return editAt(tree, m.Resource.ID, func(v any, there bool) (any, bool) {
				if _, number := v.(json.Number); number {
					return json.Number(kept.first), there
				}
				return kept.first, there
			})
		})
		if location := x.Header.Get("Location"); strings.HasSuffix(location, "/"+id) {
			x.Header.Set("Location", strings.TrimSuffix(location, id)+kept.first)
		}
	})
}

func (m story) oldLocation(x *Exchange, kept *memory, next func()) {
	next()
	location := x.Header.Get("Location")
	if m.Resource.createdID(x) == "" || location == "" {
		return
	}
	kept.mu.Lock()
	defer kept.mu.Unlock()
	if kept.first == "" {
		kept.first = location
	}
	x.apply(func(x *Exchange) { x.Header.Set("Location", kept.first) })
}

func (m story) takesAnother(x *Exchange, kept *memory, next func()) {
	next()
	r := m.Resource
	kept.mu.Lock()
	defer kept.mu.Unlock()
	if id := r.createdID(x); id != "" {
		kept.before[id], kept.last[x.Path] = kept.last[x.Path], id
		return
	}
	switch id := r.namedID(x); {
	case x.success(r.Deletes) && kept.before[id] != "":
		kept.count[kept.before[id]]++
	case x.success(r.Reads) && kept.count[id] > 0 && m.Refusal != nil:
		x.apply(m.Refusal.reply)
	}
}

func (m story) other(x *Exchange, kept *memory, next func()) {
	next()
	if !x.success(m.Resource.Reads) {
		return
	}
	kept.mu.Lock()
	defer kept.mu.Unlock()
	id := m.Resource.namedID(x)
	if kept.first == "" {
		kept.first, kept.shown[id] = id, x.Response()
	}
	if kept.first != id {
		x.apply(func(x *Exchange) { x.reply(kept.shown[kept.first]) })
	}
}

func (m story) counts(x *Exchange, kept *memory, next func()) {
	next()
	if !x.success(m.Resource.Reads) {
		return
	}
	kept.mu.Lock()
	defer kept.mu.Unlock()
	id := m.Resource.namedID(x)
	if kept.count[id]++; kept.count[id] == 1 {
		return
	}
	n := kept.count[id]
	x.apply(func(x *Exchange) { m.Resource.editRecord(x, func(record map[string]any) { m.count(record, n) }) })
}

// count gives a member a value that depends on how often it was read.
func (m story) count(record map[string]any, n int) {
	switch v := record[m.At[0]].(type) {
	case string:
		record[m.At[0]] = shortened(v, 20) + fmt.Sprint(" ", n)
	case json.Number:
		if r, ok := exactNumber(v); ok && r.IsInt() && r.Num().IsInt64() {
			record[m.At[0]] = Number(r.Num().Int64() + int64(n))
		}
	}
}

// shortened is the beginning of a text, up to a number of characters.
func shortened(text string, n int) string {
	if runes := []rune(text); n >= 0 && len(runes) > n {
		return string(runes[:n])
	}
	return text
}

// longText is how many characters are shown of a text that is cut.
const longText = 12

func (m story) misshown(x *Exchange, kept *memory, next func()) {
	next()
	r, member := m.Resource, m.At[0]
	kept.mu.Lock()
	defer kept.mu.Unlock()
	if id := r.createdID(x); id != "" {
		kept.sent[id] = x.Sent()
		return
	}
	id := r.namedID(x)
	if !x.success(r.Reads) || kept.sent[id] == nil {
		return
	}
	x.apply(func(x *Exchange) {
		r.editRecord(x, func(record map[string]any) {
			if string(WriteJSON(record[member])) != string(WriteJSON(kept.sent[id][member])) {
				return
			}
			switch v := record[member].(type) {
			case string:
				if m.Do == ActCutText {
					record[member] = shortened(v, longText)
				}
			case json.Number:
				if n, ok := exactNumber(v); ok && m.Do == ActOffByOne && n.IsInt() && n.Num().IsInt64() && n.Num().Int64() > 2 {
					record[member] = Number(n.Num().Int64() - 1)
				}
			}
		})
	})
}

func (m story) notDeleted(x *Exchange, kept *memory, next func()) {
	r := m.Resource
	id := r.namedID(x)
	var before Response
	known := false
	if x.Operation == r.Deletes {
		before, known = readBack(x, "")
	}
	next()
	kept.mu.Lock()
	defer kept.mu.Unlock()
	switch {
	case x.success(r.Deletes) && known:
		kept.kept[id] = before
	case x.Operation == r.Reads && (x.Status == http.StatusNotFound || x.Status == http.StatusGone) && kept.kept[id].Status != 0:
		x.apply(func(x *Exchange) { x.reply(kept.kept[id]) })
	case x.Status/100 == 2 && r.changes(x.Operation):
		delete(kept.kept, id)
	}
}

func (m story) again(x *Exchange, kept *memory, next func()) {
	next()
	r := m.Resource
	kept.mu.Lock()
	defer kept.mu.Unlock()
	id := r.namedID(x)
	switch {
	case x.success(r.Deletes):
		kept.count[id]++
	case x.Operation == r.Deletes && kept.count[id] > 0 && m.Refusal != nil:
		x.apply(m.Refusal.reply)
	}
}

func (m story) fabricates() Middleware {
	kept := newMemory()
	return func(x *Exchange, next func()) {
		next()
		if !m.matches(x) {
			return
		}
		kept.mu.Lock()
		defer kept.mu.Unlock()
		switch was := kept.shown[""]; {
		case x.Status/100 == 2:
			kept.shown[""] = x.Response()
		case x.Status == http.StatusNotFound && was.Status != 0:
			x.apply(func(x *Exchange) { x.reply(was) })
		}
	}
}
