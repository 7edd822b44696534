package verdict

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
)

// joinRelated puts a defect under another one that explains all of it because both concern the same resources, the same requests, or
// responses of one operation that all have the wrong form.
func joinRelated(defects []*defect, rec *record.Record, b *Index, g *ExchangeIndex) []*defect {
	if len(defects) < 2 {
		return defects
	}
	x := newRelations(defects, rec, b, g)
	return gathered(defects, x.explainedBy)
}

// hardlyAny is the number of responses of a wrong form per other response from which on no response counts as correct.
const hardlyAny = 10

// relations holds what defects have in common apart from rules and places.
type relations struct {
	index   *Index
	defects []*defect
	// ambiguous holds, by address, the findings that it names two resources. missing holds, by address, the findings that its resource is
	// missing or in the wrong place.
	ambiguous, missing map[string][]holder
	// another holds the exchanges that returned another resource than the requested one, wrongID those whose response has an invalid id,
	// and formless those whose response as a whole has the wrong form.
	another, wrongID, formless map[int][]holder
	// anotherOf holds the findings about responses with another resource, by operation.
	anotherOf map[string][]holder
	// unstable holds the findings that one operation returned different values in two responses, by operation and field.
	unstable map[string][]holder
	// compared holds the findings of specific rules that compare a field with an earlier response, by operation and field.
	compared map[string][]holder
	// requests holds the wrong statuses, by request and status.
	requests map[string][]holder
	// errors holds the server errors, absences those for requests whose resource might not exist.
	errors, absences map[foreignAnswer][]holder
	// notFound holds the operations that correctly returned 404.
	notFound map[string]bool
	// accepted holds the accepted requests with a fault, by what they sent.
	accepted map[member][]holder
	// madeUp holds the successes for resources that do not exist, by content.
	madeUp map[string][]holder
	// undeleted holds the successful reads of what was deleted, by the operation that deletes.
	undeleted map[string][]holder
	fields    *fields
	*bodies
	sent *sentValues
	// never holds the kinds of responses of which none has the right form.
	never map[foreignAnswer]bool
}

func newRelations(defects []*defect, rec *record.Record, b *Index, g *ExchangeIndex) *relations {
	x := &relations{
		index: b, defects: defects, ambiguous: map[string][]holder{}, missing: map[string][]holder{},
		another: map[int][]holder{}, anotherOf: map[string][]holder{}, unstable: map[string][]holder{},
		compared: map[string][]holder{}, wrongID: map[int][]holder{}, formless: map[int][]holder{}, requests: map[string][]holder{},
		errors: map[foreignAnswer][]holder{}, absences: map[foreignAnswer][]holder{}, never: map[foreignAnswer]bool{},
		notFound: map[string]bool{}, accepted: map[member][]holder{}, madeUp: map[string][]holder{}, undeleted: map[string][]holder{}, fields: newFields(rec, g), bodies: newBodies(g),
	}
	ambiguity := map[string]bool{}
	for i, d := range defects {
		for _, it := range d.items {
			x.addHolder(holder{i, it})
			x.fields.addHolder(holder{i, it})
			x.addAccepted(holder{i, it})
			x.addMadeUp(holder{i, it})
			ambiguity[it.rule.ID] = ambiguity[it.rule.ID] || symptomOf(it) == spec.Ambiguous
		}
	}
	for i, d := range defects {
		for _, it := range d.items {
			if it.later && it.About.Shows == "" && ambiguity[it.After] {
				// A list shows two resources with one id that creations assigned.
				x.addAmbiguous(holder{i, it})
			}
		}
	}
	right, wrong, unreadable := map[foreignAnswer]int{}, map[foreignAnswer]int{}, map[foreignAnswer]bool{}
	for i := range rec.Exchanges {
		ex := &rec.Exchanges[i]
		switch {
		case ex.Response == nil:
			continue
		case ex.Response.Status == http.StatusNotFound && slices.Contains(ex.Expect.Statuses, http.StatusNotFound):
			x.notFound[ex.Operation] = true
		}
		key := foreignAnswer{ex.Operation, ex.Response.Status}
		if holders := x.formless[ex.Seq]; len(holders) > 0 {
			wrong[key]++
			for _, h := range holders {
				unreadable[key] = unreadable[key] || h.it.Kind == spec.KindUnreadable
			}
		} else {
			right[key]++
		}
	}
	for key, n := range wrong {
		// Some are read by checks that do not judge their form. If most cannot be read as JSON, the readable ones are readable by chance:
		// one line of JSON Lines is an object.
		x.never[key] = right[key]*hardlyAny < n || unreadable[key] && right[key] < n
	}
	x.sent = newSentValues(x, rec)
	return x
}

