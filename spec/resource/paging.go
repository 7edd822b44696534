package resource

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// PageWay is how the next page of a list is requested.
type PageWay string

// ByCursor sends back the response's next cursor, ByLink follows a link in the response, ByHeader that of its Link
// header (RFC 8288), ByLast names the last item of the page before, ByNumber counts pages, and ByOffset items.
const (
	ByCursor PageWay = "cursor"
	ByLink   PageWay = "link"
	ByHeader PageWay = "Link header"
	ByLast   PageWay = "last item"
	ByNumber PageWay = "page number"
	ByOffset PageWay = "offset"
)

// Paging is how a list is paged.
type Paging struct {
	Way PageWay
	// Size is the parameter for the page size, or nil.
	Size *spec.Parameter
	// Position is the parameter that selects the page; nil if a link does.
	Position *spec.Parameter
	// Next is the path to the next cursor or link in the body, or nil.
	Next []Step
	// Beside is the parameter that counts pages or items if there are links, too; or nil.
	Beside *spec.Parameter
	// More is the path to a boolean in the body that says whether there is another page, or nil.
	More []Step
}

// Names of parameters for pages, and names of the next page in responses.
var (
	sizeNames   = regexp.MustCompile(`(?i)^(\$?limit|\$top|page[-_.\[]?(size|limit)\]?|per[-_]?page|max[-_]?(results|items|records|page[-_]?size)|pagination[-_.]limit)$`)
	sizeWords   = regexp.MustCompile(`(?i)\b(page|pages|number|count|most|maximum|max|many|results?|items?|entries|records|per|limit|limits|size)\b`)
	offsetNames = regexp.MustCompile(`(?i)^(\$?offset|\$?skip|page\[offset\]|start(at|index|_at|_index)?|first[-_]?result)$`)
	numberNames = regexp.MustCompile(`(?i)^(page|page[-_.]?(number|no|num|index)|page\[number\]|current[-_]?page)$`)
	cursorNames = regexp.MustCompile(`(?i)^((page|next|start|pagination)?[-_.]?(cursor|token|marker)|continue|continuation([-_]?token)?|next[-_]?page([-_]?token)?|page[-_]?id|page\[(cursor|after)\]|after|\$?skip[-_]?token)$`)
	lastNames   = regexp.MustCompile(`(?i)^(starting[-_]after|after[-_]?id)$`)
	nextNames   = []string{
		"nextcursor", "nextpagetoken", "nextpagecursor", "nexttoken", "nextmarker", "nextpage", "continuationtoken", "nextcontinuationtoken", "continue", "continuation",
		"cursor", "endcursor", "nextpageid", "next", "after", "marker", "odatanextlink", "nextlink", "nexturl", "nexturi", "nexthref", "nextpageurl", "nextpageuri",
	}
	linkNames = []string{"odatanextlink", "nextlink", "nexturl", "nexturi", "nexthref", "nextpageurl", "nextpageuri"}
	moreNames = []string{"hasmore", "hasnext", "hasnextpage", "more"}
	around    = []string{
		"meta", "metadata", "pagination", "paging", "page", "pageinfo", "cursors", "cursor", "links", "link", "next", "responsemetadata", "pager", "info",
	}
)

// PageSize returns the parameter of an operation for the page size, or nil.
func PageSize(op *spec.Operation) *spec.Parameter {
	return parameterOf(op, func(p *spec.Parameter) bool {
		return p.Schema.Type == "integer" && sizeNames.MatchString(p.Name) && (p.Schema.Description == "" || sizeWords.MatchString(p.Schema.Description))
	})
}

// outdated matches descriptions of parameters that a service may not support any more.
var outdated = regexp.MustCompile(`(?i)\b(deprecated|obsolete|no longer)\b`)

// parameterOf returns the first query parameter for which is returns true and that is not deprecated, or nil.
func parameterOf(op *spec.Operation, is func(*spec.Parameter) bool) *spec.Parameter {
	for i := range op.Parameters {
		if p := &op.Parameters[i]; p.In == "query" && p.Schema != nil && !p.Deprecated && !outdated.MatchString(p.Description+" "+p.Schema.Description) && is(p) {
			return p
		}
	}
	return nil
}

