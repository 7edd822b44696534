package redact_test

import (
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/steps/redact"
	"github.com/hallmark-kit/hallmark/tests/hostile"
)

const apiKey = "Shop-Key-4711-abcXYZ"

// wantHidden says when a text still tells the secret: itself, or by its characters in base64.
func wantHidden(t *testing.T, name, text, shown, secret string) {
	t.Helper()
	if !strings.Contains(shown, "HALLMARK_API_KEY") {
		t.Errorf("%s: %s is shown as %s", name, text, shown)
	}
	for _, left := range []string{secret, strings.ToLower(secret), strings.ToUpper(secret)} {
		if strings.Contains(shown, left) {
			t.Errorf("%s: %s is shown as %s", name, text, shown)
		}
	}
}

func TestSecretsInAllForms(t *testing.T) {
	for _, key := range []string{apiKey, `a"b\c/d<e&f=4711`, "sk_live_51H8x+/==", "123456", "deadbeefdeadbeef", "%41%42%43%44"} {
		all := redact.New(redact.Secret{Text: key, Shown: "$HALLMARK_API_KEY"})
		for name, form := range hostile.Forms(key) {
			wantHidden(t, name, form, all.Text("before "+form+" after"), key)
			got := all.Text("before " + form + " after")
			if !strings.HasPrefix(got, "before ") || !strings.HasSuffix(got, " after") {
				t.Errorf("%s: more than the secret is gone: %s", name, got)
			}
			if again := string(all.Bytes([]byte(`{"m":"` + form + `"}`))); strings.Contains(again, form) {
				t.Errorf("%s: %s", name, again)
			}
		}
	}
}

// Texts are cut where they get long, and what is left of a secret then would tell most of it.
func TestSecretsThatWereCut(t *testing.T) {
	all := redact.New(redact.Secret{Text: apiKey, Shown: "$HALLMARK_API_KEY"})
	for n := 6; n < len(apiKey); n++ {
		for _, cut := range []string{"no such key: " + apiKey[:n], "no such key: " + apiKey[:n] + "… (and more)"} {
			if got := all.Text(cut); strings.Contains(got, apiKey[:n]) {
				t.Errorf("%s is shown as %s", cut, got)
			}
		}
	}
}

func FuzzHide(f *testing.F) {
	for _, form := range hostile.Forms(apiKey) {
		f.Add(form, 3)
	}
	all := redact.New(redact.Secret{Text: apiKey, Shown: "$HALLMARK_API_KEY"})
	f.Fuzz(func(t *testing.T, text string, at int) {
		at = min(max(at, 0), len(text))
		shown := all.Text(text[:at] + apiKey + text[at:])
		if strings.Contains(shown, apiKey) {
			t.Errorf("shown as %q", shown)
		}
	})
}

// BenchmarkHide looks for secrets in what answers mostly are: a list of animals, and in a text that holds escapes and
// letters of many scripts.
func BenchmarkHide(b *testing.B) {
	list := "[" + strings.Repeat(`{"id":4711,"name":"hallmark-abc123-17 Rex","categoryId":1,"status":"available"},`, 100) + "{}]"
	odd := strings.Repeat(`{"name":"Zo\u00eb \"Rex\" & 小黑 Γάτα\r\n","link":"/pets?a=%20b&amp;c"}`, 100)
	all := redact.New(redact.Secret{Text: apiKey, Shown: "$HALLMARK_API_KEY"})
	for name, text := range map[string]string{"list": list, "odd": odd} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if all.Text(text) != text {
					b.Fatal("something was taken for a secret")
				}
			}
		})
	}
}

// A token that is fetched while records are made is taken out of later ones, beside what was known before.
func TestAddedSecretsAreTakenOut(t *testing.T) {
	all := redact.New(redact.Secret{Text: "first-secret", Shown: "$FIRST"})
	const text = "first-secret and later-token, c2xhdGVyLXRva2Vu"
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 100 {
			if got := all.Text("first-secret"); got != "$FIRST" {
				t.Errorf("meanwhile: %s", got)
			}
		}
	}()
	all.Add(redact.Secret{Text: "later-token", Shown: "$LATER"})
	all.Add()
	<-done
	if got := all.Text(text); got != "$FIRST and $LATER, c$LATER" {
		t.Error(got)
	}
}
