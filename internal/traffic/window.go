package traffic

import (
	"encoding/json"
	"fmt"
	"hash/maphash"
	"maps"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/behaviour"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/resource"
)

// What several exchanges show together. Between two exchanges anything may have happened that nobody saw here: other clients change and delete
// things, things expire, and caches and replicas show what was. So only contradictions are judged that nothing in between explains:
//
//   - Two creations return the same identifier, which the service draws at random (a UUID of version 4 or 7). Another client may have deleted
//     the first resource, but a service that draws an identifier does not draw it again. The client may have chosen the identifier, repeated a
//     request, or named what there is already, so nothing is concluded from requests that hold the identifier or have a value in common.
//   - A strong ETag identifies one representation for all time (RFC 9110, section 8.8.1), so responses of one URL with the same one show the
//     same, whoever changed the resource in between. Only members that clients set are compared.
//
// That a deleted resource is still shown is never such a contradiction: somebody may have restored it, or a cache may not know yet.

// Bounds of what is remembered for comparisons: exchanges, the bytes of all of them, and those of one.
const mostRemembered, mostRememberedBytes, longestRemembered = 1000, 8 << 20, 64 << 10

// resolution is the time for which a representation must have had its ETag before another one with the same counts: some services make their
// ETags of times, in seconds.
const resolution = 2 * time.Second

// window remembers exchanges, the latest within its bounds.
type window struct {
	// created and read hold the lives of resources by the operations that create and read them. changes are the operations that change
	// them, removed the creating operations by those that delete.
	created, read map[string]resource.Life
	changes       map[string]bool
	removed       map[string]string
	// texts are those of the contract, in lower case, once they are needed.
	texts []string
	seed  maphash.Seed

	known map[string]*remembered
	// order holds what is remembered in order, with some that is not any more.
	order []*remembered
	bytes int
	// forgotten counts the exchanges that left the window, or were too large for it.
	forgotten int
}

// remembered is an exchange in the window.
type remembered struct {
	key    string
	weight int

	x     *Exchange
	ex    spec.Exchange
	op    *spec.Operation
	value exactjson.Value
	// sent is the body of the request, client a hash of the headers that may select what the response shows.
	sent   any
	client uint64
	// last is when the same was seen last.
	last time.Time
}

// newWindow returns an empty window.
func newWindow(basis Basis) *window {
	w := &window{
		created: map[string]resource.Life{}, read: map[string]resource.Life{}, changes: map[string]bool{}, removed: map[string]string{},
		known: map[string]*remembered{}, seed: maphash.MakeSeed(),
	}
	for _, op := range basis.Contract.Operations() {
		l, ok := basis.Promises.Life(&op)
		if !ok || l.Creator.Operation.ID != op.ID {
			continue
		}
		w.created[op.ID] = l
		if _, twice := w.read[l.Reader.ID]; !twice {
			w.read[l.Reader.ID] = l
		}
		if l.Remover != nil {
			w.removed[l.Remover.ID] = op.ID
		}
		for _, changer := range []*spec.Operation{l.Replacer, l.Patcher} {
			if changer != nil {
				w.changes[changer.ID] = true
			}
		}
	}
	return w
}

// compare compares an exchange with those that are remembered, and remembers it.
func (w *window) compare(j *judging) {
	x, status := j.x, j.ex.Response.Status
	if status/100 != 2 || len(x.Request.Header) == 0 || x.HeadersUnknown || j.options.Tests {
		return
	}
	creation, creates := w.created[j.op.ID]
	if creates && status == http.StatusCreated && j.judged {
		w.compareCreation(j, creation)
		return
	}
	switch reads, is := w.read[j.op.ID]; {
	case is && status == http.StatusOK && j.judged:
		w.compareRead(j, reads)
	case j.op.Method != http.MethodGet && j.op.Method != http.MethodHead && j.op.Method != http.MethodOptions:
		w.change(j)
	}
}

// remember remembers an exchange under a key.
func (w *window) remember(r *remembered) {
	r.weight = weight(r.x) + len(r.key)
	if r.weight > longestRemembered {
		w.forgotten++
		return
	}
	w.forget(r.key)
	w.known[r.key] = r
	w.order, w.bytes = append(w.order, r), w.bytes+r.weight
	for len(w.order) > mostRemembered || w.bytes > mostRememberedBytes {
		oldest := w.order[0]
		w.order[0] = nil
		w.order = w.order[1:]
		if w.known[oldest.key] == oldest {
			w.forget(oldest.key)
			w.forgotten++
		}
	}
}

