package fault

import (
	"cmp"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/reference/mutate"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/resource"
)

// lives derives what can go wrong with the resources of the operation.
func (m *maker) lives() {
	if reader := promise.BytesReader(m.op, m.operations); reader != nil {
		m.addFault(Fault{
			Operator: "bytes", Says: m.op.ID + " stores bytes as a text.", Rules: []string{m.rule(m.op, promise.Bytes)},
			Mutation: mutate.Mutation{Do: mutate.ActText},
		})
	}
	for i := range m.operations {
		creates := &m.operations[i]
		l, ok := m.promises.Life(creates)
		if _, listed := m.promises.Unread(creates); listed && !ok && creates.ID == m.op.ID {
			m.keys(func(operator, place, says string, x mutate.Mutation, rules ...string) {
				m.addFault(Fault{Operator: operator, Place: place, Says: says, Mutation: x, Rules: rules})
			})
		}
		if !ok {
			continue
		}
		r := resourceOf(l, creates)
		add := func(operator, place, says string, x mutate.Mutation, rules ...string) {
			x.Resource = r
			m.addFault(Fault{Operator: operator, Place: place, Says: says, Mutation: x, Rules: rules})
		}
		if creates.ID == m.op.ID {
			m.created(l, add)
		}
		if l.Reader.ID == m.op.ID {
			m.read(l, creates, add)
		}
		if l.Replacer != nil && l.Replacer.ID == m.op.ID || l.Patcher != nil && l.Patcher.ID == m.op.ID {
			m.changed(l, creates, add)
		}
		if l.Remover != nil && l.Remover.ID == m.op.ID {
			m.removed(l, add)
		}
		if slices.ContainsFunc(l.Actions, func(op *spec.Operation) bool { return op.ID == m.op.ID }) {
			add("ineffective", "", "What "+m.op.ID+" does cannot be read.", mutate.Mutation{Do: mutate.ActIneffective}, m.rule(m.op, promise.Acted))
		}
		if l.Lister != nil && l.Lister.Operation.ID == m.op.ID {
			m.listed(l, r, creates, add)
		}
	}
}

// adding adds a fault of a resource.
type adding func(operator, place, says string, x mutate.Mutation, rules ...string)

// resourceOf returns what mutations need to know about a resource.
func resourceOf(l resource.Life, creates *spec.Operation) *mutate.Resource {
	name := func(op *spec.Operation) string {
		if op == nil {
			return ""
		}
		return op.ID
	}
	r := &mutate.Resource{
		Creates: creates.ID, Reads: l.Reader.ID, Replaces: name(l.Replacer), Patches: name(l.Patcher), Deletes: name(l.Remover), Path: l.Reader.Path,
		ID: steps(l.Creator.Path),
	}
	if read := l.ReadPath(); len(read) > 0 {
		r.Record, r.Member = steps(read[:len(read)-1]), read[len(read)-1].Name
	}
	if l.Lister != nil && len(l.Lister.Path) > 1 {
		r.Lists = l.Lister.Operation.ID
		at := steps(l.Lister.Path)
		if each := indexOf(at, mutate.Each); each >= 0 {
			r.Items, r.ItemID = at[:each], at[len(at)-1]
		}
		if size := resource.PageSize(l.Lister.Operation); size != nil {
			r.Size, r.Most, r.Default = size.Name, size.Schema.Maximum, size.Schema.Default
		}
		if paging, ok := resource.PagingOf(l.Lister.Operation); ok && paging.Position != nil {
			r.Position = paging.Position.Name
			switch paging.Way {
			case resource.ByOffset:
				r.Positions = mutate.Items
			case resource.ByNumber:
				r.Positions, r.FirstPage = mutate.Pages, 1
				if cmp.Or(paging.Position.Schema.Minimum, paging.Position.Schema.Default) == "0" {
					r.FirstPage = 0
				}
			default:
			}
		}
	}
	return r
}

