package stub

import (
	"slices"
	"time"
)

// Freedom is an unusual way of a service that every document allows.
type Freedom struct {
	// Name is made of words joined by hyphens; Says describes it in one sentence.
	Name, Says string

	set func(*traits)
}

// traits are what is unusual about a service.
type traits struct {
	// slow is how long each response takes; chunked sends it in pieces; closing closes the connection after it.
	slow             time.Duration
	chunked, closing bool
	// headers are sent with each response.
	headers map[string]string
	// charset and shouted are how the media type of a JSON text is written.
	charset, shouted bool
	// text is how JSON texts are written.
	text textStyle
	// ids is how identifiers are made, if the schemas allow it.
	ids string
	// crowd is how many resources each root kind has from the beginning.
	crowd int
	// others makes other clients create resources in between.
	others bool
	// newest has lists begin with the newest, shuffled has them in no order that means anything.
	newest, shuffled bool
	// page is the size of a page if the request does not say.
	page int
	// lag is how long created resources are missing from lists.
	lag time.Duration
	// empty prefers a success status without content if both are documented, full the reverse.
	empty, full bool
	// existence reports missing resources before invalid requests; swapped refuses with another documented status.
	existence, swapped bool
	// strict refuses unknown parameters, wary unknown members; lax accepts invalid requests if no refusal is
	// documented.
	strict, wary, lax bool
	// gone answers 410 for deleted resources, if that is documented; again makes deleting again a success.
	gone, again bool
	// nulls shows null for absent members that may be null; extra adds members that are in no schema; whole shows all
	// optional members.
	nulls, extra, whole bool
	// absolute has addresses of resources begin with that of the service; folded has filters pass over case; headless has no HEAD.
	absolute, folded, headless bool
	// reticent leaves out totals if they are optional.
	reticent bool
}

type textStyle int

const (
	compact textStyle = iota
	indented
	reversed
	escaped
	fractional
	spaced
)

// Freedoms returns the freedoms that a service can be given.
func Freedoms() []Freedom {
	return []Freedom{
		{"slow", "Each response takes a while.", func(t *traits) { t.slow = 3 * time.Millisecond }},
		{"chunked", "Responses come in pieces, without a length.", func(t *traits) { t.chunked = true }},
		{"connection-closed", "Each response ends its connection.", func(t *traits) { t.closing = true }},
		{"more-headers", "Responses have headers that the document does not name.", func(t *traits) {
			t.headers = map[string]string{"Server": "stub", "X-Powered-By": "stub", "Cache-Control": "no-store", "Vary": "Accept", "X-Request-Id": "1"}
		}},
		{"charset", "The media type of JSON texts has a charset.", func(t *traits) { t.charset = true }},
		{"media-type-case", "The media type of JSON texts is written in capitals.", func(t *traits) { t.shouted = true }},
		{"indented", "JSON texts are indented.", func(t *traits) { t.text = indented }},
		{"members-reversed", "The members of objects come in the reverse order.", func(t *traits) { t.text = reversed }},
		{"escaped", "JSON texts hold escapes for all that is not plain ASCII.", func(t *traits) { t.text = escaped }},
		{"numbers-with-fractions", "Integers are written with a fraction of zero.", func(t *traits) { t.text = fractional }},
		{"blanks-around", "There are blanks around JSON texts.", func(t *traits) { t.text = spaced }},
		{"ids-huge", "Identifiers are integers that no float holds, or long texts.", func(t *traits) { t.ids = "huge" }},
		{"ids-negative", "Identifiers that are integers are negative.", func(t *traits) { t.ids = "negative" }},
		{"ids-uuid", "Identifiers that are texts are UUIDs.", func(t *traits) { t.ids = "uuid" }},
		{"ids-digits", "Identifiers that are texts are digits.", func(t *traits) { t.ids = "digits" }},
		{"store-large", "There are many resources from the beginning.", func(t *traits) { t.crowd = 250 }},
		{"other-writers", "Others create resources in between.", func(t *traits) { t.others = true }},
		{"newest-first", "Lists begin with what was created last.", func(t *traits) { t.newest = true }},
		{"no-order", "Lists are in no order that means anything.", func(t *traits) { t.shuffled = true }},
		{"pages-small", "A page holds three where nobody asks for more.", func(t *traits) { t.page = 3 }},
		{"listed-later", "Lists show what is created after a while.", func(t *traits) { t.lag = 30 * time.Millisecond }},
		{"no-content", "A status without content stands for success where the document has both.", func(t *traits) { t.empty = true }},
		{"content", "A status with content stands for success where the document has both.", func(t *traits) { t.full = true }},
		{"existence-first", "What is not there is told before what else is wrong.", func(t *traits) { t.existence = true }},
		{"other-refusal", "Of 400 and 422 the other one refuses, where both are documented.", func(t *traits) { t.swapped = true }},
		{"unknown-parameters-refused", "Parameters that the document does not name are refused, where it says how.", func(t *traits) { t.strict = true }},
		{"unknown-members-refused", "Members that the document does not name are refused, where it says how.", func(t *traits) { t.wary = true }},
		{"lax", "What is wrong is taken, where the document does not say how it is refused.", func(t *traits) { t.lax = true }},
		{"gone", "410 stands for what was deleted, where the document has it.", func(t *traits) { t.gone = true }},
		{"deleted-again", "Deleting what is gone already is a success.", func(t *traits) { t.again = true }},
		{"nulls", "Members that are not there are shown as null, where that is allowed.", func(t *traits) { t.nulls = true }},
		{"more-members", "Objects have members that the document does not name, where it allows them.", func(t *traits) { t.extra = true }},
		{"all-members", "Objects have all members that the document names, where they fit together.", func(t *traits) { t.whole = true }},
		{"addresses-absolute", "Location holds the whole address.", func(t *traits) { t.absolute = true }},
		{"filters-fold-case", "Filters make no difference between capitals and others.", func(t *traits) { t.folded = true }},
		{"no-head", "HEAD is refused by 405.", func(t *traits) { t.headless = true }},
		{"totals-left-out", "Lists say no total where it is optional.", func(t *traits) { t.reticent = true }},
	}
}

// freedomNames returns the names of all freedoms.
func freedomNames() []string {
	var all []string
	for _, f := range Freedoms() {
		all = append(all, f.Name)
	}
	return all
}

// traitsOf returns the traits of some freedoms; false for a name that there is not.
func traitsOf(names []string) (t traits, unknown string) {
	all := Freedoms()
	for _, name := range names {
		i := slices.IndexFunc(all, func(f Freedom) bool { return f.Name == name })
		if i < 0 {
			return t, name
		}
		all[i].set(&t)
	}
	return t, ""
}
