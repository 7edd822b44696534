package client

import (
	"net/http"
	"net/url"
	"strings"
)

// CredentialPart is a header, query parameter or cookie that carries a credential.
type CredentialPart struct {
	// In is "header", "query" or "cookie".
	In, Name, Value string
	// Shown replaces the value in records, escaped like the value.
	Shown string
}

// addParts adds headers and cookies to a request, and their redacted values to its record.
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

// joined joins two texts with a separator, unless the first is empty.
func joined(a, with, b string) string {
	if a == "" {
		return b
	}
	return a + with + b
}

// escaped escapes a name or value of a query parameter, with %20 for spaces, which every parser accepts.
func escaped(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }
