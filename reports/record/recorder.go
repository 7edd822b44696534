package record

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/spec"
)

// How much of the responses a record keeps, in bytes. Together these limit the memory of a run, whatever a service sends.
const (
	// keptBody is kept of every body, citedBody of a body that a finding cites.
	keptBody  = 4 << 10
	citedBody = 256 << 10
	// openBudget limits the bodies of unfinished scenarios, any of which a finding may still cite; citedBudget limits those already cited.
	// Beyond these limits the oldest, or the newest cited ones, are cut like all others.
	openBudget  = 8 << 20
	citedBudget = 12 << 20
	// citedPerCause is the number of exchanges with one cause that are kept whole: enough examples, however often it shows.
	citedPerCause = 6
)

// Recorder collects the record of a run in progress. It is safe for concurrent use.
type Recorder struct {
	mu        sync.Mutex
	head      Record                 // without scenarios, exchanges and counts
	scenarios []*Scenario            // nil for a spilled one
	exchanges map[int]*spec.Exchange // by number, without spilled ones
	interner  interner
	tally     Tally
	areas     map[string]int // area → index into tally.Areas

	open      map[int]bool     // numbers of exchanges with long bodies that are still whole and not yet cited
	queue     []int            // the same, oldest first; may include some no longer open
	waiting   map[string][]int // the same, by the scenario that made them
	openBytes int

	cited      map[int]bool
	causes     map[string]int // number of exchanges kept whole, by cause
	citedBytes int

	// Counting is by far the most frequent operation, so it has its own lock.
	countMu   sync.Mutex
	exercised map[string]int
	uncounted map[string]int // counts not yet in the journal

	createdMu sync.Mutex
	created   ledger

	journal *Journal       // may be nil
	follow  func(Scenario) // may be nil
	spill   *spill         // may be nil
	// found reports whether a finished scenario had findings or could not be judged.
	found bool
}

// NewRecorder begins the record of a run. From head it takes what is known beforehand: Suite, Proof, Target, Options, Started and
// NotApplicable.
func NewRecorder(head Record) *Recorder {
	head.Schema, head.Complete, head.Lost, head.Failure = Schema, false, "", ""
	head.Scenarios, head.Exchanges, head.Exercised = nil, nil, nil
	if head.Started.IsZero() {
		head.Started = time.Now()
	}
	head.Started = head.Started.Round(0)
	return &Recorder{
		head: head, areas: map[string]int{}, exchanges: map[int]*spec.Exchange{},
		open: map[int]bool{}, waiting: map[string][]int{},
		cited: map[int]bool{}, causes: map[string]int{}, exercised: map[string]int{},
	}
}

// Keep makes the recorder also write everything to a journal as it happens. Call it before any other method.
func (r *Recorder) Keep(j *Journal) {
	head := r.head
	r.journal, r.uncounted = j, map[string]int{}
	j.write(entry{Schema: JournalSchema, Head: &head})
}

// Asking records that a request that may create a resource is about to be sent, and returns its number. name is the name of the resource;
// alsoNames are other names in the request.
func (r *Recorder) Asking(name, scenario string, alsoNames ...string) int {
	r.createdMu.Lock()
	defer r.createdMu.Unlock()
	a := Creation{N: r.created.last + 1, Name: name, Scenario: scenario, Asked: time.Now(), Fate: Unknown}
	r.created.note(a, alsoNames...)
	r.journal.write(entry{Creation: &a})
	return a.N
}

// Seen records a resource that a response showed under a name that this run made up. Known resources are ignored; a resource whose creation
// was rejected or never answered is listed from now on.
func (r *Recorder) Seen(name, id string) {
	r.createdMu.Lock()
	defer r.createdMu.Unlock()
	if a, isNew := r.created.seen(name, id); isNew {
		r.journal.write(entry{Creation: &a})
	}
}

// Settle records the fate of request n. id is the id of the new resource, as decimal text, if known. A resource seen before stays listed.
func (r *Recorder) Settle(n int, fate Fate, id string) {
	r.createdMu.Lock()
	defer r.createdMu.Unlock()
	a, known := r.created.all[n]
	if !known || a.Fate == Created && fate != Created && fate != Removed {
		return
	}
	if a.Fate = fate; fate != Removed {
		a.ID = id
	}
	r.created.note(a)
	r.journal.write(entry{Creation: &a})
}

