package generate

import (
	"encoding/json"
	"strings"

	"pgregory.net/rapid"

	"hallmark/spec/derive"
)

// edits generates texts that differ from a word by one slip: a character lost, doubled, added, another case, blanks.
func edits(word string) *rapid.Generator[string] {
	if word == "" {
		return rapid.Just(" ") // nothing is nearer to nothing
	}
	return rapid.Custom(func(t *rapid.T) string {
		runes := []rune(word)
		at := Evenly([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}).Draw(t, "at") % len(runes)
		head, tail := string(runes[:at]), string(runes[at+1:])
		other := Evenly([]rune("abdelnosuvABS019_- ")).Draw(t, "other")
		slips := []string{
			head + strings.ToUpper(string(runes[at])) + tail,
			strings.ToUpper(word), strings.ToUpper(string(runes[:1])) + string(runes[1:]),
			head + tail, head + string(runes[at]) + string(runes[at]) + tail,
			head + string(other) + tail, head + string(other) + string(runes[at:]),
			word + string(other), string(other) + word, " " + word, word + " ", word + "\n", "\t" + word,
			word + "s", word + word, head, word + "\u0301", head + "\u200b" + string(runes[at:]),
		}
		return Evenly(slips).Draw(t, "slip")
	}).Filter(func(text string) bool { return text != word })
}

// damaged generates bodies that were valid until a byte was taken out, put in or replaced, or the end cut off, and that
// are certainly no JSON any more.
func (b *breaker) damaged(how int) *rapid.Generator[InvalidBody] {
	rule := b.rule(derive.BodyMalformed, b.operation.Body.Pointer+"/content")
	whole := b.body(nil, nil)
	simpler := []string{strings.TrimSuffix(whole, "}"), whole + "]", strings.TrimPrefix(whole, "{")}
	bodies := []string{whole}
	for i := range b.schema.Properties {
		if p := &b.schema.Properties[i]; len(p.Schema.Enum) > 0 {
			bodies = append(bodies, b.body(map[string]string{p.Name: p.Schema.Enum[0]}, nil))
		}
	}
	return rapid.Map(rapid.Custom(func(t *rapid.T) string {
		return damage(t, Evenly(bodies).Draw(t, "body"), how)
	}).Filter(noJSON), func(text string) InvalidBody {
		return InvalidBody{Rule: rule, text: text, simpler: simpler}
	})
}

// damages is how many ways of damage there are; laxDamage is the one that lax readers let pass.
const damages, laxDamage = 6, 4

// damage does something to one byte of a text, but not within the name: that has to stay what it is.
func damage(t *rapid.T, text string, how int) string {
	places := make([]int, len(text))
	for i := range places {
		places[i] = i
	}
	at := Evenly(places).Draw(t, "at")
	if start := strings.Index(text, nameHere); at > start && at < start+len(nameHere) {
		at = start
	}
	// What means something in JSON, and what only some readers let pass: comments, signs, quotes of other kinds.
	other := string(Evenly([]rune("\"{}[]:,'\\0-+./#ex")).Draw(t, "other"))
	head, rest := text[:at], text[at:]
	tail := strings.TrimPrefix(rest[1:], nameHere[1:])
	if !strings.HasPrefix(rest, nameHere) {
		tail = rest[1:]
	}
	switch how {
	case 0:
		return head + tail
	case 1:
		return head + other + tail
	case 2:
		return head
	case 3:
		return text + other
	case laxDamage:
		return Evenly(relaxed(text)).Draw(t, "relaxed")
	}
	return head + other + rest
}

// relaxed lists what readers of JSON5, YAML or JavaScript make of a body, and JSON does not allow.
func relaxed(text string) []string {
	inner := strings.TrimSuffix(strings.TrimPrefix(text, "{"), "}")
	name, rest, _ := strings.Cut(inner, ":")
	return []string{
		"{" + inner + ",}", "{," + inner + "}", strings.ReplaceAll(text, `"`, "'"), "{" + inner + "/* more */}", "// first\n" + text,
		"{" + strings.Trim(name, `"`) + ":" + rest + "}", text + ";", "(" + text + ")", strings.ReplaceAll(text, ",", ";"),
		strings.ReplaceAll(text, ":", "="), inner,
	}
}

// noJSON reports whether a body is certainly not one JSON text, whatever name is put into it; and not an empty one, which
// is another matter.
func noJSON(text string) bool {
	return strings.TrimSpace(text) != "" && !json.Valid([]byte(strings.ReplaceAll(text, nameHere, "hallmark-abcdef-1")))
}
