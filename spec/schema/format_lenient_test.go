package schema_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/pattern"
	"github.com/hallmark-kit/hallmark/spec/schema"
)

// formatted returns the schema of a format in a contract, with all known formats asserted or only the usual ones.
func formatted(t *testing.T, format string, all bool) *schema.Schema {
	t.Helper()
	c, err := openapi.Load([]byte(`{openapi: 3.1.0, info: {title: t, version: '1'}, paths: {/a: {get: {operationId: a, responses: {'200': {description: d}}}}}, components: {schemas: {X: {type: string, format: ` + format + `}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if all {
		c = c.AssertingFormats()
	}
	return c.Validator(&spec.Schema{Pointer: "/components/schemas/X"})
}

// formatCases are texts that have a format in some reading that is in use, and texts that have it in none.
var formatCases = map[string]struct{ legal, wrong []string }{
	"date":      {[]string{"2024-02-29", "0001-01-01"}, []string{"2023-02-29", "2024-1-1", "01/31/2024", ""}},
	"date-time": {[]string{"2024-02-29T12:00:00Z", "2016-12-31t23:59:60z", "2024-01-01T00:00:00.123456789-23:59", "1998-12-31T15:59:60.123-08:00"}, []string{"2024-01-01 00:00", "2024-01-01T00:00:00", "2024-01-01T22:59:60Z"}},
	"uuid":      {[]string{"2EB8AA08-AA98-11EA-B4AA-73B441D16380", "00000000-0000-0000-0000-000000000000", "018f4e4e-7b8c-7cde-8f00-0123456789ab"}, []string{"2eb8aa08aa9811eab4aa73b441d16380", "{2eb8aa08-aa98-11ea-b4aa-73b441d16380}"}},
	"ipv4":      {[]string{"192.0.2.1", "0.0.0.0"}, []string{"192.0.2.256", "192.0.2", "::1"}},
	"ipv6":      {[]string{"::", "2001:DB8::1", "::ffff:192.0.2.1"}, []string{"192.0.2.1", "fe80::1%eth0", "1::2::3"}},
	"email": {
		[]string{
			"a@example.com", "a.b+c@example.com", `"a b"@example.com`, `"a@b"@example.com`, `"a\"b"@example.com`, "jörg@exämple.de", "a@[192.0.2.1]", "a@[IPv6:2001:db8::1]", "a@localhost",
			"a..b@example.jp", "a.@example.jp", "!#$%&'*+-/=?^_`{|}~@example.org", strings.Repeat("a", 70) + "@example.com",
		},
		[]string{"", "a", "a@", "@a", "a b@example.com", "a@b@example.com", "a@-example.com", "a@exam ple.com", "A <a@example.com>", "a@example..com", "a@[", "mailto:a@example.com"},
	},
	"hostname": {
		[]string{"example.com", "example.com.", "EXAMPLE", "1.example", "xn--exmple-cua.com", "exämple.com", "192.0.2.1", strings.Repeat("a", 63) + ".com", "a--b.example"},
		[]string{"", ".", "a..b", "-a", "a-", "a b", "https://example.com", "example.com/a", "example.com:80", "*.example.com", strings.Repeat("a", 64)},
	},
	"uri": {
		[]string{
			"https://example.com", "HTTP://EXAMPLE.COM:80/%C3%A4?q=a", "https://exämple.com/ü?ö#ä", "urn:isbn:0451450523", "mailto:a@example.com", "tel:+1-816-555-1212", "file:///etc/hosts", "data:,a%20b",
			"http://[2001:db8::7]/c=GB?objectClass?one", "http://[fe80::1%25en0]:8080/", "http://[v1.fe80::a+en1]/", "https://a%20b.example/", "http://user:p@ss@example.com:/", "https://example.com?page[size]=2&f={a|b}",
			"about:", "ldap://ldap.example.com/", "git+ssh://git@example.com/a.git", "https://example.com/'(a)*;,~", "mongodb://a:1,b:2/db", "https://example.com/a#b#c",
		},
		[]string{
			"", "example.com", "/a", "//example.com/a", "https://example.com/a b", "https://exam ple.com", "https://example.com/%zz", "https://example.com/%4", "1https://example.com", "https://[example.com", "https://example.com:port/",
			`https://example.com/"`, "https://example.com/<a>", `C:\a`, "https://example.com/\n", "://example.com",
		},
	},
	"uri-reference": {
		[]string{"", "/a", "a", "?a=b", "#a", "../a", "//example.com/a", "https://example.com", "a:b", "a/b:c", "1:2", "/ü"},
		[]string{"/a b", "//[example.com", "%zz", `\a`, "<a>"},
	},
	"uri-template": {
		[]string{"", "/a", "/a/{id}", "{+base}/a", "https://{host}:{port}/{?q*,n:3}", "{scheme}://example.com", "/a{/b,c}{#d}", "/%7B{user-id}", "/ä{x.y}"},
		[]string{"/{id", "/id}", "/{a{b}}", "/{}", "/a b", "/%z{a}"},
	},
	"time": {
		[]string{"12:00:00Z", "12:00:00z", "12:00:00.123+05:30", "23:59:60Z", "00:59:60+01:00", "15:59:60-08:00", "12:00:00", "12:00:00.5", "00:59:60"},
		[]string{"", "12:00", "25:00:00Z", "12:60:00Z", "12:00:60Z", "12:00:00+24:00", "12:00:00 Z", "12:00:00,5Z", "noon"},
	},
	"duration": {
		[]string{"P1Y2M3DT4H5M6S", "P2W", "PT0S", "P1D", "PT36H", "PT0.5S", "PT1,5S", "-PT5M", "PT-6H+3M", "P1W2D", "P0003-06-04T12:30:05", "P1Y1D"},
		[]string{"", "P", "PT", "P1DT", "30s", "1 hour", "PT1D", "P1H", "30"},
	},
	"json-pointer":          {[]string{"", "/", "/a/b", "/a~0b~1c", "/ä b", "//"}, []string{"a", "#/a", "/~2", "/a~"}},
	"relative-json-pointer": {[]string{"0", "1/a", "0#", "2/a~1b", "0+1/a", "1-1#", "10"}, []string{"", "/a", "-1/a", "01/a", "1a", "0##"}},
}

