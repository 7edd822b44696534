package resource

import (
	"slices"
	"strings"
	"unicode"
)

// words splits a name at punctuation and changes of case: "petID" and "pet-id" are pet and id.
func words(name string) []string {
	if name != "" && !strings.ContainsFunc(name, func(r rune) bool { return r < 'a' || r > 'z' }) {
		return []string{name}
	}
	var all []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			all = append(all, strings.ToLower(string(word)))
		}
		word = word[:0]
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
			continue
		case unicode.IsUpper(r) && i > 0 && !unicode.IsUpper(runes[i-1]),
			unicode.IsUpper(r) && i > 0 && i+1 < len(runes) && unicode.IsLower(runes[i+1]) && !plural(runes[i+1:]):
			end()
		}
		word = append(word, r)
	}
	end()
	return all
}

// HasWord reports whether a name contains one of some words.
func HasWord(name string, some ...string) bool {
	return slices.ContainsFunc(words(name), func(w string) bool { return slices.Contains(some, w) })
}

// plural reports whether a text is the plural s of a word in capitals, as in "petIDs".
func plural(rest []rune) bool {
	return rest[0] == 's' && (len(rest) == 1 || !unicode.IsLetter(rest[1]) || unicode.IsUpper(rest[1]))
}

// plain returns a name in lower case without punctuation.
func plain(name string) string { return strings.Join(words(name), "") }

// SameName reports whether two names have the same words, however they are written.
func SameName(a, b string) bool { return plain(a) != "" && plain(a) == plain(b) }

// singular returns the singular of an English word, by simple rules.
func singular(word string) string {
	switch {
	case len(word) > 4 && strings.HasSuffix(word, "ies"):
		return word[:len(word)-3] + "y"
	case slices.ContainsFunc([]string{"sses", "xes", "ches", "shes", "uses"}, func(end string) bool { return strings.HasSuffix(word, end) }):
		return word[:len(word)-2]
	case len(word) > 2 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us"):
		return word[:len(word)-1]
	}
	return word
}

// noun returns the singular noun of a collection: "orderitem" for "order-items".
func noun(collection string) string {
	all := words(collection)
	if len(all) == 0 {
		return ""
	}
	all[len(all)-1] = singular(all[len(all)-1])
	return strings.Join(all, "")
}

// identifying are the last words of names of identifiers.
var identifying = []string{"id", "uuid", "guid", "key", "name", "slug", "code", "number", "no", "num", "login", "sid", "handle", "identifier", "ref", "token", "hash", "sha", "isbn", "version", "tag"}

// isIdentifying reports whether a word marks a name as that of an identifier.
func isIdentifying(word string) bool { return slices.Contains(identifying, word) }

// usual are the names of identifiers whose parameter is named after the resource alone: "/pets/{pet}".
var usual = []string{"id", "name", "slug", "key", "code", "uuid", "login", "number"}

// namesFor returns the plain names that an identifier may have in a representation, the most likely first: those
// that its parameter states, and those that follow from the noun of its collection.
func namesFor(parameter, one string) (stated, likely []string) {
	all := words(parameter)
	if len(all) == 0 {
		return nil, nil
	}
	full, last := strings.Join(all, ""), all[len(all)-1]
	of := strings.Join(all[:len(all)-1], "")
	stated = []string{full}
	switch {
	case isIdentifying(last) && (of == "" || related(of, one)):
		if of != "" {
			stated = append(stated, last)
		}
		if one != "" {
			stated = append(stated, one+last)
		}
		if last == "id" {
			likely = []string{"uuid", "guid", "name", "slug", "key", "code"}
		} else {
			likely = []string{"id"}
		}
	case isIdentifying(last):
		likely = append([]string{last, one + last}, usual...)
	case related(full, one) || one == "":
		stated = append(stated, full+"id", "id", full+"name")
		likely = usual
	default:
		likely = append([]string{full + "id"}, usual...)
	}
	return unique(stated), without(unique(likely), stated)
}

// related reports whether two nouns may name the same resource: "item" and "orderitem".
func related(a, b string) bool {
	a, b = singular(a), singular(b)
	return a != "" && b != "" && (a == b || strings.HasSuffix(a, b) || strings.HasSuffix(b, a) || len(a) > 2 && strings.HasPrefix(b, a) || len(b) > 2 && strings.HasPrefix(a, b))
}

func unique(all []string) []string {
	var out []string
	for _, one := range all {
		if one != "" && !slices.Contains(out, one) {
			out = append(out, one)
		}
	}
	return out
}

func without(all, some []string) []string {
	return slices.DeleteFunc(all, func(one string) bool { return slices.Contains(some, one) })
}

// containsPhrase reports whether all words of a phrase are among some words, ignoring inflection.
func containsPhrase(all []string, phrase string) bool {
	if slices.Contains(all, strings.ReplaceAll(phrase, " ", "")) {
		return true // "resetpassword"
	}
	for w := range strings.FieldsSeq(phrase) {
		if !slices.ContainsFunc(all, func(a string) bool { return a == w || singular(a) == w || verb(a) == w }) {
			return false
		}
	}
	return len(all) > 0
}

// containsPhraseNear reports whether all words of a phrase occur close to each other in a sentence.
func containsPhraseNear(all []string, phrase string) bool {
	window := len(strings.Fields(phrase))
	if window > 1 {
		window += 2
	}
	for i := range all {
		if containsPhrase(all[i:min(len(all), i+window)], phrase) {
			return true
		}
	}
	return false
}

func holdsExactly(all []string, phrase string) bool { return slices.Equal(all, strings.Fields(phrase)) }

// wordsIn splits a text of a document into words. A digit begins a word only in 2FA.
func wordsIn(text string) []string {
	for _, form := range []string{"2FA", "2Fa", "2fa"} {
		text = strings.ReplaceAll(text, form, " 2fa ")
	}
	return words(text)
}

// verb returns the base form of a verb in the third person: "restore" for "restores".
func verb(word string) string {
	for _, end := range []string{"shes", "ches", "sses", "xes"} {
		if strings.HasSuffix(word, end) {
			return strings.TrimSuffix(word, "es")
		}
	}
	if strings.HasSuffix(word, "ies") && len(word) > 4 {
		return strings.TrimSuffix(word, "ies") + "y"
	}
	if strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && len(word) > 3 {
		return strings.TrimSuffix(word, "s")
	}
	return word
}