func (x *relations) addHolder(h holder) {
	it := h.it
	switch symptomOf(it) {
	case spec.Ambiguous:
		x.addAmbiguous(h)
	case spec.Missing, spec.Misplaced:
		for _, address := range x.addresses(it) {
			x.missing[address] = append(x.missing[address], h)
		}
	case spec.Another:
		x.another[it.at] = append(x.another[it.at], h)
		x.anotherOf[it.operation] = append(x.anotherOf[it.operation], h)
	case spec.Differs:
		if it.twice {
			key := it.operation + " " + fieldOf(it)
			x.unstable[key] = append(x.unstable[key], h)
		}
	case "":
	}
	if isComparison(it) && !it.rule.Always {
		key := it.operation + " " + fieldOf(it)
		x.compared[key] = append(x.compared[key], h)
	}
	if isSchema(it) && fieldOf(it) == "id" {
		x.wrongID[it.at] = append(x.wrongID[it.at], h)
	}
	if isForm(it) && it.Pointer == "" {
		x.formless[it.at] = append(x.formless[it.at], h)
	}
	if it.Status == 0 {
		return
	}
	if deletion := x.deletionOf(it); deletion != "" && it.Status/100 == 2 && it.Kind == spec.KindStatus {
		x.undeleted[deletion] = append(x.undeleted[deletion], h)
	}
	x.requests[it.request] = append(x.requests[it.request], h)
	if it.Status >= http.StatusInternalServerError {
		key := foreignAnswer{it.operation, it.Status}
		x.errors[key] = append(x.errors[key], h)
		if it.absent {
			x.absences[key] = append(x.absences[key], h)
		}
	}
}

// deletionOf returns the operation of the last successful DELETE that a finding cites before its decisive exchange, or "".
func (x *relations) deletionOf(it *item) string {
	for _, seq := range slices.Backward(it.Exchanges) {
		ex := x.exchanges.by[seq]
		if seq < it.at && ex != nil && ex.Request.Method == http.MethodDelete && ex.Response != nil && ex.Response.Status/100 == 2 {
			return ex.Operation
		}
	}
	return ""
}

// sameUndeleted returns the findings that what the same operation deleted can still be read, for an item that is still listed.
func (x *relations) sameUndeleted(it *item) []holder {
	if it.Kind != spec.KindUnexpected {
		return nil
	}
	return x.undeleted[x.deletionOf(it)]
}

// symptomOf returns what a finding shows about its resources.
func symptomOf(it *item) spec.Symptom {
	switch {
	case it.About.Shows != "":
		return it.About.Shows
	case it.Kind == spec.KindDuplicate && it.Pointer == "":
		return spec.Ambiguous
	case it.Kind == spec.KindLost && it.Pointer == "", it.Status == http.StatusNotFound && !it.absent:
		return spec.Missing
	case it.Kind == spec.KindAnother:
		return spec.Another
	case it.Kind == spec.KindDiffers && len(it.Exchanges) > 1:
		return spec.Differs
	}
	return ""
}

