package promise

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"

	"hallmark/spec"
	"hallmark/spec/exactjson"
	"hallmark/spec/resource"
	"hallmark/spec/wire"
)

// What lists show.
const (
	// Limited: a list shows no more than was asked for. Filtered: it shows only what a parameter asks for. Once: it shows nothing twice.
	Limited  Kind = "list.limit"
	Filtered Kind = "list.filter"
	Once     Kind = "list.once"
	// NoTrace: a refused creation leaves nothing.
	NoTrace Kind = "created.no-trace"
	// Vanished: what was deleted is not listed any more.
	Vanished Kind = "deleted.unlisted"
)

// limiting matches the names of parameters that bound how much a list shows.
var limiting = regexp.MustCompile(`(?i)^(\$?limit|\$top|page[-_.\[]?(size|limit)\]?|per[-_]?page|max[-_]?(results|items|records|page[-_]?size)|pagination[-_.]limit)$`)

// bounding are the words by which descriptions of such parameters say so.
var bounding = regexp.MustCompile(`(?i)\b(page|pages|number|count|most|maximum|max|many|results?|items?|entries|records|per|limit|limits|size)\b`)

// limitOf returns the parameter of an operation that bounds how much its list shows; nil for none.
func limitOf(op *spec.Operation) *spec.Parameter {
	for i := range op.Parameters {
		p := &op.Parameters[i]
		if p.In == wire.InQuery && p.Schema != nil && p.Schema.Type == "integer" && limiting.MatchString(p.Name) &&
			(p.Schema.Description == "" || bounding.MatchString(p.Schema.Description)) {
			return p
		}
	}
	return nil
}

// ranked are the words of parameters that ask for at least, or up to, what they name.
var ranked = regexp.MustCompile(`(?i)(level|severity|priority|version|rank|grade|size|depth|rating|score|since|until|before|after|min|max|from|to)$`)

// filtersOf returns the parameters of a list that are called like a member of its items and have the same listed values.
func filtersOf(op *spec.Operation, l life) []spec.Parameter {
	var all []spec.Parameter
	for _, p := range op.Parameters {
		member := l.Member(p.Name)
		if p.In != wire.InQuery || p.Schema == nil || member == nil || p.Schema.Type != member.Type || len(p.Schema.Enum) < 2 || ranked.MatchString(p.Name) {
			continue
		}
		if same := slices.Equal(slices.Sorted(slices.Values(p.Schema.Enum)), slices.Sorted(slices.Values(member.Enum))); same {
			all = append(all, p)
		}
	}
	return all
}

// describeLists adds what is inferred of a list.
func describeLists(d *describer, infer func(l life, k Kind, says, meaning string)) {
	op := d.op
	if l, ok := first(d.lives, func(l life) bool { return l.Lister != nil && l.Lister.Operation.ID == op.ID }); ok {
		if p := limitOf(op); p != nil {
			infer(l, Limited, op.ID+" shows no more than "+p.Name+" asks for", "the parameter is called a limit")
		}
		if all := filtersOf(op, l); len(all) > 0 {
			infer(l, Filtered, op.ID+" shows only what its parameters ask for: "+all[0].Name, "the parameter has the name and the values of a member")
		}
		infer(l, Once, op.ID+" shows nothing twice in one response", "an identifier is that of one resource")
	}
	if l, ok := first(d.lives, func(l life) bool { return l.creates.ID == op.ID && l.Lister != nil }); ok && op.Body != nil && op.Body.JSON() != nil {
		infer(l, NoTrace, "What "+op.ID+" refuses is not in "+l.Lister.Operation.ID, "a 4xx says that nothing was done")
	}
	if l, ok := first(d.lives, func(l life) bool { return l.Remover != nil && l.Remover.ID == op.ID && l.Lister != nil }); ok {
		infer(l, Vanished, "What "+op.ID+" deletes is not in "+l.Lister.Operation.ID, "RFC 9110, section 9.3.5")
	}
}

