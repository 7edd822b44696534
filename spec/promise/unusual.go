package promise

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/instance"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// A value that a schema allows may be refused for reasons that no schema expresses, but must not cause a server
// error.

// unusual is a value that a schema allows and at which services tend to fail.
type unusual struct {
	value any
	says  string
}

// longText is longer than a column of 255 characters, longerText than one of 1,024.
const longText, longerText = 300, 2000

// unusualTexts returns texts; those that only JSON can carry come last.
func unusualTexts() []unusual {
	return []unusual{
		{`Zoë's "ñandú" 𝄞 \ 100% {{x}} <b>&amp;`, "holds accents, quotes, a sign beyond 16 bits, a backslash, a percent sign, braces and markup"},
		{strings.Repeat("long ", longText/len("long ")), "has " + strconv.Itoa(longText) + " characters"},
		{" ", "is a blank"},
		{"", "is empty"},
		{"two\nlines\tand\ta tab", "holds a line feed and tabs"},
		{"nul\x00inside", "holds the null character"},
		{"replaced \uFFFD here", "holds the replacement character"},
		{strings.Repeat("long ", longerText/len("long ")), "has " + strconv.Itoa(longerText) + " characters"},
	}
}

// inAddress is how many of the texts a URL can certainly carry.
const inAddress = 2

// unusualNumbers returns integers at the limits of narrower types and of the type that a format names.
func unusualNumbers(format string) []unusual {
	all := []unusual{{json.Number("0"), "is 0"}, {json.Number("-1"), "is negative"}, {json.Number("2147483647"), "is the greatest int32"}}
	switch format {
	case "int32":
		return append(all, unusual{json.Number("-2147483648"), "is the least int32"})
	case "int64":
		return append(all,
			unusual{json.Number("-2147483648"), "is the least int32"},
			unusual{json.Number("2147483649"), "is odd and beyond 31 bits"},
			unusual{json.Number("4294967296"), "is beyond 32 bits"},
			unusual{json.Number("9007199254740992"), "is where floats begin to leave integers out"},
			unusual{json.Number("-9007199254741003"), "is an integer that floats leave out"},
			unusual{json.Number("9223372036854775806"), "is one below the greatest int64"},
			unusual{json.Number("9223372036854775807"), "is the greatest int64"},
			unusual{json.Number("-9223372036854775808"), "is the least int64"})
	}
	return append(all, unusual{json.Number("2147483648"), "is beyond 31 bits"})
}

// unusualFor returns unusual values that a schema allows; none if it has an enum or a format.
func unusualFor(d *deriver, s *spec.Schema) []unusual {
	if s == nil || !s.Simple() || len(s.Enum) > 0 || s.Const != "" || s.ReadOnly {
		return nil
	}
	var all []unusual
	switch {
	case s.Type == "string" && (s.Format == "" || s.Format == "password"):
		all = unusualTexts()
	case s.Type == "integer":
		all = unusualNumbers(s.Format)
	}
	return slices.DeleteFunc(all, func(u unusual) bool { return !d.options.Valid(s, u.value) })
}

