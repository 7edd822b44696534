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
//     request, or added to what there is already, so nothing is concluded from requests that hold the identifier or have a value in common,
//     nor unless each response shows what its request sent, and nothing of what the other one sent.
//   - A strong ETag identifies one representation for all time (RFC 9110, section 8.8.1), so responses of one URL with the same one show the
//     same, whoever changed the resource in between. Only members that clients set are compared, and only once a representation was seen with
//     its ETag for a while: an ETag that is made of a time in seconds stays if the resource changes twice in one. An ETag that counts may begin
//     again if the resource is deleted and created again, so what was shown is forgotten when that was seen, or may be.
//
// That a deleted resource is still shown is never such a contradiction: somebody may have restored it, or a cache may not know yet.

// Bounds of what is remembered for comparisons: exchanges, the bytes of all of them, and those of one. Bodies are kept as bytes, and decoded
// for each comparison: a decoded tree takes many times as much.
const mostRemembered, mostRememberedBytes, longestRemembered = 1000, 8 << 20, 64 << 10

// resolution is the time for which a representation must have been seen with its ETag before another one with the same counts: some services
// make their ETags of times, in seconds.
const resolution = 2 * time.Second

// window remembers exchanges, the latest within its bounds.
type window struct {
	// created and read hold the lives of resources by the operations that create and read them. changes are the operations that change
	// them.
	created, read map[string]resource.Life
	changes       map[string]bool
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

// purpose says what an exchange is remembered for.
type purpose string

// The purposes: the resource that a creation returned, the identifier that it drew, what a read showed, and that a resource was changed.
const (
	made    purpose = "made"
	drawn   purpose = "drawn"
	shown   purpose = "shown"
	changed purpose = "changed"
)

// remembered is an exchange in the window.
type remembered struct {
	key     string
	purpose purpose
	weight  int
	// path is that of the resource, without escapes. id is its identifier if that was drawn at random, in lower case.
	path, id string

	x  *Exchange
	ex spec.Exchange
	op *spec.Operation
	// client is a hash of the headers that may select what the response shows.
	client uint64
	// last is when the same was seen last.
	last time.Time
}

// settled reports whether the same was seen for long enough until it was seen last, which was before an exchange.
func (r *remembered) settled(before *Exchange) bool {
	return r.last.Sub(r.x.Started.Add(r.x.Elapsed)) >= resolution && before.Started.After(r.last)
}

// seen notes that the same was seen again.
func (r *remembered) seen(again *Exchange) {
	if again.Started.After(r.last) {
		r.last = again.Started
	}
}

// sent returns the body of the request, shown that of the response; nil if it is not JSON.
func (r *remembered) sent() any { return tree(r.ex.Request.Body) }
func (r *remembered) body() any { return tree(r.ex.Response.Body) }

// tree returns a JSON value; nil if it is none.
func tree(body []byte) any {
	decoded, err := exactjson.Decode(body)
	if err != nil {
		return nil
	}
	return decoded.Tree
}

// newWindow returns an empty window.
func newWindow(basis Basis) *window {
	w := &window{
		created: map[string]resource.Life{}, read: map[string]resource.Life{}, changes: map[string]bool{},
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
	if j.options.Tests {
		return
	}
	creation, creates := w.created[j.op.ID]
	creates = creates && status == http.StatusCreated && creation.Creator.Way == resource.Created
	if !creates && mayChange(x) {
		w.change(x, w.changes[j.op.ID] && (status == http.StatusOK || status == http.StatusNoContent))
	}
	if status/100 != 2 || len(x.Request.Header) == 0 || x.HeadersUnknown {
		return
	}
	reads, is := w.read[j.op.ID]
	switch {
	case creates && j.judged:
		w.compareCreation(j, creation)
	case is && status == http.StatusOK && j.judged:
		w.compareRead(j, reads)
	case w.changes[j.op.ID] && status != http.StatusAccepted:
		w.remember(w.remembered(j, changed, x.Path))
	}
}

// remember remembers an exchange.
func (w *window) remember(r *remembered) {
	r.weight = weight(r.x) + len(r.key) + len(r.path)
	if !sharesMemory(r.x.Response.Body, r.ex.Response.Body) {
		r.weight += cap(r.ex.Response.Body)
	}
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

// sharesMemory reports whether two bodies begin at the same place in memory.
func sharesMemory(a, b []byte) bool { return len(a) > 0 && len(b) > 0 && &a[0] == &b[0] }

// forget forgets what is remembered under a key. What is in the order until it leaves that holds no exchange any more.
func (w *window) forget(key string) {
	if r := w.known[key]; r != nil {
		delete(w.known, key)
		w.bytes -= r.weight
		*r = remembered{key: key}
	}
}

// remembered returns an exchange as it is remembered, about the resource at a path. Parts are what has to be the same beside that.
func (w *window) remembered(j *judging, p purpose, path string, parts ...string) *remembered {
	r := &remembered{key: key(p, j.x, append(parts, path)...), purpose: p, path: plainPath(path), x: j.x, ex: j.ex, op: j.op, client: w.client(j.x), last: j.x.Started}
	r.id = drawnID(r.path)
	return r
}

// random matches identifiers that are drawn at random: UUIDs of version 4 and 7 (RFC 9562), in lower case.
var random = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

// drawnID returns the identifier at the end of a path in lower case, if it was drawn at random.
func drawnID(at string) string {
	if id := strings.ToLower(path.Base(at)); random.MatchString(id) {
		return id
	}
	return ""
}

// compareCreation compares a creation with earlier ones.
func (w *window) compareCreation(j *judging, l resource.Life) {
	sent, err := exactjson.Decode(j.x.Request.Body)
	if err != nil || j.x.RequestBodyUnknown || j.ex.Response.Cut() {
		return
	}
	id, ok := l.Creator.Identifier(l.Slot, j.value.Tree, j.ex.Response.Header.Get("Location"), nil)
	if !ok {
		return
	}
	name := fmt.Sprint(id)
	at := j.x.Path + "/" + url.PathEscape(name)
	if _, strong := strongTag(&j.ex); strong && identified(j.x) {
		w.remember(w.remembered(j, made, at))
	}
	lower := strings.ToLower(name)
	if !random.MatchString(lower) || names(j.x, lower) {
		return
	}
	now := w.remembered(j, drawn, j.x.Path+"/"+lower, j.op.ID)
	earlier := w.known[now.key]
	if earlier != nil && distinctRequests(earlier, j.x, sent.Tree) && eachItsOwn(earlier, sent.Tree, j.value.Tree) && !w.exemplary(j, lower) {
		j.contradicts(earlier, promise.Distinct, j.op, spec.Finding{
			Kind: spec.KindDuplicate, Expected: phrase.Of("a unique identifier"), Actual: phrase.Of("{}, which an earlier creation returned", phrase.JSON(name)),
			About: spec.About{IDs: []string{name}},
		})
	}
	w.remember(now)
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
	values(earlier.sent(), before)
	values(sent, now)
	for value := range now {
		if before[value] {
			return false
		}
	}
	return len(before) > 0 && len(now) > 0
}

// eachItsOwn reports whether two creations each show something that their own request sent, under the same name, and nothing of what the
// other one sent and showed. Else the second may have added to what the first one created, such as the open basket of a client.
func eachItsOwn(earlier *remembered, sent, shows any) bool {
	before := earlier.body()
	first, second := echoed(earlier.sent(), before), echoed(sent, shows)
	return len(first) > 0 && len(second) > 0 && disjoint(first, shows) && disjoint(second, before)
}

// pair is a member of an object with a text or a number as its value.
type pair struct{ name, value string }

// echoed returns the values of the members that a request sent, and its response shows.
func echoed(sent, shows any) map[string]bool {
	out, back := map[pair]bool{}, map[pair]bool{}
	members(sent, out)
	members(shows, back)
	all := map[string]bool{}
	for one := range out {
		if back[one] {
			all[one.value] = true
		}
	}
	return all
}

// members adds the members in a value that are texts or numbers.
func members(tree any, to map[pair]bool) {
	switch v := tree.(type) {
	case map[string]any:
		for name, inner := range v {
			switch scalar := inner.(type) {
			case string:
				to[pair{name, scalar}] = true
			case json.Number:
				to[pair{name, scalar.String()}] = true
			default:
				members(inner, to)
			}
		}
	case []any:
		for _, inner := range v {
			members(inner, to)
		}
	}
}

// disjoint reports whether none of some values is in a tree.
func disjoint(some map[string]bool, tree any) bool {
	all := map[string]bool{}
	values(tree, all)
	for value := range some {
		if all[value] {
			return false
		}
	}
	return true
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

// counting matches entity tags that may count the versions of a resource, and so may begin again.
var counting = regexp.MustCompile(`^"[^0-9]{0,8}[0-9]{1,9}"$`)

// compareRead compares what a read shows with a creation and with earlier reads that had the same strong ETag.
func (w *window) compareRead(j *judging, l resource.Life) {
	tag, strong := strongTag(&j.ex)
	strong = strong && identified(j.x)
	shows, is := l.Read(j.value.Tree)
	u, err := url.Parse(j.x.Request.URL)
	age := j.ex.Response.Header.Get("Age") // a cache shows what was
	if !strong || !is || err != nil || j.ex.Response.Cut() || age != "" && age != "0" {
		return
	}
	if again := l.Creator.Way != resource.Created || drawnID(plainPath(j.x.Path)) == ""; again && counting.MatchString(tag) {
		return // another resource may have this identifier now, with versions of its own
	}
	if creation := w.known[key(made, j.x, j.x.Path)]; creation != nil && creation.client == w.client(j.x) && u.RawQuery == "" {
		if before, _ := strongTag(&creation.ex); before == tag {
			w.compareSent(j, l, creation, shows)
		}
	}
	now := w.remembered(j, shown, j.x.Path, strconv.FormatUint(w.client(j.x), 16), u.RequestURI(), tag)
	earlier := w.known[now.key]
	if earlier == nil {
		w.remember(now)
		return
	}
	was, _ := l.Read(earlier.body())
	name, whole := compareMembers(l, l.Creator.Operation, was, shows)
	if name == "" {
		if whole {
			earlier.seen(j.x)
		}
		j.exercised = append(j.exercised, j.basis.Catalogue.ResolveWithin(j.basis.Promises.Names.Rule(l.Reader.ID, promise.Steady), func(string) bool { return true })...)
		return
	}
	if earlier.settled(j.x) {
		kind, by := promise.Steady, l.Reader
		if change := w.known[key(changed, j.x, j.x.Path)]; change != nil {
			kind, by = promise.NewTag, change.op
		}
		j.contradicts(earlier, kind, by, j.otherwise(l, name, was, shows, "as in an earlier response with the same strong ETag"))
	}
	w.remember(now)
}

// compareSent compares what a read shows with what was sent to create it, as far as the creation showed that, too.
func (w *window) compareSent(j *judging, l resource.Life, creation *remembered, shows map[string]any) {
	sent, isObject := creation.sent().(map[string]any)
	echo, echoes := l.Created(creation.body())
	if !isObject || !echoes {
		return
	}
	kept := map[string]any{}
	for name, value := range sent {
		if is, there := echo[name]; there && exactjson.Equal(value, is) {
			kept[name] = value
		}
	}
	switch name, whole := compareMembers(l, creation.op, kept, shows); {
	case name == "" && len(kept) > 0:
		if whole {
			creation.seen(j.x)
		}
		rule := j.basis.Promises.Names.Rule(creation.op.ID, promise.Kept)
		j.exercised = append(j.exercised, j.basis.Catalogue.ResolveWithin(rule, func(string) bool { return true })...)
	case name != "" && creation.settled(j.x):
		j.contradicts(creation, promise.Kept, creation.op, j.otherwise(l, name, sent, shows, "as it was sent and returned with the same strong ETag"))
	case name != "":
		w.forget(creation.key) // it was changed at once, or an ETag stands for both
	}
}

// compareMembers returns a member that clients set, and that was another value than it is; "" for none. whole reports whether all of them
// that there were are there still.
func compareMembers(l resource.Life, creates *spec.Operation, was, is map[string]any) (name string, whole bool) {
	whole = true
	for _, p := range l.Settable(creates) {
		before, had := was[p.Name]
		now, has := is[p.Name]
		whole = whole && (has || !had)
		if had && has && !resource.HoldsSecret(p.Name, p.Schema) && scalar(before) && scalar(now) && behaviour.Alike(before, now, true) == behaviour.Another {
			return p.Name, false
		}
	}
	return "", whole
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

// mayChange reports whether a request may have changed something, or shows that somebody did: all but safe methods may, unless the service
// refused them. What is not found was deleted, perhaps.
func mayChange(x *Exchange) bool {
	status := x.Response.Status
	if status == http.StatusNotFound || status == http.StatusGone {
		return true
	}
	switch x.Request.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace, "QUERY":
		return false
	}
	const closed = 499 // nginx writes it when the client did not wait for the response
	return status/100 != 4 || status == http.StatusRequestTimeout || status == closed
}

// change forgets the resources that a request may have changed: those at its path, below and above. If it only changed that at its path, and
// did not create it again, what was shown with its ETags still counts.
func (w *window) change(x *Exchange, only bool) {
	at := plainPath(x.Path)
	for key, r := range w.known {
		stays := only && r.path == at && (r.purpose == shown || r.purpose == drawn)
		if !stays && r.concerns(at) {
			w.forget(key)
		}
	}
}

// concerns reports whether a resource is at a path, below or above it, or is named in it.
func (r *remembered) concerns(at string) bool {
	return r.path == at || strings.HasPrefix(r.path, at+"/") || strings.HasPrefix(at, r.path+"/") || r.id != "" && strings.Contains(strings.ToLower(at), r.id)
}

// plainPath returns a path without escapes, and without a slash at its end.
func plainPath(escaped string) string {
	plain, err := url.PathUnescape(escaped)
	if err != nil {
		plain = escaped
	}
	return strings.TrimRight(plain, "/")
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
