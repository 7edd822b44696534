package prose

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Form is a way to say something that has one meaning only.
type Form string

// Forms that say what schemas can say: a rule that follows from the schema judges them if both say the same.
const (
	// Range: the least and the most of a number. Length: of a text, in characters. Count: of the items of a list.
	Range  Form = "range"
	Length Form = "length"
	Count  Form = "count"
	// Values: all values that there are. Constant: the only one.
	Values   Form = "values"
	Constant Form = "constant value"
	// Required: the value must be there. NotNull: it is never null. NotEmpty: it has something in it.
	Required Form = "required"
	NotNull  Form = "not null"
	NotEmpty Form = "not empty"
	// Apart: the items of a list differ.
	Apart Form = "distinct items"
	// Formatted: the value has a format, named as in schemas.
	Formatted Form = "format"
	// Default: what a value is where it is left out.
	Default Form = "default"
	// Closed: members that the schema does not name are refused.
	Closed Form = "no other members"
)

// Forms that say what a service refuses.
const (
	// Missing: a status if a resource does not exist. Anonymous: a credential is needed. Invalid: a status if a request is invalid.
	Missing   Form = "refused where nothing is"
	Anonymous Form = "authentication"
	Invalid   Form = "refused if invalid"
	// Unharmed: what is refused changes nothing.
	Unharmed Form = "nothing changes if refused"
	// Challenged: a 401 has a WWW-Authenticate header. Allowed: a 405 has an Allow header.
	Challenged Form = "challenge"
	Allowed    Form = "allowed methods"
)

// Forms that say what several requests show.
const (
	// Limited: how many items a list shows at most. Filtered: a list shows only what matches. Sorted: it is in the order of a parameter.
	Limited  Form = "limit"
	Filtered Form = "filter"
	Sorted   Form = "sort"
	// Ordered: a list is in one order unless another one is asked for.
	Ordered Form = "order"
	// Unique: no two resources have the same value.
	Unique Form = "unique value"
	// Bounded: one value lies above another.
	Bounded Form = "order of two values"
	// Unrepeated: no item is on two pages.
	Unrepeated Form = "pages do not overlap"
	// Identifier: a value belongs to one resource only.
	Identifier Form = "identifier"
	// AsSent: all that is sent is returned so.
	AsSent Form = "returned as sent"
	// AtOnce: a created resource can be read at once; ListedAtOnce: it is listed at once.
	AtOnce       Form = "read at once"
	ListedAtOnce Form = "listed at once"
	// Gone: a deleted resource cannot be read; Unlisted: it is not listed. DeletedTwice: deleting it again is no error.
	Gone         Form = "gone"
	Unlisted     Form = "no longer listed"
	DeletedTwice Form = "idempotent deletion"
	// Replaced: what a request leaves out is gone; RestKept: it stays.
	Replaced Form = "replaced"
	RestKept Form = "the rest is kept"
	// Fixed: requests do not change a value. Hidden: no response shows it.
	Fixed  Form = "read-only"
	Hidden Form = "never returned"
	// Repeated: a request that is repeated with the same key creates nothing new.
	Repeated Form = "idempotency key"
	// Located: a created resource is named by a Location header.
	Located Form = "location"
	// TagChanges: the entity tag of a changed resource is another one. Stale: a change for an old entity tag is refused.
	TagChanges Form = "entity tag"
	Stale      Form = "outdated entity tag"
	// Enforced: formats are asserted.
	Enforced Form = "formats are enforced"
)

// Claim is what a sentence in a known form says.
type Claim struct {
	Form Form
	// Low and High are the bounds of a range, a length or a count, as decimal text, or ""; or the words for the lower and for the upper of two
	// values, "" for the one that the sentence describes.
	Low, High string
	// Values are the values, and Value a default, a format, or the words for what a list is sorted by (empty for how old its items
	// are) or what no two have the same of (empty for what the sentence describes).
	Values []string
	Value  string
	// Descending reports whether an order is descending, and Created whether it is surely that of the creation.
	Descending, Created bool
	// Statuses are the statuses that the sentence names.
	Statuses []int
	// Noun is what the sentence is about ("ticket"), or "".
	Noun string
}

