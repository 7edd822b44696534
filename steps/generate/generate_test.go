package generate

import (
	"encoding/json"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"hallmark/spec"
	"hallmark/spec/derive"
	"hallmark/tests/petstoretest"
)

// createOperation is createPet of the built-in contract, and the rules that invalid bodies of it break.
func createOperation(t *testing.T) (spec.Operation, RuleFunc) {
	t.Helper()
	contract := petstoretest.Contract(t)
	catalogue := petstoretest.Catalogue(t)
	op, ok := contract.Operation("createPet")
	if !ok {
		t.Fatal("the contract has no createPet")
	}
	return *op, func(kind derive.Kind, pointers ...string) string {
		rule, ok := catalogue.ForCase(op.ID, string(kind), pointers...)
		if !ok {
			return "create.refused"
		}
		return rule.ID
	}
}

// member is a member of an object as it stands in a text, so that repeated ones are seen.
type member struct {
	name  string
	value any
}

// membersOf reads an object without the code under test.
func membersOf(t *testing.T, text string) []member {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		t.Fatalf("%s is no object: %v", text, err)
	}
	var out []member
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			t.Fatal(err)
		}
		var value any
		if err := dec.Decode(&value); err != nil {
			t.Fatal(err)
		}
		out = append(out, member{name.(string), value})
	}
	return out
}

// wrong names the constraint of NewPet that a member breaks, "" for none; by the interface alone.
func wrong(m member) string {
	switch v := m.value.(type) {
	case nil:
		if m.name == "status" {
			return "create.status.type"
		}
		return "create." + m.name + ".required"
	case string:
		switch {
		case m.name == "categoryId":
			return "create.categoryId.type"
		case m.name == "status" && v != "available" && v != "pending" && v != "sold":
			return "create.status.values"
		}
	case json.Number:
		if m.name != "categoryId" {
			return "create." + m.name + ".type"
		}
		exact, ok := new(big.Rat).SetString(v.String())
		switch {
		case !ok:
			return "?"
		case !exact.IsInt():
			return "create.categoryId.type"
		case !exact.Num().IsInt64():
			return "create.categoryId.int64"
		}
	default:
		return "create." + m.name + ".type"
	}
	return ""
}

func TestValidBodiesAreValid(t *testing.T) {
	op, _ := createOperation(t)
	const name = "hallmark-abcdef-1234"
	seen := map[string]int{}
	for _, d := range Valid(op, map[string]string{"categoryId": "1"}, 1200, func(i int) int { return i }) {
		raw, names := d.Write(name)
		if !json.Valid(raw) || !utf8.Valid(raw) {
			t.Fatalf("%q is no JSON in UTF-8", raw)
		}
		had := map[string]bool{}
		for _, m := range membersOf(t, string(raw)) {
			if had[m.name] || !slices.Contains([]string{"name", "categoryId", "status"}, m.name) {
				t.Fatalf("%s: the member %s is unknown or there twice", raw, m.name)
			}
			had[m.name] = true
			if rule := wrong(m); rule != "" {
				t.Fatalf("%s breaks %s", raw, rule)
			}
			switch m.name {
			case "name":
				text := m.value.(string)
				if !strings.Contains(text, name) || len(names) != 1 || names[0] != text {
					t.Fatalf("%q does not show whose it is (names %q)", text, names)
				}
				count(seen, "beyond the basic plane", strings.ContainsFunc(text, func(r rune) bool { return r > 0xffff }))
				count(seen, "a control character", strings.ContainsFunc(text, func(r rune) bool { return r < ' ' }))
				count(seen, "a combining mark", strings.ContainsFunc(text, func(r rune) bool { return r >= 0x300 && r < 0x330 }))
				count(seen, "a quote", strings.ContainsAny(text, `"'`))
				count(seen, "markup", strings.ContainsAny(text, "<>&"))
				count(seen, "a blank at the end", strings.TrimSpace(text) != text)
				count(seen, "more than 100 characters", utf8.RuneCountInString(text) > 100)
				if n := utf8.RuneCountInString(text); n > 1500 {
					t.Fatalf("a name of %d characters is too long", n)
				}
				count(seen, "a plain name", !d.fields[0].unusual(sampleName))
			case "categoryId":
				text := m.value.(json.Number).String()
				n, err := strconv.ParseInt(text, 10, 64)
				if err != nil || strconv.FormatInt(n, 10) != text {
					t.Fatalf("%s is no int64 in its plain form", text)
				}
				count(seen, "the configured category", n == 1)
				count(seen, "beyond 2^53", n > 1<<53 && int64(float64(n)) != n)
				count(seen, "beyond 32 bits", n > math.MaxInt32 || n < math.MinInt32)
				count(seen, "an end of int64", n == math.MinInt64 || n == math.MaxInt64)
			}
		}
		if !had["name"] || !had["categoryId"] {
			t.Fatalf("%s lacks what is required", raw)
		}
		count(seen, "a status", had["status"])
		count(seen, "no status", !had["status"])
		count(seen, "escapes", d.escaped)
	}
	const kinds = 15
	for what, n := range seen {
		if n < 15 {
			t.Errorf("of 1200 bodies %d have %s: too few", n, what)
		}
	}
	if len(seen) < kinds {
		t.Errorf("only these kinds were generated: %v", seen)
	}
}