// PagingOf returns how the list of an operation is paged, as far as the contract says; false if it says nothing.
func PagingOf(op *spec.Operation) (Paging, bool) {
	named := func(kind string, names *regexp.Regexp) *spec.Parameter {
		return parameterOf(op, func(p *spec.Parameter) bool {
			return names.MatchString(p.Name) && (p.Schema.Type == kind || kind == "string" && len(p.Schema.Types) == 0) && len(p.Schema.Enum) == 0
		})
	}
	out := Paging{Size: PageSize(op)}
	next := memberOf(op, func(p spec.Property) bool {
		return slices.Contains(nextNames, plain(p.Name)) && admits(p.Schema, "string")
	})
	address := memberOf(op, isAddress)
	out.More = memberOf(op, func(p spec.Property) bool {
		return slices.Contains(moreNames, plain(p.Name)) && p.Schema != nil && p.Schema.Type == "boolean"
	})
	cursor, number, offset := named("string", cursorNames), named("integer", numberNames), named("integer", offsetNames)
	switch last := named("string", lastNames); {
	case cursor != nil && next != nil:
		out.Way, out.Position, out.Next = ByCursor, cursor, next
	case address != nil:
		out.Way, out.Next = ByLink, address
		if out.Beside = number; number == nil {
			out.Beside = offset
		}
	case last != nil && out.More != nil:
		out.Way, out.Position = ByLast, last
	case number != nil:
		out.Way, out.Position = ByNumber, number
	case offset != nil:
		out.Way, out.Position = ByOffset, offset
	case linked(op):
		out.Way = ByHeader
	}
	return out, out.Way != ""
}

// IsCursor reports whether a parameter names a position in a list that an earlier response gave: an example in the
// document is not a valid one.
func IsCursor(p spec.Parameter) bool {
	return p.In == "query" && p.Schema != nil && len(p.Schema.Enum) == 0 && (p.Schema.Type == "string" || len(p.Schema.Types) == 0) &&
		(cursorNames.MatchString(p.Name) || lastNames.MatchString(p.Name))
}

// isAddress reports whether a member holds the URL of the next page, by its name or description.
func isAddress(p spec.Property) bool {
	if p.Schema == nil || !admits(p.Schema, "string") {
		return false
	}
	name := plain(p.Name)
	return slices.Contains(linkNames, name) ||
		(name == "next" || name == "nextpage" || name == "href") && (strings.HasPrefix(p.Schema.Format, "uri") || p.Schema.Format == "url" || addressWords.MatchString(p.Schema.Description))
}

// addressWords matches descriptions of URLs.
var addressWords = regexp.MustCompile(`(?i)\b(url|uri|link|href)\b`)

// linked reports whether a success of an operation documents a Link header.
func linked(op *spec.Operation) bool {
	return slices.ContainsFunc(op.Responses, func(a spec.DocumentedResponse) bool {
		return a.Class() == 2 && slices.ContainsFunc(a.Headers, func(h spec.Header) bool { return strings.EqualFold(h.Name, "Link") })
	})
}

// memberOf finds a member in the successes of an operation, or in their paging information; nil if there is none.
func memberOf(op *spec.Operation, is func(spec.Property) bool) []Step {
	for _, s := range successes(op) {
		if path := memberIn(s, is, 3, false); path != nil {
			return path
		}
	}
	return nil
}

func memberIn(s *spec.Schema, is func(spec.Property) bool, depth int, inNext bool) []Step {
	if s == nil || depth == 0 || items(s) != nil {
		return nil
	}
	all := members(s)
	for _, p := range all {
		if p.Schema != nil && scalarOrBool(p.Schema) && (is(p) || inNext && plain(p.Name) == "href" && is(spec.Property{Name: "nextHref", Edge: p.Edge})) {
			return []Step{{Name: p.Name}}
		}
	}
	for _, p := range all {
		name := plain(p.Name)
		if !slices.Contains(around, name) || p.Schema == nil {
			continue
		}
		// A text in an object named links is a URL.
		within := is
		if name == "links" || name == "link" {
			within = func(q spec.Property) bool {
				return is(q) || plain(q.Name) == "next" && is(spec.Property{Name: "nextLink", Edge: q.Edge})
			}
		}
		if path := memberIn(p.Schema, within, depth-1, name == "next"); path != nil {
			return append([]Step{{Name: p.Name}}, path...)
		}
	}
	return nil
}

func scalarOrBool(s *spec.Schema) bool { return scalar(s) || s.Type == "boolean" }

// Token returns the next cursor or link that a body shows, or "".
func (p Paging) Token(body any) string {
	value, ok := alongPath(body, p.Next)
	text, is := value.(string)
	if number, also := value.(json.Number); also {
		text, is = number.String(), true
	}
	if !ok || !is {
		return ""
	}
	return text
}

// Names reports whether a body has the member for the next cursor or link, whatever its value.
func (p Paging) Names(body any) bool {
	_, ok := alongPath(body, p.Next)
	return ok
}

// Ends reports whether a body says that no page follows.
func (p Paging) Ends(body any) bool {
	value, ok := alongPath(body, p.More)
	more, is := value.(bool)
	return ok && is && !more
}

// alongPath returns the value at a path; false if there is none.
func alongPath(value any, path []Step) (any, bool) {
	if len(path) == 0 {
		return nil, false
	}
	for _, step := range path {
		object, ok := value.(map[string]any)
		if !ok || step.Each {
			return nil, false
		}
		if value, ok = object[step.Name]; !ok {
			return nil, false
		}
	}
	return value, true
}
