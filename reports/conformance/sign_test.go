package conformance

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

func TestSignedReport(t *testing.T) {
	signer, public := newSigner(t)
	inYAML, inJSON := written(t, sample.Good(t), signer)
	for name, text := range map[string][]byte{"YAML": inYAML, "JSON": inJSON} {
		d := mustRead(t, text)
		for _, c := range d.verify(own(t), public, after(d)) {
			if c.State != Good {
				t.Errorf("%s: %+v", name, c)
			}
		}
		if d.Signature.Key != fingerprintOf(public) || !d.Expires.Equal(d.Date.AddDate(0, 0, 365)) {
			t.Errorf("%s: signed by %s until %v", name, d.Signature.Key, d.Expires)
		}
	}
	again, _ := written(t, sample.Good(t), signer)
	if !bytes.Equal(inYAML, again) {
		t.Error("signed again, it is another one")
	}
}

// A signed report of version 1 is still valid: its signature covers the former names of its members.
func TestSignedReportOfVersion1(t *testing.T) {
	signer, public := newSigner(t)
	_, inJSON := written(t, sample.Good(t), signer)
	all := tree(t, inJSON)
	mode, summary := at(t, all, "mode"), at(t, all, "summary")
	all["apiVersion"] = apiVersion1
	mode["maxAnimals"], summary["animals"] = mode["maxCreated"], summary["created"]
	delete(mode, "maxCreated")
	delete(summary, "created")
	content, err := canonical(asText(t, all))
	if err != nil {
		t.Fatal(err)
	}
	at(t, all, "signature")["value"] = base64.StdEncoding.EncodeToString(ed25519.Sign(signer.Key, content))
	d, now := mustRead(t, asText(t, all)), mustRead(t, inJSON)
	for _, c := range d.verify(own(t), public, after(d)) {
		if c.State != Good {
			t.Errorf("%+v", c)
		}
	}
	if d.Mode.MaxCreated != now.Mode.MaxCreated || d.Summary != now.Summary || d.Summary.Created == 0 {
		t.Errorf("it is read as %+v, %+v", d.Mode, d.Summary)
	}
}

// The signature covers the content of a report, and not its form.
func TestSignatureSurvivesRewriting(t *testing.T) {
	signer, public := newSigner(t)
	inYAML, inJSON := written(t, sample.Good(t), signer)
	text := string(inYAML)
	for name, other := range map[string]string{
		"comments":         "# hello\n" + strings.Replace(text, "\nmode:", " # here\n\n# and here\nmode: # there", 1),
		"other line ends":  strings.ReplaceAll(text, "\n", "\r\n"),
		"a document mark":  "---\n" + text,
		"compact JSON":     string(asText(t, tree(t, inJSON))), // its members are in another order, too
		"escapes in JSON":  strings.Replace(string(inJSON), `"petstore"`, `"\u0070etstore"`, 1),
		"quotes in YAML":   strings.Replace(text, "project: petstore", `"project": "petstore"`, 1),
		"a blank in front": "\n\n" + string(inJSON),
	} {
		if other == text || other == string(inJSON) {
			t.Fatalf("%s: nothing was rewritten", name)
		}
		d := mustRead(t, []byte(other))
		if got := states(d.verify(own(t), public, after(d)))["signature"]; got != Good {
			t.Errorf("%s: the signature is %s", name, got)
		}
	}
}

// Every change in a signed report is detected: each member of each object, items of each list, the signature
// itself.
func TestEveryChangeOfASignedReportShows(t *testing.T) {
	signer, public := newSigner(t)
	r := New(changed(t, func(rec *record.Record) {
		rec.Options.Rules, rec.Options.Now, rec.Target.Proxy = []string{"list"}, "2026-11-21T00:00:00Z", "http://proxy.example.com"
	}))
	r.Areas, r.Observations = r.Areas[6:8], r.Observations[:2] // the others are similar
	text, err := signer.sign(r)
	if err != nil {
		t.Fatal(err)
	}
	all, tried := tree(t, text), 0
	refused := func(where string) {
		tried++
		d, err := read(asText(t, all))
		if err != nil {
			return // the schema or the reader minds
		}
		if got := d.checkSignature(public).State; got != Bad {
			t.Errorf("%s can be changed: the signature is %s", where, got)
		}
	}
	var change func(where string, value any, set func(any), remove func())
	change = func(where string, value any, set func(any), remove func()) {
		switch v := value.(type) {
		case string:
			other := v + "x"
			if when, err := time.Parse(time.RFC3339, v); err == nil {
				other = when.AddDate(1, 0, 0).Format(time.RFC3339)
			} else if strings.HasPrefix(v, "sha256:") {
				other = "sha256:" + strings.Repeat("0", 64)
			} else if raw, err := base64.StdEncoding.DecodeString(v); err == nil && len(raw) == 64 {
				raw[10] ^= 1
				other = base64.StdEncoding.EncodeToString(raw)
			}
			set(other)
		case bool:
			set(!v)
		case json.Number:
			set(json.Number("1" + v.String()))
		case map[string]any:
			for name, child := range v {
				change(where+"."+name, child, func(other any) { v[name] = other }, func() { delete(v, name) })
			}
		case []any:
			for i, child := range v {
				if i > 0 && i < len(v)-1 {
					continue // those between are like the first
				}
				change(fmt.Sprintf("%s.%d", where, i), child, func(other any) { v[i] = other }, nil)
			}
			set(append([]any{v[len(v)-1]}, v...)) // one more
			refused(where + ", with one more")
			set(v[1:])
			refused(where + ", without the first")
		}
		if _, object := value.(map[string]any); !object {
			refused(where)
			set(value)
		}
		if remove != nil {
			remove()
			refused("without " + where)
			set(value)
		}
	}
	change("", all, nil, nil)
	if tried < 150 {
		t.Errorf("only %d changes were tried", tried)
	}
	d := mustRead(t, asText(t, all))
	if got := d.checkSignature(public).State; got != Good {
		t.Errorf("put back as it was, the signature is %s", got)
	}
}

