package pattern

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// maker returns one text of a format, with about size characters if the format leaves a choice.
type maker func(rng *rand.Rand, size int) string

// formats are the supported formats of JSON Schema 2020-12 and of OpenAPI's registry.
var formats = map[string]maker{
	"date":      func(rng *rand.Rand, _ int) string { return moment(rng).Format(time.DateOnly) },
	"date-time": dateTime,
	"time":      func(rng *rand.Rand, _ int) string { return moment(rng).Format("15:04:05Z07:00") },
	"duration":  duration,
	"uuid":      uuid,
	"email":     func(rng *rand.Rand, size int) string { return words(rng, size-12, 64) + "@example.com" },
	"idn-email": func(rng *rand.Rand, size int) string { return words(rng, size-12, 64) + "@exämple.com" },
	"uri":       func(rng *rand.Rand, size int) string { return "https://example.com/" + words(rng, size-20, maxLength) },
	"url":       func(rng *rand.Rand, size int) string { return "https://example.com/" + words(rng, size-20, maxLength) },
	"iri": func(rng *rand.Rand, size int) string {
		return "https://example.com/ü" + words(rng, size-21, maxLength)
	},
	"uri-reference": func(rng *rand.Rand, size int) string { return "/" + words(rng, size-1, maxLength) },
	"iri-reference": func(rng *rand.Rand, size int) string { return "/ü" + words(rng, size-2, maxLength) },
	"uri-template":  func(rng *rand.Rand, size int) string { return "/" + words(rng, size-5, maxLength) + "{id}" },
	"hostname":      hostname,
	"idn-hostname":  hostname,
	"ipv4":          ipv4,
	"ipv6":          ipv6,
	"byte":          func(rng *rand.Rand, size int) string { return encoded(rng, size, base64.StdEncoding) },
	"base64":        func(rng *rand.Rand, size int) string { return encoded(rng, size, base64.StdEncoding) },
	"base64url":     func(rng *rand.Rand, size int) string { return encoded(rng, size, base64.URLEncoding) },
	"binary":        func(rng *rand.Rand, size int) string { return words(rng, size, maxLength) },
	"password":      password,
	"int32":         func(rng *rand.Rand, _ int) string { return strconv.Itoa(int(rng.Int32())) },
	"int64":         func(rng *rand.Rand, _ int) string { return strconv.FormatInt(rng.Int64(), 10) },
	"float":         decimal,
	"double":        decimal,
	"decimal":       decimal,
	"json-pointer":  func(rng *rand.Rand, size int) string { return "/" + words(rng, size-1, maxLength) },
	"relative-json-pointer": func(rng *rand.Rand, size int) string {
		return strconv.Itoa(rng.IntN(10)) + "/" + words(rng, size-2, maxLength)
	},
	"regex": func(rng *rand.Rand, size int) string { return "^" + words(rng, size-3, maxLength) + ".$" },
}

// usualSize is the usual length of a text without bounds.
const usualSize = 24

// Format returns up to count different texts of a format with low to high characters, negative numbers last; a negative high means no
// bound. The same seed gives the same texts. It returns false for an unknown format, and fewer texts, or none, if the format does not
// allow such lengths.
func Format(name string, seed uint64, count, low, high int) ([]string, bool) {
	write, ok := formats[name]
	if !ok {
		return nil, false
	}
	if high < 0 || high > maxLength {
		high = maxLength
	}
	rng := rand.New(rand.NewPCG(seed, 0x666f726d))
	var found []string
	seen := map[string]bool{}
	for i := 0; i < tries*count && len(found) < count; i++ {
		size := min(max(low, usualSize-rng.IntN(16)), high)
		switch i % 4 { // formats round lengths, so try the bounds themselves, too
		case 2:
			size = low
		case 3:
			size = min(high, low+rng.IntN(2*usualSize))
		}
		text := write(rng, size)
		if n := utf8.RuneCountInString(text); n >= low && n <= high && !seen[text] {
			seen[text] = true
			found = append(found, text)
		}
	}
	// Amounts can rarely be negative, and documents rarely say so.
	negative := func(text string) int { return len(text) - len(strings.TrimLeft(text, "-")) }
	slices.SortStableFunc(found, func(a, b string) int { return cmp.Compare(negative(a), negative(b)) })
	return found, true
}

// moment returns a time in UTC from 2000 to 2035, in whole seconds.
func moment(rng *rand.Rand) time.Time {
	return time.Unix(946684800+rng.Int64N(36*365*24*3600), 0).UTC()
}

func dateTime(rng *rand.Rand, size int) string {
	t := moment(rng)
	switch {
	case size >= len("2006-01-02T15:04:05+07:00"):
		return t.In(time.FixedZone("", (rng.IntN(27)-12)*3600)).Format("2006-01-02T15:04:05-07:00")
	case size >= len("2006-01-02T15:04:05.000Z"):
		return t.Add(time.Duration(rng.IntN(1000)) * time.Millisecond).Format("2006-01-02T15:04:05.000Z")
	}
	return t.Format(time.RFC3339)
}

