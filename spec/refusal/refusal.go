package refusal

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
)

// Complaint is what a refusal says about one member of the request body.
type Complaint struct {
	// Pointer is the JSON Pointer of the member.
	Pointer string
	// Text is the sentence about it, or "" if the response has none.
	Text string
}

// mostRead bounds the length of a refusal, in bytes; mostComplaints the number of complaints, and deepest the depth of the response.
const (
	mostRead       = 32 << 10
	mostComplaints = 8
	deepest        = 8
)

// naming are the members of responses that name a member of the request: those of problem details, JSON:API, Spring, FastAPI, JSON Schema
// validators and others, in lower case.
var naming = []string{
	"pointer", "field", "fieldname", "field_name", "param", "parameter", "property", "propertypath", "property_path", "path", "loc", "location", "name", "attribute",
	"key", "source", "instancepath", "datapath", "target", "member", "instanceref", "element",
}

// saying are the members of responses that hold sentences, the most specific first.
var saying = []string{"message", "msg", "detail", "details", "defaultmessage", "reason", "description", "error", "title", "code", "type"}

// Read returns the complaints of a response body about the members at pointers, in the order of the response. It understands objects that
// name a member, such as {"pointer": "/name"} and {"loc": ["body", "name"]}, objects whose keys are members, such as
// {"errors": {"name": ["is too long"]}}, and sentences that quote the name of a member or begin with it. A name that several members
// share means the outermost one, or the one with the value that the sentence quotes. sent is the body that was refused.
func Read(body []byte, pointers []string, sent any) []Complaint {
	body = body[:min(len(body), mostRead)]
	r := reader{pointers: slices.Clone(pointers), sent: sent}
	slices.SortStableFunc(r.pointers, func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") })
	decoded, err := exactjson.Decode(body)
	if err != nil {
		r.sentence(string(body))
		return r.found
	}
	members, _ := decoded.Tree.(map[string]any)
	r.walk(decoded.Tree, 0, r.allMembers(members), nil)
	if len(r.found) == 0 {
		r.sentences(decoded.Tree, 0)
	}
	return r.found
}

// Sentence returns what a response body says as a whole: the sentences of a JSON document, or the text itself.
func Sentence(body []byte) string {
	body = body[:min(len(body), mostRead)]
	decoded, err := exactjson.Decode(body)
	if err != nil {
		return string(body)
	}
	if text := say(decoded.Tree); text != "" {
		return text
	}
	return string(body)
}

// reader collects complaints.
type reader struct {
	pointers []string
	sent     any
	found    []Complaint
}

func (r *reader) addComplaint(pointer, text string) {
	if len(r.found) < mostComplaints && !slices.ContainsFunc(r.found, func(c Complaint) bool { return c.Pointer == pointer }) {
		r.found = append(r.found, Complaint{Pointer: pointer, Text: text})
	}
}

// allMembers reports whether all members of an object are called as those of the request, so that they say what is wrong with these.
func (r *reader) allMembers(object map[string]any) bool {
	const few = 2 // one alone may be called so by chance
	for name := range object {
		if _, ok := r.place([]string{name}); !ok {
			return false
		}
	}
	return len(object) >= few
}

// walk looks for objects that name members. within reports whether the value is below a member such as errors, where keys may be names of
// members; above are those that lead to it.
func (r *reader) walk(value any, depth int, within bool, above []string) {
	if depth > deepest {
		return
	}
	switch v := value.(type) {
	case []any:
		for _, one := range v {
			r.walk(one, depth+1, within, above)
		}
	case map[string]any:
		if pointer, ok := r.named(v); ok {
			r.addComplaint(r.missingBelow(pointer, v), say(v))
			return
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			names := append(slices.Clip(above), steps(name)...)
			pointer, ok := r.place(names)
			if len(names) == len(above) || !ok || (!texts(v[name]) || slices.Contains(saying, strings.ToLower(name))) && (!within || describes(v, name)) {
				below := above
				if _, index := strconv.Atoi(name); index != nil {
					below = nil
				}
				r.walk(v[name], depth+1, within || holdsErrors(name), below)
				continue
			}
			before := len(r.found)
			r.walk(v[name], depth+1, true, names)
			if len(r.found) == before {
				r.addComplaint(pointer, say(v[name]))
			}
		}
	}
}

// missingBelow returns the place of the member that an object of a response names as missing below another one, as validators of JSON Schema do;
// otherwise that other one.
func (r *reader) missingBelow(pointer string, object map[string]any) string {
	if inner, ok := object["params"].(map[string]any); ok {
		object = inner
	}
	if name, ok := object["missingProperty"].(string); ok {
		if below, ok := r.place(append(jsonpointer.Tokens(pointer), name)); ok {
			return below
		}
	}
	return pointer
}

// describes reports whether a member of an object says something of an error, as the name of its class does, rather than what is wrong with
// the member of that name.
func describes(object map[string]any, name string) bool {
	lower := strings.ToLower(name)
	if !slices.Contains(naming, lower) && !slices.Contains(saying, lower) {
		return false
	}
	if text, is := object[name].(string); is && !strings.Contains(strings.TrimSpace(text), " ") {
		return true // one word, and no sentence
	}
	for other := range object {
		if other != name && slices.Contains(saying, strings.ToLower(other)) {
			return true
		}
	}
	return false
}

// holdsErrors reports whether a member of a response may hold complaints by the names of members.
func holdsErrors(name string) bool {
	name = fold(name)
	for _, word := range []string{"error", "detail", "field", "violation", "invalid", "validation", "message", "issue", "fault"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// texts reports whether a value is a list of texts, as frameworks give for each member.
func texts(value any) bool {
	list, ok := value.([]any)
	return ok && len(list) > 0 && !slices.ContainsFunc(list, func(one any) bool { _, text := one.(string); return !text })
}

// named returns the member that an object of a response names.
func (r *reader) named(object map[string]any) (string, bool) {
	for _, key := range naming {
		for name, value := range object {
			if strings.ToLower(name) != key {
				continue
			}
			if inner, ok := value.(map[string]any); ok { // JSON:API: {"source": {"pointer": …}}
				if pointer, ok := r.named(inner); ok {
					return pointer, true
				}
			}
			if pointer, ok := r.place(steps(value)); ok {
				return pointer, true
			}
		}
	}
	return "", false
}

// steps returns the names in what a response says of a place: a JSON Pointer, a path with dots or brackets, or a list of names.
func steps(value any) []string {
	switch v := value.(type) {
	case string:
		v = strings.TrimPrefix(v, "#")
		if strings.HasPrefix(v, "/") {
			return jsonpointer.Tokens(v)
		}
		return strings.FieldsFunc(v, func(c rune) bool { return strings.ContainsRune(".[]/$", c) })
	case []any:
		var all []string
		for _, one := range v {
			switch step := one.(type) {
			case string:
				all = append(all, step)
			case json.Number:
				all = append(all, step.String())
			case map[string]any: // Jackson: [{"fieldName": "name"}]
				if name, ok := step["fieldName"].(string); ok {
					all = append(all, name)
				}
			}
		}
		return all
	}
	return nil
}

// place returns the pointer that ends with names. Names in front of the first that fits, such as "body" and the name of a class, do not
// count, and neither do the numbers of items.
func (r *reader) place(names []string) (string, bool) {
	for first := range names {
		want := folded(names[first:])
		if len(want) == 0 {
			continue
		}
		for _, pointer := range r.pointers {
			if got := folded(jsonpointer.Tokens(pointer)); slices.Equal(got, want) {
				return pointer, true
			}
		}
	}
	if len(names) > 0 {
		if last := folded(names[len(names)-1:]); len(last) == 1 {
			for _, pointer := range r.pointers {
				if got := folded(jsonpointer.Tokens(pointer)); len(got) > 0 && got[len(got)-1] == last[0] {
					return pointer, true
				}
			}
		}
	}
	return "", false
}

// withValue returns the pointer of the member that has the name of another one and a value that a sentence quotes, or else that other one.
func (r *reader) withValue(pointer, sentence string) string {
	has := func(pointer, value string) bool {
		is, _ := exactjson.Lookup(r.sent, jsonpointer.Tokens(pointer))
		text, ok := is.(string)
		return ok && text == value
	}
	name := lastName(pointer)
	for _, found := range anyQuoted.FindAllStringSubmatch(sentence, mostComplaints) {
		if has(pointer, found[1]) {
			return pointer
		}
		if i := slices.IndexFunc(r.pointers, func(other string) bool { return lastName(other) == name && has(other, found[1]) }); i >= 0 {
			return r.pointers[i]
		}
	}
	return pointer
}

// lastName returns the name of the member at a pointer in the form in which spellings compare.
func lastName(pointer string) string {
	all := folded(jsonpointer.Tokens(pointer))
	return strings.Join(all[max(len(all)-1, 0):], "")
}

// folded returns names in a form in which spellings compare, without the numbers of items.
func folded(names []string) []string {
	var all []string
	for _, name := range names {
		if _, err := strconv.Atoi(name); err != nil && fold(name) != "" {
			all = append(all, fold(name))
		}
	}
	return all
}

// fold returns a name in lower case and without other characters than letters and digits: "ZoneType", "zone_type" and "zoneType" are one
// name.
func fold(name string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return unicode.ToLower(c)
		}
		return -1
	}, name)
}