// addresses returns the paths of the resources that a finding is about: those of its ids below the path of the request, and that path
// itself if the operation was called with several.
func (x *relations) addresses(it *item) []string {
	ex := x.exchanges.by[it.at]
	if ex == nil {
		return it.About.IDs
	}
	path := pathOf(ex)
	var all []string
	if x.exchanges.addressed(ex.Operation) {
		all = append(all, path)
	}
	for _, id := range it.About.IDs {
		address := path + "/" + id
		if strings.HasSuffix(path, "/"+id) || x.exchanges.addressed(ex.Operation) {
			address = path[:strings.LastIndexByte(path, '/')+1] + id
		}
		if !slices.Contains(all, address) {
			all = append(all, address)
		}
	}
	return all
}

func (x *relations) addAmbiguous(h holder) {
	for _, address := range x.addresses(h.it) {
		x.ambiguous[address] = append(x.ambiguous[address], h)
	}
}

// explainedBy returns the defect that explains defect i, or -1. These explanations are tried in order:
//
//   - what is created with the identifier that a client sent may be taken for another one, or not found;
//   - a creation that shows what another request sent shows it in all fields;
//   - an id that names two resources makes every other finding about it meaningless;
//   - a value accepted against its schema is returned as it was stored;
//   - what is made up for a missing resource differs from what is created there later;
//   - a client that was shown another resource did not learn that there is none;
//   - a request with an invalid id finds nothing;
//   - what is missing everywhere is missing for one reason;
//   - an error of another form lacks what errors have;
//   - a value that is invalid cannot be compared;
//   - a list that shows what does not exist lacks what it shows under another identifier;
//   - an operation that shows a wrong value of a field differs from all others that show it;
//   - a filter that does not work does not work for other rules either;
//   - what a deletion leaves readable is still listed, too;
//   - a list that lacks something, or shows something twice, is not complete by other rules either;
//   - a request is refused for what another refused request has, too;
//   - an operation that always fails in one way does so whatever is asked of it;
//   - a value that differs on each read cannot be compared;
//   - a comparison of every response includes what a more specific rule compares;
//   - if no response has the right form, nothing else can be said about any;
//   - the same request fails for the same reason;
//   - a server error that is only discouraged is the one that is forbidden elsewhere.
func (x *relations) explainedBy(i int) int {
	for _, r := range []struct {
		point func(it *item) []holder
		most  bool
		// often means that of two defects that explain each other the one with more findings leads.
		often bool
	}{
		{point: x.sent.sameChosen}, {point: x.sent.sameSwapped}, {point: x.sameAmbiguous, most: true}, {point: x.sameAccepted, most: true}, {point: x.sameMadeUp}, {point: x.sameAnother, most: true}, {point: x.sameWrongID},
		{point: x.sameMissing, most: true}, {point: x.fields.sameErrorForm, often: true}, {point: x.fields.sameInvalid}, {point: x.fields.sameUnfound},
		{point: x.fields.sameBlamed, most: true}, {point: x.fields.sameQuery}, {point: x.sameUndeleted}, {point: x.fields.sameLacking},
		{point: x.fields.sameRefused, often: true}, {point: x.fields.sameAlways, often: true}, {point: x.sameUnstable}, {point: x.sameCompared}, {point: x.sameFormless}, {point: x.sameRequest}, {point: x.sameError},
		{point: x.sameAbsence},
	} {
		to := x.explaining(i, r.point, r.most)
		if to < 0 {
			continue
		}
		if x.explaining(to, r.point, r.most) == i && x.leadsBoth(i, to, r.often) {
			continue // each explains the other, and this one does so better
		}
		return to
	}
	return -1
}

