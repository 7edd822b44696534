package record

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// Connection is how a target was reached, as far as a reader needs it to repeat a request. It holds no secret: in the proxy and the
// headers, ${NAME} is an environment variable.
type Connection struct {
	// Insecure reports whether the target's certificate was not checked.
	Insecure bool `json:"insecure,omitempty"`
	// CAFile, ClientCert and ClientKey are file names.
	CAFile     string `json:"caFile,omitempty"`
	ClientCert string `json:"clientCert,omitempty"`
	ClientKey  string `json:"clientKey,omitempty"`
	Proxy      string `json:"proxy,omitempty"`
	UnixSocket string `json:"unixSocket,omitempty"`
	// H2C reports whether HTTP/2 was used without TLS.
	H2C bool `json:"h2c,omitempty"`
	// KeyVariable is the environment variable that held the API key, KeyFile the file. If both are empty, it was HALLMARK_API_KEY.
	// Exchanges always show $HALLMARK_API_KEY in place of the key.
	KeyVariable string `json:"keyVariable,omitempty"`
	KeyFile     string `json:"keyFile,omitempty"`
	// Headers are the user's own headers, sent with every request.
	Headers []Header `json:"headers,omitempty"`
}

// Header is a header as displayed.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	// Secret reports whether Value contains variables.
	Secret bool `json:"secret,omitempty"`
}

// Words describes what is special about the connection in a few words, starting with what weakens the result.
func (w Connection) Words() []string {
	var words []string
	if w.Insecure {
		words = append(words, "CERTIFICATE NOT CHECKED (--insecure)")
	}
	if w.Proxy != "" {
		words = append(words, "through the proxy "+w.Proxy)
	}
	if w.UnixSocket != "" {
		words = append(words, "through the socket "+w.UnixSocket)
	}
	if w.ClientCert != "" {
		words = append(words, "with a client certificate")
	}
	return words
}

// curlWords returns the curl options for the same connection.
func (w Connection) curlWords() []string {
	var words []string
	add := func(option, value string) {
		if value != "" {
			words = append(words, option, text.ShellQuote(value))
		}
	}
	if w.Insecure {
		words = append(words, "-k")
	}
	add("--cacert", w.CAFile)
	add("--cert", w.ClientCert)
	add("--key", w.ClientKey)
	add("--unix-socket", w.UnixSocket)
	if w.Proxy != "" {
		words = append(words, "--proxy", variableQuote(w.Proxy))
	}
	if w.H2C {
		words = append(words, "--http2-prior-knowledge")
	}
	return words
}

// keyName returns the shell variable that holds the key when a request is repeated, and the command that sets it first.
func (w Connection) keyName() (name, before string) {
	switch {
	case w.KeyFile != "":
		return "key", "key=$(cat " + text.ShellQuote(w.KeyFile) + "); "
	case w.KeyVariable != "" && shellName.MatchString(w.KeyVariable):
		return w.KeyVariable, ""
	}
	return keyVariable, ""
}

// shellName matches the names that the shell accepts for variables.
var shellName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// header returns the user's own header with that name and value.
func (w Connection) header(name, value string) (Header, bool) {
	i := slices.IndexFunc(w.Headers, func(h Header) bool { return strings.EqualFold(h.Name, name) && h.Value == value })
	if i < 0 {
		return Header{}, false
	}
	return w.Headers[i], true
}

var shellVariable = regexp.MustCompile(`\$\{[A-Za-z_][A-Za-z0-9_]*\}`)

// variableQuote quotes s so that the shell expands variables written as ${NAME} and nothing else.
func variableQuote(s string) string {
	at := shellVariable.FindAllStringIndex(s, -1)
	if at == nil {
		return text.ShellQuote(s)
	}
	var out strings.Builder
	from := 0
	plain := func(part string) {
		if part != "" {
			out.WriteString(text.ShellQuote(part))
		}
	}
	for _, span := range at {
		plain(s[from:span[0]])
		out.WriteString(`"` + s[span[0]:span[1]] + `"`)
		from = span[1]
	}
	plain(s[from:])
	return out.String()
}