// say returns the sentence in a value of a response.
func say(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case []any:
		var all []string
		for _, one := range v {
			if text := say(one); text != "" {
				all = append(all, text)
			}
		}
		return strings.Join(all, "; ")
	case map[string]any:
		for _, key := range saying {
			for name, inner := range v {
				if text := say(inner); strings.ToLower(name) == key && text != "" {
					return text
				}
			}
		}
	}
	return ""
}

// sentences reads all texts in a response.
func (r *reader) sentences(value any, depth int) {
	if depth > deepest {
		return
	}
	switch v := value.(type) {
	case string:
		r.sentence(v)
	case []any:
		for _, one := range v {
			r.sentences(one, depth+1)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			r.sentences(v[name], depth+1)
		}
	}
}

var (
	// quoted matches names in quotation marks.
	quoted = regexp.MustCompile("[\"'`“‘«]([A-Za-z_][\\w.\\[\\]/-]*)[\"'`”’»]")
	// bracketed matches a name in brackets in front of a sentence: "[Name]: Required".
	bracketed = regexp.MustCompile(`^\s*\[([A-Za-z_][\w.]*)\]\s*:`)
	// field matches the place in a Go struct that a value does not fit, and a parameter that Rails misses.
	field = regexp.MustCompile(`(?:Go struct field|the value is empty:)\s+([A-Za-z_][\w.]*)`)
	// subject matches a name that is what a sentence is about: "name must be given", "name in body is required".
	subject = regexp.MustCompile(`(?i)([A-Za-z_][\w.-]*)(?:\s+in\s+(?:the\s+)?(?:body|query|path|header|formdata))?(?:\s*:|\s+(?:is|are|must|should|cannot|can't|may not|has to|needs|was|field)\b)`)
	// object matches a name that follows a verb: "missing name", "unknown field name".
	object = regexp.MustCompile(`(?i)\b(?:missing|invalid|unknown|unexpected|unsupported|required|specify|provide|wrong)\s+(?:(?:field|property|member|parameter|key|value|attribute|for|of)\s+)*:?\s*([A-Za-z_][\w.-]*)`)
	// valued matches a name in front of the value that is wrong: "DNS Name 'text' is not canonical".
	valued = regexp.MustCompile("(?i)([a-z_][\\w.-]*)\\s+[\"'`“‘«][^\"'`”’»]*[\"'`”’»]\\s+(?:is|does|has|must|should|cannot|can't|may not)\\b")
	// anyQuoted matches a text in quotation marks.
	anyQuoted = regexp.MustCompile("[\"'`“‘«]([^\"'`“”‘’«»]{1,200})[\"'`”’»]")
	// labelled matches the last word of several in front of a wrong value: "Unknown TSIG algorithm: text".
	labelled = regexp.MustCompile(`(?i)\b(?:missing|invalid|unknown|unsupported|unexpected|wrong|bad)\s+(?:[\w.-]+\s+){1,2}([a-z_][\w.-]*)\s*:`)
	// absent matches a name that a sentence misses: "No rrsets given in update".
	absent = regexp.MustCompile(`(?i)\bno\s+([a-z_][\w.-]*)\s+(?:is |was |were )?(?:given|specified|provided|present|found|set)\b`)
	// spelled matches a name in several words in front of a verb: "Zone type can't be blank".
	spelled = regexp.MustCompile(`(?i)^\s*(?:the\s+)?([a-z][a-z0-9]*(?:\s+[a-z0-9]+){1,3}?)\s+(?:is|are|must|should|can't|can’t|cannot|may not|has|have|needs|was|does|field)\b`)
	// several matches a list of names: "The fields name, ttl must make a unique set."
	several = regexp.MustCompile(`(?i)\bfields\s+((?:[\w.]+,\s*)*[\w.]+(?:\s+and\s+[\w.]+)?)\s+(?:must|are|should|cannot|may)\b`)
	// chain matches the places that Jackson lists, and step one of them.
	chain = regexp.MustCompile(`through reference chain: (.*)`)
	step  = regexp.MustCompile(`\["([^"]+)"\]`)
	// known matches the members that a sentence names because they are right.
	known = regexp.MustCompile(`\([^()]*known properties:[^()]*\)?`)
)