// AddExchange adds a finished exchange. Its header maps and bodies must not change afterwards.
func (r *Recorder) AddExchange(ex spec.Exchange) {
	// A record that is read back has no empty bodies and no monotonic clock, so reports must not depend on them.
	ex.Started = ex.Started.Round(0)
	if len(ex.Request.Body) == 0 {
		ex.Request.Body = nil
	}
	if ex.Response != nil {
		resp := *ex.Response // leave the caller's response unchanged
		resp.Size = max(resp.Size, len(resp.Body))
		if resp.Body = Shorten(resp.Body, citedBody); len(resp.Body) == 0 {
			resp.Body = nil
		}
		ex.Response = &resp
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.interner.exchange(&ex)
	r.tally.Exchanges++
	r.exchanges[ex.Seq] = &ex
	if ex.Response == nil || len(ex.Response.Body) <= keptBody {
		return
	}
	r.open[ex.Seq] = true
	r.queue = append(r.queue, ex.Seq)
	r.waiting[ex.Scenario] = append(r.waiting[ex.Scenario], ex.Seq)
	r.openBytes += len(ex.Response.Body)
	for r.openBytes > openBudget && len(r.queue) > 0 {
		oldest := r.queue[0]
		r.queue = r.queue[1:]
		r.close(oldest, r.cited[oldest])
	}
}

// AddLoose adds a finished exchange that belongs to no scenario.
func (r *Recorder) AddLoose(ex spec.Exchange) {
	r.AddExchange(ex)
	r.mu.Lock()
	all := r.take([]int{ex.Seq})
	r.mu.Unlock()
	if len(all) > 0 {
		r.journal.write(entry{Exchanges: all})
	}
}

// AddConfirmation adds the result of repeating a scenario, after its exchanges.
func (r *Recorder) AddConfirmation(c Confirmation) {
	line := r.addConfirmation(c)
	r.journal.write(line)
}

func (r *Recorder) addConfirmation(c Confirmation) entry {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.head.Confirmations = append(slices.Clip(r.head.Confirmations), c) // snapshots share the slice
	return entry{Confirmation: &c, Exchanges: r.take(c.Exchanges)}
}

// AddOpinion adds an opinion of the second judge.
func (r *Recorder) AddOpinion(o Opinion) {
	r.mu.Lock()
	r.head.Opinions = append(slices.Clip(r.head.Opinions), o) // snapshots share the slice
	r.mu.Unlock()
	r.journal.write(entry{Opinion: &o})
}

// take returns the exchanges with these numbers, for the journal.
func (r *Recorder) take(seqs []int) []spec.Exchange {
	if r.journal == nil {
		return nil
	}
	var all []spec.Exchange
	for _, seq := range seqs {
		if ex := r.exchanges[seq]; ex != nil {
			all = append(all, *ex)
		}
	}
	return all
}

// AddScenario adds a finished scenario, after its exchanges.
func (r *Recorder) AddScenario(s Scenario) {
	s.Started = s.Started.Round(0)
	line, i := r.addScenario(s)
	if r.journal != nil {
		r.countMu.Lock()
		line.Exercised, r.uncounted = r.uncounted, map[string]int{}
		r.countMu.Unlock()
		r.journal.write(line)
	}
	r.mu.Lock()
	r.spillScenario(i)
	r.mu.Unlock()
}

// addScenario returns the scenario's journal line and index.
func (r *Recorder) addScenario(s Scenario) (line entry, i int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.scenarios = append(r.scenarios, &s)
	if r.follow != nil {
		r.follow(s)
	}
	r.count(&s)
	r.found = r.found || len(s.Findings) > 0 || s.Outcome == Errored
	for _, f := range s.Findings {
		r.cite(f)
	}
	for _, seq := range r.waiting[s.ID] {
		r.close(seq, r.cited[seq])
	}
	delete(r.waiting, s.ID)
	return entry{Scenario: &s, Exchanges: r.take(s.Exchanges)}, len(r.scenarios) - 1
}

// cite marks the exchanges of a finding as cited, so they are kept whole as far as the budget allows.
func (r *Recorder) cite(f spec.Finding) {
	for _, seq := range slices.Backward(f.Exchanges) {
		ex := r.exchanges[seq]
		if ex == nil || !r.open[seq] || r.cited[seq] || r.causes[f.Cause] >= citedPerCause {
			continue
		}
		if n := len(ex.Response.Body); r.citedBytes+n <= citedBudget {
			r.citedBytes += n
			r.causes[f.Cause]++
			r.cited[seq] = true
		}
	}
}

// close stops reserving an exchange's body, and cuts it unless keep is set.
func (r *Recorder) close(seq int, keep bool) {
	if !r.open[seq] {
		return
	}
	delete(r.open, seq)
	ex := r.exchanges[seq]
	r.openBytes -= len(ex.Response.Body)
	if keep {
		return
	}
	// Snapshots share the response, so it is replaced and never changed.
	resp := *ex.Response
	resp.Body = Shorten(resp.Body, keptBody)
	ex.Response = &resp
}

// Shorten returns the first limit bytes of a body in new memory, without cutting a character of text.
func Shorten(body spec.Bytes, limit int) spec.Bytes {
	if len(body) <= limit {
		return body
	}
	end := limit
	for back := 1; back < utf8.UTFMax && back < limit; back++ {
		if i := limit - back; utf8.RuneStart(body[i]) {
			if !utf8.FullRune(body[i:limit]) {
				end = i
			}
			break
		}
	}
	return bytes.Clone(body[:end])
}

// ExercisedAll counts each of the rules as judged once more.
func (r *Recorder) ExercisedAll(rules []string) {
	r.countMu.Lock()
	for _, rule := range rules {
		r.exercised[rule]++
		if r.uncounted != nil {
			r.uncounted[rule]++
		}
	}
	r.countMu.Unlock()
}

// Follow makes the recorder call do with each scenario that ends from now on, one at a time. do must not call the recorder.
func (r *Recorder) Follow(do func(Scenario)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.follow = do
}

// Found reports whether a finished scenario had findings or could not be judged.
func (r *Recorder) Found() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.found
}

