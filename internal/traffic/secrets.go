package traffic

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps/redact"
	"github.com/hallmark-kit/hallmark/steps/truncate"
)

// Traffic does not say which of its values are secrets. They are recognised by the names of the headers, parameters and members that hold them,
// and removed from everything that is kept of an exchange. Values without such a name, such as personal data, stay.

// hidden is what reports show instead of a secret.
const hidden = "(secret)"

// secretWords are parts of the names of headers, parameters and members that hold secrets, in lower case without separators.
var secretWords = []string{"authorization", "cookie", "token", "secret", "password", "passwd", "passphrase", "apikey", "accesskey", "privatekey", "credential", "session", "signature", "assertion", "passcode", "pincode", "jwt", "otp"}

// holdsSecret reports whether a name is that of a secret.
func holdsSecret(name string) bool {
	plain := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == '.' {
			return -1
		}
		return r
	}, strings.ToLower(name))
	return slices.Contains([]string{"key", "pwd", "sig", "auth"}, plain) || slices.ContainsFunc(secretWords, func(word string) bool { return strings.Contains(plain, word) })
}

// mask returns an exchange and its findings without the secrets of the request and of the response.
func (s *secrets) mask(x *Exchange, op *spec.Operation, ex spec.Exchange, findings []spec.Finding) (spec.Exchange, []spec.Finding) {
	for _, requirement := range op.Security {
		for _, scheme := range requirement {
			s.keys[strings.ToLower(scheme.Key)] = true
		}
	}
	s.header(x.Request.Header)
	s.header(x.Response.Header)
	s.address(ex.Request.URL)
	s.body(x.Request.Body, x.Request.Header)
	s.body(ex.Response.Body, ex.Response.Header)
	all := redact.New(s.list...)

	response := truncate.Headers(*ex.Response)
	response.Header, response.Body = s.masked(all, response.Header), all.Bytes(response.Body)
	response.Size += len(response.Body) - len(ex.Response.Body) // what was redacted was not truncated
	ex.Response = &response
	ex.Request.Header, ex.Request.Body = s.masked(all, ex.Request.Header), all.Bytes(ex.Request.Body)
	ex.Request.URL = all.Text(ex.Request.URL)
	masked := make([]spec.Finding, len(findings))
	for i, f := range findings {
		masked[i] = f.Map(all.Text)
	}
	return ex, masked
}

// secrets collects the secrets of an exchange.
type secrets struct {
	// keys are the names of what holds credentials according to the contract, in lower case.
	keys map[string]bool
	list []redact.Secret
}

func (s *secrets) isSecret(name string) bool {
	return s.keys[strings.ToLower(name)] || holdsSecret(name)
}

// addText adds a text. One that is too short to be searched for stays, but for whole headers.
func (s *secrets) addText(text string) {
	if len(text) >= redact.MinLength {
		s.list = append(s.list, redact.Secret{Text: text, Shown: hidden})
	}
}

// header adds the secrets in headers: whole values, and their parts after a scheme or a name.
func (s *secrets) header(h http.Header) {
	for name, values := range h {
		if !s.isSecret(name) {
			continue
		}
		for _, value := range values {
			if set := strings.EqualFold(name, "Set-Cookie"); set {
				value, _, _ = strings.Cut(value, ";")
			}
			for part := range strings.FieldsFuncSeq(value, func(c rune) bool { return c == ' ' || c == ';' || c == ',' }) {
				if _, after, named := strings.Cut(part, "="); named && after != "" && strings.Trim(after, "=") != "" {
					s.addText(strings.Trim(after, `"`))
				} else if !isScheme(part) {
					s.addText(part)
				}
			}
		}
	}
}

// isScheme reports whether a word is an authentication scheme rather than a secret.
func isScheme(word string) bool {
	return slices.ContainsFunc([]string{"Bearer", "Basic", "Digest", "Negotiate", "DPoP"}, func(s string) bool { return strings.EqualFold(s, word) })
}

// address adds the secrets in a URL.
func (s *secrets) address(text string) {
	u, err := url.Parse(text)
	if err != nil {
		return
	}
	if password, given := u.User.Password(); given {
		s.addText(password)
	}
	s.form(u.RawQuery)
}

func (s *secrets) form(text string) {
	query, _ := url.ParseQuery(text) // it returns what can be read
	for name, values := range query {
		if s.isSecret(name) {
			for _, value := range values {
				s.addText(value)
			}
		}
	}
}

// body adds the secrets in a body that is JSON or a form.
func (s *secrets) body(body []byte, h http.Header) {
	if strings.HasPrefix(h.Get("Content-Type"), "application/x-www-form-urlencoded") {
		s.form(string(body))
		return
	}
	var tree any
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if err := decoder.Decode(&tree); err == nil && !decoder.More() {
		s.members(tree, false)
		return
	}
	// A body that is cut, malformed or in lines: what looks like a member.
	for _, m := range member.FindAllSubmatch(body, -1) {
		var name string
		if json.Unmarshal(m[1], &name) != nil || !s.isSecret(name) {
			continue
		}
		text := strings.TrimPrefix(string(m[2]), `"`)
		var decoded string
		if json.Unmarshal([]byte(`"`+text+`"`), &decoded) == nil {
			s.addText(decoded)
		}
		s.addText(text)
	}
}

// member matches a member of a JSON object with its name and a text, which may be cut, or a number.
var member = regexp.MustCompile(`("(?:[^"\\]|\\.)*")\s*:\s*("(?:[^"\\]|\\.)*|[-0-9.eE+]+)`)

// members adds the texts and numbers below members with the name of a secret.
func (s *secrets) members(tree any, secret bool) {
	switch v := tree.(type) {
	case []any:
		for _, item := range v {
			s.members(item, secret)
		}
	case map[string]any:
		for name, value := range v {
			s.members(value, secret || s.isSecret(name))
		}
	case string:
		if secret {
			s.addText(v)
		}
	case json.Number:
		if secret {
			s.addText(v.String())
		}
	}
}

// masked returns headers without secrets; those with the name of a secret show none of their value.
func (s *secrets) masked(all *redact.Redactor, h http.Header) http.Header {
	out := all.Header(h)
	for name, values := range out {
		if !s.isSecret(name) {
			continue
		}
		for i, value := range values {
			values[i] = hidden
			if scheme, _, two := strings.Cut(value, " "); two && isScheme(scheme) {
				values[i] = scheme + " " + hidden
			}
		}
	}
	return out
}