// textsOf returns the first strings among the members that requests of an operation set and that may be longer than n characters.
func textsOf(l resource.Life, op *spec.Operation, n int64) []string {
	var all []string
	for _, p := range l.Texts(op) {
		if (p.Schema.MaxLength == nil || *p.Schema.MaxLength > n) && len(all) < 3 {
			all = append(all, p.Name)
		}
	}
	return all
}

// numbersOf returns the first integers among the members that requests of an operation set.
func numbersOf(l resource.Life, op *spec.Operation) []string {
	var all []string
	for _, p := range l.Settable(op) {
		if p.Schema.Type == "integer" && len(p.Schema.Enum) == 0 && len(all) < 2 {
			all = append(all, p.Name)
		}
	}
	return all
}

// has reports whether there is a property with a name.
func has(all []spec.Property, name string) bool {
	return slices.ContainsFunc(all, func(p spec.Property) bool { return p.Name == name })
}

func (m *maker) created(l resource.Life, add adding) {
	op := m.op
	readable := []string{m.rule(op, promise.Readable)}
	for _, r := range m.catalogue.Rules {
		for _, id := range append([]string{r.ID}, r.Covers...) {
			if strings.HasPrefix(id, m.promises.Names[op.ID]+".link.") {
				readable = append(readable, r.ID)
			}
		}
	}
	add("lost", "", "What "+op.ID+" creates cannot be read.", mutate.Mutation{Do: mutate.ActLost, Refusal: m.refusal(l.Reader, 404)}, append(readable, m.rule(op, promise.Kept))...)
	if len(l.Creator.Path) > 0 {
		add("same-id", "", "Everything that "+op.ID+" creates has the identifier of the first.", mutate.Mutation{Do: mutate.ActSameID}, m.rule(op, promise.Distinct), m.rule(op, promise.Concurrent))
	}
	if len(l.Creator.Path) > 0 { // otherwise the Location says which one it is
		add("location", "old", "Each creation of "+op.ID+" has the Location of the first.", mutate.Mutation{Do: mutate.ActOldLocation}, m.rule(op, promise.Placed))
	}
	if op.Body != nil && op.Body.JSON() != nil && len(l.ReadPath()) > 0 {
		for _, name := range textsOf(l, op, 24) {
			add("cut-text", name, op.ID+" stores only 12 characters of "+name+".", mutate.Mutation{Do: mutate.ActCutText, At: []string{name}}, m.rule(op, promise.Kept), m.rule(op, promise.Concurrent))
		}
		for _, name := range numbersOf(l, op) {
			add("off-by-one", name, op.ID+" stores "+name+" less one if it is greater than 2.", mutate.Mutation{Do: mutate.ActOffByOne, At: []string{name}}, m.rule(op, promise.Kept), m.rule(op, promise.Concurrent))
		}
	}
	for _, name := range m.promises.Uniques(op) {
		add("twins", name, op.ID+" creates a second resource with the same "+name+".", mutate.Mutation{Do: mutate.ActTwins, Name: name}, m.rule(op, promise.Unique))
	}
	for _, name := range l.ReadOnly() {
		if !l.Identifies(name) && op.Body != nil && op.Body.JSON() != nil {
			add("writes", name, op.ID+" sets "+name+", which is read-only.", mutate.Mutation{Do: mutate.ActWrites, At: []string{name}}, m.rule(op, promise.CreatedReadOnly))
		}
	}
	if changes := cmp.Or(l.Replacer, l.Patcher); changes != nil {
		m.forgotten(l, changes, add)
	}
	if l.Lister != nil {
		listed := []string{m.rule(op, promise.Listed)}
		if paging, ok := resource.PagingOf(l.Lister.Operation); ok && paging.Way == resource.ByOffset { // leaving out an item shifts the pages
			listed = append(listed, m.rule(l.Lister.Operation, promise.Disjoint))
		}
		add("unlisted", "", "One of three that "+op.ID+" creates is not listed.", mutate.Mutation{Do: mutate.ActUnlisted}, listed...)
		if total, ok := resource.TotalOf(l.Lister.Operation); ok && l.ListsAll() {
			add("hides", "", "What "+op.ID+" creates is not listed.", mutate.Mutation{Do: mutate.ActHides, Name: total.Header, At: steps(total.Path)}, listed...)
		}
		add("trace", "", "What "+op.ID+" rejects is listed.", mutate.Mutation{Do: mutate.ActTrace}, m.rule(op, promise.NoTrace))
	}
	m.keys(add)
}

// keys derives what can go wrong with the idempotency key of a creation.
func (m *maker) keys(add adding) {
	op := m.op
	if key := resource.IdempotencyKey(op); key != nil {
		add("key", "ignored", op.ID+" ignores "+key.Name+".", mutate.Mutation{Do: mutate.ActNoCondition, Name: key.Name}, m.rule(op, promise.SameKey))
		add("key", "any", op.ID+" answers any "+key.Name+" as the first.", mutate.Mutation{Do: mutate.ActOneKey, Name: key.Name}, m.rule(op, promise.OtherKey))
	}
}

// forgotten derives what a creation does not keep, although a change of the same member does.
func (m *maker) forgotten(l resource.Life, changes *spec.Operation, add adding) {
	op, kept := m.op, m.rule(m.op, promise.Kept)
	texts := l.Texts(op)
	for _, p := range l.Settable(op) {
		if !has(l.Settable(changes), p.Name) {
			continue
		}
		if resource.FreeText(p.Schema) && has(l.Optional(op), p.Name) {
			add("forgets", p.Name, op.ID+" does not keep "+p.Name+", which "+changes.ID+" does.", mutate.Mutation{Do: mutate.ActForgets, At: []string{p.Name}}, kept)
		}
		if has(texts, p.Name) && !slices.ContainsFunc(resource.Naming(op), func(n spec.Property) bool { return n.Name == p.Name }) {
			add("instead", p.Name, op.ID+" stores a text of its own as "+p.Name+", which "+changes.ID+" does not.", mutate.Mutation{Do: mutate.ActInstead, At: []string{p.Name}}, kept)
		}
		if resource.TextList(p.Schema) {
			add("shortens", p.Name, op.ID+" does not keep the last item of "+p.Name+".", mutate.Mutation{Do: mutate.ActShortens, At: []string{p.Name}}, kept)
		}
		for _, inner := range l.Inside(op, p.Name) {
			if !inner.Required && has(l.Inside(changes, p.Name), inner.Name) {
				add("forgets", p.Name+"-"+inner.Name, op.ID+" does not keep "+inner.Name+" in "+p.Name+", which "+changes.ID+" does.",
					mutate.Mutation{Do: mutate.ActForgets, At: []string{p.Name, inner.Name}}, kept)
				break
			}
		}
	}
}

func (m *maker) read(l resource.Life, creates *spec.Operation, add adding) {
	op := m.op
	add("other", "", op.ID+" returns the first resource that was read instead of any other.", mutate.Mutation{Do: mutate.ActOther}, m.rule(op, promise.Itself))
	for _, name := range slices.Concat(textsOf(l, creates, 24), numbersOf(l, creates)) {
		add("counts", name, op.ID+" returns a different "+name+" on each read.", mutate.Mutation{Do: mutate.ActCounts, At: []string{name}}, m.rule(op, promise.Steady))
		break
	}
	stale := []string{m.rule(l.Replacer, promise.Updated), m.rule(l.Patcher, promise.Updated), m.rule(l.Remover, promise.Gone)}
	add("stale", "", op.ID+" always returns what was read first.", mutate.Mutation{Do: mutate.ActStale}, stale...)
	if m.exactly(304) != nil {
		add("condition", "ignored", op.ID+" ignores If-None-Match.", mutate.Mutation{Do: mutate.ActNoCondition, Name: "If-None-Match"}, m.rule(op, promise.NotModified))
		add("condition", "any", op.ID+" answers 304 to any If-None-Match.", mutate.Mutation{Do: mutate.ActAlwaysSame, Name: "If-None-Match"}, m.rule(op, promise.Modified))
		add("tag", "untold", "A 304 of "+op.ID+" has no ETag.", mutate.Mutation{Do: mutate.ActHeader, Name: "ETag", Status: 304}, m.rule(op, promise.Shown))
	}
}

