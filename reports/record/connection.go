package record

import (
	"slices"
	"strings"

	"hallmark/internal/lazy"
	"hallmark/internal/text"
)

// Connection is how a target was reached, as far as somebody who repeats a request has to know. It holds no secret: in the
// proxy and the headers ${NAME} stands for a variable of the environment.
type Connection struct {
	// Insecure reports whether the target's certificate was not checked.
	Insecure bool `json:"insecure,omitempty"`
	// CAFile, ClientCert and ClientKey are names of files.
	CAFile     string `json:"caFile,omitempty"`
	ClientCert string `json:"clientCert,omitempty"`
	ClientKey  string `json:"clientKey,omitempty"`
	Proxy      string `json:"proxy,omitempty"`
	UnixSocket string `json:"unixSocket,omitempty"`
	// H2C reports whether HTTP/2 was spoken without TLS.
	H2C bool `json:"h2c,omitempty"`
	// KeyVariable is the variable of the environment in which the API key was found, KeyFile the file; where both are empty
	// it was HALLMARK_API_KEY. In exchanges $HALLMARK_API_KEY stands for the key in any case.
	KeyVariable string `json:"keyVariable,omitempty"`
	KeyFile     string `json:"keyFile,omitempty"`
	// Headers were sent with every request beside those of the interface.
	Headers []Header `json:"headers,omitempty"`
}

// Header is a header as it is shown.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	// Secret reports whether the value is a text with variables.
	Secret bool `json:"secret,omitempty"`
}

// Words say in a few words what is special about the way; what weakens the result comes first.
func (w Connection) Words() []string {
	var words []string
	if w.Insecure {
		words = append(words, "CERTIFICATE NOT CHECKED (--insecure)")
	}
	if w.Proxy != "" {
		words = append(words, "by the proxy "+w.Proxy)
	}
	if w.UnixSocket != "" {
		words = append(words, "by the socket "+w.UnixSocket)
	}
	if w.ClientCert != "" {
		words = append(words, "with a client certificate")
	}
	return words
}

// curlWords are the options of curl that go the same way.
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

// keyName is the shell's variable that holds the key where a request is repeated, and what has to be done before to have
// it there.
func (w Connection) keyName() (name, before string) {
	switch {
	case w.KeyFile != "":
		return "key", "key=$(cat " + text.ShellQuote(w.KeyFile) + "); "
	case w.KeyVariable != "" && shellName().MatchString(w.KeyVariable):
		return w.KeyVariable, ""
	}
	return keyVariable, ""
}

// shellName is what the shell takes for the name of a variable.
var shellName = lazy.Regexp(`^[A-Za-z_][A-Za-z0-9_]*$`)

// header finds one of the target's own headers in a request.
func (w Connection) header(name, value string) (Header, bool) {
	i := slices.IndexFunc(w.Headers, func(h Header) bool { return strings.EqualFold(h.Name, name) && h.Value == value })
	if i < 0 {
		return Header{}, false
	}
	return w.Headers[i], true
}

var shellVariable = lazy.Regexp(`\$\{[A-Za-z_][A-Za-z0-9_]*\}`)

// variableQuote quotes s, in which ${NAME} is a variable for the shell to fill in, and nothing else is.
func variableQuote(s string) string {
	at := shellVariable().FindAllStringIndex(s, -1)
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
