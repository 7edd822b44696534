package credentials

import (
	"encoding/base64"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/tests/exchangetest"
)

func TestCredentials(t *testing.T) {
	const key = "Shop-Key-4711-abcXYZ"
	basic := func(pair string) string { return "Basic " + base64.StdEncoding.EncodeToString([]byte(pair)) }
	for words, want := range map[string]string{
		"right":                                                     "Bearer " + key,
		"an empty bearer token":                                     "Bearer ",
		"the right key under another scheme":                        "Basic " + key,
		"the right key as the user of Basic":                        basic(key + ":"),
		"the right key as the password of Basic":                    basic(":" + key),
		"the right key without its last character":                  "Bearer Shop-Key-4711-abcXY",
		"the first half of the right key":                           "Bearer Shop-Key-4",
		"the right key with a character added":                      "Bearer Shop-Key-4711-abcXYZx",
		"the right key given twice without a gap":                   "Bearer " + key + key,
		"the right key with its case swapped":                       "Bearer sHOP-kEY-4711-ABCxyz",
		"the right key with its first character changed":            "Bearer qhop-Key-4711-abcXYZ",
		"the right key with its middle character changed":           "Bearer Shop-Key-4q11-abcXYZ",
		"the right key under the scheme Aearer":                     "Aearer " + key,
		"the right key under the scheme Bearers":                    "Bearers " + key,
		"the right key without its first character":                 "Bearer hop-Key-4711-abcXYZ",
		"the right key with a character put before it":              "Bearer x" + key,
		"the right key with a last character that sorts after it":   "Bearer Shop-Key-4711-abcXY~",
		"the right key with a last character that sorts before it":  "Bearer Shop-Key-4711-abcXY+",
		"the right key with a first character that sorts after it":  "Bearer ~hop-Key-4711-abcXYZ",
		"the right key with a first character that sorts before it": "Bearer +hop-Key-4711-abcXYZ",
		"the right key backwards":                                   "Bearer ZYXcba-1174-yeK-pohS",
	} {
		c, err := Make(words, key)
		if err != nil || c.Header != want || !c.Present || c.Words != words {
			t.Errorf("%s: %+v, %v; want the header %q", words, c, err, want)
		}
	}
}

func TestCredentialsThatAreNotTheKey(t *testing.T) {
	const key = "Shop-Key-4711-abcXYZ"
	seen := map[string]bool{}
	for range 20 {
		for _, words := range []string{"a random key", "a random key of the right key's length", "of another scheme"} {
			c, err := Make(words, key)
			if err != nil || c.Header == "Bearer "+key || seen[c.Header] || c.Shown != c.Header {
				t.Fatalf("%s: %+v, %v", words, c, err)
			}
			seen[c.Header] = true
			if token := strings.TrimPrefix(c.Header, "Bearer "); words == "a random key of the right key's length" && len(token) != len(key) {
				t.Errorf("%q is not as long as the key", token)
			}
			if scheme, _, _ := strings.Cut(c.Header, " "); words == "of another scheme" && scheme != "Basic" {
				t.Errorf("the scheme is %s", scheme)
			}
		}
	}
}

func TestAbsentCredentials(t *testing.T) {
	if c, err := Make("missing", "Shop-Key-4711-abcXYZ"); err != nil || c.Present || c.Header != "" || c.Right || c.Open {
		t.Errorf("%+v, %v", c, err)
	}
}

// Credentials that must be accepted, and those that must not.
func TestWhatCredentialsAreFor(t *testing.T) {
	for _, words := range Words() {
		c, err := Make(words, "Shop-Key-4711-abcXYZ")
		if err != nil {
			t.Errorf("%s: %v", words, err)
		}
		if c.Right != (words == "right") || c.Open {
			t.Errorf("%s: right %v, open %v", words, c.Right, c.Open)
		}
	}
	if _, err := Make("made of gold", "Shop-Key-4711-abcXYZ"); err == nil || errors.As(err, new(Impossible)) || !strings.Contains(err.Error(), "a random key") {
		t.Errorf("an unknown credential: %v", err)
	}
}