func (m *maker) changed(l resource.Life, creates *spec.Operation, add adding) {
	op := m.op
	settable := l.Settable(op)
	if len(settable) > 1 {
		add("lost-update", "", "What is sent to "+op.ID+" cannot be read.", mutate.Mutation{Do: mutate.ActLostUpdate}, m.rule(op, promise.Updated), m.rule(op, promise.Crossing))
	}
	if optional := l.Optional(op); len(optional) > 1 {
		texts := l.Texts(op) // the best evidence: a service may keep values that it assigns itself or that name something
		i := slices.IndexFunc(optional, func(p spec.Property) bool {
			return slices.ContainsFunc(texts, func(text spec.Property) bool { return text.Name == p.Name })
		})
		name := optional[max(i, 0)].Name
		add("merges", name, op.ID+" keeps "+name+" if it is left out.", mutate.Mutation{Do: mutate.ActMerges, At: []string{name}}, m.rule(op, promise.Replaced))
	}
	for _, name := range slices.Concat(textsOf(l, op, 24), numbersOf(l, op)) {
		add("resets", name, op.ID+" changes "+name+" if it is not sent.", mutate.Mutation{Do: mutate.ActResets, At: []string{name}}, m.rule(op, promise.Rest))
	}
	if op.Body != nil && op.Body.JSON() != nil {
		for _, name := range l.Names() {
			if s := l.Member(name); s != nil && s.ReadOnly && !l.Identifies(name) {
				add("writes", name, op.ID+" sets "+name+", which is read-only.", mutate.Mutation{Do: mutate.ActWrites, At: []string{name}}, m.rule(op, promise.ReadOnly))
			}
		}
	}
	if op.Method == http.MethodPut {
		for _, p := range settable {
			if resource.TextList(p.Schema) && has(l.Settable(creates), p.Name) {
				add("appends", p.Name, op.ID+" adds what it is sent in "+p.Name+" to what was there.", mutate.Mutation{Do: mutate.ActAppends, At: []string{p.Name}}, m.rule(op, promise.Updated))
			}
		}
	}
	if op.Body != nil && op.Body.JSON().IsMergePatch() {
		for _, p := range l.Optional(op) {
			if slices.Contains(p.Schema.Types, "null") && has(l.Settable(creates), p.Name) {
				add("keeps-null", p.Name, op.ID+" keeps "+p.Name+" if it is null.", mutate.Mutation{Do: mutate.ActKeepsNull, At: []string{p.Name}}, m.rule(op, promise.Merged))
			}
		}
		for _, p := range settable {
			if len(l.Inside(op, p.Name)) > 1 && len(l.Inside(creates, p.Name)) > 1 {
				add("unmerged", p.Name, op.ID+" replaces "+p.Name+" as a whole.", mutate.Mutation{Do: mutate.ActUnmerged, At: []string{p.Name}}, m.rule(op, promise.Merged))
			}
		}
	}
	for _, name := range l.Names() {
		if s := l.Member(name); resource.CreationTime(name, s) && s.Format == "date-time" && !has(settable, name) {
			add("renews", name, op.ID+" changes "+name+".", mutate.Mutation{Do: mutate.ActRenews, At: []string{name}}, m.rule(op, promise.ReadOnly))
		}
	}
	add("applies", "", op.ID+" does what it rejects.", mutate.Mutation{Do: mutate.ActApplies}, m.rule(op, promise.Unchanged))
	add("tag", "old", "What "+op.ID+" changes keeps its ETag.", mutate.Mutation{Do: mutate.ActOldTag}, m.rule(op, promise.NewTag))
	add("condition", "existing", op.ID+" ignores If-None-Match.", mutate.Mutation{Do: mutate.ActNoCondition, Name: "If-None-Match"}, m.rule(op, promise.Existing))
	m.conditions(add)
}

// conditions derives preconditions that are not checked.
func (m *maker) conditions(add adding) {
	add("condition", "ignored", m.op.ID+" ignores If-Match.", mutate.Mutation{Do: mutate.ActNoCondition, Name: "If-Match"}, m.rule(m.op, promise.Stale))
	add("condition", "none", m.op.ID+" rejects any ETag in If-Match.", mutate.Mutation{Do: mutate.ActMismatch, Name: "If-Match"}, m.rule(m.op, promise.CurrentTag))
}

func (m *maker) removed(l resource.Life, add adding) {
	op := m.op
	add("not-deleted", "", "What "+op.ID+" deletes can still be read.", mutate.Mutation{Do: mutate.ActNotDeleted}, m.rule(op, promise.Gone), m.rule(op, promise.GoneWhileRead))
	if l.Lister != nil {
		add("still-listed", "", "What "+op.ID+" deletes is still listed.", mutate.Mutation{Do: mutate.ActStillListed}, m.rule(op, promise.Vanished))
	}
	add("takes-another", "", "What was created before the one that "+op.ID+" deletes can no longer be read.",
		mutate.Mutation{Do: mutate.ActTakesAnother, Refusal: m.refusal(l.Reader, 404)}, m.rule(op, promise.Spared))
	add("again", "", op.ID+" rejects deleting what is already gone.", mutate.Mutation{Do: mutate.ActAgain, Refusal: m.refusal(op, 409)}, m.rule(op, promise.Again))
	m.conditions(add)
}

// sorts matches the names of parameters that request an order.
var sorts = regexp.MustCompile(`(?i)sort|order`)

func (m *maker) listed(l resource.Life, r *mutate.Resource, _ *spec.Operation, add adding) {
	op := m.op
	add("repeats", "", op.ID+" lists an item twice.", mutate.Mutation{Do: mutate.ActRepeat}, m.rule(op, promise.Once))
	if r.Size != "" {
		add("ignores", r.Size, op.ID+" ignores "+r.Size+".", mutate.Mutation{Do: mutate.ActIgnore, Name: r.Size}, m.rule(op, promise.Limited))
		add("loses", "", op.ID+" omits the first item of short pages.", mutate.Mutation{Do: mutate.ActLose, High: r.Most}, m.rule(op, promise.Complete))
	}
	if total, ok := resource.TotalOf(op); ok {
		add("total", "page", "The total that "+op.ID+" shows is that of the page.", mutate.Mutation{Do: mutate.ActTotal, Name: total.Header, At: steps(total.Path)}, m.rule(op, promise.Totals))
	}
	if r.Position != "" {
		add("ignores", r.Position, op.ID+" ignores "+r.Position+".", mutate.Mutation{Do: mutate.ActIgnore, Name: r.Position},
			m.rule(op, promise.Disjoint), m.rule(op, promise.Ends), m.rule(op, promise.Complete))
	}
	var sortings []string
	for _, p := range op.Parameters {
		if p.In != "query" || p.Schema == nil || p.Name == r.Size || p.Name == r.Position {
			continue
		}
		if sorts.MatchString(p.Name) {
			sortings = append(sortings, p.Name)
			add("reverse", p.Name, op.ID+" reverses the order that "+p.Name+" requests.", mutate.Mutation{Do: mutate.ActReverse, Name: p.Name}, m.rule(op, promise.Sorted))
			continue
		}
		if member, s := l.MemberLike(p.Name); member != "" && s != nil && s.Type == p.Schema.Type {
			rule := m.rule(op, promise.Apart)
			if len(p.Schema.Enum) > 1 {
				rule = m.rule(op, promise.Filtered)
			}
			add("ignores", p.Name, op.ID+" ignores "+p.Name+".", mutate.Mutation{Do: mutate.ActIgnore, Name: p.Name, At: []string{member}}, rule)
		}
	}
	if member, ok := m.promises.OrderedBy(op); ok {
		add("reverse", "", op.ID+" reverses the order by "+member+" that the document names.", mutate.Mutation{Do: mutate.ActDisorder, Name: member, At: sortings}, m.rule(op, promise.Ordered))
	}
	for _, f := range l.Filters(op) {
		add("ignores", f.Name(), op.ID+" ignores "+f.Name()+".", mutate.Mutation{Do: mutate.ActIgnore, Name: f.Name()}, m.rule(op, promise.Chosen))
	}
}
