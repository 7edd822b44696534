package redact

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/tests/hostile"
)

// everywhere looks for secrets at each place of a text, as redacted does at those that it cannot pass over.
func everywhere(all *table, text string) string {
	var out []byte
	from := 0
	for i := 0; i < len(text); i++ {
		if start, end, shown := find(all, text, i, from); end > 0 {
			out = append(append(out, text[from:start]...), shown...)
			from, i = end, end-1
		}
	}
	return string(append(out, text[from:]...))
}

// TestNothingIsPassedOver compares the places that are looked at with all places: in texts of pieces of secrets in all forms, between what may
// escape or separate.
func TestNothingIsPassedOver(t *testing.T) {
	const key, other = "Shop-Key-4711-abcXYZ", `É%"b\c/d<e&f=4711`
	secrets := New(Secret{Text: key, Shown: "$KEY"}, Secret{Text: other, Shown: "$OTHER"}, Secret{Text: key[:14], Shown: "$PART"})
	all := secrets.current.Load()
	var pieces []string
	for _, secret := range []string{key, other} {
		for _, form := range hostile.Forms(secret) {
			pieces = append(pieces, form, form[:len(form)/2], form[len(form)/2:], form[:min(len(form), 7)])
		}
	}
	for c := range mayHide {
		if mayHide[c] {
			pieces = append(pieces, string([]byte{byte(c)}))
		}
	}
	pieces = append(pieces, "…", "\u00e9", "\u200b", `{"id":17,"name":"`, `","status":"available"}`, "S", "sh", "Sho", "SHOP-", "p-Key", strings.Repeat("x", 40), " ", `\u00`, "&#", "%")
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		var b strings.Builder
		for range 1 + random.IntN(7) {
			piece := pieces[random.IntN(len(pieces))]
			b.WriteString(piece[:len(piece)-random.IntN(2)*random.IntN(len(piece)+1)])
		}
		text := b.String()
		if got, want := secrets.Text(text), everywhere(all, text); got != want {
			t.Fatalf("%q is shown as %q, want %q", text, got, want)
		}
	}
}

// TestLetterOutsideASCII hides a secret of which a letter has another length in lower case.
func TestLetterOutsideASCII(t *testing.T) {
	for _, secret := range []string{"ÉTÉ-2026", "\u212a\u212a", "ẞẞẞ"} {
		if got := New(Secret{Text: secret, Shown: "$KEY"}).Text("the key " + secret + " is wrong"); got != "the key $KEY is wrong" {
			t.Errorf("%q is shown in %q", secret, got)
		}
	}
}

func BenchmarkBytes(b *testing.B) {
	secrets := New(Secret{Text: "keys_5mRhXk2QwZ8vTn4YcLf7BdGs1JpA0eUi", Shown: "$KEY"})
	body := []byte("[" + strings.Repeat(`{"categoryId":1,"id":4711,"name":"hallmark 7f3a Rex und Müller","status":"available"},`, 100) + "]")
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		secrets.Bytes(body)
	}
}