func TestSignatureOfSomethingElse(t *testing.T) {
	signer, public := newSigner(t)
	other, otherPublic := newSigner(t)
	_, good := written(t, sample.Good(t), signer)
	_, bad := written(t, sample.Broken(t), signer)
	_, unsigned := written(t, sample.Good(t), nil)

	moved := tree(t, bad)
	moved["signature"] = tree(t, good)["signature"]
	renamed := tree(t, good)
	renamed["signature"].(map[string]any)["key"] = fingerprintOf(otherPublic)
	_, foreign := written(t, sample.Good(t), other)

	for name, c := range map[string]struct {
		text []byte
		want string
	}{
		"another key":                {foreign, "not by this one"},
		"none":                       {unsigned, "nobody vouches"},
		"that of another report":     {asText(t, moved), "it was changed after it was signed"},
		"the name of another key":    {asText(t, renamed), "not by this one"},
		"another's under this name":  {asText(t, rename(t, foreign, fingerprintOf(public))), "it was changed after it was signed"},
		"another's under his own":    {asText(t, rename(t, good, fingerprintOf(otherPublic))), "not by this one"},
		"a report without signature": {unsigned, "it is not signed"},
	} {
		d := mustRead(t, c.text)
		checks := d.verify(own(t), public, after(d))
		if checks[1].Name != "signature" || checks[1].State != Bad || !strings.Contains(checks[1].Says, c.want) {
			t.Errorf("%s: %+v", name, checks[1])
		}
	}
	d := mustRead(t, unsigned)
	if c := d.verify(own(t), nil, after(d))[1]; c.State != Absent {
		t.Errorf("nobody asked for a signature: %+v", c)
	}
	// Without the key a signature proves nothing.
	d = mustRead(t, good)
	checks := d.verify(own(t), nil, after(d))
	if _, unchecked := summarize(checks); checks[1].State != Unchecked || unchecked != 1 {
		t.Errorf("the signature was not checked, and the checks say %+v", checks)
	}
}

func rename(t *testing.T, text []byte, key string) map[string]any {
	t.Helper()
	all := tree(t, text)
	all["signature"].(map[string]any)["key"] = key
	return all
}

// Nobody can vouch for something without a name.
func TestSignable(t *testing.T) {
	signer, _ := newSigner(t)
	for name, i := range map[string]record.Implementation{
		"organization, project, version are": {}, "version is": {Organization: "a", Project: "b", Version: " "}, "project, version are": {Organization: "a"},
	} {
		err := Signable(i)
		if err == nil || !strings.Contains(err.Error(), "and "+name+" not known") {
			t.Errorf("%+v: %v", i, err)
		}
		v := changed(t, func(rec *record.Record) { rec.Target.Implementation = i })
		if err := Format(signer).Write(&bytes.Buffer{}, v); err == nil {
			t.Errorf("%+v was signed", i)
		}
	}
	if err := Signable(record.Implementation{Organization: "a", Project: "b", Version: "1"}); err != nil {
		t.Error(err)
	}
}