// explaining returns the defect that all findings of another one point to. If most is set, most of them suffice, since others may not have
// been examined. Findings that name their own cause are ignored. A must rule never goes under a should rule.
func (x *relations) explaining(i int, point func(it *item) []holder, most bool) int {
	count, n := counter{}, 0
	for _, it := range x.defects[i].items {
		if it.later {
			continue
		}
		n++
		met := map[int]bool{}
		for _, h := range point(it) {
			if h.defect != i && !met[h.defect] && LevelRank(x.level(h.defect)) <= LevelRank(x.level(i)) {
				met[h.defect] = true
				count.countDefect(h.defect)
			}
		}
	}
	if w := count.mostFrequent(); w >= 0 && (count[w] == n || most && count[w]*2 > n) {
		return w
	}
	return -1
}

func (x *relations) level(i int) spec.Level {
	r, _ := x.index.Rule(x.defects[i].lead)
	return r.Level
}

// leadsBoth is before; with often, the number of findings decides first.
func (x *relations) leadsBoth(i, j int, often bool) bool {
	if m, n := len(x.defects[i].items), len(x.defects[j].items); often && m != n {
		return m > n
	}
	return x.before(i, j)
}

// before reports whether defect i leads if i and j explain each other.
func (x *relations) before(i, j int) bool {
	a, b := x.defects[i], x.defects[j]
	if p, q := partly(a.lead, a), partly(b.lead, b); p != q {
		return p // the difference lies in what is requested
	}
	if p, q := formLeads(a), formLeads(b); p != q {
		return p // nothing else can be said about a response of the wrong form
	}
	if m, n := leastAllowed(a), leastAllowed(b); m != n && m > 0 && n > 0 {
		return m < n
	}
	return leads(x.index, a.lead, len(a.items), b.lead, len(b.items))
}

// formLeads reports whether a defect's leading rule is broken by the form of whole responses.
func formLeads(d *defect) bool {
	for _, it := range d.items {
		if it.rule.ID == d.lead && !it.later && isForm(it) && it.Pointer == "" {
			return true
		}
	}
	return false
}

// leastAllowed returns the number of statuses that the strictest of a defect's requests with a wrong status allows, or 0 if unknown.
func leastAllowed(d *defect) int {
	least := 0
	for _, it := range d.items {
		if it.Status != 0 && it.allowed > 0 && (least == 0 || it.allowed < least) {
			least = it.allowed
		}
	}
	return least
}

// sameAmbiguous returns the findings that the id an item is about belongs to more than one resource.
func (x *relations) sameAmbiguous(it *item) []holder {
	var all []holder
	for _, address := range x.addresses(it) {
		all = append(all, x.ambiguous[address]...)
	}
	return all
}

// sameAnother returns the findings that an exchange returned another resource, where it took that for a success or for the resource's
// earlier state.
func (x *relations) sameAnother(it *item) []holder {
	if it.Status != 0 && it.Status/100 != http.StatusOK/100 {
		return nil
	}
	var all []holder
	if symptomOf(it) == spec.Another || (it.Status != 0 || symptomOf(it) == spec.Differs) && x.showsAnother(it.at) {
		all = append(all, x.anotherOf[it.operation]...)
	}
	for _, seq := range it.Exchanges {
		all = append(all, x.another[seq]...)
	}
	return all
}

// showsAnother reports whether an exchange returned an object of which no member has the value that the last segment of the path names.
func (x *relations) showsAnother(seq int) bool {
	ex := x.exchanges.by[seq]
	tree, there := x.valueShown(seq, nil)
	object, is := tree.(map[string]any)
	if ex == nil || !there || !is || !x.exchanges.addressed(ex.Operation) {
		return false
	}
	path := pathOf(ex)
	named, err := url.PathUnescape(path[strings.LastIndexByte(path, '/')+1:])
	if err != nil {
		return false
	}
	for _, value := range object {
		if scalarText(value) == named {
			return false
		}
	}
	return true
}

// sameWrongID returns the findings that an earlier response cited by an item had an invalid id.
func (x *relations) sameWrongID(it *item) []holder {
	var all []holder
	for _, seq := range it.Exchanges[:max(len(it.Exchanges)-1, 0)] {
		all = append(all, x.wrongID[seq]...)
	}
	return all
}

