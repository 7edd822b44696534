package check_test

import (
	"testing"

	"github.com/hallmark-kit/hallmark/steps/check"
)

func TestIsUnicode(t *testing.T) {
	for text, want := range map[string]bool{
		``:                               true,
		`{"name": "plain"}`:              true,
		`{"name": "🐕 \ud83d\udc15"}`:     true,
		`{"name": "\uD83D\uDC15"}`:       true,
		`{"name": "� \ufffd"}`:           true,
		`{"name": "\\ud83d"}`:            true,
		`{"name": "\"\n\u0000"}`:         true,
		`{"name": "\u12`:                 true, // no JSON, which others judge
		`{"name": "\`:                    true,
		`{"name": "\ud83d"}`:             false,
		`{"name": "\\\ud83d"}`:           false,
		`{"name": "\udc15"}`:             false,
		`{"name": "\udc15\ud83d"}`:       false,
		`{"name": "\ud83d\ud83d\udc15"}`: false,
		`{"name": "\ud83d\n"}`:           false,
		`{"\udc15": 1}`:                  false,
		"{\"name\": \"\xff\"}":           false,
		"{\"name\": \"\xc1\xa1\"}":       false,
		"{\"name\": \"\xe2\x82\"}":       false,
		"{\"name\": \"\xed\xa0\x80\"}":   false, // half of a pair in bytes
	} {
		if got := check.IsUnicode([]byte(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
