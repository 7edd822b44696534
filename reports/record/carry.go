package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
)

// carried is an identifier that a request takes from an earlier response.
type carried struct {
	from, to int // indexes of the exchanges
	value    shown
	place    place
	sum      string // format with one %s for what the shell computes from the identifier, or "" for the identifier itself
}

// place is where a request contains an identifier. from and to are byte offsets in its URL, its body or the value of its header.
type place struct {
	text     string
	from, to int
	body     bool
	header   string
	// within is the path before an identifier in the path. member is its name in a query or a body.
	within, member string
}

// shown is where a response contains an identifier, in the form that jq needs to find it.
type shown struct {
	member  string // the JSON member, or the header
	path    string // the member as a path of jq; the last item of a list is the last one, however many there are now
	nth, of int    // index from 1 among the members with that name, and their number
}

// Headers that requests take from earlier responses.
const location, etag, lastModified = "Location", "ETag", "Last-Modified"

// validators are the headers of requests that hold a header of an earlier response (RFC 9110, section 13.1).
var validators = map[string]string{"If-Match": etag, "If-None-Match": etag, "If-Unmodified-Since": lastModified, "If-Modified-Since": lastModified}

// isHeader reports whether the identifier is a header of the response.
func (s shown) isHeader() bool { return s.path == "" }