func count(seen map[string]int, what string, is bool) {
	if is {
		seen[what]++
	}
}

// TestInvalidBodiesBreakOneConstraint is what keeps the suite from accusing anybody: each body breaks one documented
// constraint, that of its rule, and nothing in it is left open by the interface.
func TestInvalidBodiesBreakOneConstraint(t *testing.T) {
	op, rules := createOperation(t)
	all := Invalid(op, map[string]string{"categoryId": "1"}, rules, 2000, func(i int) int { return 100_000 + i })
	broken := map[string]int{}
	for _, b := range all {
		for _, c := range append([]InvalidBody{b}, b.Smaller()...) {
			if got := brokenRule(t, string(c.Write("hallmark-abcdef-7"))); got != c.Rule {
				t.Fatalf("%s is meant to break %s, and breaks %q", c.text, c.Rule, got)
			}
		}
		broken[b.Rule]++
	}
	for _, id := range []string{
		"create.body.json", "create.body.object", "create.name.required", "create.name.type", "create.categoryId.required",
		"create.categoryId.type", "create.categoryId.int64", "create.status.type", "create.status.values",
	} {
		if broken[id] < 30 {
			t.Errorf("of 2000 bodies %d break %s: too few", broken[id], id)
		}
	}
}

// brokenRule says which rule a body breaks, by the interface alone; with a reason in brackets when it is left open.
func brokenRule(t *testing.T, text string) string {
	t.Helper()
	if strings.TrimSpace(text) == "" {
		return "(empty)"
	}
	if !json.Valid([]byte(text)) {
		return "create.body.json"
	}
	if !strings.HasPrefix(strings.TrimSpace(text), "{") {
		return "create.body.object"
	}
	var broken []string
	had := map[string]bool{}
	unknown := 0
	for _, m := range membersOf(t, text) {
		switch {
		case had[m.name]:
			return "(a member is repeated)"
		case m.name != "name" && m.name != "categoryId" && m.name != "status":
			unknown++
			continue
		}
		had[m.name] = true
		if n, ok := m.value.(json.Number); ok && strings.ContainsAny(n.String(), ".eE") {
			exact, _ := new(big.Rat).SetString(n.String())
			near, _ := strconv.ParseFloat(n.String(), 64)
			if exact.IsInt() && exact.Num().IsInt64() || !exact.IsInt() && near == math.Trunc(near) {
				return "(an integer in another form, or nearly one)"
			}
		}
		if rule := wrong(m); rule != "" {
			broken = append(broken, rule)
		}
	}
	missing := 0
	for _, required := range []string{"name", "categoryId"} {
		if !had[required] {
			missing++
			broken = append(broken, "create."+required+".required")
		}
	}
	if unknown > missing {
		return "(unknown members)"
	}
	return strings.Join(broken, " and ")
}

func TestSmallerTextsAreSmaller(t *testing.T) {
	for _, text := range []string{"", "a", "ab", "日本語", strings.Repeat("xyz", 50)} {
		for _, smaller := range smallerStrings(text) {
			if utf8.RuneCountInString(smaller) > utf8.RuneCountInString(text) || smaller == text || !utf8.ValidString(smaller) {
				t.Errorf("%q is not smaller than %q", smaller, text)
			}
		}
	}
	for _, n := range []string{"0", "5", "-9223372036854775808", "9007199254740993"} {
		for _, smaller := range smallerIntegers(n) {
			x, _ := new(big.Int).SetString(n, 10)
			y, ok := new(big.Int).SetString(smaller, 10)
			if !ok || y.CmpAbs(x) >= 0 {
				t.Errorf("%s is not nearer to zero than %s", smaller, n)
			}
		}
	}
}
