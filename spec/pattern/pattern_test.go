package pattern

import (
	"encoding/base64"
	"encoding/json"
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func compile(t testing.TB, text string) *Pattern {
	t.Helper()
	p, err := Compile(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return p
}

// check holds what was made for a pattern against it.
func check(t testing.TB, p *Pattern, texts []string, low, high int, want bool) {
	t.Helper()
	for i, s := range texts {
		matches, err := p.Matches(s)
		if n := utf8.RuneCountInString(s); err != nil || matches != want || n < low || high >= 0 && n > high || !utf8.ValidString(s) {
			t.Errorf("%q: matches is %v, %v, with %d characters", s, matches, err, n)
		}
		if slices.Contains(texts[:i], s) {
			t.Errorf("%q is there twice", s)
		}
	}
}

func TestStrings(t *testing.T) {
	tests := []struct {
		pattern   string
		low, high int
		shortest  string
	}{
		{`^[a-z]+$`, 0, -1, "a"},
		{`^[a-z]+$`, 20, 20, strings.Repeat("a", 20)},
		{`^\d{3}-\d{4}$`, 0, -1, "000-0000"},
		{`^(\d{2}|[A-Z]{5})$`, 3, -1, "AAAAA"},
		{`abc`, 0, -1, "abc"},
		{`abc`, 6, 6, "abc…"},
		{`^abc`, 5, -1, "abc…"},
		{`abc$`, 5, -1, "…abc"},
		{`^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[@$!%*?&])[A-Za-z\d@$!%*?&]{8,}$`, 0, 64, "…"},
		{`^(?!.*\.\.)[a-z.]{3,10}$`, 0, -1, "aaa"},
		{`^(?!admin$)[a-z]{5}$`, 0, -1, "aaaaa"},
		{`^(a|b)\1\1$`, 0, -1, "aaa"},
		{`^(?<x>[ab])-\k<x>$`, 0, -1, "a-a"},
		{`^\p{Lu}\p{Ll}+$`, 0, -1, "Aa"},
		{`^[^a-zA-Z0-9]{3}$`, 0, -1, "!!!"},
		{`^[\s\S]*$`, 0, 0, ""},
		{`^\u00e4\x41\u{1F600}$`, 0, -1, "äA😀"},
		{`^\t[\b]\cJ\0$`, 0, -1, "\t\b\n\x00"},
		{`^a{2}b{1,}c{0,2}?d*?$`, 0, -1, "aab"},
		{`^{a}x{,3}]$`, 0, -1, "{a}x{,3}]"},
		{`\bword\b`, 0, -1, "word"},
		{``, 3, 5, "…"},
		{`^$`, 0, -1, ""},
		{`^(([a-z]{2,}){2,}){2,}$`, 0, -1, "aaaaaaaa"},
		{`^.{5000}$`, 0, -1, strings.Repeat("a", 5000)},
		{`^(GET|POST)( [a-z]+){2}$`, 0, 12, "GET a a"},
		{`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`, 36, 36, "…"},
	}
	for _, test := range tests {
		p := compile(t, test.pattern)
		texts := p.Strings(1, 3, test.low, test.high)
		if len(texts) == 0 {
			t.Errorf("%s: nothing was made", test.pattern)
		}
		check(t, p, texts, test.low, test.high, true)
		if again := p.Strings(1, 3, test.low, test.high); !slices.Equal(texts, again) {
			t.Errorf("%s: %q and then %q", test.pattern, texts, again)
		}
		shortest, ok := p.Shortest(test.low, test.high)
		if before, after, open := strings.Cut(test.shortest, "…"); !ok || !open && shortest != test.shortest || !strings.HasPrefix(shortest, before) || !strings.HasSuffix(shortest, after) {
			t.Errorf("%s: shortest is %q, want %q", test.pattern, shortest, test.shortest)
		}
		check(t, p, []string{shortest}, test.low, test.high, true)
		check(t, p, p.NearMisses(1, 4, test.low, test.high), test.low, test.high, false)
	}
}

func TestStringsAdmitThatThereAreNone(t *testing.T) {
	for _, test := range []struct {
		pattern   string
		low, high int
	}{
		{`.^`, 0, -1}, {`^[a-z]{5}$`, 0, 4}, {`^[a-z]{5}$`, 6, -1}, {`[]`, 0, -1}, {`^(?!a)a`, 0, -1}, {`^a{30000}$`, 0, -1},
		{`^((a?){20000}){20000}b{9}$`, 0, 8}, {`abc`, 30000, -1}, {`x`, 5, 4},
	} {
		p := compile(t, test.pattern)
		if texts := p.Strings(1, 2, test.low, test.high); len(texts) > 0 {
			t.Errorf("%s: %q", test.pattern, texts)
		}
		if text, ok := p.Shortest(test.low, test.high); ok {
			t.Errorf("%s: %q", test.pattern, text)
		}
	}
}

func TestNearMisses(t *testing.T) {
	for pattern, want := range map[string]int{
		`^[a-z]+$`: 4, `^[^#$%]*$`: 4, `^\d{6}$`: 4, `[a-z]`: 4, `\S`: 1, `^.{0,3}$`: 4, `^A$`: 4, `.*`: 0, `^`: 0,
	} {
		p := compile(t, pattern)
		misses := p.NearMisses(7, 4, 0, 20)
		if len(misses) < want || want == 0 && len(misses) > 0 {
			t.Errorf("%s: %q", pattern, misses)
		}
		check(t, p, misses, 0, 20, false)
	}
}

func TestCompileRefusesOtherSyntax(t *testing.T) {
	for _, text := range []string{`(`, `)`, `[`, `a**`, `*a`, `[b-a]`, `(?<a`, `a{2,1}`, `\p{Nonsense}`, `(?#a)`, `\`, strings.Repeat("(", 300), strings.Repeat("a", 30_000)} {
		if p, err := Compile(text); err == nil {
			t.Errorf("%.20q is taken for a pattern: %v", text, p.Strings(1, 1, 0, -1))
		}
	}
}

func TestHostilePatternsEnd(t *testing.T) {
	start := time.Now()
	for _, text := range []string{
		`^(a+)+b\1$`, `^(([a-z])+.)+[A-Z]([a-z])+$`, `((a?){20000}){20000}`, `^(?=(a+)+$)(?=.*(b+)+c)x`, `(x+x+)+y`, `^(.*,){30}!$`,
		strings.Repeat("(a|", 150) + strings.Repeat(")", 150), strings.Repeat(`[\p{L}\p{N}]`, 500), `((a{1,999}){1,999}){1,999}`, `^(a|aa)+$(?<!aaaa)`,
	} {
		p, err := Compile(text)
		if err != nil {
			continue
		}
		check(t, p, p.Strings(1, 3, 0, -1), 0, -1, true)
		_, _ = p.Shortest(0, 1000)
		_ = p.NearMisses(1, 3, 0, 1000)
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("it took %v", took)
	}
}

func TestFormats(t *testing.T) {
	parses := map[string]func(string) error{
		"date":      func(s string) error { _, err := time.Parse(time.DateOnly, s); return err },
		"date-time": func(s string) error { _, err := time.Parse(time.RFC3339, s); return err },
		"email":     func(s string) error { _, err := mail.ParseAddress(s); return err },
		"uri":       func(s string) error { _, err := url.ParseRequestURI(s); return err },
		"ipv4":      func(s string) error { _, err := netip.ParseAddr(s); return err },
		"ipv6":      func(s string) error { _, err := netip.ParseAddr(s); return err },
		"byte":      func(s string) error { _, err := base64.StdEncoding.DecodeString(s); return err },
		"base64url": func(s string) error { _, err := base64.URLEncoding.DecodeString(s); return err },
		"int32":     func(s string) error { _, err := strconv.ParseInt(s, 10, 32); return err },
		"int64":     func(s string) error { _, err := strconv.ParseInt(s, 10, 64); return err },
		"double":    func(s string) error { _, err := strconv.ParseFloat(s, 64); return err },
		"regex":     func(s string) error { _, err := regexp.Compile(s); return err },
	}
	for name := range formats {
		var schema *jsonschema.Schema
		compiler := jsonschema.NewCompiler()
		compiler.AssertFormat()
		if err := compiler.AddResource("s.json", map[string]any{"format": name}); err != nil {
			t.Fatal(err)
		}
		schema, err := compiler.Compile("s.json")
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(50) {
			texts, ok := Format(name, seed, 3, 0, -1)
			if !ok || len(texts) < 3 {
				t.Errorf("%s: %q", name, texts)
			}
			for _, s := range texts {
				if err := schema.Validate(s); err != nil {
					t.Errorf("%s: %q: %v", name, s, err)
				}
				if parse := parses[name]; parse != nil && parse(s) != nil {
					t.Errorf("%s: %q: %v", name, s, parse(s))
				}
			}
			if again, _ := Format(name, seed, 3, 0, -1); !slices.Equal(texts, again) {
				t.Errorf("%s: %q and then %q", name, texts, again)
			}
		}
		texts, _ := Format(name, 1, 3, 5, 8)
		for _, s := range texts {
			if n := utf8.RuneCountInString(s); n < 5 || n > 8 || schema.Validate(s) != nil {
				t.Errorf("%s: %q is not within 5 to 8 characters, or wrong", name, s)
			}
		}
	}
	for name, length := range map[string]int{"email": 50, "uri": 300, "hostname": 200, "byte": 400, "binary": 5, "password": 8, "json-pointer": 99, "uuid": 36} {
		texts, _ := Format(name, 1, 1, length, length)
		if len(texts) == 0 || utf8.RuneCountInString(texts[0]) != length {
			t.Errorf("%s of %d characters: %q", name, length, texts)
		}
	}
	if texts, ok := Format("uuid", 1, 1, 40, -1); !ok || len(texts) > 0 {
		t.Errorf("a uuid of 40 characters: %q", texts)
	}
	if _, ok := Format("nonsense", 1, 1, 0, -1); ok {
		t.Error("an unknown format is known")
	}
}

// Where a number need not be negative it is not, before those that are.
func TestNumbersOfFormatsAreNegativeLast(t *testing.T) {
	for _, name := range []string{"decimal", "double"} {
		for seed := range uint64(20) {
			texts, _ := Format(name, seed, 8, 0, -1)
			if len(texts) < 8 || strings.HasPrefix(texts[0], "-") || !strings.HasPrefix(texts[len(texts)-1], "-") {
				t.Errorf("%s, seed %d: %q", name, seed, texts)
			}
		}
	}
}

func TestFormatMisses(t *testing.T) {
	for name := range formatMisses {
		compiler := jsonschema.NewCompiler()
		compiler.AssertFormat()
		compiler.RegisterFormat(&jsonschema.Format{Name: "byte", Validate: func(v any) error {
			_, err := base64.StdEncoding.DecodeString(v.(string))
			return err
		}})
		if err := compiler.AddResource("s.json", map[string]any{"format": name}); err != nil {
			t.Fatal(err)
		}
		schema, err := compiler.Compile("s.json")
		if err != nil {
			t.Fatal(err)
		}
		misses, ok := FormatMisses(name)
		if !ok || len(misses) < 3 {
			t.Errorf("%s: %q", name, misses)
		}
		for _, s := range misses {
			if schema.Validate(s) == nil {
				t.Errorf("%s: %q is one", name, s)
			}
		}
	}
	if misses, ok := FormatMisses("password"); ok {
		t.Errorf("a password can be none: %q", misses)
	}
}

func BenchmarkStrings(b *testing.B) {
	for _, text := range []string{`^[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}$`, `^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[A-Za-z\d]{8,}$`, `^[\w-]+(\.[\w-]+)*@([\w-]+\.)+[a-zA-Z]+$`} {
		b.Run(text, func(b *testing.B) {
			for b.Loop() {
				p, err := Compile(text)
				if err != nil || len(p.Strings(1, 3, 0, -1)) < 3 {
					b.Fatal(err)
				}
			}
		})
	}
}

// FuzzPattern makes texts for any pattern. What is made must match, and all must end.
func FuzzPattern(f *testing.F) {
	for _, text := range []string{`^[a-z]+$`, `(?=a)b|c{2,3}?`, `[^\d-z]`, `\u{61}\p{L}`, `(a|b)\1`, `(?<!x)y`, `{`, `]`, `[]`, `[^]`} {
		f.Add(text, 0, -1)
		f.Add(text, 3, 9)
	}
	f.Fuzz(func(t *testing.T, text string, low, high int) {
		p, err := Compile(text)
		if err != nil || !json.Valid([]byte(strconv.Quote(text))) && !utf8.ValidString(text) {
			return
		}
		for _, s := range p.Strings(1, 2, low, high) {
			if matches, err := p.Matches(s); err != nil || !matches {
				t.Fatalf("%q does not match %q: %v", s, text, err)
			}
		}
		_, _ = p.Shortest(low, high)
		_ = p.NearMisses(1, 2, low, high)
	})
}