// pattern is how sentences of a form look, in lower case and without quotes and the full stop.
type pattern struct {
	form Form
	re   *regexp.Regexp
	// places are where the form means that; empty for anywhere.
	places []Place
	// conditional reports whether the form has a condition itself.
	conditional bool
	// value is the format that the pattern stands for.
	value string
}

// Parts of patterns.
const (
	number = `(-?\d[\d_,]*(?:\.\d+)?)`
	noun   = `((?:[\w'/-]+ ){0,2}?[\w'/-]+)`
	det    = `(?:the |an? |this |that |each |every |any |all |your )?`
	// its is the subject of a sentence about a value.
	its = `(?:(?:it|this|this value|this field|this property|this parameter|this string|this number|this list|this array|the value|the string|the number|the list|the array|the field|` +
		`the (?:maximum |minimum )?(?:limit|name|title|value|text|length)|value|values|name|length) )?`
	must       = `(?:must be |has to be |can be |may be |is |are |must have |has |can have |may have )?`
	whole      = `(?:an? |the )?(?:whole |integer |number |value |decimal )*`
	characters = `(?:unicode )?(?:characters|chars|code points)(?: long| in length| or (?:less|fewer))?`
	members    = `(?:fields?|members?|propert(?:y|ies)|attributes?|values?|parameters?)`
	gone       = `(?:deleted|removed)`
)

// said returns the pattern of a whole sentence.
func said(text string) *regexp.Regexp { return regexp.MustCompile(`^(?:` + text + `)$`) }