func TestKeysThatAreNone(t *testing.T) {
	private, public, _, err := NewKeys()
	if err != nil {
		t.Fatal(err)
	}
	// Of another kind: the public key of NIST's curve P-256 with its generator for a point.
	const p256 = "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt\n6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==\n-----END PUBLIC KEY-----\n"
	for name, c := range map[string]struct{ private, public, want string }{
		"nothing":     {"", "", "there is no PEM block in it"},
		"other text":  {"hello", "hello", "there is no PEM block in it"},
		"the other":   {string(public), string(private), "it holds the p"},
		"two":         {string(private) + string(private), string(public) + string(public), "more than one PEM block"},
		"a password":  {pemOf("ENCRYPTED PRIVATE KEY"), pemOf("ENCRYPTED PRIVATE KEY"), "protected by a password"},
		"damaged":     {pemOf("PRIVATE KEY"), pemOf("PUBLIC KEY"), "is damaged"},
		"certificate": {pemOf("CERTIFICATE"), pemOf("CERTIFICATE"), "another PEM block"},
		"other kind":  {"", p256, "of another kind"},
	} {
		if _, err := ReadPrivateKey([]byte(c.private)); c.private != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s, private: %v", name, err)
		}
		if _, err := ReadPublicKey([]byte(c.public)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, public: %v", name, err)
		}
	}
}

func pemOf(kind string) string {
	return "-----BEGIN " + kind + "-----\nAAAA\n-----END " + kind + "-----\n"
}

// Names of any kind survive: what was signed is what is read, in YAML as in JSON.
func TestAnyNameSurvives(t *testing.T) {
	signer, public := newSigner(t)
	r := New(sample.Good(t))
	r.Areas, r.Observations = []Area{}, nil // they hold no names
	text := rapid.OneOf(
		rapid.String(),
		rapid.SampledFrom([]string{"1.10", "0x10", "1e3", "yes", "null", "~", "2026-11-21", "- a", "a: b", "a #b", "'", "\"", "<<", "*a", "&a", "!x", "---", "...", "%YAML", " a ", "\ta", "a\n\nb\n", ".inf", "0o7", "=", "[", "{", "\u2028", "\ufeff", "\xff", sample.Evil}),
	).Filter(func(s string) bool { return strings.TrimSpace(s) != "" })
	rapid.Check(t, func(rt *rapid.T) {
		signed := *r
		signed.Implementation = record.Implementation{
			Organization: text.Draw(rt, "organization"), Project: text.Draw(rt, "project"), Version: text.Draw(rt, "version"),
		}
		encoded, err := signer.sign(&signed)
		if err != nil {
			rt.Fatal(err)
		}
		for name, write := range map[string]func(*bytes.Buffer) error{
			"YAML": func(out *bytes.Buffer) error { return writeYAML(out, encoded) },
			"JSON": func(out *bytes.Buffer) error { return writeJSON(out, encoded) },
		} {
			var out bytes.Buffer
			if err := write(&out); err != nil {
				rt.Fatal(err)
			}
			d, err := read(out.Bytes())
			if err != nil {
				rt.Fatalf("%s: %v\n%s", name, err, out.Bytes())
			}
			if c := d.checkSignature(public); c.State != Good {
				rt.Fatalf("%s: %+v", name, c)
			}
		}
	})
}

// A receiver without hallmark checks a signature with jq and openssl, and openssl's keys sign.
func TestSignatureByOpenSSL(t *testing.T) {
	for _, tool := range []string{"sh", "jq", "openssl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("there is no", tool, "here")
		}
	}
	dir := t.TempDir()
	shell := func(script string) ([]byte, error) {
		cmd := exec.Command("sh", "-ec", script)
		cmd.Dir = dir
		return cmd.CombinedOutput()
	}
	if out, err := shell("openssl genpkey -algorithm ed25519 -out o.key && openssl pkey -in o.key -pubout -out o.pub"); err != nil {
		t.Skipf("this openssl knows no Ed25519: %s", out)
	}
	private, err := os.ReadFile(filepath.Join(dir, "o.key"))
	if err != nil {
		t.Fatal(err)
	}
	key, err := ReadPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	public, err := os.ReadFile(filepath.Join(dir, "o.pub"))
	if err != nil {
		t.Fatal(err)
	}
	pub, err := ReadPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	_, text := written(t, sample.Good(t), &Signer{Key: key, Days: 1})
	if err := os.WriteFile(filepath.Join(dir, "r.json"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	const check = `
		jq -jcS 'del(.signature.value)' r.json >content
		jq -r .signature.value r.json | openssl base64 -d -A >signature
		openssl pkeyutl -verify -pubin -inkey o.pub -rawin -in content -sigfile signature`
	if out, err := shell(check); err != nil {
		t.Errorf("openssl refuses the signature: %s", out)
	}
	if out, err := shell("sed -i.bak s/petstore/petstorf/ r.json\n" + check); err == nil {
		t.Errorf("openssl takes the signature of a changed report: %s", out)
	}
	out, err := shell("openssl pkey -pubin -in o.pub -outform DER | openssl dgst -sha256 -r")
	if err != nil || !strings.HasPrefix(string(out), strings.TrimPrefix(fingerprintOf(pub), "sha256:")+" ") {
		t.Errorf("openssl calls the key %s (%v), hallmark %s", out, err, fingerprintOf(pub))
	}
}
