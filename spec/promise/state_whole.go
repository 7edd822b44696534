package promise

import (
	"encoding/json"
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/spec/sentence"
)

// AsRead is the promise that a list shows a resource as a read of it does.
const AsRead Kind = "list.as-read"

// Words about whole lists, which the steps read.
const (
	InTurns      sentence.Sentence = "it is sent without {name} and with its default in turns"
	SameCount                      = "both show as many"
	OneMoreIsHad                   = "there is one to list"
	OneLacks     sentence.Sentence = "there is one to list that was created without {member}"
	ByEachValue  sentence.Sentence = "it is sent without {name} and for each of its values"
	JustThose                      = "each value shows just what has it"
	InSmallPages                   = "its first pages are followed, each of two items"
	OnEachPage   sentence.Sentence = "each of their items has the asked {name}"
	ByShown      sentence.Sentence = "it is sent without {name} and for values of what it shows"
	ReadsItems   sentence.Sentence = "it is sent, and {name} reads some of what it shows"
	AsListed                       = "each is read as it is listed"
	FilledUp     sentence.Sentence = "there is a little more than {name} shows at most"
	SentAtMost   sentence.Sentence = "it is sent with the greatest values of {name}, and with some that are not allowed"
	NoLonger                       = "no list is longer than was asked for"
	NothingAdded                   = "the list shows nothing of it"
)

// ListedBetween sends what is refused several times, and lists what there is before and behind each.
const ListedBetween sentence.Sentence = "it is refused three times, and {name} lists what there is around each"

// The bounds on the values of a filter that are tried beside a limit, and on what the cases about a whole list ask.
const (
	mostBesideLimit = 3
	asksInTurns     = 9
	asksValues      = 4
	asksShown       = 8
	asksSmallPages  = 3
	asksItems       = 9
	asksBetween     = 10
	asksFilled      = 30
)

// describeAsRead adds that a list shows what a read shows.
func describeAsRead(d *describer, infer func(l life, k Kind, says, meaning string)) {
	if l, ok := lister(d.lives, d.op.ID); ok && l.Reader != nil && len(sharedMembers(l)) > 0 {
		infer(l, AsRead, d.op.ID+" and "+l.Reader.ID+" show the same values of a resource", "both show the members that clients send")
	}
}

// sharedMembers returns the members that clients set and that responses show.
func sharedMembers(l life) []spec.Property {
	return slices.DeleteFunc(slices.Clone(l.Settable(l.creates)), func(p spec.Property) bool { return l.Member(p.Name) == nil })
}

// filterValues are the values that a filter may have, one at a time.
func filterValues(d *deriver, p spec.Parameter) []any {
	if p.Schema.Item() != nil {
		return nil
	}
	var all []any
	for _, text := range p.Schema.Enum {
		if value, err := exactjson.Decode([]byte(text)); err == nil && d.options.Valid(p.Schema, value.Tree) {
			all = append(all, value.Tree)
		}
	}
	return all
}

// optional reports whether a parameter of a query may be left out, whatever else there is.
func optional(op *spec.Operation, p *spec.Parameter) bool {
	return !p.Required && !conditional(p.Description) && !conditional(op.Description)
}