func duration(rng *rand.Rand, size int) string {
	switch {
	case size < 6:
		return "P" + strconv.Itoa(1+rng.IntN(9)) + "D"
	case size < 12:
		return fmt.Sprintf("PT%dH%dM", 1+rng.IntN(23), 1+rng.IntN(59))
	}
	return fmt.Sprintf("P%dDT%dH%dM%dS", 1+rng.IntN(27), 1+rng.IntN(23), 1+rng.IntN(59), 1+rng.IntN(59))
}

// uuid returns a random UUID of version 4 (RFC 9562).
func uuid(rng *rand.Rand, _ int) string {
	high, low := rng.Uint64(), rng.Uint64()
	high = high&^0xf000 | 0x4000
	low = low&^(3<<62) | 2<<62
	h, l := fmt.Sprintf("%016x", high), fmt.Sprintf("%016x", low)
	return h[:8] + "-" + h[8:12] + "-" + h[12:] + "-" + l[:4] + "-" + l[4:]
}

const letters = "abcdefghijklmnopqrstuvwxyz"

// words returns size lower-case letters, at least one and at most limit.
func words(rng *rand.Rand, size, limit int) string {
	var b strings.Builder
	for range min(max(size, 1), limit) {
		b.WriteByte(letters[rng.IntN(len(letters))])
	}
	return b.String()
}

// password returns a text with a letter of each case, a digit and a punctuation mark, if there is room.
func password(rng *rand.Rand, size int) string {
	const mixed = "Aa1!"
	size = max(size, 1)
	return words(rng, size-len(mixed), maxLength)[:max(size-len(mixed), 0)] + mixed[:min(size, len(mixed))]
}

// hostname returns labels of at most 63 characters, with at most 253 characters in total.
func hostname(rng *rand.Rand, size int) string {
	const domain = ".example.com"
	size = min(size, 253) - len(domain)
	name := words(rng, size, 60)
	for size -= len(name); size > 1; {
		label := words(rng, size-1, 60)
		name += "." + label
		size -= len(label) + 1
	}
	return name + domain
}

// ipv4 returns an address of the blocks for documentation (RFC 5737).
func ipv4(rng *rand.Rand, _ int) string {
	blocks := []string{"192.0.2.", "198.51.100.", "203.0.113."}
	return blocks[rng.IntN(len(blocks))] + strconv.Itoa(rng.IntN(256))
}

// ipv6 returns an address of the block for documentation (RFC 3849).
func ipv6(rng *rand.Rand, size int) string {
	a := netip.MustParseAddr("2001:db8::").As16()
	from := 8
	if size < usualSize/2 {
		from = 14
	}
	for i := from; i < len(a); i++ {
		a[i] = byte(rng.UintN(256)) //nolint:gosec // below 256
	}
	return netip.AddrFrom16(a).String()
}

func encoded(rng *rand.Rand, size int, encoding *base64.Encoding) string {
	data := make([]byte, max(size, 0)/4*3)
	for i := range data {
		data[i] = byte(rng.UintN(256)) //nolint:gosec // below 256
	}
	return encoding.EncodeToString(data)
}

// decimal returns a number that float and double represent exactly.
func decimal(rng *rand.Rand, _ int) string {
	return strconv.Itoa(rng.IntN(2000)-1000) + []string{"", ".5", ".25", ".125"}[rng.IntN(4)]
}

// formatMisses are texts that violate a format, for the formats that bind values.
var formatMisses = map[string][]string{
	"date":      {"2024-13-01", "2023-02-29", "01/31/2024", "not-a-date", "2024-01-32"},
	"date-time": {"2024-01-31T25:00:00Z", "2023-02-29T10:00:00Z", "2024-01-31", "not-a-date-time", "2024-13-01T10:00:00Z"},
	"uuid":      {"2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7g", "2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7", "not-a-uuid"},
	"ipv4":      {"192.0.2.256", "192.0.2", "192.0.2.1.1", "not-an-address"},
	"ipv6":      {"2001:db8::g", "2001:db8:::1", "1:2:3:4:5:6:7", "not-an-address"},
	"byte":      {"####", "YWJj*A==", "a===="},
	// These bind values only if a rules file says so.
	"email":         {"not-an-email", "somebody@", "somebody at example.com", "two@signs@example.com"},
	"hostname":      {"not a hostname", "-example.com", "example..com", "https://example.com/"},
	"uri":           {"not-a-uri", "/path/alone", "https://[example.com", "1https://example.com"},
	"uri-reference": {"https://[example.com", "\\\\example.com", "%zz"},
	"iri":           {"not-an-iri", "/path/alone", "https://[example.com"},
	"iri-reference": {"https://[example.com", "\\\\example.com", "%zz"},
	"uri-template":  {"/{id", "/id}", "/{a{b}}"},
	"time":          {"25:00:00Z", "not-a-time", "12:60:00Z"},
	"duration":      {"not-a-duration", "30s", "PT"},
	"json-pointer":  {"not-a-pointer", "/~2", "/a~"},

	"relative-json-pointer": {"not-a-pointer", "-1/a", "/a"},
}

// FormatMisses returns texts that violate a format, and false if there are none.
func FormatMisses(name string) ([]string, bool) {
	misses, ok := formatMisses[name]
	return slices.Clone(misses), ok
}