// forget forgets what is remembered under a key. What is in the order until it leaves that holds no exchange any more.
func (w *window) forget(key string) {
	if r := w.known[key]; r != nil {
		delete(w.known, key)
		w.bytes -= r.weight
		*r = remembered{key: key}
	}
}

// remembered returns an exchange as it is remembered.
func (w *window) remembered(j *judging, key string, sent any) *remembered {
	return &remembered{key: key, x: j.x, ex: j.ex, op: j.op, value: j.value, sent: sent, client: w.client(j.x), last: j.x.Started}
}

// drawn matches identifiers that are drawn at random: UUIDs of version 4 and 7 (RFC 9562), in lower case.
var drawn = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

// compareCreation compares a creation with earlier ones.
func (w *window) compareCreation(j *judging, l resource.Life) {
	sent, err := exactjson.Decode(j.x.Request.Body)
	if l.Creator.Way != resource.Created || err != nil || j.x.RequestBodyUnknown || j.ex.Response.Cut() {
		return
	}
	id, ok := l.Creator.Identifier(l.Slot, j.value.Tree, j.ex.Response.Header.Get("Location"), nil)
	if !ok {
		return
	}
	name := fmt.Sprint(id)
	if _, strong := strongTag(&j.ex); strong && identified(j.x) {
		w.remember(w.remembered(j, key("made", j.x, j.x.Path+"/"+url.PathEscape(name)), sent.Tree))
	}
	lower := strings.ToLower(name)
	if !drawn.MatchString(lower) || names(j.x, lower) {
		return
	}
	drawnKey := key("drawn", j.x, j.op.ID, lower)
	earlier := w.known[drawnKey]
	if earlier != nil && distinctRequests(earlier, j.x, sent.Tree) && !w.exemplary(j, lower) {
		j.contradicts(earlier, promise.Distinct, j.op, spec.Finding{
			Kind: spec.KindDuplicate, Expected: phrase.Of("a unique identifier"), Actual: phrase.Of("{}, which an earlier creation returned", phrase.JSON(name)),
			About: spec.About{IDs: []string{name}},
		})
	}
	w.remember(w.remembered(j, drawnKey, sent.Tree))
}

// names reports whether a request holds an identifier anywhere.
func names(x *Exchange, id string) bool {
	in := func(text string) bool { return strings.Contains(strings.ToLower(text), id) }
	return in(x.Request.URL) || in(string(x.Request.Body)) || slices.ContainsFunc(slices.Collect(maps.Values(x.Request.Header)), func(values []string) bool { return slices.ContainsFunc(values, in) })
}

// repeating matches names of headers by which services recognise a request that is repeated.
var repeating = regexp.MustCompile(`(?i)idempot|request-?id|correlation|nonce|dedup|transaction|operation-?id|client-?token`)

// distinctRequests reports whether a request cannot mean the resource that an earlier one created: nothing that it sends was sent then.
func distinctRequests(earlier *remembered, x *Exchange, sent any) bool {
	for name, values := range x.Request.Header {
		if before, both := earlier.x.Request.Header[name]; both && repeating.MatchString(name) && slices.Equal(before, values) {
			return false
		}
	}
	before, now := map[string]bool{}, map[string]bool{}
	values(earlier.sent, before)
	values(sent, now)
	for value := range now {
		if before[value] {
			return false
		}
	}
	return len(before) > 0 && len(now) > 0
}

// values adds the texts and numbers in a value, as texts.
func values(tree any, to map[string]bool) {
	switch v := tree.(type) {
	case map[string]any:
		for _, inner := range v {
			values(inner, to)
		}
	case []any:
		for _, inner := range v {
			values(inner, to)
		}
	case string:
		to[v] = true
	case json.Number:
		to[v.String()] = true
	}
}