// deriveWhole adds scenarios about whole lists: what a limit means that is left out or stands beside a filter, that a filter shows all that it
// asks for, and that reads show the same.
func deriveWhole(d *deriver, lives []*life) {
	op := d.op
	l, ok := lister(lives, op.ID)
	if !ok {
		return
	}
	listed := Case{Aspect: Lives, Given: PlainRequest.Write(op.ID) + Succeeded, Phase: quietPhase, Contract: []string{op.Pointer}}
	limit, filters := resource.PageSize(op), filtersOf(op, l)
	if limit != nil && optional(op, limit) && !isGivenParameter(d, limit) {
		if fillable(l) {
			c := listed
			c.Kind, c.Title, c.Phase, c.Writes = Limited, "lists are no longer than they may be", endPhase, true
			c.When, c.Then, c.Asks = []string{FilledUp.Write(op.ID), SentAtMost.Write(limit.Name)}, []string{NoLonger}, asksFilled
			d.group(c)
		}
		deriveDefault(d, listed, limit, filters)
		deriveLimitBeside(d, listed, limit, filters)
	}
	addable := l.Creator.Way == resource.Created && resource.Sensitive(l.creates) == ""
	if addable {
		c := listed
		c.Kind, c.Title, c.When, c.Then = Once, "nothing is listed twice while there is little", []string{OneMoreIsHad, OneMoreIsHad, OneMoreIsHad, Sent}, []string{NothingTwice}
		c.Phase, c.Writes, c.Makes, c.Asks = firstPhase, true, 3, 3
		d.group(c)
	}
	deriveFilteredPages(d, l, listed, filters)
	for _, p := range filters {
		if p.Required || len(filterValues(d, p)) == 0 || isGivenParameter(d, &p) || resource.HasWord(p.Name, representations...) {
			continue
		}
		c := listed
		c.Kind, c.Title, c.When, c.Then, c.Asks = Filtered, "each "+p.Name+" shows all that has it", []string{ByEachValue.Write(p.Name)}, []string{JustThose}, asksValues
		d.group(c)
		if addable {
			c.Title, c.When, c.Phase, c.Writes, c.Makes = "each "+p.Name+" shows all that has it, while there is little", []string{OneMoreIsHad, ByEachValue.Write(p.Name)}, firstPhase, true, 1
			if mayLack(l.creates, p.Name) {
				c.When, c.Makes = slices.Insert(c.When, 1, OneLacks.Write(p.Name)), 2
			}
			d.group(c)
		}
	}
	for _, f := range choicesOf(op, l) {
		c := listed
		c.Kind, c.Title, c.When, c.Then, c.Asks = Chosen, f.Name()+" shows just what it asks for", []string{ByShown.Write(f.Name())}, []string{JustThose}, asksShown
		if c.Contract = append(slices.Clone(c.Contract), f.Parameter.Pointer); addable {
			c.Writes, c.Makes = true, 2
		}
		d.group(c)
	}
	if read, ok := lister(d.options.lives().ofOperation(op), op.ID); ok && read.Reader != nil && len(sharedMembers(read)) > 0 {
		c := listed
		c.Kind, c.Title, c.When, c.Then, c.Asks = AsRead, "what is listed is read", []string{ReadsItems.Write(read.Reader.ID)}, []string{AsListed}, asksItems
		d.group(c)
	}
}

// deriveFilteredPages adds that filters hold on the pages behind the first, which clients ask for with the same filter.
func deriveFilteredPages(d *deriver, l life, listed Case, filters []spec.Parameter) {
	paging, ok := pagesOf(l)
	if !ok || paging.Size == nil || !d.options.Valid(paging.Size.Schema, json.Number("2")) {
		return
	}
	for _, p := range filters {
		var all []Case
		for _, value := range filterValues(d, p) {
			c := listed
			c.Kind, c.Title, c.Change = Filtered, p.Name+" is "+jsonOf(value)+", on several pages", withParameter(p, value)
			c.When, c.Then, c.Asks, c.Phase = []string{InSmallPages}, []string{OnEachPage.Write(p.Name)}, asksSmallPages, lastPhase
			if len(all) < mostPagedValues {
				all = append(all, c)
			}
		}
		d.group(all...)
	}
}

// mostPagedValues bounds for how many values of a filter several pages are asked for.
const mostPagedValues = 2

// mayLack reports whether the body of an operation has a member that may be left out.
func mayLack(op *spec.Operation, name string) bool {
	return op.Body != nil && slices.ContainsFunc(op.Body.Properties(), func(p spec.Property) bool { return p.Name == name }) && !resource.Required(op, name)
}

// representations are words in the names of parameters that may convert what a list shows rather than choose from it, and are shown with it.
var representations = []string{"currency", "lang", "language", "locale", "unit", "units", "format", "timezone", "tz", "zone", "view", "translation", "scale", "system"}

// mostFilled is the longest list for which a store is filled up.
const mostFilled = 100

// endPhase is the tag of what comes behind everything else.
const endPhase = "@phase:end"

// fillable reports whether a store may be filled up until a list is as long as may be: where a little more does no harm.
func fillable(l life) bool {
	if l.Lister == nil || l.Creator.Way != resource.Created || resource.Sensitive(l.creates) != "" {
		return false
	}
	limit := resource.PageSize(l.Lister.Operation)
	if limit == nil {
		return false
	}
	most, ok := spec.IntegerOf(limit.Schema.Maximum)
	return ok && limit.Schema.Maximum != "" && most > 1 && most <= mostFilled
}

// isGivenParameter reports whether a file says what a parameter is.
func isGivenParameter(d *deriver, p *spec.Parameter) bool {
	_, given := d.options.given.Parameter(d.op, *p)
	return given
}

