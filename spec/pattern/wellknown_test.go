package pattern

import (
	"slices"
	"testing"
)

// wellKnown are patterns that stand in many contracts.
var wellKnown = map[string]string{
	"semantic version": `^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$`,
	"e-mail of HTML":   `^[a-zA-Z0-9.!#$%&'*+\/=?^_` + "`" + `{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$`,
	"e-mail":           `^(([^<>()[\]\\.,;:\s@"]+(\.[^<>()[\]\\.,;:\s@"]+)*)|(".+"))@((\[[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\])|(([a-zA-Z\-0-9]+\.)+[a-zA-Z]{2,}))$`,
	"IPv4":             `^(?:(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)\.){3}(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)$`,
	"IPv6":             `^(([0-9a-fA-F]{1,4}:){7,7}[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,7}:|([0-9a-fA-F]{1,4}:){1,6}:[0-9a-fA-F]{1,4}|:((:[0-9a-fA-F]{1,4}){1,7}|:))$`,
	"CIDR":             `^([0-9]{1,3}\.){3}[0-9]{1,3}\/([0-9]|[1-2][0-9]|3[0-2])$`,
	"URL":              `^https?:\/\/(www\.)?[-a-zA-Z0-9@:%._\+~#=]{1,256}\.[a-zA-Z0-9()]{1,6}\b([-a-zA-Z0-9()@:%_\+.~#?&//=]*)$`,
	"DNS label":        `^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`,
	"hostname":         `^(?=.{1,253}$)(?!-)[A-Za-z0-9-]{1,63}(?<!-)(\.(?!-)[A-Za-z0-9-]{1,63}(?<!-))*$`,
	"quantity":         `^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$`,
	"ARN":              `^arn:aws[a-z-]*:iam::\d{12}:role\/?[a-zA-Z_0-9+=,.@\-_/]+$`,
	"password":         `^(?=.*[A-Za-z])(?=.*\d)(?=.*[@$!%*#?&])[A-Za-z\d@$!%*#?&]{8,}$`,
	"strong password":  `^(?=(.*[a-z]){3,})(?=(.*[A-Z]){2,})(?=(.*[0-9]){2,})(?=(.*[!@#$%^&*()\-__+.]){1,}).{8,}$`,
	"no blank ends":    `^(?!\s)(?!.*\s$)[\s\S]{1,50}$`,
	"not blank":        `^(?!\s*$).+`,
	"not reserved":     `^(?!(?:admin|root|system)$)[a-z][a-z0-9_]{2,15}$`,
	"date":             `^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$`,
	"date and time":    `^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$`,
	"duration":         `^P(?!$)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?$`,
	"telephone":        `^\+[1-9]\d{1,14}$`,
	"country":          `^(AF|AX|AL|DZ|AS|AD|AO|AI)$`,
	"currency":         `^[A-Z]{3}$`,
	"money":            `^-?\d{1,15}(\.\d{1,2})?$`,
	"IBAN":             `^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$`,
	"BIC":              `^[A-Z]{6}[A-Z2-9][A-NP-Z0-9]([A-Z0-9]{3}){0,1}$`,
	"ISBN":             `^(?=(?:\D*\d){10}(?:(?:\D*\d){3})?$)[\d-]+$`,
	"color":            `^#([A-Fa-f0-9]{6}|[A-Fa-f0-9]{3})$`,
	"JWT":              `^[A-Za-z0-9-_]+\.[A-Za-z0-9-_]+\.[A-Za-z0-9-_]*$`,
	"media type":       `^\w+\/[-+.\w]+$`,
	"language":         `^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?$`,
	"latitude":         `^[-+]?([1-8]?\d(\.\d+)?|90(\.0+)?)$`,
	"cron":             `^(\*|([0-9]|[1-5][0-9])|\*\/([0-9]|[1-5][0-9])) (\*|([0-9]|1[0-9]|2[0-3])) (\*|[1-9]) (\*|[1-9]) (\*|[0-6])$`,
	"file name":        `^[^<>:"/\\|?*\x00-\x1F]+$`,
	"path":             `^(/[^/ ]*)+/?$`,
	"base64":           `^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$`,
	"ULID":             `^[0-7][0-9A-HJKMNP-TV-Z]{25}$`,
	"object id":        `^[0-9a-fA-F]{24}$`,
	"repeated quote":   `^(['"])[^'"]+\1$`,
	"letters":          `^[\p{L}\p{M}\p{N} .'-]+$`,
	"script":           `^\p{Script=Greek}+$`,
	"kana":             `^[\u3040-\u309F]+$`,
	"emoji":            `^[\u{1F600}-\u{1F64F}]$`,
	"multiple lines":   `^line\n\tindented\r\n$`,
	"named":            `^(?<year>\d{4})-(?<month>\d{2})$`,
	"credit card":      `^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|3[47][0-9]{13})$`,
	"template":         `^\$\{[^}]+\}$`,
	"no double dash":   `^(?!.*--)[a-z0-9][a-z0-9-]{0,38}$`,
	"digits and dash":  `^(?=.*\d)(?=.*-)[\d-]{5,10}$`,
	"all of a kind":    `^(.)\1{3}$`,
	"word":             `\b[A-Z]\w*\b`,
}

