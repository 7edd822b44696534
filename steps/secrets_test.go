package steps

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/reports/junit"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/terminal"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/credentials"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/tests/exchangetest"
	"github.com/hallmark-kit/hallmark/tests/hostile"
	"github.com/hallmark-kit/hallmark/tests/rehearse"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

// backwards returns a key reversed.
func backwards(key string) string {
	b := []byte(key)
	slices.Reverse(b)
	return string(b)
}

// swapCase returns a key with upper and lower case swapped.
func swapCase(key string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, key)
}

// near returns texts that reveal the key: the key itself, all but one character of it, and reversible
// transformations.
func near(key string) map[string]string {
	return map[string]string{
		"the key":                          key,
		"the key but for its end":          key[:len(key)-1],
		"the key but for its beginning":    key[1:],
		"the key backwards":                backwards(key),
		"the key with its case swapped":    swapCase(key),
		"the key in base64, as a user":     base64.StdEncoding.EncodeToString([]byte(key + ":")),
		"the key in base64, as a password": base64.StdEncoding.EncodeToString([]byte(":" + key)),
	}
}

func wantNoKey(t *testing.T, what, text, key string) {
	t.Helper()
	for words, secret := range near(key) {
		if at := strings.Index(text, secret); at >= 0 {
			t.Errorf("%s holds %s: …%s…", what, words, text[max(0, at-120):min(len(text), at+len(secret)+60)])
		}
	}
}

// recordText returns everything that a run leaves behind, as text.
func recordText(t *testing.T, p played) string {
	t.Helper()
	all, err := json.Marshal(struct {
		Record, Result any
		Ending         string
		Err            string
	}{p.rec, p.res, fmt.Sprintf("%+v", p.ending), fmt.Sprint(p.err)})
	if err != nil {
		t.Fatal(err)
	}
	return string(all)
}

// A service that echoes the credential: in bodies, in headers, in names of fields, in places of findings.
func TestNoRecordHoldsTheKey(t *testing.T) {
	for name, echo := range map[string]func(auth string, a *rehearse.Reply){
		"in the message of errors": func(auth string, a *rehearse.Reply) {
			if fields, ok := a.Body.(map[string]any); ok && a.Status >= 400 {
				a.Body = rehearse.Altered(fields, rehearse.Row{"message": "no such key: " + auth})
			}
		},
		"in headers": func(auth string, a *rehearse.Reply) {
			a.Header.Set("X-Echo", auth)
			a.Header["X-Twice"] = []string{"a", auth}
			a.Header.Set("WWW-Authenticate", `Bearer error="`+auth+`"`)
		},
		"in the code of errors": func(auth string, a *rehearse.Reply) {
			if fields, ok := a.Body.(map[string]any); ok && a.Status >= 400 {
				a.Body = rehearse.Altered(fields, rehearse.Row{"code": auth})
			}
		},
		"in what is no JSON":  func(auth string, a *rehearse.Reply) { a.Body = "who is " + auth + "?" },
		"in the Content-Type": func(auth string, a *rehearse.Reply) { a.Header.Set("Content-Type", "text/"+auth) },
		"in a status of an error": func(auth string, a *rehearse.Reply) {
			a.Body = map[string]any{"code": "c", "message": "m", "status": auth}
		},
		"in animals": func(auth string, a *rehearse.Reply) {
			switch body := a.Body.(type) {
			case []rehearse.Row:
				for i := range body {
					body[i] = rehearse.Altered(body[i], rehearse.Row{"name": auth, "status": auth})
				}
			case rehearse.Row:
				a.Body = rehearse.Altered(body, rehearse.Row{"name": auth, "categoryId": auth, auth: 1})
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			skip.SampledByName(t, 3)
			t.Parallel()
			service := rehearse.NewShop()
			service.Change = func(r *http.Request, a *rehearse.Reply) { echo(r.Header.Get("Authorization"), a) }
			p := playRun(t, t.Context(), service, func(c *Config) {
				c.Selection.Tags = "@derived or @phase:stocked or @phase:first"
			})
			if p.err != nil || len(p.rec.Exchanges) < 300 {
				t.Fatalf("%v, %d exchanges", p.err, len(p.rec.Exchanges))
			}
			for _, ex := range p.rec.Exchanges {
				if ex.Response != nil && ex.Response.Size != len(ex.Response.Body) && len(ex.Response.Body) <= 4<<10-utf8.UTFMax { // characters are kept whole or left out
					t.Fatalf("exchange %d shows %d bytes of %d, as if it were cut", ex.Seq, len(ex.Response.Body), ex.Response.Size)
				}
			}
			text := recordText(t, p)
			wantNoKey(t, "the record", text, rehearse.Key)
			if !strings.Contains(text, "HALLMARK_API_KEY") {
				t.Error("nothing shows that there was a key")
			}
		})
	}
}