var (
	integer    = regexp.MustCompile(`^-?[0-9]+$`)
	inLocation = regexp.MustCompile(`^[A-Za-z0-9_.~:@-]+$`)
	inPath     = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// name returns the shell variable for the identifier from the exchange at index from.
func (s shown) name(from int) string {
	name := strings.Map(func(r rune) rune {
		if r == '.' || r == '-' {
			return '_'
		}
		return r
	}, strings.ToLower(s.member))
	if name[0] >= '0' && name[0] <= '9' {
		name = "_" + name
	}
	name += strconv.Itoa(from + 1)
	if s.nth > 1 {
		name += "_" + strconv.Itoa(s.nth)
	}
	return name
}

// take returns the command that sets the variable from a response, which begins with its headers if it was asked for with them.
func (c carried) take(response string, headers bool) string {
	name, printed := c.value.name(c.from), `=$(printf '%s' "$`+response+`" | `
	switch {
	case c.value.member == location && c.value.isHeader():
		return name + printed + `tr -d '\r' | sed -n 's|^[Ll]ocation:.*/\([^/?]*\)$|\1|p')`
	case c.value.isHeader():
		pattern := ""
		for _, r := range c.value.member {
			if lower, upper := unicode.ToLower(r), unicode.ToUpper(r); lower != upper {
				pattern += "[" + string(upper) + string(lower) + "]"
			} else {
				pattern += string(r)
			}
		}
		return name + printed + `tr -d '\r' | sed -n 's/^` + pattern + `: *//p')`
	case headers:
		printed += `tr -d '\r' | sed '1,/^$/d' | `
	}
	return name + printed + `jq -r '(` + c.value.path + `)? // empty' || :)`
}

// word returns what replaces the identifier in the request. If the response has no such identifier this time, the shell stops with a
// message instead of requesting another resource.
func (c carried) word() string {
	value := "${" + c.value.name(c.from) + ":?no " + c.value.member + " in response" + strconv.Itoa(c.from+1) + "}"
	if c.sum != "" {
		value = "$((" + fmt.Sprintf(c.sum, value) + "))"
	}
	return `"` + value + `"`
}

// carriedInto replaces literal identifiers in a line, in the URL and in the body, with their variables.
func carriedInto(line string, ex *spec.Exchange, to int, all []carried) string {
	in := func(raw string, body bool) {
		quoted := text.AlwaysShellQuote(raw)
		if quoted != "'"+raw+"'" || !strings.Contains(line, quoted) {
			return
		}
		word, at := "'", 0
		for _, c := range all { // ordered by place
			if c.to == to && c.place.body == body && c.place.header == "" {
				word += raw[at:c.place.from] + "'" + c.word() + "'"
				at = c.place.to
			}
		}
		if at == 0 {
			return
		}
		word = strings.TrimSuffix(word+raw[at:]+"'", "''")
		i := strings.LastIndex(line, quoted)
		line = line[:i] + word + line[i+len(quoted):]
	}
	in(string(ex.Request.Body), true)
	in(ex.Request.URL, false)
	for _, c := range all {
		if c.to == to && c.place.header != "" {
			quoted := text.AlwaysShellQuote(c.place.header + ": " + c.place.text)
			line = strings.Replace(line, quoted, text.AlwaysShellQuote(c.place.header+": ")+c.word(), 1)
		}
	}
	return line
}

// carry finds the identifiers that requests take from earlier responses.
func carry(exchanges []*spec.Exchange) []carried {
	var all []carried
	shows := make([]func() []memberShown, len(exchanges)) // large responses are searched once
	for to, ex := range exchanges {
		all = append(all, validatorsOf(exchanges, to)...)
		shows[to] = sync.OnceValue(func() []memberShown { return membersBeyond(ex) })
		for _, p := range places(ex) {
			var found []carried
			for from := to - 1; from >= 0; from-- {
				if c, ok := p.takenFrom(exchanges[from], shows[from]); ok {
					c.from, c.to = from, to
					found = append(found, c)
				}
			}
			if len(found) > 0 {
				// The response to a creation shows one resource; a list may have any length next time.
				all = append(all, slices.MinFunc(found, func(x, y carried) int {
					return cmp.Or(cmp.Compare(len(x.sum), len(y.sum)), cmp.Compare(x.value.of, y.value.of))
				}))
			}
		}
	}
	return all
}

// validatorsOf returns the headers of a request that hold a header of an earlier response: the version that it was shown.
func validatorsOf(exchanges []*spec.Exchange, to int) []carried {
	var all []carried
	for _, name := range slices.Sorted(maps.Keys(validators)) {
		values := exchanges[to].Request.Header.Values(name)
		if len(values) != 1 || values[0] == "" {
			continue
		}
		for from := to - 1; from >= 0; from-- {
			if r := exchanges[from].Response; r != nil && r.Header.Get(validators[name]) == values[0] {
				all = append(all, carried{from: from, to: to, value: shown{member: validators[name], nth: 1, of: 1}, place: place{text: values[0], header: name}})
				break
			}
		}
	}
	return all
}

// takenFrom finds the identifier at a place, or one it was made from, in the response of an earlier exchange.
func (p place) takenFrom(ex *spec.Exchange, shows func() []memberShown) (carried, bool) {
	if ex.Response == nil {
		return carried{}, false
	}
	path := pathOf(ex.Request.URL)
	collection := p.within != "" && path == p.within
	if !collection && !bytes.Contains(ex.Response.Body, []byte(p.text)) {
		return carried{}, false
	}
	all, best := shows(), -1
	for i, m := range all {
		// Among members with that value, prefer one with the name that the request uses, then one called id.
		if m.text == p.text && (collection || p.means(m.member, path)) && (best < 0 || p.likes(m.member) > p.likes(all[best].member)) {
			best = i
		}
	}
	if best >= 0 {
		return carried{value: all[best].shown, place: p}, true
	}
	if !collection {
		return carried{}, false
	}
	if header := ex.Response.Header.Get(location); strings.HasSuffix(header, "/"+p.text) && inLocation.MatchString(p.text) {
		return carried{value: shown{member: location, nth: 1, of: 1}, place: p}, true
	}
	ids := slices.DeleteFunc(slices.Clone(all), func(m memberShown) bool { return m.member != "id" })
	if len(ids) != 1 {
		return carried{}, false
	}
	sum := computed(ids[0].text, p.text)
	return carried{value: ids[0].shown, place: p, sum: sum}, sum != ""
}

// telling is the minimum length of an identifier that is hardly ever equal by chance.
const telling = 6

// means reports whether a member of a resource at path is the identifier at a place, given equal values: small numbers are equal by chance, and
// a reference to something else, such as a category, has the same name wherever it stands.
func (p place) means(member, path string) bool {
	switch {
	case !IsIdentifier(member):
		return false
	case len(p.text) >= telling || p.member != "" && strings.EqualFold(member, p.member) && IsOwnIdentifier(member, path):
		return true
	}
	// "shelf_id" is the id of a resource at /shelves.
	stem := strings.TrimRight(strings.TrimSuffix(strings.ToLower(p.member), "id"), "_-.")
	last := strings.ToLower(path[strings.LastIndexByte(path, '/')+1:])
	return stem != "" && strings.EqualFold(member, "id") && strings.HasPrefix(last, stem[:min(len(stem), 4)])
}

// SentPaths returns the paths whose resource the query or body of a request names, in fields that are named like identifiers: /shelves/12
// by "shelf_id": 12.
func SentPaths(ex *spec.Exchange, paths []string) []string {
	sent := slices.DeleteFunc(places(ex), func(p place) bool { return p.member == "" })
	if len(sent) == 0 {
		return nil
	}
	var all []string
	for _, path := range paths {
		i := max(strings.LastIndexByte(path, '/'), 0)
		collection := path[:i]
		names := func(p place) bool {
			own := collection == pathOf(ex.Request.URL) && IsOwnIdentifier(p.member, collection) // the resource that it creates itself
			return !own && path[i:] == "/"+p.text && p.means("id", collection)
		}
		if slices.ContainsFunc(sent, names) {
			all = append(all, path)
		}
	}
	return all
}

// IsOwnIdentifier reports whether a member may identify the resource created at a path, as opposed to a resource it refers to: id, name and
// eventId at /special-events, but not shelfId.
func IsOwnIdentifier(member, path string) bool {
	if !IsIdentifier(member) {
		return false
	}
	stem := strings.ToLower(member)
	for _, end := range []string{"uuid", "guid", "id"} {
		if rest, found := strings.CutSuffix(stem, end); found {
			stem = strings.TrimRight(rest, "_-.")
			return stem == "" || strings.Contains(strings.ToLower(path[strings.LastIndexByte(path, '/')+1:]), stem[:min(len(stem), 4)])
		}
	}
	return true
}

// likes ranks member names by how likely they are to hold the identifier at a place.
func (p place) likes(member string) int {
	switch {
	case p.member != "" && strings.EqualFold(member, p.member):
		return 3
	case member == "id":
		return 2
	case IsIdentifier(member):
		return 1
	}
	return 0
}

// IsIdentifier reports whether a member is named like an identifier: id, petId, pet_id, uuid, and the usual names of identifiers chosen by
// clients.
func IsIdentifier(member string) bool {
	switch lower := strings.ToLower(member); lower {
	case "key", "slug", "name", "code", "number":
		return true
	default:
		return strings.HasSuffix(lower, "id")
	}
}

// memberShown is a member of a response with its value as text.
type memberShown struct {
	shown
	text string
}

// membersBeyond returns the members of a response that its request did not send: those that only repeat the request prove nothing.
func membersBeyond(ex *spec.Exchange) []memberShown {
	sent := placesInBody(string(ex.Request.Body))
	return slices.DeleteFunc(membersOf(ex.Response.Body), func(m memberShown) bool {
		return slices.ContainsFunc(sent, func(p place) bool { return p.member == m.member && p.text == m.text })
	})
}

// membersOf returns the members of a JSON body that may be identifiers, in order.
func membersOf(body []byte) []memberShown {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	all, err := membersWithin(dec, "", "")
	if err != nil {
		return nil
	}
	counts := map[string]int{}
	for i := range all {
		counts[all[i].member]++
		all[i].nth = counts[all[i].member]
	}
	for i := range all {
		all[i].of = counts[all[i].member]
	}
	return all
}

// membersWithin returns the members in the next value, which is at a path of jq and has a name.
func membersWithin(dec *json.Decoder, path, name string) ([]memberShown, error) {
	var all []memberShown
	token, err := dec.Token()
	if err != nil {
		return nil, fmt.Errorf("no JSON: %w", err)
	}
	switch token := token.(type) {
	case json.Delim:
		for i := 0; dec.More(); i++ {
			at, member := path, ""
			if token == '[' {
				at += "[" + strconv.Itoa(i) + "]"
			} else {
				key, err := dec.Token()
				if err != nil {
					return nil, fmt.Errorf("no JSON: %w", err)
				}
				member, _ = key.(string)
				at += step(member)
			}
			within, err := membersWithin(dec, at, member)
			if err != nil {
				return nil, err
			}
			if token == '[' && i > 0 && !dec.More() {
				for k := range within {
					within[k].path = rooted(path+"[-1]") + strings.TrimPrefix(within[k].path, rooted(at))
				}
			}
			all = append(all, within...)
		}
		if _, err := dec.Token(); err != nil {
			return nil, fmt.Errorf("no JSON: %w", err)
		}
	case string, json.Number:
		if value := fmt.Sprint(token); name != "" && !strings.Contains(path, "'") && inLocation.MatchString(value) {
			all = append(all, memberShown{shown{member: name, path: rooted(path)}, value})
		}
	}
	return all, nil
}

// step returns a member as a step of a path of jq.
func step(member string) string {
	if inPath.MatchString(member) {
		return "." + member
	}
	return "[" + strconv.Quote(member) + "]"
}

// rooted returns a path that begins with a dot, as jq demands.
func rooted(path string) string {
	if strings.HasPrefix(path, ".") {
		return path
	}
	return "." + path
}

// places returns where a request may contain identifiers from earlier responses, in order.
func places(ex *spec.Exchange) []place {
	var all []place
	address := ex.Request.URL
	end := len(address)
	if i := strings.IndexAny(address, "?#"); i >= 0 {
		end = i
	}
	start := 0
	if i := strings.Index(address, "://"); i >= 0 {
		start = i + len("://")
	}
	for i := start; i < end; i++ {
		if address[i] != '/' {
			continue
		}
		segment, _, _ := strings.Cut(address[i+1:end], "/")
		if inLocation.MatchString(segment) {
			all = append(all, place{text: segment, from: i + 1, to: i + 1 + len(segment), within: pathOf(address[:i])})
		}
	}
	for i := end; i < len(address) && address[i] != '#'; {
		parameter, _, _ := strings.Cut(address[i+1:], "&")
		if name, value, ok := strings.Cut(parameter, "="); ok && IsIdentifier(name) && inLocation.MatchString(value) {
			from := i + 1 + len(name) + 1
			all = append(all, place{text: value, from: from, to: from + len(value), member: name})
		}
		i += 1 + len(parameter)
	}
	return append(all, placesInBody(string(ex.Request.Body))...)
}

// identifierSent matches a member of a JSON body that is named like an identifier.
var identifierSent = regexp.MustCompile(`"([A-Za-z0-9_.-]*(?:[iI][dD]|[kK]ey|[sS]lug))"\s*:\s*"?([A-Za-z0-9_.~:@-]+)"?\s*[,}\]]`)

func placesInBody(body string) []place {
	var all []place
	for _, at := range identifierSent.FindAllStringSubmatchIndex(body, -1) {
		all = append(all, place{text: body[at[4]:at[5]], from: at[4], to: at[5], body: true, member: body[at[2]:at[3]]})
	}
	return all
}

// pathOf returns the path of a URL without a trailing slash.
func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(u.EscapedPath(), "/")
}