// exemplary reports whether the document has an identifier as an example, which a stub of it may return.
func (w *window) exemplary(j *judging, id string) bool {
	if w.texts == nil {
		_, texts := j.basis.Contract.Texts()
		for _, text := range texts {
			w.texts = append(w.texts, strings.ToLower(text))
		}
	}
	return slices.ContainsFunc(w.texts, func(text string) bool { return strings.Contains(text, id) })
}

// compareRead compares what a read shows with a creation and with earlier reads that had the same strong ETag.
func (w *window) compareRead(j *judging, l resource.Life) {
	tag, strong := strongTag(&j.ex)
	strong = strong && identified(j.x)
	shown, is := l.Read(j.value.Tree)
	u, err := url.Parse(j.x.Request.URL)
	if !strong || !is || err != nil || j.ex.Response.Cut() {
		return
	}
	if made := w.known[key("made", j.x, j.x.Path)]; made != nil && made.client == w.client(j.x) && u.RawQuery == "" {
		if before, _ := strongTag(&made.ex); before == tag {
			w.compareSent(j, l, made, shown)
		}
	}
	shownKey := key("shown", j.x, strconv.FormatUint(w.client(j.x), 16), u.RequestURI(), tag)
	earlier := w.known[shownKey]
	if earlier == nil {
		w.remember(w.remembered(j, shownKey, nil))
		return
	}
	was, _ := l.Read(earlier.value.Tree)
	name, differs := differing(l, l.Creator.Operation, was, shown)
	if !differs {
		earlier.last = j.x.Started
		j.exercised = append(j.exercised, j.basis.Catalogue.ResolveWithin(j.basis.Promises.Names.Rule(l.Reader.ID, promise.Steady), func(string) bool { return true })...)
		return
	}
	kind, by, until := promise.Steady, l.Reader, earlier.last
	if change := w.known[key("changed", j.x, j.x.Path)]; change != nil {
		kind, by, until = promise.NewTag, change.op, change.x.Started
	}
	if until.Sub(earlier.x.Started) >= resolution && j.x.Started.After(until) {
		j.contradicts(earlier, kind, by, j.otherwise(l, name, was, shown, "as in an earlier response with the same strong ETag"))
	}
	w.remember(w.remembered(j, shownKey, nil))
}

// compareSent compares what a read shows with what was sent to create it, as far as the creation showed that, too.
func (w *window) compareSent(j *judging, l resource.Life, made *remembered, shown map[string]any) {
	sent, isObject := made.sent.(map[string]any)
	echo, echoed := l.Created(made.value.Tree)
	if !isObject || !echoed {
		return
	}
	compared := map[string]any{}
	for name, value := range sent {
		if is, there := echo[name]; there && exactjson.Equal(value, is) {
			compared[name] = value
		}
	}
	kept := j.basis.Promises.Names.Rule(made.op.ID, promise.Kept)
	if name, differs := differing(l, made.op, compared, shown); differs {
		j.contradicts(made, promise.Kept, made.op, j.otherwise(l, name, sent, shown, "as it was sent and returned with the same strong ETag"))
	} else if len(compared) > 0 {
		j.exercised = append(j.exercised, j.basis.Catalogue.ResolveWithin(kept, func(string) bool { return true })...)
	}
}

// differing returns a member that clients set, and that was another value than it is.
func differing(l resource.Life, creates *spec.Operation, was, is map[string]any) (string, bool) {
	for _, p := range l.Settable(creates) {
		before, had := was[p.Name]
		now, has := is[p.Name]
		if had && has && !resource.HoldsSecret(p.Name, p.Schema) && scalar(before) && scalar(now) && behaviour.Alike(before, now, true) == behaviour.Another {
			return p.Name, true
		}
	}
	return "", false
}

// scalar reports whether a value is a text, a number or a boolean.
func scalar(v any) bool {
	switch v.(type) {
	case string, json.Number, bool:
		return true
	}
	return false
}

// otherwise returns the finding that a response shows a member otherwise than before.
func (j *judging) otherwise(l resource.Life, name string, was, is map[string]any, how string) spec.Finding {
	pointer := jsonpointer.Join("", name)
	for _, step := range slices.Backward(l.ReadPath()[:max(len(l.ReadPath())-1, 0)]) {
		pointer = jsonpointer.Join("", step.Name) + pointer
	}
	text := func(v any) phrase.Value {
		raw, err := json.Marshal(v)
		if err != nil {
			return phrase.Text(fmt.Sprint(v))
		}
		return phrase.JSON(string(raw))
	}
	return spec.Finding{
		Kind: spec.KindDiffers, Pointer: pointer, Expected: phrase.Of("{}, "+how, text(was[name])), Actual: phrase.Of("{}", text(is[name])),
	}
}