// Snapshot returns a copy of the record so far, which does not change as the run continues. It is incomplete until Finish.
func (r *Recorder) Snapshot() Record {
	r.mu.Lock()
	defer r.mu.Unlock()
	rec := r.record()
	var err error
	if rec.Scenarios, rec.Exchanges, err = r.all(true); err != nil {
		rec.Failure = err.Error()
	}
	return rec
}

// record returns the record without scenarios and exchanges. The caller holds the lock.
func (r *Recorder) record() Record {
	rec := r.head
	r.countMu.Lock()
	rec.Exercised = maps.Clone(r.exercised)
	r.countMu.Unlock()
	r.createdMu.Lock()
	rec.Created = r.created.list()
	r.createdMu.Unlock()
	rec.NotApplicable = maps.Clone(rec.NotApplicable)
	return rec
}

// all returns the scenarios in the order in which they ended, and the exchanges ordered by number; for whole see [spill.restore]. If
// spilled ones cannot be read, it returns the others and an error. The caller holds the lock.
func (r *Recorder) all(whole bool) ([]Scenario, []spec.Exchange, error) {
	size := len(r.exchanges)
	if r.spill != nil {
		size += r.spill.exchanges
	}
	all := spilled{scenarios: make([]Scenario, len(r.scenarios)), missing: make([]bool, len(r.scenarios)), exchanges: make([]spec.Exchange, 0, size)}
	for i, s := range r.scenarios {
		if all.missing[i] = s == nil; s != nil {
			all.scenarios[i] = *s
		}
	}
	for _, ex := range r.exchanges {
		all.exchanges = append(all.exchanges, *ex)
	}
	var err error
	if r.spill != nil {
		if err = r.spill.restore(&all, whole); err != nil {
			err = fmt.Errorf("scenarios and exchanges, which were kept in a temporary file, cannot be read: %w", err)
			all.dropMissing()
		}
	}
	slices.SortFunc(all.exchanges, func(x, y spec.Exchange) int { return cmp.Compare(x.Seq, y.Seq) })
	return all.scenarios, all.exchanges, err
}

