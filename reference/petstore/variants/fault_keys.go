package variants

import "strings"

// underScheme lets the right key in under a scheme that f takes for Bearer.
func underScheme(f func(scheme string) bool) change {
	return trusting(func(x *exchange, scheme, token string, _ bool) bool {
		return token == x.Key && !strings.EqualFold(scheme, bearer) && f(scheme)
	})
}

const bearer = "Bearer"

// nearKeyFaults compare the scheme or the key nearly as they must: in one direction only, or all but one character.
func nearKeyFaults() []Fault {
	const scheme, altered = "auth.scheme", "auth.altered"
	// alike lets in keys of the right length that differ from it in one character, by how that sorts beside the right one.
	alike := func(at func(key string) int, f func(is, want byte) bool) change {
		return believing(func(token, key string) bool {
			i := at(key)
			return len(token) == len(key) && token[:i] == key[:i] && token[i+1:] == key[i+1:] && f(token[i], key[i])
		})
	}
	first := func(string) int { return 0 }
	last := func(key string) int { return len(key) - 1 }
	above := func(is, want byte) bool { return is > want }
	below := func(is, want byte) bool { return is < want }
	return []Fault{
		fault("auth-scheme-of-its-length", scheme, "The header is cut after seven characters, whatever they are.",
			underScheme(func(s string) bool { return len(s) == len(bearer) })),
		fault("auth-scheme-before", scheme, "A scheme of six letters that sorts before Bearer is taken for it.",
			underScheme(func(s string) bool { return len(s) == len(bearer) && s < bearer })),
		fault("auth-scheme-after", scheme, "A scheme of six letters that sorts after Bearer is taken for it.",
			underScheme(func(s string) bool { return len(s) == len(bearer) && s > bearer })),
		fault("auth-scheme-longer-after", scheme, "A longer scheme that sorts after Bearer is taken for it.",
			underScheme(func(s string) bool { return len(s) > len(bearer) && s > bearer })),
		fault("auth-scheme-not-last-letter", scheme, "The last letter of the scheme is not compared.",
			underScheme(func(s string) bool { return len(s) == len(bearer) && s[:len(s)-1] == bearer[:len(s)-1] })),
		fault("auth-scheme-not-first-letter", scheme, "The first letter of the scheme is not compared.",
			underScheme(func(s string) bool { return len(s) == len(bearer) && s[1:] == bearer[1:] })),
		fault("auth-scheme-cut-short", scheme, "The beginning of the word Bearer is taken for the scheme.",
			underScheme(func(s string) bool { return s != "" && strings.HasPrefix(bearer, s) })),
		fault("auth-scheme-prolonged", scheme, "A scheme that begins with Bearer is taken for it.",
			underScheme(func(s string) bool { return strings.HasPrefix(s, bearer) })),
		fault("auth-scheme-ending", scheme, "A scheme that ends in Bearer is taken for it.",
			underScheme(func(s string) bool { return strings.HasSuffix(s, bearer) })),
		fault("auth-not-last", altered, "The last character of the key is not compared.",
			alike(last, func(is, want byte) bool { return is != want })),
		fault("auth-last-above", altered, "The last character of the key may be one that sorts after the right one.", alike(last, above)),
		fault("auth-last-below", altered, "The last character of the key may be one that sorts before the right one.", alike(last, below)),
		fault("auth-first-above", altered, "The first character of the key may be one that sorts after the right one.", alike(first, above)),
		fault("auth-first-below", altered, "The first character of the key may be one that sorts before the right one.", alike(first, below)),
		fault("auth-all-but-first", "auth.prefix", "The first character of the key may be missing.",
			believing(func(token, key string) bool { return token == key[1:] })),
		fault("auth-ending", "auth.appended", "A token is let in when it ends in the key.", believing(strings.HasSuffix)),
	}
}
