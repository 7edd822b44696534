package client

import (
	"net/http"
	"net/url"
	"strings"
)

// CredentialPart is one header, parameter of the query or cookie that carries a credential.
type CredentialPart struct {
	// In is "header", "query" or "cookie".
	In, Name, Value string
	// Shown stands for the value in records, escaped where the value will be.
	Shown string
}

// addParts puts headers and cookies into a request, and what stands for them into its record.
func addParts(req *http.Request, masked http.Header, parts []CredentialPart) {
	for _, p := range parts {
		switch p.In {
		case "header":
			name := http.CanonicalHeaderKey(p.Name)
			req.Header[name], masked[name] = []string{p.Value}, []string{p.Shown}
		case "cookie":
			req.Header.Set("Cookie", joined(req.Header.Get("Cookie"), "; ", p.Name+"="+p.Value))
			masked.Set("Cookie", joined(masked.Get("Cookie"), "; ", p.Name+"="+p.Shown))
		}
	}
}

// joined joins two texts, of which the first may be empty.
func joined(a, with, b string) string {
	if a == "" {
		return b
	}
	return a + with + b
}

// escaped returns a text as the name or the value of a query's parameter, with a blank as %20, which every reader takes for one.
func escaped(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }
