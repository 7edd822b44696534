package exchangetest

// OddKeys are keys that lack some near misses, and keys that may trip a shell or an encoder.
var OddKeys = map[string]string{
	"ordinary":            "Shop-Key-4711-abcXYZ",
	"one character":       "k",
	"one digit":           "7",
	"two characters":      "ab",
	"two alike":           "aa",
	"without letters":     "4711-0815_2342",
	"a palindrome":        "abc7cba",
	"all alike":           "zzzzzzzz",
	"begins with q":       "quartz-key",
	"q in the middle":     "abcQdef",
	"a token in three":    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0NzExIn0.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
	"base64 with padding": "c2VjcmV0LWtleQ==",
	"upper case":          "SHOUTED-KEY",
	"special to a shell":  "a$b`c\"d'e\\f!g*h~i#j(k)l{m}n[o]p|q<r>s&t;u",
	"an expression":       "${HOME}$(id)$HALLMARK_API_KEY",
	"percent signs":       "%s%d%%n",
	"a hyphen first":      "-n-e-key",
	"slashes":             "a//b/../c",
	"special to JSON":     "\\u0041\\n\"x",
}