// deriveDefault adds that leaving a limit out means its default.
func deriveDefault(d *deriver, listed Case, limit *spec.Parameter, filters []spec.Parameter) {
	if n, ok := spec.IntegerOf(limit.Schema.Default); !ok || n <= 0 || !d.options.Valid(limit.Schema, json.Number(limit.Schema.Default)) {
		return
	}
	c := listed
	c.Kind, c.Part, c.Title, c.When, c.Then, c.Asks = Limited, PartDefaultSame, limit.Name+" is left out", []string{InTurns.Write(limit.Name)}, []string{SameCount}, asksInTurns
	all := []Case{c}
	for _, p := range filters {
		for i, value := range filterValues(d, p) {
			if i < mostBesideLimit {
				beside := c
				beside.First, beside.Title = withParameter(p, value), limit.Name+" is left out beside "+p.Name+" "+jsonOf(value)
				all = append(all, beside)
			}
		}
	}
	d.group(all...)
}

// deriveLimitBeside adds a limit beside filters: both are taken, the limit is kept, and so is the filter.
func deriveLimitBeside(d *deriver, listed Case, limit *spec.Parameter, filters []spec.Parameter) {
	limits := limitsOf(d, limit)
	if len(limits) == 0 {
		return
	}
	low, high := limits[0], limits[len(limits)-1]
	var taken, kept, filtered []Case
	for _, p := range filters {
		if p.Required || !optional(d.op, &p) {
			continue
		}
		for i, value := range filterValues(d, p) {
			if i >= mostBesideLimit {
				break
			}
			one := listed
			one.When, one.First = []string{Sent}, withParameter(p, value)
			one.Kind, one.Change, one.Title = Limited, withParameter(*limit, json.Number(low)), limit.Name+" is "+low+", and "+p.Name+" is "+jsonOf(value)
			one.Then = []string{WithinLimit.Write(limit.Name)}
			kept = append(kept, one)
			for _, n := range []string{low, high} {
				one.Kind, one.Change, one.First, one.Title = Filtered, withParameter(p, value), withParameter(*limit, json.Number(n)), p.Name+" is "+jsonOf(value)+", and "+limit.Name+" is "+n
				one.Then = []string{EachHas.Write(p.Name)}
				if !slices.ContainsFunc(filtered, func(c Case) bool { return c.Title == one.Title }) {
					filtered = append(filtered, one)
				}
			}
			if i == 0 {
				taken = append(taken, Case{
					Kind: Accepted, Aspect: Differs, Title: limit.Name + " is " + low + ", and " + p.Name + " is " + jsonOf(value), First: withParameter(p, value),
					Change: withParameter(*limit, json.Number(low)), Contract: []string{limit.Pointer},
				})
			}
		}
	}
	d.group(taken...)
	d.group(kept...)
	d.group(filtered...)
}

// mostRefusedBetween bounds the refusals of each kind after which a list is looked at.
const mostRefusedBetween = 3

// deriveRefusedBetween adds that refused creations, whatever they are refused for, add nothing to a list. Of what may be created a few times only
// none is asked for: a service that takes what it should refuse would create it.
func deriveRefusedBetween(d *deriver, l life) {
	if resource.Sensitive(l.creates) != "" {
		return
	}
	var all []Case
	count := map[Kind]int{}
	for _, group := range d.groups {
		for _, c := range group {
			refusal := c.Aspect == Breaks && slices.Contains([]Kind{BodyMalformed, BodyExtended, PropertyMissing, PropertyValue}, c.Kind) ||
				c.Aspect == Unauthorized && slices.Contains([]Kind{CredentialMissing, CredentialWrong}, c.Kind)
			most := mostRefusedBetween
			if c.Aspect == Unauthorized || c.Kind == PropertyValue {
				most = 1
			}
			if !refusal || c.First != (Change{}) || count[c.Kind] >= most {
				continue
			}
			count[c.Kind]++
			part := ""
			if c.Aspect == Unauthorized {
				part = PartUnauthorized
			}
			all = append(all, Case{
				Kind: NoTrace, Part: part, Aspect: Lives, Title: "nothing is left where " + c.Title, Change: c.Change, Given: PlainRequest.Write(d.op.ID) + Succeeded,
				When: []string{ListedBetween.Write(l.Lister.Operation.ID)}, Then: []string{NothingAdded}, Phase: firstPhase, Writes: true, Asks: asksBetween,
				Contract: []string{l.creates.Pointer, l.Lister.Operation.Pointer},
			})
		}
	}
	d.group(all...)
}