// patterns returns the patterns of all forms.
func patterns() []pattern {
	values := []Place{Schema, Parameter, Header}
	wide := []Place{Document, Tag, Operation, RequestBody, Schema}
	removal := []Place{Document, Tag, Operation, Response}
	return append(slices.Concat(orderPatterns(), uniquePatterns(), boundPatterns()), []pattern{
		{form: Range, places: values, re: said(its + must + whole + `(?:(?:in the )?range (?:of |from |is |between )?|(?:in the range )?(?:between|from) |range: )` + number + ` ?(?:and|to|-|–|\.\.\.?) ?` + number + `(?: inclusive(?:ly)?|,? both included| \(inclusive\))?`)},
		{form: Range, places: values, re: said(its + must + `(?:the )?(?:maximum|max|minimum|min)(?: allowed| possible)?(?: value)?(?: is|:| of| =)? ` + number)},
		{form: Range, places: values, re: said(its + must + whole + `(?:at (?:least|most)|no (?:more|less|greater|higher|lower) than|greater than or equal to|less than or equal to|>=|<=|≥|≤) ` + number)},
		{form: Range, places: values, re: said(its + must + whole + number + ` or (?:more|less|greater|higher|lower|above|below)`)},
		{form: Length, places: values, re: said(its + must + `(?:a |the )?(?:maximum|max\.?|minimum|min\.?)(?: length| size)?(?: is|:| of)? ` + number + ` ` + characters)},
		{form: Length, places: values, re: said(its + must + `(?:limited to |up to |at most |at least |no (?:more|longer|less|fewer|shorter) than |not longer than )(?:a (?:maximum|minimum) of )?` + number + ` ` + characters)},
		{form: Length, places: values, re: said(its + must + `(?:between |from )?` + number + ` ?(?:and|to|-|–) ?` + number + ` ` + characters)},
		{form: Length, places: values, re: said(its + `(?:must be |is |has |must have )?exactly ` + number + ` ` + characters)},
		{form: Length, places: values, re: said(its + must + number + ` ` + characters + ` (?:or (?:fewer|less)|at most|max(?:imum)?)`)},
		{form: Length, places: values, re: said(`(?:max(?:imum)?|min(?:imum)?)[ -]?length(?: is|:| =| of)? ` + number)},
		{form: Count, places: values, re: said(its + must + `(?:contain |holds? )?(?:up to |at most |at least |no more than |a maximum of |a minimum of |maximum:? |minimum:? |limited to )(?:a maximum of )?` + number + ` (?:items?|entries|elements|values|members)`)},
		{form: Constant, places: []Place{Schema, Header}, re: said(`(?:(?:the |this |its )?value |it )?(?:(?:will |must )?always (?:has|have|be|is)|is always)(?: set to)?(?: the (?:value|string|text))? (?:a constant )?(.+)`)},
		{form: Values, places: values, re: said(`(?:[\w' -]+, |` + its + `)(?:must be |can be |is |may be |either )?(?:one of(?: the following)?(?: values)?:? |(?:possible|valid|allowed|accepted|supported)(?: values)?(?: are|:) )(.+)`)},
		{form: Required, places: values, re: said(`(?:this (?:field|parameter|property|value|header) is |it is |is )?(?:always )?(?:required|mandatory)`)},
		{form: NotNull, places: values, re: said(its + `(?:is never|can ?not be|can't be|must not be|may not be|will never be) null|(?:not|non)[- ]?null(?:able)?`)},
		{form: NotEmpty, places: values, re: said(its + `(?:can ?not be|can't be|must not be|may not be|is never|will never be) empty|(?:must be )?(?:not|non)[- ]?empty`)},
		{form: Apart, places: values, re: said(`(?:the )?(?:items|entries|elements|values|tags|labels|names) (?:in (?:it|this list|the list|the array) )?(?:must be|are|have to be) (?:unique|distinct)|must not contain duplicates|(?:contains )?no duplicates|duplicates are not allowed`)},
		{form: Default, places: values, re: said(its + `(?:the )?default(?:s to| is|:| value is| value:| value of| limit is| page size is)? ([\w.\-]+)`)},
		{form: Closed, places: wide, re: said(`(?:requests with )?(?:unknown|additional|undocumented|other|unexpected|undefined) (?:members|properties|fields|attributes|keys) (?:are |will be )?(?:always )?(?:rejected|refused|not allowed|not accepted|not permitted|forbidden)(?: with (?:an? )?(?:status )?[\d /or]+)?`)},
		{form: Formatted, places: values, value: "uuid", re: said(its + must + `(?:an? |the )?(?:valid )?uuid(?: v\d)?(?: string)?`)},
		{form: Formatted, places: values, value: "date-time", re: said(its + `(?:must be |is |are )(?:an? |in )?(?:valid )?(?:iso[- ]?8601|rfc[- ]?3339)(?: format| date[- ]?time| timestamp| date and time)+|` + its + `(?:must be |is )an? valid date[- ]?time`)},
		{form: Formatted, places: values, value: "date", re: said(its + `(?:must be |is )(?:a |in )(?:valid )?(?:iso[- ]?8601 )?date(?: format)?(?: \(?yyyy-mm-dd\)?(?: format)?)?|` + its + `(?:must be |is )(?:in )?(?:the )?(?:format )?yyyy-mm-dd(?: format)?`)},
		{form: Formatted, places: values, value: "email", re: said(its + `(?:must be |has to be )(?:an? )?(?:valid )e-?mail(?: address)?`)},
		{form: Formatted, places: values, value: "uri", re: said(its + `(?:must be |has to be )(?:an? )?(?:valid |absolute )+ur[il]`)},

		{form: Missing, conditional: true, places: []Place{Operation, Response, Parameter}, re: said(`(?:it )?(?:returns?|answers?|responds with|gives|is answered with|fails with) (?:an? )?(?:http )?(?:status )?(404)(?: not found)?(?: error| response| status)? (?:if|when) (?:no |the |an? |there is no )` + noun + `(?: (?:does not|doesn't) exist| is not found| is unknown| was not found| could not be found| with (?:this|that|the given) (?:id|identifier|name)(?: exists)?| exists)`)},
		{form: Missing, conditional: true, places: []Place{Operation, Parameter}, re: said(`(?:if|when) (?:the |an? |no )` + noun + ` (?:(?:does not|doesn't) exist|is not found|is unknown|exists), (?:(?:it |this )?(?:returns|answers)|the response is|the status is|the answer is) (?:an? )?(?:http )?(404)(?: not found)?(?: error| response| status)?(?: is returned)?`)},
		{form: Missing, places: []Place{Operation, Document, Tag}, re: said(`an? (?:unknown|nonexistent|non-existent|missing) ` + noun + ` (?:is|are|gives|returns|results in)(?: answered(?: with)?)? (?:an? )?(404)(?: not found)?`)},
		{form: Anonymous, places: []Place{Response}, re: said(`(?:unauthori[sz]ed(?: -|:|,)? ?)?(?:authentication (?:is )?required|(?:the )?(?:api key|token|access token|credentials?|authentication|authorization header|bearer token)(?: (?:is|are))? (?:missing or invalid|invalid or missing|missing or wrong|missing, invalid or expired|required)|missing or invalid (?:api key|token|access token|credentials?|authentication))`)},
		{form: Anonymous, places: []Place{Operation}, re: said(`(?:this (?:operation|endpoint|call|request) )?(?:requires|needs) (?:authentication|an? (?:valid )?(?:api key|token|access token|credential))|authentication is (?:required|mandatory)`)},
		{form: Anonymous, places: []Place{Document, Tag, Scheme}, re: said(`(?:all|every|each) (?:requests?|calls?|operations?|endpoints?) (?:to (?:this|the) api )?(?:must be authenticated|must (?:have|carry|contain|include|send) (?:an? |the )?(?:valid )?(?:api key|token|access token|bearer token|credential)|(?:needs?|requires?) (?:authentication|an? (?:valid )?(?:api key|token|access token|credential)))(?: in (?:the|an?) [\w-]+ header)?`)},
		{form: Invalid, places: []Place{Document, Tag, Operation}, re: said(`(?:an )?(?:invalid|malformed) (?:requests?|bod(?:y|ies)|input|values?|parameters?) (?:is|are|will be|gets?) (?:always )?(?:rejected|refused|answered)(?: with)? (?:an? )?(?:http )?(?:status )?(4\d\d)(?: (?:or|and) (4\d\d))?(?: bad request| unprocessable (?:entity|content))?`)},
		{form: Unharmed, places: []Place{Document, Tag, Operation}, re: said(`an? (?:refused|rejected|failed|invalid) (?:request|change|update|call) (?:changes|stores|creates|writes|modifies) nothing|(?:refused|rejected|failed|invalid) (?:requests|changes|updates|calls) (?:change|store|create|write|modify) nothing|nothing (?:is|gets) (?:changed|stored|created|written)(?: or (?:changed|stored|created|written))? (?:by|when|if) (?:an? )?(?:request is )?(?:refused|rejected|failed|invalid)(?: requests?)?|an? (?:refused|rejected|failed|invalid) request (?:has no effect|leaves (?:everything|the ` + noun + `) (?:unchanged|as it was))`), conditional: true},
		{form: Challenged, places: []Place{Document, Tag, Scheme, Response, Operation}, re: said(`(?:a |every |each |all )?401s?(?: responses?)? (?:of all operations )?(?:always )?(?:has|have|contains?|carr(?:y|ies)|comes? with|includes?) (?:an? )?www-authenticate(?: header)?`)},
		{form: Allowed, places: []Place{Document, Tag}, re: said(`(?:methods? that (?:a path|is|are|an address)[\w ]*|(?:unsupported|other|unknown) methods?|a method that a path does not (?:have|support|offer)) (?:is|are|will be) (?:answered|refused|rejected)(?: with)? (?:a )?405(?: method not allowed)? (?:and|with) an allow header`)},

		{form: Limited, places: []Place{Parameter, Schema}, re: said(`(?:limit is )?(?:the |a )?(?:max\.?|maximum|maximal)(?: number| amount)?(?: of| \#) ` + noun + ` (?:to (?:return|be returned|list|show|include|retrieve|fetch|get)|returned|per page|on (?:a|one|each) page|in (?:a|one|the) (?:page|response|list|result))(?: (?:for a list call|per page|in (?:a|one|the) (?:page|response|call|list|result)|at once|in total))?`)},
		{form: Limited, places: []Place{Parameter, Schema}, re: said(`the most ` + noun + ` (?:of|on|in) (?:a|one|each) page`)},
		{form: Limited, places: []Place{Operation}, re: said(`(?:it )?(?:returns|lists|shows|gives) (?:at most|no more than|up to) limit ` + noun)},
		{form: Filtered, places: []Place{Parameter, Schema}, re: said(`(?:only (?:return|show|list|include|returns|shows|lists|includes)|(?:return|show|list|include|returns|shows|lists|includes) only|only) ` + det + noun + ` (?:with|of|in|having|whose|that have|which have) (?:this|that|the given|the specified|the) ` + noun + `(?: (?:is|are) (?:returned|listed|shown|included))?`)},
		{form: Sorted, places: []Place{Parameter, Schema}, re: said(`(?:the )?(?:field|member|property|attribute|order|key) (?:by which|to|that) (?:the )?(?:` + noun + ` )?(?:is |are )?(?:sort(?:ed)?|ordered|order) ?(?:by)?|(?:the )?` + noun + ` (?:are|is) (?:sorted|ordered) by this ` + members)},
		{form: Sorted, places: []Place{Parameter, Schema}, re: said(`what (?:the )?` + noun + ` (?:is|are) (?:sorted|ordered) by`)},
		{form: Unrepeated, places: []Place{Document, Tag, Operation}, re: said(`(?:no ` + noun + ` is (?:ever )?(?:repeated|shown|listed|returned) on two pages|pages (?:do not|never|don't) overlap|(?:each|every|an?) ` + noun + ` (?:is|appears) (?:on|in) (?:exactly |only )?one page(?: only)?)`)},
		{form: Identifier, places: []Place{Schema}, re: said(`(?:a |an |the |its |system )?(?:globally )?unique(?:,? (?:immutable|opaque|stable|numeric|internal|server-generated|system))?(?:-| )(?:id|identifier|uuid)(?: number)?(?: (?:of|for|that (?:identifies|represents?)|identifying|to identify) (?:the|this|an?|each|every) ` + noun + `)?`)},
		{form: AsSent, places: wide, re: said(`(?:everything|(?:all|every|each) ` + members + `(?: of (?:an?|the|each|every) ` + noun + `)?|(?:a|an|every|each|all) ` + noun + `) (?:that is sent |that clients send |sent |stored )?(?:is|are|comes?) (?:always )?(?:returned|shown|kept|stored|read|given back|back)(?: back)?(?: and returned)? (?:exactly |just |precisely )?(?:as|like|the way) (?:it was |they were |it is |they are )?(?:sent|submitted|received|given|provided|written)|(?:everything|(?:all|every|each) ` + members + `) (?:is|are) (?:returned|stored|kept) (?:verbatim|unchanged)`)},
		{form: AtOnce, places: removal, re: said(`(?:a|an|the|each|every) (?:newly )?(?:created|new) ` + noun + ` (?:can be (?:read|retrieved|fetched|requested)|is (?:readable|visible|available)) (?:at once|immediately|right away|instantly)(?: after(?:wards| (?:it (?:is|was|has been) created|creation))?)?`)},
		{form: ListedAtOnce, places: removal, re: said(`(?:a|an|the|each|every) (?:newly )?(?:created|new) ` + noun + ` (?:is (?:listed|shown in (?:the|all) lists?|in the list)|appears in (?:the|all) lists?) (?:at once|immediately|right away|instantly)(?: after(?:wards| (?:it (?:is|was|has been) created|creation))?)?`)},
		{form: Gone, places: removal, re: said(`(?:an?|the|each|every|all) ` + gone + ` ` + noun + ` (?:can no longer be (?:read|retrieved|fetched|accessed)|(?:is|are) (?:gone|no longer (?:readable|accessible|retrievable))|can ?not be (?:read|retrieved|fetched)(?: any ?more)?)(?: and (?:gives|returns|is answered(?: with)?) (?:an? )?(?:404|410))?|(?:reading|getting|fetching|retrieving|requesting) (?:an?|the) ` + gone + ` ` + noun + ` (?:returns|gives|is answered(?: with)?|results in|yields) (?:an? )?(?:http )?(?:status )?(404|410)(?: not found| gone)?|(?:after(?:wards| that),? |then,? |from then on,? )(?:it|the ` + noun + `) (?:can no longer be (?:read|retrieved|fetched)|is gone|(?:returns|is answered(?: with)?) (404|410))|(?:an?|the) ` + gone + ` ` + noun + ` (?:returns|is answered(?: with)?|gives) (?:an? )?(404|410)(?: not found| gone)?(?: (?:from then on|afterwards))?`)},
		{form: Unlisted, places: removal, re: said(`(?:an?|the|each|every|all)? ?` + gone + ` ` + noun + ` (?:is|are) (?:no longer|not) (?:listed|in (?:the|any) lists?|shown in (?:the|any) lists?|included in (?:the|any) lists?)(?: any ?more)?|(?:an?|the)? ?` + gone + ` ` + noun + ` (?:never|no longer) appears? in (?:the|any) lists?`)},
		{form: DeletedTwice, places: []Place{Operation}, re: said(`(?:deleting|deletion|this operation|this call|the operation|it|deleting an? ` + noun + `) is idempotent|idempotent|deleting (?:it|an? ` + noun + `|the same ` + noun + `) (?:twice|again) is (?:no error|not an error)`)},
		{form: Replaced, places: []Place{Operation, RequestBody}, re: said(`(?:this |it )?(?:replaces|overwrites) (?:the )?(?:whole|entire|complete|full) ` + noun + `|(?:optional )?` + members + ` (?:that are )?(?:left out|omitted|missing|not (?:sent|given|provided|included|specified|present))(?: (?:in|from|of) the (?:request|body|request body))? (?:are|will be|get) (?:removed|cleared|deleted|unset|reset|set to null|set to their defaults?|reset to (?:their|the) defaults?)`)},
		{form: RestKept, places: []Place{Operation, RequestBody, Schema}, re: said(`(?:only|just) (?:the )?(?:` + members + ` )?(?:that are |which are )?(?:given|provided|specified|sent|supplied|named|passed|included|present)(?: ` + members + `)?(?: (?:in|of) the (?:request|body|request body))? (?:are|will be) (?:changed|updated|modified|overwritten)|(?:any |all |the |those )?(?:other |omitted |missing |unspecified |absent )?` + members + ` (?:(?:that are |which are |you )?(?:left out|omitted|missing|absent|not (?:sent|given|provided|included|specified|present|named|passed|supplied))|you don't provide)?(?: ?(?:in|from|of) the (?:request|body|request body))? ?(?:are left|remain|stay|will be left|will remain|are kept|will be kept|keep) (?:unchanged|untouched|as they (?:are|were)|their (?:current |old |previous |present )?values?|the same|unmodified)`)},
		{form: Fixed, places: []Place{Schema}, re: said(`(?:this (?:field|property|value) is |it is |is )?(?:read[- ]?only|immutable)|` + its + `(?:is )?(?:always )?(?:set|assigned|generated|managed|maintained|computed|calculated|determined)(?: only)? by the (?:server|service|system|api)(?: and (?:can ?not|can never) be (?:changed|set|updated|modified)(?: by clients)?)?|` + its + `(?:can ?not|can't|can never|must not|may not) be (?:changed|updated|modified|set)(?: by (?:clients|the client|requests|users))?(?: (?:once|after) (?:it (?:is|was) )?(?:set|created|creation|specified))?|` + its + `never changes`)},
		{form: Hidden, places: []Place{Schema}, re: said(its + `(?:(?:is|are) )?(?:never|not) (?:returned|shown|included|exposed|sent back|contained)(?: (?:in|by) (?:any |a |the )?(?:responses?|answers?|api|service|output))?|(?:this field is |it is |is )?write[- ]?only(?: and (?:is )?never (?:returned|shown))?`)},
		{form: Repeated, places: []Place{Parameter, Operation, Document, Tag, Schema}, re: said(`(?:an? |the )?(?:repeated |second |same )?requests? (?:that is |made |sent |repeated )?with (?:the same|a known|an already used) (?:idempotency[- ]?)?(?:key|value)(?: twice)? (?:creates? nothing(?: new)?|(?:do|does) not create (?:another|a second|a new) ` + noun + `|returns? (?:the )?(?:same|first|original) (?:` + noun + `)|creates? (?:the )?` + noun + ` (?:only once|once only))|(?:repeating|retrying|resending) (?:an?|the)(?: same)? request with the same (?:idempotency[- ]?)?(?:key|value) (?:creates nothing(?: new)?|does not create (?:another|a second|a new) ` + noun + `|returns the (?:same|first|original) ` + noun + `)`)},
		{form: Repeated, places: []Place{Parameter}, re: said(noun + ` with the same (?:idempotency[- ]?)?(?:key|value) (?:is|are) (?:created|made|placed|opened|executed|processed|carried out) (?:only )?once(?: only)?`)},
		{form: Located, places: []Place{Operation, Response, Document, Tag, Header}, re: said(`(?:the |a |its )?location(?: header)?(?: of (?:the|a) (?:201|response))? (?:is|holds|contains|has|gives|names|points to|leads to|shows) (?:the (?:address|url|uri|path|link)(?: of| to) )?(?:the|a) (?:newly )?(?:created|new) ` + noun)},
		{form: TagChanges, places: []Place{Header, Document, Tag, Operation, Response}, re: said(`(?:the |an? )?(?:etag|entity tag) (?:of (?:an?|the) ` + noun + ` )?changes (?:with (?:each|every) (?:change|update)|(?:whenever|each time|every time|when) the ` + noun + ` (?:changes|is changed|is updated))|(?:changes|it changes|is another one|it is another one) (?:with (?:each|every) (?:change|update)|(?:whenever|each time|every time) the ` + noun + ` (?:changes|is changed|is updated))`), conditional: true},
		{form: Stale, places: []Place{Parameter, Operation, Document, Tag}, re: said(`(?:an? )?(?:outdated|old|stale|wrong) (?:etag|entity tag)s?(?: in if-match)? (?:is|are|gives|returns|results in) (?:refused with |rejected with |answered with |answered )?(?:an? )?(412)(?: precondition failed)?`)},
		{form: Enforced, places: []Place{Document}, re: said(`(?:all )?(?:string )?formats are (?:always )?(?:enforced|validated|checked|asserted)`)},
	}...)
}

