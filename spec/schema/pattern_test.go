package schema

import (
	"testing"

	"github.com/dlclark/regexp2"
)

func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern       string
		match, differ string
	}{
		{`^a.c$`, "abc", "a\u2028c"},
		{`^\s$`, "\u00a0", "\u200b"},
		{`^\S$`, "x", "\ufeff"},
		{`^[\s]$`, "\u2028", "s"},
		{`^[^\s]$`, "😀", " "},
		{`^[\S]+$`, "ab", "a b"},
		{`^[\s\S]$`, "\n", ""},
		{`^\w$`, "_", "é"},
		{`^[\w-.]+$`, "a-.", "a+"},
		{`^[.-\w]+$`, "a-.", "/"},
		{`^[a-z-[aeiou]]$`, "-]", "b"},
		{`^[[:alpha:]]$`, ":]", "b]x"},
		{`^[@~\-.&]+$`, "~&@-", "x"},
		{`\bfoo\b`, "a foo b", "afoo"},
		{`^[^]$`, "\n", ""},
		{`^[]|a$`, "a", "b"},
		{`^\u0041\x42$`, "AB", "ab"},
		{`^\ud83d\ude00$`, "😀", "\ufffd"},
		{`^\u{1f600}$`, "😀", "u{1f600}"},
		{`^\cJ$`, "\n", "J"},
		{`^\/a\-b\@$`, "/a-b@", "a-b@"},
		{`^(?<y>a)\k<y>$`, "aa", "ab"},
		{`^(a)(b)\2\1$`, "abba", "abab"},
		{`^(?!.*--)[a-z-]+$`, "a-b", "a--b"},
		{`(?<=a)b`, "ab", "cb"},
		{`^(?:a|b){2,3}?$`, "aba", "abab"},
		{`^\p{Lu}$`, "Ä", "ä"},
		{`^[\p{L} ]+$`, "Ä b", "1"},
		{`^a{,3}$`, "a{,3}", "aa"},
		{`a\$|^b`, "a$", "a"},
		{`^\0$`, "\x00", "0"},
		{``, "anything", "\xff"},
	} {
		p, err := newPattern(c.pattern)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		if ok, err := p.match(c.match); !ok || err != nil {
			t.Errorf("%s does not match %q (%v)", c.pattern, c.match, err)
		}
		if ok, _ := p.match(c.differ); ok && c.pattern != "" {
			t.Errorf("%s matches %q", c.pattern, c.differ)
		}
		// Both engines read what is written for them in the same way.
		plain, _ := rewrite(c.pattern)
		full, err := regexp2.Compile(plain, regexp2.ECMAScript|regexp2.Unicode)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		for _, text := range []string{c.match, c.differ} {
			one, _ := p.match(text)
			if other, _ := full.MatchString(text); one != other && text != "\xff" {
				t.Errorf("%s: the engines differ about %q", c.pattern, text)
			}
		}
	}
}

func TestPatternsWithoutMeaning(t *testing.T) {
	for _, pattern := range []string{
		`(?i)a`, `(?P<n>a)`, `(?>a)`, `a++`, `[`, `(`, `a)`, `\A\d\Z`, `^\pL$`, `\p{Script=Greek}`, `[b-a]`, `\1`, `(a)\2`, `\u12`, `\x1`,
		`\ud800`, `\k<n>`, `\`, `/^a$/`, `/(?=a)/i`, `(?#c)`, `*a`, `\Qa\E`, `[\B]`,
	} {
		if p, err := newPattern(pattern); err == nil {
			t.Errorf("%s is taken for a pattern: %v %v", pattern, p.linear, p.full)
		}
	}
}

// FuzzPattern compiles arbitrary patterns; if both engines accept one, they must agree.
func FuzzPattern(f *testing.F) {
	f.Add(`^[\w-]+(\.[\w-]+)*@$`, "a.b@")
	f.Add(`[^\S\d-x\]&&[a]]\u0041`, "A")
	f.Add(`(?<n>a|\b)\cA{2,}?.$`, "a\n")
	f.Fuzz(func(t *testing.T, text, value string) {
		if len(text) > 100 || len(value) > 20 {
			return
		}
		p, err := newPattern(text)
		if err != nil || p.linear == nil {
			return
		}
		full, err := regexp2.Compile(p.linear.String(), regexp2.ECMAScript|regexp2.Unicode)
		if err != nil {
			return
		}
		full.MatchTimeout = matchTimeout
		got, _ := p.match(value)
		if want, err := full.MatchString(value); err == nil && got != want {
			t.Errorf("%q, written as %q, about %q: %v and %v", text, p.linear, value, got, want)
		}
	})
}
