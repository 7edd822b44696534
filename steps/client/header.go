package client

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"github.com/hallmark-kit/hallmark/steps/redact"
)

// Header is a header that every request carries in addition to those of the interface, such as for a gateway.
type Header struct {
	Name, Value string
	// Secret reports whether the value must not appear in records.
	Secret bool
	// Shown replaces a secret value in records: a text in which ${NAME} is a shell variable for repeating the
	// request. Empty means a variable named after the header.
	Shown string

	// hidden holds the secret parts of the value, if not all of it is secret.
	hidden []redact.Secret
}

// headerVariable returns the shell variable for a secret header's value in commands that repeat a request.
func headerVariable(name string) string {
	return "${HALLMARK_HEADER_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_")) + "}"
}

// ForRecords returns the value as records show it.
func (h Header) ForRecords() string {
	switch {
	case h.Shown != "":
		return h.Shown
	case h.Secret:
		return headerVariable(h.Name)
	}
	return h.Value
}

// Secrets returns the texts that reveal a secret header. A service may echo a part of it, such as one of several
// cookies, or the token without its scheme.
func (h Header) Secrets() []redact.Secret {
	if !h.Secret {
		return nil
	}
	all := append([]redact.Secret{{Text: h.Value, Shown: h.ForRecords()}}, h.hidden...)
	if len(h.hidden) > 0 {
		return all
	}
	for _, part := range strings.FieldsFunc(h.Value, func(r rune) bool { return strings.ContainsRune(" ;,\"", r) }) {
		_, value, named := strings.Cut(part, "=")
		if !named || strings.Trim(value, "=") == "" {
			value = part
		}
		if len(value) >= minPart && value != h.Value {
			all = append(all, redact.Secret{Text: value, Shown: h.ForRecords()})
		}
	}
	return all
}

// minPart is the minimum length, in bytes, of a part of a header's value that is redacted by itself.
const minPart = 8

var (
	headerName        = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")
	variableReference = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)
	credentialWords   = regexp.MustCompile(`(?i)(auth|token|secret|passw|credential|cookie|session|signature|jwt|api-?key|-key$|^key$)`)
)

// ownHeaders returns the headers that hallmark sets itself, with the reason.
func ownHeaders() map[string]string {
	const own = "hallmark sets it for each request"
	return map[string]string{
		"Accept": own, "Accept-Encoding": own, "Connection": own, "Content-Length": own, "Content-Type": own, "Expect": own,
		"Te": own, "Trailer": own, "Transfer-Encoding": own, "Upgrade": own, "User-Agent": own,
	}
}

// ParseHeader parses "Name: value". In the value, ${NAME} is an environment variable, which makes it a secret; so
// does a name that suggests credentials. Errors do not show the value.
func ParseHeader(text string, secretly bool, lookup func(string) (string, bool)) (Header, error) {
	h, err := splitHeader(text, secretly)
	if err != nil {
		return Header{}, err
	}
	if missing := h.expand(lookup); missing != "" {
		return Header{}, fmt.Errorf("the header %s needs the environment variable %s, which is not set", h.Name, missing)
	}
	for _, r := range h.Value {
		if r < ' ' && r != '\t' || r == 0x7f {
			return Header{}, fmt.Errorf("the value of the header %s holds a control character, which no header can carry", h.Name)
		}
	}
	return h, nil
}

// expand replaces the variables in the value, and returns the first that is not set, or "".
func (h *Header) expand(lookup func(string) (string, bool)) (missing string) {
	h.Value = variableReference.ReplaceAllStringFunc(h.Value, func(ref string) string {
		value, ok := lookup(ref[2 : len(ref)-1])
		if (!ok || value == "") && missing == "" {
			missing = ref[2 : len(ref)-1]
		}
		h.hidden = append(h.hidden, redact.Secret{Text: value, Shown: ref})
		return value
	})
	return missing
}

// ShowHeader returns a header's text for display, with variables in place of secrets.
func ShowHeader(text string, secretly bool) string {
	h, err := splitHeader(text, secretly)
	if err != nil {
		return "…"
	}
	return h.Name + ": " + h.ForRecords()
}

// splitHeader parses a header without expanding variables.
func splitHeader(text string, secretly bool) (Header, error) {
	name, value, ok := strings.Cut(text, ":")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	switch {
	case !ok:
		return Header{}, fmt.Errorf("a header is written as 'Name: value', with a colon")
	case !headerName.MatchString(name):
		return Header{}, fmt.Errorf("a header's name is made of letters, digits and hyphens; write 'Name: value'")
	case value == "":
		return Header{}, fmt.Errorf("the header %s has no value", name)
	}
	if strings.Contains(variableReference.ReplaceAllString(value, ""), "${") {
		return Header{}, fmt.Errorf("in the header %s a ${…} names no variable; write ${NAME}, which has no default: one for a secret would be a secret in plain sight", name)
	}
	name = http.CanonicalHeaderKey(name)
	if reason, own := ownHeaders()[name]; own {
		return Header{}, fmt.Errorf("the header %s cannot be given: %s", name, reason)
	}
	h := Header{Name: name, Value: value, Secret: secretly || credentialWords.MatchString(name)}
	switch {
	case variableReference.MatchString(value):
		h.Secret, h.Shown = true, value
	case h.Secret:
		h.Shown = headerVariable(name)
	}
	return h, nil
}