// sentence reads a sentence, or several.
func (r *reader) sentence(text string) {
	text = known.ReplaceAllString(text, "")
	if found := chain.FindStringSubmatch(text); found != nil {
		var names []string
		for _, one := range step.FindAllStringSubmatch(found[1], deepest) {
			names = append(names, one[1])
		}
		if pointer, ok := r.place(names); ok {
			r.addComplaint(pointer, text)
			return
		}
	}
	for _, match := range []*regexp.Regexp{several, field, bracketed, quoted, subject, object, valued, labelled, absent, spelled} {
		before := len(r.found)
		for _, line := range strings.FieldsFunc(text, func(c rune) bool { return c == '\n' || c == ';' }) {
			for _, found := range match.FindAllStringSubmatch(line, mostComplaints) {
				for _, names := range namesIn(match, found[1]) {
					if pointer, ok := r.place(names); ok {
						r.addComplaint(r.withValue(pointer, line), line)
					}
				}
			}
		}
		if len(r.found) > before {
			return
		}
	}
}

// namesIn returns the places in what an expression has matched: a list of them, several words for one, or one as it is written.
func namesIn(match *regexp.Regexp, text string) [][]string {
	switch match {
	case several:
		var all [][]string
		for _, one := range strings.FieldsFunc(strings.ReplaceAll(text, " and ", ","), func(c rune) bool { return c == ',' || c == ' ' }) {
			all = append(all, steps(one))
		}
		return all
	case spelled:
		return [][]string{{strings.Join(strings.Fields(text), "")}}
	}
	return [][]string{steps(text)}
}