// hedge matches words by which a sentence holds only sometimes, or only as advice. condition matches conditions.
var (
	hedge     = regexp.MustCompile(`\b(might|could|should|usually|typically|normally|generally|often|sometimes|mostly|probably|likely|currently|recommend\w*|depend\w*|except|unless|otherwise|but|however|optional\w*|some|deprecated|example|e\.g|i\.e|not yet|eventually|only if|only when)\b`)
	condition = regexp.MustCompile(`\b(if|when|where|while|until|once|for)\b`)
)

// Reader recognises sentences in known forms. It is safe for concurrent use.
type Reader struct{ patterns []pattern }

// NewReader returns a reader.
func NewReader() *Reader { return &Reader{patterns()} }

// Read returns what a sentence at a place says, and false if it is not in a known form, or if it has another condition, an exception or a
// word that weakens it.
func (r *Reader) Read(place Place, sentence string) (Claim, bool) {
	bare := normal(sentence)
	if bare == "" || len(bare) > longest || hedge.MatchString(bare) {
		return Claim{}, false
	}
	for i := range r.patterns {
		p := &r.patterns[i]
		if len(p.places) > 0 && !slices.Contains(p.places, place) {
			continue
		}
		found := p.re.FindStringSubmatch(bare)
		if found == nil || !p.conditional && !conditionFits(p.form, bare) {
			continue
		}
		if c, ok := p.claim(bare, sentence, found[1:]); ok {
			return c, true
		}
	}
	return Claim{}, false
}