// Words for lists, which the steps read.
const (
	WithinLimit  = "it shows no more than "
	EachHas      = "each of its items has the asked "
	NothingTwice = "nothing is in it twice"
	Lists        = " lists what there is"
	LooksFor     = "what was refused is looked for in "
)

// lastPhase is the tag of what looks back at the run.
const lastPhase = "@phase:last"

// deriveLists adds scenarios about lists.
func deriveLists(d *deriver, lives []life) {
	op := d.op
	if l, ok := first(lives, func(l life) bool { return l.Lister != nil && l.Lister.Operation.ID == op.ID }); ok {
		listed := Case{Aspect: Lives, Given: PlainRequest + Quoted(op.ID) + Succeeded, When: []string{Sent}, Phase: lastPhase, Contract: []string{op.Pointer}}
		limit := limitOf(op)
		if limit != nil {
			var all []Case
			for _, n := range limitsOf(d, limit) {
				c := listed
				c.Kind, c.Title, c.Change, c.Then = Limited, limit.Name+" is "+n, withParameter(*limit, json.Number(n)), []string{WithinLimit + Quoted(limit.Name)}
				all = append(all, c)
			}
			d.group(all...)
		}
		for _, p := range filtersOf(op, l) {
			var all []Case
			for _, text := range p.Schema.Enum {
				value, err := exactjson.Decode([]byte(text))
				if err != nil {
					continue
				}
				c := listed
				c.Kind, c.Title, c.Change, c.Then = Filtered, p.Name+" is "+jsonOf(value.Tree), withParameter(p, value.Tree), []string{EachHas + Quoted(p.Name)}
				all = append(all, c)
			}
			d.group(all...)
		}
		once := listed
		once.Kind, once.Title, once.Then = Once, "nothing is listed twice", []string{NothingTwice}
		if limit != nil && limit.Schema.Maximum != "" {
			once.Change = withParameter(*limit, json.Number(limit.Schema.Maximum))
		}
		d.group(once)
	}
	if l, ok := first(lives, func(l life) bool { return l.creates.ID == op.ID && l.Lister != nil }); ok && op.Body != nil && op.Body.JSON() != nil {
		d.group(Case{
			Kind: NoTrace, Aspect: Lives, Title: "what was refused is not listed", Given: PlainRequest + Quoted(l.Lister.Operation.ID) + Succeeded,
			When: []string{LooksFor + Quoted(l.Lister.Operation.ID)}, Then: []string{"none of it is there"}, Phase: lastPhase, Contract: []string{l.creates.Pointer},
		})
	}
	if l, ok := first(lives, func(l life) bool { return l.Remover != nil && l.Remover.ID == op.ID && l.Lister != nil }); ok {
		d.group(Case{
			Kind: Vanished, Aspect: Lives, Title: "what is deleted is not listed", Given: PlainRequest + Quoted(l.creates.ID) + Succeeded,
			When: []string{Creates, Quoted(l.Lister.Operation.ID) + Lists, Quoted(op.ID) + Deletes, Quoted(l.Lister.Operation.ID) + Lists}, Then: []string{"it is not listed any more"},
			Writes: true, Contract: []string{l.creates.Pointer, l.Lister.Operation.Pointer},
		})
	}
}

// limitsOf returns bounds that a list may be asked for.
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
		add(most - 1)
		add(most)
	}
	return all
}

// LimitOf returns the parameter of an operation that bounds how much its list shows; nil for none.
func LimitOf(op *spec.Operation) *spec.Parameter { return limitOf(op) }

// LifeListed returns what can be done with what an operation lists; false where that is in doubt.
func LifeListed(p *Promises, op *spec.Operation) (resource.Life, bool) {
	l, ok := first(p.options.lives(), func(l life) bool { return l.Lister != nil && l.Lister.Operation.ID == op.ID })
	return l.Life, ok
}