func TestWellKnownPatterns(t *testing.T) {
	for name, text := range wellKnown {
		t.Run(name, func(t *testing.T) {
			p := compile(t, text)
			texts := p.Strings(1, 5, 0, -1)
			if want := map[bool]int{true: 1, false: 3}[name == "multiple lines"]; len(texts) < want {
				t.Errorf("made: %q", texts)
			}
			check(t, p, texts, 0, -1, true)
			if shortest, ok := p.Shortest(0, -1); !ok {
				t.Errorf("shortest: %q", shortest)
			}
			misses := p.NearMisses(1, 5, 0, -1)
			if len(misses) < 2 {
				t.Errorf("misses: %q", misses)
			}
			check(t, p, misses, 0, -1, false)
			t.Logf("%q, but not %q", texts, misses)
		})
	}
}

func TestMatchesAsECMADoes(t *testing.T) {
	for _, test := range []struct {
		pattern, text string
		want          bool
	}{
		{`^a$`, "a\n", false}, {`\d`, "٣", false}, {`\w`, "é", false}, {`\s`, "\u00a0", true}, {`\s`, "\ufeff", true}, {`.`, "\n", false},
		{`[^]`, "\n", true}, {`[]`, "a", false}, {`^.$`, "😀", true}, {`a`, "xay", true}, {`\-\/`, "-/", true}, {`^[\w-]+$`, "a-b", true},
	} {
		if got, err := compile(t, test.pattern).Matches(test.text); err != nil || got != test.want {
			t.Errorf("%s and %q: %v, %v", test.pattern, test.text, got, err)
		}
	}
}

// TestNaturalTexts holds patterns against what services mean by them.
func TestNaturalTexts(t *testing.T) {
	for pattern, format := range map[string]string{
		`^\d{4}-\d{2}-\d{2}$`: "date", `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`: "date-time", `^[0-9]{1,3}(\.[0-9]{1,3}){3}$`: "ipv4",
		`^[a-f0-9]{8}-([a-f0-9]{4}-){3}[a-f0-9]{12}$`: "uuid", `^\S+@\S+\.\S+$`: "email", `^https?://.+$`: "uri",
	} {
		texts := compile(t, pattern).Strings(1, 3, 0, -1)
		of, _ := Format(format, 1, 6, 0, -1)
		if len(texts) < 3 || !slices.Contains(of, texts[0]) || !slices.Contains(of, texts[2]) {
			t.Errorf("%s: %q, want some of %q", pattern, texts, of)
		}
	}
}