// near is the largest distance between a known id and one computed from it. An id further away was chosen independently.
var near = big.NewInt(1_000_000)

// computed returns what a shell computes to get one id from another, as a format with one %s. Requests use the negative of a known id, ten
// times it, a tenth of it, or an id near it. It returns "" if the id was not computed from the known one.
func computed(known, asked string) string {
	if !integer.MatchString(known) || !integer.MatchString(asked) {
		return ""
	}
	k, okKnown := new(big.Int).SetString(known, 10)
	a, okAsked := new(big.Int).SetString(asked, 10)
	if !okKnown || !okAsked || !k.IsInt64() || !a.IsInt64() || a.String() != asked {
		return ""
	}
	ten := big.NewInt(10)
	switch {
	case a.Cmp(new(big.Int).Neg(k)) == 0:
		return "0 - %s"
	case a.Cmp(new(big.Int).Mul(k, ten)) == 0:
		return "%s * 10"
	case a.Cmp(new(big.Int).Quo(k, ten)) == 0:
		return "%s / 10"
	}
	d := new(big.Int).Sub(a, k)
	if d.CmpAbs(near) > 0 {
		return ""
	}
	if d.Sign() < 0 {
		return "%s - " + new(big.Int).Neg(d).String()
	}
	return "%s + " + d.String()
}
