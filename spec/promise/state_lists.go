package promise

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/spec/sentence"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// Kinds about lists.
const (
	// Limited: a list shows no more items than requested. Filtered: it shows only what matches a parameter. Once: it
	// shows nothing twice.
	Limited  Kind = "list.limit"
	Filtered Kind = "list.filter"
	Once     Kind = "list.once"
	// Chosen: a list shows just what matches a bound, one of several values, or a member of an object.
	Chosen Kind = "list.filter-choice"
	// NoTrace: a refused creation leaves nothing.
	NoTrace Kind = "created.no-trace"
	// Vanished: a deleted resource is not listed any more.
	Vanished Kind = "deleted.unlisted"
)

// ranked matches names of parameters that set a lower or upper bound.
var ranked = regexp.MustCompile(`(?i)(level|severity|priority|version|rank|grade|size|depth|rating|score|since|until|before|after|min|max|from|to)$`)

// filtersOf returns the parameters of a list that are named like a member of its items and have the same enum.
func filtersOf(op *spec.Operation, l life) []spec.Parameter {
	var all []spec.Parameter
	for _, p := range op.Parameters {
		member := l.Member(p.Name)
		if p.In != wire.InQuery || p.Schema == nil || member == nil || ranked.MatchString(p.Name) {
			continue
		}
		of := p.Schema
		if item := of.Item(); item != nil && member.Type != "array" { // a list, each item of which has one
			of = item
		}
		if of.Type != member.Type || len(of.Enum) < 2 {
			continue
		}
		if same := slices.Equal(slices.Sorted(slices.Values(of.Enum)), slices.Sorted(slices.Values(member.Enum))); same {
			all = append(all, p)
		}
	}
	return all
}

// namesOf returns the names of parameters.
func namesOf(all []spec.Parameter) string {
	var names []string
	for _, p := range all {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}

// choicesOf returns the filters of a list by bounds, by several values, and by members of objects.
func choicesOf(op *spec.Operation, l life) []resource.Filter {
	return slices.DeleteFunc(l.Filters(op), func(f resource.Filter) bool {
		return resource.HasWord(f.Name(), representations...) || !optional(op, &f.Parameter)
	})
}

func choiceNames(all []resource.Filter) string {
	var names []string
	for _, f := range all {
		names = append(names, f.Name())
	}
	return strings.Join(names, ", ")
}

// describeLists adds the inferred rules of a list.
func describeLists(d *describer, infer func(l life, k Kind, says, meaning string)) {
	op := d.op
	lives := d.listed
	if l, ok := lister(lives, op.ID); ok {
		if p := resource.PageSize(op); p != nil {
			infer(l, Limited, op.ID+" returns no more items than "+p.Name+" requests", "the parameter has the name of a limit")
		}
		if all := filtersOf(op, l); len(all) > 0 {
			infer(l, Filtered, op.ID+" returns only items that match its parameters: "+namesOf(all), "the parameter has the name and the values of a member")
		}
		if all := choicesOf(op, l); len(all) > 0 {
			infer(l, Chosen, op.ID+" returns all items that match its parameters, and no others: "+choiceNames(all), "the parameter has the name of a member, or of a bound of one")
		}
		infer(l, Once, op.ID+" returns no item twice in one response", "an identifier belongs to one resource")
	}
	if l, ok := firstLife(lives, func(l life) bool { return l.creates.ID == op.ID && l.Lister != nil }); ok && op.Body != nil && op.Body.JSON() != nil {
		infer(l, NoTrace, l.Lister.Operation.ID+" does not contain what "+op.ID+" rejected", "a 4xx means that nothing was done")
	}
	if l, ok := firstLife(lives, func(l life) bool { return l.Remover != nil && l.Remover.ID == op.ID && l.Lister != nil }); ok {
		infer(l, Vanished, l.Lister.Operation.ID+" does not contain what "+op.ID+" deleted", "RFC 9110, section 9.3.5")
	}
	describeAsRead(d, infer)
	describePages(d, infer)
	describeSorts(d, infer)
	describeApart(d, infer)
}

// Steps about lists.
const (
	WithinLimit  sentence.Sentence = "it shows no more than {name}"
	EachHas      sentence.Sentence = "each of its items has the asked {name}"
	NothingTwice                   = "nothing is in it twice"
	Lists        sentence.Sentence = "{name} lists what there is"
	LooksFor     sentence.Sentence = "what was refused is looked for in {name}"
	// RefusedWithText: a creation with a unique text is refused; LooksThrough: a list is searched for that text.
	RefusedWithText                   = "it is refused with a text of its own"
	LooksThrough    sentence.Sentence = "{name} is looked through for that text"
)

// lastPhase is the tag of scenarios that look back at the run.
const lastPhase = "@phase:last"

// deriveLists adds scenarios about lists.
func deriveLists(d *deriver, lives []*life) {
	op := d.op
	if l, ok := lister(lives, op.ID); ok {
		listed := Case{Aspect: Lives, Given: PlainRequest.Write(op.ID) + Succeeded, When: []string{Sent}, Phase: lastPhase, Contract: []string{op.Pointer}}
		limit := resource.PageSize(op)
		if limit != nil {
			var all []Case
			for _, n := range limitsOf(d, limit) {
				c := listed
				c.Kind, c.Title, c.Change, c.Then = Limited, limit.Name+" is "+n, withParameter(*limit, json.Number(n)), []string{WithinLimit.Write(limit.Name)}
				all = append(all, c)
			}
			d.group(all...)
		}
		for _, p := range filtersOf(op, l) {
			var all []Case
			several := p.Schema.Item() != nil
			of := p.Schema
			if several {
				of = p.Schema.Item()
			}
			for _, text := range of.Enum {
				value, err := exactjson.Decode([]byte(text))
				if err != nil {
					continue
				}
				asked := value.Tree
				if several {
					asked = []any{value.Tree}
				}
				if !d.options.Valid(p.Schema, asked) {
					continue
				}
				c := listed
				c.Kind, c.Title, c.Change, c.Then = Filtered, p.Name+" is "+jsonOf(asked), withParameter(p, asked), []string{EachHas.Write(p.Name)}
				all = append(all, c)
			}
			d.group(all...)
			d.group(besideOthers(op, l, p, all)...)
		}
		once := listed
		once.Kind, once.Title, once.Then = Once, "nothing is listed twice", []string{NothingTwice}
		d.group(once)
		if limit != nil && limit.Schema.Maximum != "" { // a short list may be right and a long one wrong, and vice versa
			once.Title, once.Change = "nothing is listed twice in as long a list as may be asked for", withParameter(*limit, json.Number(limit.Schema.Maximum))
			d.group(once)
		}
	}
	if l, ok := firstLife(lives, func(l life) bool { return l.creates.ID == op.ID && l.Lister != nil }); ok && op.Body != nil && op.Body.JSON() != nil {
		d.group(Case{
			Kind: NoTrace, Aspect: Lives, Title: "what was refused is not listed", Given: PlainRequest.Write(l.Lister.Operation.ID) + Succeeded,
			When: []string{LooksFor.Write(l.Lister.Operation.ID)}, Then: []string{NoneIsThere}, Phase: lastPhase, Contract: []string{l.creates.Pointer},
		})
		deriveUnnamed(d, l)
		deriveRefusedBetween(d, l)
	}
	if l, ok := firstLife(lives, func(l life) bool { return l.Remover != nil && l.Remover.ID == op.ID && l.Lister != nil }); ok {
		d.group(Case{
			Kind: Vanished, Aspect: Lives, Title: "what is deleted is not listed", Given: PlainRequest.Write(l.creates.ID) + Succeeded,
			When: []string{Creates, Lists.Write(l.Lister.Operation.ID), Deletes.Write(op.ID), Lists.Write(l.Lister.Operation.ID)}, Then: []string{IsNotListed},
			Writes: true, Contract: []string{l.creates.Pointer, l.Lister.Operation.Pointer},
		})
	}
	deriveWhole(d, lives)
	derivePages(d, lives)
	deriveSorts(d, lives)
	deriveApart(d, lives)
}

// mostBeside bounds how often a filter is combined with other parameters; the last of them may be tried twice.
const mostBeside = 4

// besideOthers returns cases that combine a filter with another parameter of a list: an order, or another filter.
// The effect of other parameters on a filter is unknown: one may invert it.
func besideOthers(op *spec.Operation, l life, p spec.Parameter, alone []Case) []Case {
	filters := filtersOf(op, l)
	var all []Case
	for _, other := range op.Parameters {
		filters := slices.ContainsFunc(filters, func(f spec.Parameter) bool { return f.Name == other.Name })
		orders := sortNames.MatchString(other.Name) || directionNames.MatchString(other.Name)
		if other.In != wire.InQuery || other.Name == p.Name || !filters && !orders || other.Schema == nil || len(other.Schema.Enum) == 0 || len(all) >= mostBeside || len(alone) == 0 {
			continue
		}
		value, err := exactjson.Decode([]byte(other.Schema.Enum[0]))
		if err != nil {
			continue
		}
		tried := []Case{alone[(len(all)+1)%len(alone)]}
		if filters { // most items may have the first value, and those with another one the first value of everything else
			tried = append(tried, alone[0])
		}
		for _, c := range tried {
			c.First = withParameter(other, value.Tree)
			c.Title += ", and " + other.Name + " is " + jsonOf(value.Tree)
			if !slices.ContainsFunc(all, func(o Case) bool { return o.Title == c.Title }) {
				all = append(all, c)
			}
		}
	}
	return all
}

// mostUnnamed bounds the faults of an operation after which a list is searched for a text of the refused creation.
const mostUnnamed = 2

// deriveUnnamed adds faults of creations without a name, for which the list is searched by another unique text.
func deriveUnnamed(d *deriver, l life) {
	texts := l.Texts(d.op)
	if len(resource.Naming(d.op)) > 0 || len(texts) == 0 {
		return
	}
	var all []Case
	for _, group := range d.groups {
		for _, c := range group {
			if len(all) >= mostUnnamed {
				break
			}
			faulty := memberOf(c.Change)
			if c.Change.Before == NotInBody.Beginning() {
				faulty = strings.Trim(c.Change.Value, `"/`)
			}
			if c.Kind != PropertyValue && c.Kind != PropertyMissing || c.First != (Change{}) || !inBody(c.Change) && c.Change.Before != NotInBody.Beginning() || faulty == texts[0].Name {
				continue
			}
			all = append(all, Case{
				Kind: NoTrace, Aspect: Lives, Title: c.Title, Change: c.Change, Given: PlainRequest.Write(d.op.ID) + Succeeded,
				When: []string{RefusedWithText, LooksThrough.Write(l.Lister.Operation.ID)}, Then: []string{IsNotThere}, Writes: true,
				Contract: []string{l.creates.Pointer, l.Lister.Operation.Pointer},
			})
		}
	}
	d.group(all...)
}

// limitsOf returns limits that a list may be requested with.
func limitsOf(d *deriver, p *spec.Parameter) []string {
	var all []string
	add := func(n int64) {
		text := strconv.FormatInt(n, 10)
		if n > 0 && !slices.Contains(all, text) && d.options.Valid(p.Schema, json.Number(text)) {
			all = append(all, text)
		}
	}
	for _, n := range []int64{1, 2, 3, 10} {
		add(n)
	}
	if most, ok := spec.IntegerOf(p.Schema.Maximum); ok && p.Schema.Maximum != "" {
		add(most / 2)
		add(most * 3 / 5) // services have steps of pages: whoever takes more than half for the most shows it between
		add(most - 1)
		add(most)
	}
	return all
}

// LifeListed returns what can be done with what an operation lists; false if that is in doubt.
func LifeListed(p *Promises, op *spec.Operation) (resource.Life, bool) {
	l, ok := lister(p.options.listed(op), op.ID)
	return l.Life, ok
}

// Apart is the promise that a list for one value of a parameter does not show what belongs to another value.
const Apart Kind = "list.filter-value"

// ForTwoValues sends a request with two values of a filter; NotTheOthers is the expected outcome.
const (
	ForTwoValues sentence.Sentence = "it is sent for two values of {name}"
	NotTheOthers string            = "neither response shows what the other value asks for"
)

// identifiers matches the names of members that hold the identifier of something else.
var identifiers = regexp.MustCompile(`(?i)[-_](id|uuid|guid)$|[a-z](Id|ID|Uuid|UUID|Guid|GUID)$`)

// apartOf returns the parameters of a list with the name and type of a member that is a boolean, an e-mail
// address, or the identifier of something else.
func apartOf(op *spec.Operation, l life) []spec.Parameter {
	var all []spec.Parameter
	for _, p := range op.Parameters {
		member := l.Member(p.Name)
		if p.In != wire.InQuery || p.Schema == nil || member == nil || p.Schema.Type != member.Type || p.Schema.Format != "" && p.Schema.Format != member.Format || len(p.Schema.Enum) > 0 || len(member.Enum) > 0 {
			continue
		}
		if p.Schema.Type == "boolean" || (p.Schema.Type == "integer" || p.Schema.Type == "string") && (identifiers.MatchString(p.Name) || member.Format == "email") {
			all = append(all, p)
		}
	}
	return all
}

// describeApart adds that a list is filtered by values.
func describeApart(d *describer, infer func(l life, k Kind, says, meaning string)) {
	if l, ok := lister(d.listed, d.op.ID); ok {
		if all := apartOf(d.op, l); len(all) > 0 {
			infer(l, Apart, d.op.ID+" filters by "+all[0].Name+": the results for two values do not each contain items of the other", "the parameter has the name and the type of a member")
		}
	}
}

// mostApart bounds by how many parameters a list is filtered.
const mostApart = 4

// deriveApart adds scenarios about filters by values.
func deriveApart(d *deriver, lives []*life) {
	l, ok := lister(lives, d.op.ID)
	if !ok {
		return
	}
	var cases []Case
	for _, p := range apartOf(d.op, l) {
		if len(cases) < mostApart {
			cases = append(cases, Case{
				Kind: Apart, Aspect: Lives, Title: p.Name + " tells items apart", Given: PlainRequest.Write(d.op.ID) + Succeeded, When: []string{ForTwoValues.Write(p.Name)},
				Then: []string{NotTheOthers}, Phase: lastPhase, Contract: []string{p.Pointer}, Asks: 2, Makes: 1, Writes: p.Schema.Type == "boolean",
			})
		}
	}
	d.group(cases...)
}