// contradicts adds the finding that an exchange contradicts an earlier one, under the rule of an operation.
func (j *judging) contradicts(earlier *remembered, k promise.Kind, by *spec.Operation, f spec.Finding) {
	f.Rule, f.Operation = j.basis.Promises.Names.Rule(by.ID, k), j.op.ID
	f.Exchanges = []int{earlier.ex.Seq, j.ex.Seq}
	f.Where = phrase.Place{Method: j.ex.Request.Method, Path: j.x.Path, Status: j.ex.Response.Status}.At(f.Pointer)
	f.Cause = f.Rule + ": " + string(f.Kind) + " " + f.Pointer
	before := len(j.findings)
	j.addFindings(f)
	j.findings = slices.DeleteFunc(j.findings, func(f spec.Finding) bool { return !j.breakable(f.Rule) })
	if len(j.findings) > before {
		j.earlier = append(j.earlier, *earlier)
	}
}

// change notes that a resource was changed: what was sent to create it need not be shown any more.
func (w *window) change(j *judging) {
	for at := j.x.Path; at != ""; at = at[:max(strings.LastIndexByte(at, '/'), 0)] {
		w.forget(key("made", j.x, at))
		w.forget(key("changed", j.x, at))
	}
	if w.changes[j.op.ID] && j.ex.Response.Status != http.StatusAccepted {
		w.remember(w.remembered(j, key("changed", j.x, j.x.Path), nil))
	}
	if creator, removes := w.removed[j.op.ID]; removes {
		w.forget(key("drawn", j.x, creator, strings.ToLower(path.Base(j.x.Path))))
	}
}

// incidental are request headers that select no representation.
var incidental = []string{
	"Accept-Encoding", "Cache-Control", "Connection", "Content-Length", "Content-Type", "Date", "Expect", "Host", "Idempotency-Key", "If-Match", "If-Modified-Since",
	"If-None-Match", "If-Unmodified-Since", "Origin", "Pragma", "Referer", "Te", "Traceparent", "Tracestate", "Transfer-Encoding", "User-Agent", "X-Correlation-Id", "X-Request-Id",
}

// client returns a hash of the request headers that may select what a response shows: credentials, languages, versions.
func (w *window) client(x *Exchange) uint64 {
	var h maphash.Hash
	h.SetSeed(w.seed)
	add := func(text string) {
		_, _ = h.WriteString(text) // never fails
		_ = h.WriteByte(0)
	}
	for _, name := range slices.Sorted(maps.Keys(x.Request.Header)) {
		if slices.Contains(incidental, name) {
			continue
		}
		add(name)
		for _, value := range x.Request.Header[name] {
			add(value)
		}
	}
	return h.Sum64()
}

// key returns the key of what is compared: its kind, the host, and what else has to be the same.
func key(kind string, x *Exchange, parts ...string) string {
	return strings.Join(append([]string{kind, x.Origin}, parts...), "\x00")
}

// masks matches values of headers that recorders write in place of credentials.
var masks = regexp.MustCompile(`(?i)secret|redact|mask|hidden|remov|xxx|\*\*|\$`)

// identified reports whether it is known as whom the client asked. Recorders leave out credentials, or mask them.
func identified(x *Exchange) bool {
	if !x.RequestHeadersUnknown {
		return true
	}
	for name, values := range x.Request.Header {
		if holdsSecret(name) && len(values) > 0 {
			return !slices.ContainsFunc(values, masks.MatchString)
		}
	}
	return false
}

// strong matches strong entity tags (RFC 9110, section 8.8.3).
var strong = regexp.MustCompile(`^"[^"\x00-\x20\x7f]*"$`)

// strongTag returns the strong ETag of a response.
func strongTag(ex *spec.Exchange) (string, bool) {
	all := ex.Response.Header.Values("Etag")
	if len(all) != 1 || !strong.MatchString(all[0]) {
		return "", false
	}
	return all[0], true
}