// If a near miss would be the key itself, or cannot be made, no request may be sent: its verdict would be wrong.
func TestNearMissesAreNeverTheKey(t *testing.T) {
	none := map[string][]string{
		"one character": {"the right key without its first character", "the right key without its last character", "the first half of the right key", "the right key backwards"},
		"one digit": {"the right key without its first character", "the right key without its last character", "the first half of the right key", "the right key backwards",
			"the right key with its case swapped"},
		"base64 with padding": {"the right key with a last character that sorts after it",
			"the right key with a last character that sorts before it"},
		"two alike":       {"the right key backwards", "the right key without its first character"},
		"without letters": {"the right key with its case swapped"},
		"a palindrome":    {"the right key backwards"},
		"all alike":       {"the right key backwards", "the right key without its first character"},
	}
	for name, key := range exchangetest.OddKeys {
		t.Run(name, func(t *testing.T) {
			if err := CheckKey(key); err != nil {
				t.Fatal(err)
			}
			for _, words := range Words() {
				c, err := Make(words, key)
				impossibleHere := slices.Contains(none[name], words)
				if got := errors.As(err, new(Impossible)); got != impossibleHere || err != nil && !got {
					t.Errorf("%s: %v; want it to be impossible: %v", words, err, impossibleHere)
				}
				if err == nil && !c.Right && strings.TrimSpace(strings.TrimPrefix(c.Header, "Bearer ")) == key {
					t.Errorf("%s is the right one", words)
				}
			}
		})
	}
}

// If the last bits of a key are unused, another last character may be the same key to a service that decodes it.
func TestLastCharactersThatMeanTheSame(t *testing.T) {
	for _, test := range []struct {
		key, other string
		same       bool
	}{
		{"abcd", "abce", false},
		{"abcdeA", "abcdeB", true},
		{"abcdeA", "abcdeQ", false},
		{"abcdeA", "abcde~", false},
		{"abcdef8", "abcdef+", true}, // in the alphabet of RFC 4648, section 4
		{"abcdef8", "abcdef-", true}, // in that of section 5
		{"abcdef8", "abcdef0", false},
		{"e30.e30.abcdefA", "e30.e30.abcdefB", true},
		{"e30.e30.abcdefA", "e30.e30.abcdefE", false},
		{"abc=", "abc~", true},
		{"abc=", "abcz", false},
		{"k", "z", false},
	} {
		if got := SameBytes(test.key, test.other); got != test.same {
			t.Errorf("%s and %s: %v, want %v", test.key, test.other, got, test.same)
		}
	}
	for key, want := range map[string]string{
		"abcdef8": "Bearer abcdef0", "abc=": "Bearer abc0", "abc0": "Bearer abc+", "+": "Bearer !", "~": "Bearer +",
	} {
		if c, err := Make("the right key with a last character that sorts before it", key); err != nil || c.Header != want {
			t.Errorf("%s: %+v, %v; want %s", key, c, err, want)
		}
	}
	for key, words := range map[string]string{
		"~": "the right key with a first character that sorts after it", "!": "the right key with a first character that sorts before it",
		"a~": "the right key with a last character that sorts after it", "a!": "the right key with a last character that sorts before it",
	} {
		if c, err := Make(words, key); !errors.As(err, new(Impossible)) {
			t.Errorf("%s, %s: %+v, %v", key, words, c, err)
		}
	}
}

// What a record shows in place of a credential must not hold the key, and must evaluate to the credential in a
// shell that knows the key.
func TestShownCredentialsAreTheCredentials(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash here")
	}
	for name, key := range exchangetest.OddKeys {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var script strings.Builder
			var want []string
			for _, words := range Words() {
				c, err := Make(words, key)
				if err != nil || !c.Present {
					continue
				}
				if len(key) > 6 && strings.Contains(c.Shown, key) {
					t.Errorf("%s shows the key: %s", words, c.Shown)
				}
				script.WriteString("printf '%s\\n' \"" + c.Shown + "\"\n")
				want = append(want, words+": "+c.Header)
			}
			cmd := exec.CommandContext(t.Context(), bash, "-c", script.String())
			cmd.Env = append(os.Environ(), "HALLMARK_API_KEY="+key)
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
			if len(got) != len(want) {
				t.Fatalf("%d lines, want %d:\n%s", len(got), len(want), out)
			}
			for i, line := range got {
				words, header, _ := strings.Cut(want[i], ": ")
				if line != header {
					t.Errorf("%s: a shell makes %q of it, want %q", words, line, header)
				}
			}
		})
	}
}

func TestCheckKey(t *testing.T) {
	for _, key := range []string{"k", "a-b_c.d~e", "!\"#$%&'()*+,/:;<=>?@[\\]^`{|}"} {
		if err := CheckKey(key); err != nil {
			t.Errorf("%q: %v", key, err)
		}
	}
	for _, key := range []string{"", " ", "two words", "line\nfeed", "tab\t", "\x7f", "ключ", "nul\x00", "caf\xe9"} {
		err := CheckKey(key)
		if err == nil {
			t.Errorf("%q is taken for a key", key)
		} else if key != "" && strings.Contains(err.Error(), strings.TrimSpace(key)) && strings.TrimSpace(key) != "" {
			t.Errorf("the error shows the key: %v", err)
		}
	}
}
