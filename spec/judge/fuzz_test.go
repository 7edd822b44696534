package judge

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"hallmark/spec"
)

// FuzzAnswer throws anything at the judge. It must never fail, and it must agree with the second reading below, which
// shares no code with it: the standard library's JSON, big integers, and the interface written down once more by hand.
func FuzzAnswer(f *testing.F) {
	for _, body := range []string{
		"", "[]", "null", rex, notFound, pets(2), "[" + rex + ",null]", `{"id":1e2,"name":"x","categoryId":-0}`, "\ufeff[]",
		`[{"id":9223372036854775808,"name":"x","categoryId":1,"status":"sold"}]`, `{"id":1,"id":2,"name":"","categoryId":1}`,
		`{"id":1.50e1,"name":"\ud800","categoryId":1e10000000}`, "<html>", `{"code":"","message":"","status":1e-3}`, "[]x",
		`{"id":1,"name":"x","categoryId":1,"status":null}`, "\"\xff\"",
	} {
		for i := range 6 {
			f.Add([]byte(body), uint8(i), "application/json")
		}
	}
	f.Add([]byte("[]"), uint8(0), "text/html; a=b")
	f.Add([]byte(notFound), uint8(3), " APPLICATION/json ;")
	contract, catalogue := testContract(f), testCatalogue(f)
	cases := []struct {
		operation string
		status    int
		form      func(pairs) bool
	}{
		{"listPets", 200, isPets}, {"createPet", 201, isPet}, {"getPet", 200, isPet}, {"getPet", 404, isError},
		{"listPets", 401, isError}, {"createPet", 500, isError}, {"createPet", 202, isPet}, {"getPet", 302, isAnything},
	}
	f.Fuzz(func(t *testing.T, body []byte, which uint8, media string) {
		if bytes.Count(body, []byte("["))+bytes.Count(body, []byte("{")) > 5000 {
			return // the limit of both readers, see TestDecodeJSONAdmitsItsLimit
		}
		c := cases[int(which)%len(cases)]
		ex := answerAs(c.operation, c.status, media, string(body))
		value, findings, exercised := testJudge(t).Answer(ex)
		if value.Err != nil {
			t.Fatalf("it could not be judged: %v", value.Err)
		}
		for _, f := range findings {
			if r, ok := catalogue.Rule(f.Rule); !ok || !r.Always || r.Level != spec.Must {
				t.Errorf("the rule %q", f.Rule)
			}
			if f.Expected.IsZero() || f.Actual.IsZero() || f.Where.IsZero() || f.Cause == "" || !contract.Exists(f.Contract) {
				t.Errorf("something is missing: %+v", f)
			}
			if shown := f.Expected.String() + f.Actual.String() + f.Where.String(); !utf8.ValidString(shown) || strings.ContainsAny(shown, "\n\r\x1b\x00") || len(shown) > 2000 {
				t.Errorf("it cannot be shown: %q", shown)
			}
			if _, there := value.At(f.Pointer); f.Pointer != "" && !there {
				t.Errorf("nothing is at %s", f.Pointer)
			}
			if !strings.Contains(strings.Join(exercised, " "), f.Rule) {
				t.Errorf("%s is broken but not among %v", f.Rule, exercised)
			}
		}
		if strings.Contains(media, ",") {
			return // a list of media types is beyond the second reading
		}
		sound := isMedia(media) || len(body) == 0
		tree, valid := readPairs(body)
		if sound = sound && valid && c.form(tree); sound != (len(findings) == 0) {
			t.Errorf("the second reading says %v; findings: %v", sound, findings)
		}
	})
}

func isMedia(header string) bool {
	before, _, _ := strings.Cut(header, ";")
	return strings.EqualFold(strings.TrimSpace(before), "application/json")
}

// pairs is a JSON value as the second reading keeps it: an object has all its members, repeated ones too.
type pairs struct {
	kind    byte // n, b, 0, s, [ or {
	text    string
	names   []string
	members []pairs
}

func readPairs(body []byte) (pairs, bool) {
	if !utf8.Valid(body) || !json.Valid(body) {
		return pairs{}, false
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	return readPair(d), true
}

func readPair(d *json.Decoder) pairs {
	token, _ := d.Token()
	switch v := token.(type) {
	case bool:
		return pairs{kind: 'b'}
	case json.Number:
		return pairs{kind: '0', text: string(v)}
	case string:
		return pairs{kind: 's', text: v}
	case json.Delim:
		p := pairs{kind: byte(v)}
		for d.More() {
			if v == '{' {
				name, _ := d.Token()
				p.names = append(p.names, name.(string))
			}
			p.members = append(p.members, readPair(d))
		}
		_, _ = d.Token()
		return p
	}
	return pairs{kind: 'n'}
}

// all reports whether every member of that name is right and they all say the same.
func (p pairs) all(name string, required bool, right func(pairs) bool) bool {
	found := false
	first := ""
	for i, n := range p.names {
		if n != name {
			continue
		}
		if !right(p.members[i]) {
			return false
		}
		same := p.members[i].text
		if p.members[i].kind == '0' {
			same = integer(same).String()
		}
		if found && same != first {
			return false
		}
		found, first = true, same
	}
	return found || !required
}

// integer is the value of a number that is an integer of bearable size, else nil.
func integer(text string) *big.Int {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	n, ok := new(big.Int).SetString(whole+fraction, 10)
	if !ok {
		return nil
	}
	if n.Sign() == 0 {
		return n
	}
	shift := -len(fraction)
	if exponent != "" {
		e, err := strconv.Atoi(exponent)
		if err != nil || e > 1_000_000_000 || e < -1_000_000_000 {
			e = 1_000_000
			if strings.HasPrefix(exponent, "-") {
				e = -e
			}
		}
		shift += e
	}
	for ; shift < 0; shift++ {
		rest := new(big.Int)
		if n.QuoRem(n, big.NewInt(10), rest); rest.Sign() != 0 {
			return nil
		}
	}
	for ; shift > 0; shift-- {
		if n.Mul(n, big.NewInt(10)); n.BitLen() > 10_000 {
			return n
		}
	}
	return n
}

func isInteger(p pairs) bool { return p.kind == '0' && integer(p.text) != nil }
func isID(p pairs) bool      { return isInteger(p) && integer(p.text).IsInt64() }
func isText(p pairs) bool    { return p.kind == 's' }
func isStatus(p pairs) bool {
	return p.kind == 's' && (p.text == "available" || p.text == "pending" || p.text == "sold")
}
func isAnything(pairs) bool { return true }

func isPet(p pairs) bool {
	return p.kind == '{' && p.all("id", true, isID) && p.all("name", true, isText) && p.all("categoryId", true, isID) &&
		p.all("status", false, isStatus)
}

func isError(p pairs) bool {
	return p.kind == '{' && p.all("code", true, isText) && p.all("message", true, isText) && p.all("status", true, isInteger)
}

func isPets(p pairs) bool {
	if p.kind != '[' || len(p.members) > 100 {
		return false
	}
	for _, m := range p.members {
		if !isPet(m) {
			return false
		}
	}
	return true
}