// A transport's error for an invalid response may quote what was sent.
func TestNoLostConnectionTellsTheKey(t *testing.T) {
	for _, after := range []int{0, 1, 100} {
		service := rehearse.NewShop()
		service.Lose = func(r *http.Request) error {
			if len(service.Asked) > after {
				return fmt.Errorf("malformed HTTP response %q", r.Header.Get("Authorization"))
			}
			return nil
		}
		p := playRun(t, t.Context(), service)
		wantNoKey(t, fmt.Sprintf("the record of a run that was lost after %d requests", after), recordText(t, p), rehearse.Key)
		if p.ending.Lost == "" {
			t.Error("the run was not lost")
		}
	}
}

// The verdict is based on the actual responses, whatever the record shows.
func TestMaskingChangesNoVerdict(t *testing.T) {
	service := rehearse.NewShop()
	service.Key = "e" // in nearly every word of every response
	p := playRun(t, t.Context(), service, func(c *Config) {
		c.Target.Key, c.Target.Keyring = "e", scheme.OneSecret(c.Contract.Operations(), "e")
	})
	if p.err != nil || p.res.ExitCode != 0 || len(p.musts(t)) > 0 {
		t.Errorf("%v, exit code %d: %s\n%s", p.err, p.res.ExitCode, p.res.Because, exchangetest.Lines(p.musts(t)))
	}
}

// A key that may be an ordinary word is redacted only where it is certainly the key.
func TestShortKeysLeaveRecordsAlone(t *testing.T) {
	for _, key := range []string{"e", "id", "sold", "name", "12345"} {
		all := scenario.SecretsOf(key)
		text := `{"id":12345,"name":"sold","status":"sold"}`
		if got := all.Text(text); got != text {
			t.Errorf("%s: shown as %s", key, got)
		}
		if got := all.Text("no user for Bearer " + key + "."); got != "no user for Bearer $HALLMARK_API_KEY." {
			t.Errorf("%s: shown as %s", key, got)
		}
	}
}

// echoing answers all errors with the credential in every form, and puts it into headers and redirects.
func echoing(service *rehearse.Shop) {
	var n atomic.Int64
	service.Change = func(r *http.Request, a *rehearse.Reply) {
		sent := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		if sent == "" {
			return
		}
		all := hostile.FormsInOrder(sent)
		i := int(n.Add(1))
		form := all[i%len(all)]
		a.Header.Set("X-Echo", strings.NewReplacer("\n", "", "\r", "", "\x00", "").Replace(form))
		a.Header.Set("X-"+hex.EncodeToString([]byte(sent)), "1")
		a.Header.Set("Location", "/login?key="+url.QueryEscape(sent))
		switch body := a.Body.(type) {
		case rehearse.Row:
			if a.Status >= 400 {
				a.Body = rehearse.Altered(body, rehearse.Row{"message": "no such key: " + form, sent: form, "code": form})
			} else if i%5 == 0 {
				a.Body = rehearse.Altered(body, rehearse.Row{"status": form})
			}
		case []rehearse.Row:
			if i%7 == 0 {
				a.Body = `[{"id": 1, "name": "` + form + `"`
			}
			if i%11 == 0 {
				a.Status = 302
			}
		}
	}
}

// Nothing that a run leaves behind reveals the key, whatever the service does with it.
func TestNoFormOfTheKeyIsRecorded(t *testing.T) {
	skip.InShort(t)
	service := rehearse.NewShop()
	echoing(service)
	p := playRun(t, t.Context(), service)
	if p.err != nil || len(p.rec.Exchanges) < 300 {
		t.Fatalf("%v, %d exchanges", p.err, len(p.rec.Exchanges))
	}
	text := recordText(t, p)
	for _, ex := range p.rec.Exchanges {
		text += " " + record.Target{}.Curl(ex)
	}
	var out, xml strings.Builder
	v := view.New(&p.rec, view.Sources{Catalogue: rehearse.Must(t, rehearse.Catalogue)})
	if err := errors.Join(terminal.Write(&out, v, terminal.Look{Width: 4000}), junit.Write(&xml, v)); err != nil {
		t.Fatal(err)
	}
	text += out.String() + xml.String()
	for name, form := range hostile.Forms(rehearse.Key) {
		inJSON, _ := json.Marshal(form)
		for _, written := range []string{form, strings.Trim(string(inJSON), `"`)} {
			if at := strings.Index(text, written); at >= 0 {
				t.Errorf("%s: …%s…", name, text[max(0, at-100):min(len(text), at+len(written)+40)])
			}
		}
	}
	wantNoKey(t, "the record", text, rehearse.Key)
}

func TestSecrets(t *testing.T) {
	const key = `a"b\c/d<e&f=4711`
	for name, text := range map[string]string{
		"as it is":     key,
		"in JSON":      `a\"b\\c/d<e&f=4711`,
		"in safe JSON": `a\"b\\c/d\u003ce\u0026f=4711`,
		"in a query":   `a%22b%5Cc%2Fd%3Ce%26f%3D4711`,
		"in a path":    `a%22b%5Cc%2Fd%3Ce&f=4711`,
	} {
		if got := scenario.SecretsOf(key).Text("(" + text + ")"); got != "($HALLMARK_API_KEY)" {
			t.Errorf("%s: %s is shown as %s", name, text, got)
		}
	}
	for name, key := range exchangetest.OddKeys {
		all := scenario.SecretsOf(key)
		for _, words := range credentials.Words() {
			c, err := credentials.Make(words, key)
			if err != nil || c.Header == c.Shown || len(key) < 8 {
				continue
			}
			if got := all.Text("<" + c.Header + ">"); got != "<"+c.Shown+">" && words != "the first half of the right key" {
				t.Errorf("%s, %s: shown as %s, want %s", name, words, got, c.Shown)
			}
		}
		if name == "ordinary" && all.Text("the pets that were sold are available") != "the pets that were sold are available" {
			t.Error("plain words are taken for secrets")
		}
	}
	if got := scenario.SecretsOf("").Text("nothing is secret"); got != "nothing is secret" {
		t.Errorf("without a key: %s", got)
	}
}

// No record holds the keys of the service or of a gateway, whatever the service does with them.
func TestNoRecordHoldsAGatewaysSecret(t *testing.T) {
	service := rehearse.NewShop()
	service.Change = func(r *http.Request, a *rehearse.Reply) {
		a.Header.Set("X-Echo", r.Header.Get("Cookie"))
		if fields, ok := a.Body.(map[string]any); ok && a.Status >= 400 {
			a.Body = rehearse.Altered(fields, rehearse.Row{"message": "your session is " + strings.TrimPrefix(r.Header.Get("Cookie"), "session=")})
		}
	}
	p := playRun(t, context.WithoutCancel(t.Context()), service, func(c *Config) {
		c.Target.Headers = []client.Header{{Name: "Cookie", Value: "session=gateway-secret-4711", Secret: true}}
		c.Selection.Tags = "@phase:first"
	})
	text := recordText(t, p)
	if strings.Contains(text, "gateway-secret-4711") || !strings.Contains(text, "HALLMARK_HEADER_COOKIE") {
		t.Error("the record shows the gateway's cookie, or nothing of it")
	}
}