// Ending says how a run ended.
type Ending struct {
	// Complete reports whether everything selected has run.
	Complete bool `json:"complete"`
	// Lost, Suspects, Stopped and Failure are those of the Record.
	Lost     string    `json:"lost,omitempty"`
	Suspects []Suspect `json:"suspects,omitempty"`
	Stopped  string    `json:"stopped,omitempty"`
	Failure  string    `json:"failure,omitempty"`
	Patience
	// Width, Unjudged, Coverage, Bodies, Suggestions and Roles are those of the Record.
	Width       *Width       `json:"width,omitempty"`
	Unjudged    []Unjudged   `json:"unjudged,omitempty"`
	Coverage    *Coverage    `json:"coverage,omitempty"`
	Bodies      []BodySearch `json:"bodies,omitempty"`
	Suggestions []Suggestion `json:"suggestions,omitempty"`
	Roles       []RoleUse    `json:"roles,omitempty"`
	// At is the time of the end; zero means now.
	At time.Time `json:"at"`
}

// Finish ends the record and returns it. Bodies that no finding cites are cut, whichever scenario they belong to.
func (r *Recorder) Finish(e Ending) Record {
	if e.At.IsZero() {
		e.At = time.Now()
	}
	r.mu.Lock()
	for seq := range r.open {
		r.close(seq, r.cited[seq])
	}
	r.queue, r.waiting = nil, map[string][]int{}
	whole := r.found || !e.Complete || e.Lost != "" || e.Stopped != "" || e.Failure != ""
	scenarios, exchanges, err := r.all(whole)
	if err != nil {
		e.Failure = cmp.Or(e.Failure, err.Error())
	}
	r.spill = nil
	r.scenarios = r.scenarios[:len(scenarios)] // for snapshots in progress
	for i := range scenarios {
		r.scenarios[i] = &scenarios[i]
	}
	for i := range exchanges {
		r.exchanges[exchanges[i].Seq] = &exchanges[i]
	}
	r.head.Complete, r.head.Lost, r.head.Suspects, r.head.Stopped = e.Complete, e.Lost, e.Suspects, e.Stopped
	r.head.Failure, r.head.Ended, r.head.Patience, r.head.Width, r.head.Unjudged = e.Failure, e.At.Round(0), e.Patience, e.Width, e.Unjudged
	r.head.Bodies, r.head.Coverage, r.head.Suggestions, r.head.Roles = e.Bodies, e.Coverage, e.Suggestions, e.Roles
	rec := r.record()
	rec.Scenarios, rec.Exchanges = scenarios, exchanges
	r.mu.Unlock()
	if r.journal != nil {
		r.countMu.Lock()
		rest := r.uncounted
		r.countMu.Unlock()
		r.journal.write(entry{
			Exercised: rest, End: &e,
		})
	}
	return rec
}

// maxInterned is the maximum number of interned headers. If a service puts a new id into each response, no two headers are equal, and the
// map would hold all of them.
const maxInterned = 4096

// interner makes exchanges share equal headers. Most headers of a run are equal byte for byte, and they never change.
type interner struct {
	headers map[string]http.Header
	// names and key are buffers for header.
	names []string
	key   []byte
}

// exchange interns the headers of an exchange and trims its bodies.
func (n *interner) exchange(ex *spec.Exchange) {
	ex.Request.Header, ex.Request.Body = n.header(ex.Request.Header), exact(ex.Request.Body)
	if ex.Response != nil {
		ex.Response.Header, ex.Response.Body = n.header(ex.Response.Header), exact(ex.Response.Body)
	}
}

// header returns the first header seen that equals h, which may be h itself.
func (n *interner) header(h http.Header) http.Header {
	if len(h) == 0 {
		return h
	}
	n.names = n.names[:0]
	for name := range h {
		n.names = append(n.names, name)
	}
	slices.Sort(n.names)
	n.key = n.key[:0]
	for _, name := range n.names {
		for _, value := range h[name] {
			n.key = append(append(append(append(n.key, name...), 0), value...), '\n')
		}
	}
	if known, is := n.headers[string(n.key)]; is && maps.EqualFunc(known, h, slices.Equal) {
		return known
	}
	if n.headers == nil || len(n.headers) >= maxInterned {
		n.headers = map[string]http.Header{}
	}
	n.headers[string(n.key)] = h
	return h
}

// exact returns body, or a copy of it if its capacity exceeds its length by more than an eighth.
func exact(body spec.Bytes) spec.Bytes {
	if cap(body)-len(body) > len(body)/8 {
		return bytes.Clone(body)
	}
	return body
}