// longest is the length of the longest sentence that is read, in bytes.
const longest = 300

// conditionFits reports whether a sentence has no condition beyond what its form says.
func conditionFits(f Form, bare string) bool {
	switch f {
	case Limited, Identifier, Fixed, AtOnce, ListedAtOnce, Repeated: // "for", "once" and "when" are parts of their patterns, which are whole sentences
		return true
	default:
		return !condition.MatchString(bare)
	}
}

// normal returns a sentence in lower case, without quotes and the full stop.
func normal(sentence string) string {
	bare := strings.ToLower(strings.TrimSpace(sentence))
	bare = strings.NewReplacer("`", "", `"`, "", "“", "", "”", "", "*", "", "  ", " ").Replace(bare)
	bare = strings.TrimPrefix(strings.TrimPrefix(bare, "note: "), "note that ")
	return strings.TrimRight(strings.TrimSpace(bare), ".!:; ")
}

// lives are the forms about the life of a resource, which the sentence names.
var lives = []Form{AsSent, AtOnce, ListedAtOnce, Gone, Unlisted, Replaced, TagChanges}

// notNoun matches words that are not part of a noun: where one stands, the sentence says something else than its form.
var notNoun = regexp.MustCompile(`\b(is|are|was|were|be|been|has|have|had|does|do|did|can|cannot|may|must|will|not|no|never|only|and|or|but|if|when|while|with|without|in|of|to|for|from|by|at|on|` +
	`after|before|until|since|than|that|which|who|whose|this|these|those|other|some|most|many|more|less|all|any|each|every|both|either)\b`)

