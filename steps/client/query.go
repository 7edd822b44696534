package client

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/hallmark-kit/hallmark/steps/redact"
)

// QueryParameter is a secret query parameter that every request carries in addition to those of the interface: the credential of a service
// whose document names none.
type QueryParameter struct {
	Name, Value string
	// shown replaces the value in records: a shell variable for repeating the request.
	shown  string
	hidden []redact.Secret
}

// ParseQueryParameter parses "name=value". In the value, ${NAME} is an environment variable. Errors do not show the value.
func ParseQueryParameter(text string, lookup func(string) (string, bool)) (QueryParameter, error) {
	name, value, ok := strings.Cut(text, "=")
	switch {
	case !ok || name == "":
		return QueryParameter{}, fmt.Errorf("a query parameter is written as 'name=value'")
	case value == "":
		return QueryParameter{}, fmt.Errorf("the query parameter %q has no value", name)
	case strings.Contains(variableReference.ReplaceAllString(value, ""), "${"):
		return QueryParameter{}, fmt.Errorf("in the query parameter %q a ${…} names no variable; write ${NAME}, which has no default: one for a secret would be a secret in plain sight", name)
	}
	h := Header{Name: name, Value: value, Secret: true, Shown: "$" + queryVariable(name)}
	if missing := h.expand(lookup); missing != "" {
		return QueryParameter{}, fmt.Errorf("the query parameter %q needs the environment variable %s, which is not set", name, missing)
	}
	return QueryParameter{Name: name, Value: h.Value, shown: h.Shown, hidden: h.Secrets()}, nil
}

// ShowQueryParameter returns the text of a query parameter for display, with variables in place of secrets.
func ShowQueryParameter(text string) string {
	name, value, ok := strings.Cut(text, "=")
	switch {
	case !ok:
		return "…"
	case variableReference.FindString(value) == value: // and nothing beside it
		return name + "=" + value
	}
	return name + "=${" + queryVariable(name) + "}"
}

// queryVariable returns the variable for the value of a query parameter in commands that repeat a request.
func queryVariable(name string) string {
	return "HALLMARK_QUERY_" + strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToUpper(name))
}

// Secrets returns the texts that reveal the parameter.
func (q QueryParameter) Secrets() []redact.Secret { return q.hidden }

// part returns the parameter as a part of a credential.
func (q QueryParameter) part() CredentialPart {
	return CredentialPart{In: inQuery, Name: q.Name, Value: q.Value, Shown: ShownInURL(q.Value, q.shown)}
}

const inQuery = "query"

// ShownInURL returns what replaces the value of a query parameter in records, escaped like the value. shown replaces the value elsewhere.
func ShownInURL(value, shown string) string {
	switch safe := escaped(value); {
	case shown == value:
		return safe
	case safe == value:
		return shown
	}
	return `$(printf %s "` + shown + `" | jq -sRr @uri)`
}

// withParts adds the query parameters of the target and of a credential to an encoded query, as it is sent and as records show it. What the
// request has itself is not added again.
func (c *Client) withParts(query string, parts []CredentialPart) (sent, shown string) {
	sent, shown = query, query
	own, _ := url.ParseQuery(query) // what does not parse is the request's own business
	var all []CredentialPart
	for _, q := range c.query {
		if !own.Has(q.Name) {
			all = append(all, q.part())
		}
	}
	for _, p := range append(all, parts...) {
		if p.In == inQuery {
			sent, shown = joined(sent, "&", escaped(p.Name)+"="+escaped(p.Value)), joined(shown, "&", escaped(p.Name)+"="+p.Shown)
		}
	}
	return sent, shown
}