// deriveUnusual adds requests with unusual values, which must not cause a server error.
func deriveUnusual(d *deriver) {
	add := func(title string, change Change, contract []string) Case {
		return Case{Kind: Available, Aspect: Allowed, Title: title, Change: change, Contract: contract}
	}
	var cases []Case
	for _, p := range d.op.Parameters {
		safe := d.op.Method == http.MethodGet || d.op.Method == http.MethodHead
		if !ours(d.op, p) || p.Content != nil || p.Schema == nil || p.In != wire.InQuery && (p.In != wire.InPath || !safe) {
			continue
		}
		texts := 0
		for _, u := range unusualFor(d, p.Schema) {
			if _, text := u.value.(string); text {
				if texts++; texts > inAddress || p.In == wire.InPath {
					continue
				}
			}
			if s := request.Param(d.op, placeOfParameter(p)).Survives(u.value, request.HintOf(p.Schema)); s.Fate == wire.Carried && !s.Absent {
				cases = append(cases, add(p.Name+" "+u.says, withParameter(p, u.value), append([]string{p.Pointer}, p.Via...)))
			}
		}
	}
	d.group(cases...)
	b := d.op.Body
	if b == nil || ignoresBody(d.op.Method) {
		return
	}
	media := b.JSON()
	if media == nil || media.Schema == nil || !media.IsJSON() {
		return
	}
	chain := append([]string{b.Pointer}, b.Via...)
	base := d.generate.Base(instance.Subject{Name: "the body", Edge: media.Edge, Outer: append(slices.Clip(chain), media.Pointer), Examples: media.Examples})
	var texts, numbers []Case
	for _, at := range leaves(media.Schema, base, "", 0) {
		for _, u := range unusualFor(d, at.schema) {
			changed, ok := replaced(base, at.pointer, u.value)
			if !ok || !d.options.Valid(media.Schema, changed) {
				continue // surrounding schemas require more
			}
			c := add(lastName(at.pointer)+" "+u.says, changeOf(InBody, at.pointer, jsonText(u.value)), append(slices.Clip(chain), at.schema.Pointer))
			if _, text := u.value.(string); text {
				texts = append(texts, c)
			} else {
				numbers = append(numbers, c)
			}
		}
	}
	d.group(texts...)
	d.group(numbers...)
	deriveUnclear(d, media.Schema, base, chain)
	deriveWritten(d, base, media.Schema, chain)
	const unknown = "/hallmarkUnknown"
	if changed, ok := replaced(base, unknown, "unknown"); ok && d.options.Valid(media.Schema, changed) {
		d.group(add("the body has a property that the contract does not name", changeOf(InBody, unknown, `"unknown"`), chain))
	}
}

// Equivalent ways to write a body as JSON.
const (
	SeveralLines = "over several lines"
	ReverseOrder = "with its members in reverse order"
)

// deriveWritten adds the body written in other, equivalent ways.
func deriveWritten(d *deriver, base any, s *spec.Schema, chain []string) {
	object, ok := base.(map[string]any)
	if !ok || len(object) == 0 {
		return
	}
	ways := []string{SeveralLines}
	discriminated := false
	s.Walk(func(s *spec.Schema) { discriminated = discriminated || s.Discriminator != nil })
	if len(object) > 1 && !discriminated { // popular parsers want a discriminator first
		ways = append(ways, ReverseOrder)
	}
	var cases []Case
	for _, way := range ways {
		cases = append(cases, Case{
			Kind: Accepted, Aspect: Differs, Title: "the body is written " + way, Change: Change{Before: BodyWritten, Behind: way}, Contract: chain,
		})
	}
	d.group(cases...)
}

// Written returns a body as JSON, written in one of the ways.
func Written(value any, way string) ([]byte, error) {
	object, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("the body is no object")
	}
	names := slices.Sorted(maps.Keys(object))
	between, before, colon := ",", "", ":"
	if way == SeveralLines {
		between, before, colon = ",", "\n  ", " : "
	} else {
		slices.Reverse(names)
	}
	var b strings.Builder
	b.WriteString("{")
	for i, name := range names {
		if i > 0 {
			b.WriteString(between)
		}
		b.WriteString(before + jsonOf(name) + colon + jsonOf(object[name]))
	}
	b.WriteString(strings.TrimSuffix(before, "  ") + "}")
	return []byte(b.String()), nil
}