// No text is refused that some reading of the format allows.
func TestAssertedFormats(t *testing.T) {
	for format, c := range formatCases {
		s := formatted(t, format, true)
		for _, text := range c.legal {
			if !s.Keeps(text, schema.Response) {
				t.Errorf("%q is refused as %s", text, format)
			}
		}
		for _, text := range c.wrong {
			if s.Keeps(text, schema.Response) {
				t.Errorf("%q passes for %s", text, format)
			}
		}
		made, _ := pattern.Format(format, 1, 50, 0, -1)
		misses, ok := pattern.FormatMisses(format)
		if !ok || len(made) == 0 || slices.ContainsFunc(made, func(text string) bool { return !s.Keeps(text, schema.Request) }) {
			t.Errorf("%s: %q", format, made)
		}
		if slices.ContainsFunc(misses, func(text string) bool { return s.Keeps(text, schema.Request) }) {
			t.Errorf("%s has %q", format, misses)
		}
	}
}

// Formats that depend on a dialect or on tables are never judged; without the key of the rules file only those that can be decided exactly are.
func TestFormatsThatDoNotBind(t *testing.T) {
	for _, format := range []string{"regex", "idn-email", "idn-hostname", "password", "binary", "phone"} {
		if !formatted(t, format, true).Keeps("( [", schema.Response) || schema.Asserts(format, true) {
			t.Errorf("%s binds values", format)
		}
	}
	exact := []string{"date", "date-time", "uuid", "ipv4", "ipv6"}
	for format := range formatCases {
		if is := slices.Contains(exact, format); formatted(t, format, false).Keeps("( [", schema.Response) == is || schema.Asserts(format, false) != is {
			t.Errorf("%s: want %v", format, is)
		}
	}
}