// claim returns what a sentence says whose pattern matched.
func (p *pattern) claim(bare, sentence string, groups []string) (Claim, bool) {
	c := Claim{Form: p.form, Value: p.value}
	var numbers []string
	for _, g := range groups {
		if g == "" {
			continue
		}
		if p.form == Range || p.form == Length || p.form == Count {
			numbers = append(numbers, strings.NewReplacer(",", "", "_", "").Replace(g))
		}
		if status, err := strconv.Atoi(g); err == nil && status >= 100 && status < 600 {
			c.Statuses = append(c.Statuses, status)
		} else if p.form != Values && p.form != Constant && p.form != Default && p.form != Ordered && p.form != Unique && p.form != Bounded {
			if notNoun.MatchString(g) {
				return c, false
			}
			if c.Noun == "" && slices.Contains(lives, p.form) {
				c.Noun = g
			}
		}
	}
	switch p.form {
	case Range, Length, Count:
		c.Statuses = nil
		return c, c.bound(bare, numbers)
	case Values:
		c.Values = quotedValues(sentence)
		return c, len(c.Values) > 1
	case Constant:
		c.Values = quotedValues(sentence)
		return c, len(c.Values) == 1 && normal(c.Values[0]) == groups[len(groups)-1]
	case Ordered:
		return c, c.order(bare, groups)
	case Unique:
		return c, c.unique(bare, groups, slices.Contains(p.places, Schema))
	case Bounded:
		return c, c.bounds(bare, groups)
	case Default:
		c.Value, c.Statuses = groups[0], nil
	default: // the pattern says all
	}
	return c, true
}