// sameMissing returns the findings that the same resource is missing or in the wrong place.
func (x *relations) sameMissing(it *item) []holder {
	if symptomOf(it) != spec.Missing {
		return nil
	}
	var all []holder
	for _, address := range x.addresses(it) {
		all = append(all, x.missing[address]...)
	}
	return all
}

// sameUnstable returns the findings that the operation returned different values, in two responses, of the field that an item compares.
func (x *relations) sameUnstable(it *item) []holder {
	if symptomOf(it) != spec.Differs {
		return nil
	}
	return x.unstable[it.operation+" "+fieldOf(it)]
}

// sameCompared returns the findings of more specific rules about another value of the same field in responses of the same operation, where
// it compares responses whatever the request.
func (x *relations) sameCompared(it *item) []holder {
	if !it.rule.Always || !isComparison(it) {
		return nil
	}
	return x.compared[it.operation+" "+fieldOf(it)]
}

// leadByUnstable makes a rule lead that found one operation returning different values in two responses, if the current leading rule only
// says that such a value changed: which comparison finds it first is chance.
func (d *defect) leadByUnstable(b *Index) {
	best := ""
	unstable := map[string]int{} // found twice with different values, minus comparisons with another operation's response
	for _, it := range d.items {
		id := it.rule.ID
		switch {
		case it.later || it.rule.Always:
		case it.twice && isDiffering(it):
			unstable[id]++
		default:
			unstable[id]--
		}
		if id == d.lead && (it.later || !isDiffering(it)) {
			return
		}
	}
	lead, _ := b.Rule(d.lead)
	for id, n := range unstable {
		r, _ := b.Rule(id)
		if n > 0 && LevelRank(r.Level) <= LevelRank(lead.Level) && (best == "" || b.Order(id) < b.Order(best)) {
			best = id
		}
	}
	if best != "" {
		d.lead = best
	}
}

// isDiffering reports whether a finding says that a response differs from an earlier one.
func isDiffering(it *item) bool {
	return it.About.Shows == spec.Differs || it.Kind == spec.KindDiffers && isComparison(it)
}

// isComparison reports whether a finding says that a field differs from an earlier response.
func isComparison(it *item) bool {
	return it.Status == 0 && len(it.Exchanges) > 1 && fieldOf(it) != "" && !isSchema(it) && !isOther(it)
}

// sameFormless returns the findings that no response of the operation with this status has the right form.
func (x *relations) sameFormless(it *item) []holder {
	key := foreignAnswer{it.operation, it.answered}
	if it.Status != 0 || !x.never[key] {
		return nil
	}
	var all []holder
	for i, d := range x.defects {
		for _, other := range d.items {
			if isForm(other) && other.Pointer == "" && other.operation == key.operation && other.answered == key.status {
				all = append(all, holder{i, other})
				break
			}
		}
	}
	return all
}

// sameRequest returns the findings with the same request and status if the operation may never return that status.
func (x *relations) sameRequest(it *item) []holder {
	if it.Status == 0 || !it.foreign {
		return nil
	}
	return x.requests[it.request]
}

// sameError returns the findings where the same server error of the operation breaks a must rule, if an item breaks a should rule.
func (x *relations) sameError(it *item) []holder {
	if it.rule.Level != spec.Should || it.Status < http.StatusInternalServerError {
		return nil
	}
	return x.errors[foreignAnswer{it.operation, it.Status}]
}

// sameAbsence returns the findings that the operation returned the same server error for requests whose resource might not exist, if it
// never returned 404. A few may be a coincidence.
func (x *relations) sameAbsence(it *item) []holder {
	all := x.absences[foreignAnswer{it.operation, it.Status}]
	if !it.absent || it.Status < http.StatusInternalServerError || x.notFound[it.operation] || len(all) < enoughGroup {
		return nil
	}
	return all
}