// damages are ways to make a JSON text invalid: the words of the step, the title of the case, and the function
// that damages the text of a value. extension marks texts that popular parsers accept, as RFC 8259, section 9,
// allows.
var damages = []struct {
	way, title string
	extension  bool
	of         func(text string, value any) string
}{
	{"without its last character", "the body lacks its last character", false, func(text string, _ any) string { return text[:len(text)-1] }},
	{"as a form", "the body is written as a form", false, func(_ string, value any) string { return asForm(value) }},
	{"with a brace behind it", "the body is followed by a brace", true, func(text string, _ any) string { return text + "}" }},
	{"with an object behind it", "the body is followed by an object", true, func(text string, _ any) string { return text + " {}" }},
	{"in single quotes", "the body is in single quotes", true, func(text string, _ any) string { return strings.ReplaceAll(text, `"`, "'") }},
	{"with a comma before its end", "the body has a comma before its end", true, func(text string, _ any) string {
		return text[:len(text)-1] + "," + text[len(text)-1:]
	}},
}

// Damages returns the ways in which [Damaged] damages a body.
func Damages() []string {
	var all []string
	for _, d := range damages {
		all = append(all, d.way)
	}
	return all
}

// Damaged returns a body that is nearly JSON, damaged in one of the ways. It returns an error if the value cannot
// be damaged that way.
func Damaged(value any, way string) ([]byte, error) {
	for _, d := range damages {
		if d.way != way {
			continue
		}
		text := d.of(jsonOf(value), value)
		if _, err := exactjson.Decode([]byte(text)); err != nil && text != "" {
			return []byte(text), nil
		}
	}
	return nil, fmt.Errorf("the body cannot be sent %s", way)
}

// asForm returns an object as a form, or "" for other values and for objects that a form cannot hold.
func asForm(value any) string {
	if object, is := value.(map[string]any); !is || len(object) == 0 {
		return ""
	}
	b, err := wire.SerializeBody("application/x-www-form-urlencoded", value, wire.BodyOptions{})
	if err != nil {
		return ""
	}
	return string(b.Data)
}

// leaf is a scalar in a body, and its schema.
type leaf struct {
	pointer string
	schema  *spec.Schema
}

// Bounds on the leaves of a body: their number and depth.
const mostLeaves, deepestLeaf = 8, 3

// leaves returns the leaves of a body.
func leaves(s *spec.Schema, value any, at string, depth int) []leaf {
	object, ok := value.(map[string]any)
	if s == nil || !ok || depth > deepestLeaf {
		return nil
	}
	var all []leaf
	for i := range s.Properties {
		p := &s.Properties[i]
		member, there := object[p.Name]
		if !there || p.Schema == nil {
			continue
		}
		pointer := jsonpointer.Join(at, p.Name)
		switch member.(type) {
		case map[string]any:
			all = append(all, leaves(p.Schema, member, pointer, depth+1)...)
		case []any:
		default:
			all = append(all, leaf{pointer, p.Schema})
		}
	}
	return all[:min(len(all), mostLeaves)]
}

// leftOut returns a value without the member at a pointer; false if there is none.
func leftOut(value any, pointer string) (any, bool) {
	d, err := exactjson.Decode([]byte(jsonOf(value)))
	tokens := jsonpointer.Tokens(pointer)
	if err != nil || len(tokens) == 0 {
		return nil, false
	}
	parent, _ := exactjson.Lookup(d.Tree, tokens[:len(tokens)-1])
	members, is := parent.(map[string]any)
	if _, there := members[tokens[len(tokens)-1]]; !is || !there {
		return nil, false
	}
	delete(members, tokens[len(tokens)-1])
	return d.Tree, true
}

// replaced returns a value with another one at a pointer; false if there is no such place.
func replaced(value any, pointer string, with any) (any, bool) {
	d, err := exactjson.Decode([]byte(jsonOf(value)))
	if err != nil {
		return nil, false
	}
	tokens := jsonpointer.Tokens(pointer)
	if len(tokens) == 0 {
		return with, true
	}
	parent, _ := exactjson.Lookup(d.Tree, tokens[:len(tokens)-1])
	switch last := tokens[len(tokens)-1]; p := parent.(type) {
	case map[string]any:
		p[last] = with
		return d.Tree, true
	case []any:
		if i, err := strconv.Atoi(last); err == nil && i >= 0 && i < len(p) {
			p[i] = with
			return d.Tree, true
		}
	}
	return nil, false
}
