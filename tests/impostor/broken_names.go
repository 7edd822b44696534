package impostor

import (
	"html"
	"strconv"
	"strings"
	"unicode"
)

// brokenNames give back another name than was sent.
func brokenNames() []Variant {
	stored := func(name, says string, f func(string) string) Variant {
		return broken("name-"+name, ruleExact, says,
			wrapKeep(func(_ *service, c *call, a animal, next func(*call, animal) animal) animal {
				a.name = f(a.name)
				return next(c, a)
			}))
	}
	shown := func(name, says string, op operation, f func(string) string) Variant {
		rule := ruleEcho
		if op != createPet {
			rule = "an id names one animal"
		}
		return broken("name-"+name, rule, says, editPet(func(o object) object {
			return o.with("name", f(o.value("name").(string)))
		}, op))
	}
	replacing := func(pairs ...string) func(string) string { return strings.NewReplacer(pairs...).Replace }
	dropping := func(bad func(r rune) bool) func(string) string {
		return func(name string) string {
			return strings.Map(func(r rune) rune {
				if bad(r) {
					return -1
				}
				return r
			}, name)
		}
	}
	cut := func(n int) func(string) string {
		return func(name string) string {
			runes := []rune(name)
			return string(runes[:min(n, len(runes))])
		}
	}
	return []Variant{
		stored("trimmed-right", "Space after a name is lost.", func(name string) string { return strings.TrimRight(name, " ") }),
		stored("cut-at-10", "Names are cut after 10 characters.", cut(10)),
		stored("cut-at-40", "Names are cut after 40 characters.", cut(40)),
		stored("cut-at-1024", "Names are cut after 1024 characters.", cut(1024)),
		stored("cut-at-4096", "Names are cut after 4096 characters.", cut(4096)),
		stored("cut-at-64k", "Names are cut after 65535 characters.", cut(65535)),
		stored("title", "Words in names are turned to begin with a capital.", func(name string) string {
			previous := ' '
			return strings.Map(func(r rune) rune {
				defer func() { previous = r }()
				if previous == ' ' {
					return unicode.ToUpper(r)
				}
				return unicode.ToLower(r)
			}, name)
		}),
		stored("ascii-only", "All but ASCII is dropped from names.", dropping(func(r rune) bool { return r > unicode.MaxASCII })),
		stored("cut-at-emoji", "Names end before their first character beyond the basic plane.", func(name string) string {
			if i := strings.IndexFunc(name, func(r rune) bool { return r > 0xffff }); i >= 0 {
				return name[:i]
			}
			return name
		}),
		stored("emoji-replaced", "Characters beyond the basic plane become U+FFFD twice.", func(name string) string {
			var b strings.Builder
			for _, r := range name {
				if r > 0xffff {
					b.WriteString("\ufffd\ufffd")
				} else {
					b.WriteRune(r)
				}
			}
			return b.String()
		}),
		stored("mojibake", "Names are read as Latin-1 though they are UTF-8.", func(name string) string {
			runes := make([]rune, 0, len(name))
			for i := range len(name) {
				runes = append(runes, rune(name[i]))
			}
			return string(runes)
		}),
		stored("accents-lost", "Letters lose their accents.", replacing(
			"á", "a", "à", "a", "â", "a", "ä", "a", "ã", "a", "å", "a", "č", "c", "ç", "c", "é", "e", "è", "e", "ê", "e",
			"ë", "e", "ě", "e", "í", "i", "ï", "i", "ñ", "n", "ó", "o", "ö", "o", "ø", "o", "ř", "r", "š", "s", "ú", "u",
			"ü", "u", "ů", "u", "ý", "y", "ž", "z", "Ž", "Z", "Š", "S", "Č", "C", "Ř", "R", "É", "E", "Ö", "O", "Ü", "U", "Å", "A",
			"\u0300", "", "\u0301", "", "\u0308", "", "\u030c", "")),
		stored("accents-joined", "Letters and accents that follow them are put together.", replacing(composing(false)...)),
		stored("decomposed", "Letters with accents are taken apart.", replacing(composing(true)...)),
		stored("joiners-lost", "Characters of no width are dropped from names, so that families fall apart.",
			dropping(func(r rune) bool {
				return r == '\u200b' || r == '\u200c' || r == '\u200d' || r == '\ufeff' || r == '\ufe0f'
			})),
		stored("direction-lost", "Marks of the direction of writing are dropped from names.",
			dropping(func(r rune) bool {
				return r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069' || r == '\u200e' || r == '\u200f'
			})),
		stored("newlines-to-spaces", "Line breaks and tabs in names become spaces.", replacing("\r\n", " ", "\n", " ", "\t", " ")),
		stored("html-unescaped", "What looks like an entity in a name is turned into its character.", html.UnescapeString),
		stored("markup-lost", "What stands between < and > is dropped from names.", func(name string) string {
			var b strings.Builder
			inside := false
			for _, r := range name {
				switch {
				case r == '<':
					inside = true
				case r == '>' && inside:
					inside = false
				case !inside:
					b.WriteRune(r)
				}
			}
			return b.String()
		}),
		stored("quotes-escaped", "Quotes in names get a backslash before them.", replacing("'", `\'`, `"`, `\"`)),
		stored("quotes-lost", "Quotes are dropped from names.", replacing("'", "", `"`, "")),
		stored("backslashes-lost", "Backslashes are dropped from names.", replacing(`\`, "")),
		stored("semicolon-cut", "Names end before their first semicolon.", func(name string) string {
			before, _, _ := strings.Cut(name, ";")
			return before
		}),
		stored("dashes-cut", "Two dashes and what follows are dropped from names.", func(name string) string {
			before, _, _ := strings.Cut(name, "--")
			return before
		}),
		stored("empty-becomes-unnamed", "An empty name becomes unnamed.", func(name string) string {
			if name == "" {
				return "unnamed"
			}
			return name
		}),
		stored("hyphens-become-spaces", "Hyphens in names become spaces.", replacing("-", " ")),
		stored("numbered", "Every name gets a dot at its end.", func(name string) string { return name + "." }),
		broken("name-numeric", ruleTypes, "A name that consists of digits comes back as a number.", editPet(func(o object) object {
			if n, err := strconv.ParseInt(o.value("name").(string), 10, 64); err == nil {
				return o.with("name", n)
			}
			return o
		}, createPet, getPet, listPets)),
		shown("lower-on-get", "An animal that is read has its name in lower case.", getPet, strings.ToLower),
		shown("upper-on-list", "Lists show names in upper case.", listPets, strings.ToUpper),
		shown("cut-on-list", "Lists show the first ten characters of names.", listPets, cut(10)),
		shown("dots-on-list", "Lists show dots for what is beyond the 24th character of a name.", listPets, func(name string) string {
			if runes := []rune(name); len(runes) > 24 {
				return string(runes[:24]) + "…"
			}
			return name
		}),
		shown("trimmed-on-get", "An animal that is read has lost the space around its name.", getPet, strings.TrimSpace),
		shown("html-on-list", "Lists show names escaped for HTML.", listPets, html.EscapeString),
		shown("html-on-get", "An animal that is read has its name escaped for HTML.", getPet, html.EscapeString),
		shown("trimmed-on-create", "The response to a creation has lost the space around the name.", createPet, strings.TrimSpace),
		shown("ascii-on-create", "The response to a creation has question marks beyond ASCII.", createPet, func(name string) string {
			return strings.Map(func(r rune) rune {
				if r > unicode.MaxASCII {
					return '?'
				}
				return r
			}, name)
		}),
	}
}

// composing pairs letters that have an accent with the two characters that
// make them up.
func composing(apart bool) []string {
	accents := map[rune]string{
		'\u0300': "aàeèiìoòuùAÀEÈIÌOÒUÙ", '\u0301': "aáeéiíoóuúyýAÁEÉIÍOÓUÚYÝ", '\u0302': "aâeêiîoôuûAÂEÊIÎOÔUÛ",
		'\u0303': "aãnñoõAÃNÑOÕ", '\u0308': "aäeëiïoöuüAÄEËIÏOÖUÜ", '\u030a': "aåuůAÅUŮ", '\u0327': "cçCÇ",
		'\u030c': "cčeěrřsšzžnňdďtťCČEĚRŘSŠZŽNŇ",
	}
	var pairs []string
	for accent, letters := range accents {
		runes := []rune(letters)
		for i := 0; i < len(runes); i += 2 {
			two, one := string([]rune{runes[i], accent}), string(runes[i+1])
			if apart {
				two, one = one, two
			}
			pairs = append(pairs, two, one)
		}
	}
	return pairs
}