var (
	upper = regexp.MustCompile(`\b(max(imum)?|at most|up to|limited to|no (more|greater|higher|longer) than|not longer than|less than or equal|or (less|fewer|lower|below))|<=|≤`)
	lower = regexp.MustCompile(`\b(min(imum)?|at least|no (less|fewer|lower|shorter) than|greater than or equal|or (more|greater|higher|above))|>=|≥`)
)

// bound sets the bounds of a claim, and reports whether it is clear which they are.
func (c *Claim) bound(bare string, numbers []string) bool {
	up, down := upper.MatchString(bare), lower.MatchString(bare)
	switch {
	case len(numbers) == 2 && !down:
		c.Low, c.High = numbers[0], numbers[1]
	case len(numbers) == 1 && strings.Contains(bare, "exactly") && !up && !down:
		c.Low, c.High = numbers[0], numbers[0]
	case len(numbers) == 1 && up && !down:
		c.High = numbers[0]
	case len(numbers) == 1 && down && !up:
		c.Low = numbers[0]
	default:
		return false
	}
	return true
}

// quotedValue matches a value in quotes.
var quotedValue = regexp.MustCompile("`([^`]+)`|\"([^\"]+)\"|“([^”]+)”|'([^']+)'")

// quotedValues returns the values that a sentence lists in quotes, and none if there are words beside them after the first one.
func quotedValues(sentence string) []string {
	places := quotedValue.FindAllStringIndex(sentence, -1)
	if len(places) == 0 {
		return nil
	}
	between := quotedValue.ReplaceAllString(sentence[places[0][0]:], "")
	if strings.Trim(strings.NewReplacer(" or ", "", " and ", "", "or ", "", "and ", "").Replace(between), " ,./|;:()") != "" {
		return nil
	}
	var all []string
	for _, m := range quotedValue.FindAllStringSubmatch(sentence[places[0][0]:], -1) {
		all = append(all, strings.Join(m[1:], ""))
	}
	return all
}
