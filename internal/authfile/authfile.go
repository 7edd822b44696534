package authfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/pb33f/go-yaml"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/internal/text/syntax"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
)

// maxFile is the maximum size of a file in bytes.
const maxFile = 1 << 20

// User is a user of the service.
type User struct {
	Name string
	Role scheme.Role
}

// Load reads the users of a file.
func Load(path string) ([]User, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > maxFile:
		return nil, errors.New("the file is larger than 1 MiB")
	}
	return Read(data)
}

// Read parses the text of a file and returns its users in order. Errors name the line and contain no secrets.
func Read(data []byte) (users []User, err error) {
	defer func() {
		if p := recover(); p != nil {
			users, err = nil, errors.New("it is not YAML")
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	if err := decoder.Decode(&doc); err != nil && !errors.Is(err, io.EOF) {
		wrong := syntax.YAML(data)
		return nil, fmt.Errorf("line %d: it is not %s, at column %d", wrong.Line, wrong.Format, wrong.Column) // the reason may quote a secret
	}
	if len(doc.Content) != 1 {
		return nil, errors.New("it is empty")
	}
	r := &reader{}
	root := r.mapping("the file", doc.Content[0])
	r.known(root, "the file", "schemaVersion", "auth", "authTemplate", "configs")
	list := root["auth"]
	if list == nil || list.Kind != yaml.SequenceNode {
		r.failAt(doc.Content[0], "auth: expected a list of users")
		return nil, r.err
	}
	for _, n := range list.Content {
		if template := root["authTemplate"]; template != nil {
			n = merged(template, n, 0)
		}
		user := r.user(n)
		if i := slices.IndexFunc(users, func(o User) bool { return o.Name == user.Name }); i >= 0 {
			r.failAt(n, "the user %q is defined twice", user.Name)
		}
		users = append(users, user)
	}
	if r.err != nil {
		return nil, r.err
	}
	return users, nil
}

// reader keeps the first mistake.
type reader struct{ err error }

func (r *reader) failAt(n *yaml.Node, format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("line %d: %s", n.Line, fmt.Sprintf(format, args...))
	}
}

// resolved returns the target of an alias, and any other node unchanged.
func resolved(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}

// maxDepth is the maximum depth to which a template is merged.
const maxDepth = 4

// merged returns an entry with missing members taken from a template.
func merged(template, own *yaml.Node, depth int) *yaml.Node {
	template, own = resolved(template), resolved(own)
	if template.Kind != yaml.MappingNode || own.Kind != yaml.MappingNode || depth > maxDepth {
		return own
	}
	out := *own
	out.Content = slices.Clone(own.Content)
	for i := 0; i+1 < len(template.Content); i += 2 {
		j := 0
		for j < len(out.Content) && out.Content[j].Value != template.Content[i].Value {
			j += 2
		}
		switch {
		case j >= len(out.Content):
			out.Content = append(out.Content, template.Content[i], template.Content[i+1])
		case isNull(out.Content[j+1]):
			out.Content[j+1] = template.Content[i+1]
		default:
			out.Content[j+1] = merged(template.Content[i+1], out.Content[j+1], depth+1)
		}
	}
	return &out
}

func isNull(n *yaml.Node) bool { return resolved(n).ShortTag() == "!!null" }

// mapping returns the members of a mapping, without those that are null.
func (r *reader) mapping(of string, n *yaml.Node) map[string]*yaml.Node {
	n = resolved(n)
	all := map[string]*yaml.Node{}
	if n.Kind != yaml.MappingNode {
		r.failAt(n, "%s: expected keys with values", of)
		return all
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if !isNull(n.Content[i+1]) {
			all[n.Content[i].Value] = resolved(n.Content[i+1])
		}
	}
	return all
}

// known reports unknown members, which would otherwise be ignored.
func (r *reader) known(members map[string]*yaml.Node, of string, names ...string) {
	var all []string
	for name := range members {
		if !slices.Contains(names, name) {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	for _, name := range all {
		r.failAt(members[name], "%s: unknown key %s", of, text.Visible(text.Truncate(name, 40)))
	}
}

// word returns a text.
func (r *reader) word(members map[string]*yaml.Node, of, name string) string {
	n := members[name]
	switch {
	case n == nil:
		return ""
	case n.Kind != yaml.ScalarNode:
		r.failAt(n, "%s.%s: expected text", of, name)
		return ""
	}
	return n.Value
}

// is reports whether a member is true.
func (r *reader) is(members map[string]*yaml.Node, of, name string) bool {
	n := members[name]
	if n != nil && (n.Kind != yaml.ScalarNode || n.ShortTag() != "!!bool") {
		r.failAt(n, "%s.%s: expected true or false", of, name)
	}
	return n != nil && strings.EqualFold(n.Value, "true")
}

func (r *reader) user(n *yaml.Node) User {
	members := r.mapping("auth", n)
	r.known(members, "auth", "name", "requireMockHandling", "fixedHeaders", "loginEndpointAuth")
	u := User{Name: r.word(members, "auth", "name")}
	if u.Name == "" {
		r.failAt(n, "auth: a user has no name")
	}
	of := "the user " + text.Visible(text.Truncate(u.Name, 40))
	if r.is(members, of, "requireMockHandling") {
		r.failAt(members["requireMockHandling"], "%s: requireMockHandling needs a tool that runs inside the service", of)
	}
	u.Role.Headers = r.headers(members, of, "fixedHeaders")
	if n := members["loginEndpointAuth"]; n != nil {
		u.Role.Login = r.login(of+", loginEndpointAuth", n)
	}
	if len(u.Role.Headers) == 0 && u.Role.Login == nil {
		r.failAt(n, "%s has neither fixedHeaders nor loginEndpointAuth", of)
	}
	return u
}

var headerName = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")

func (r *reader) headers(members map[string]*yaml.Node, of, name string) []scheme.Header {
	list := members[name]
	if list == nil {
		return nil
	}
	if list.Kind != yaml.SequenceNode {
		r.failAt(list, "%s: %s: expected a list of headers", of, name)
	}
	var all []scheme.Header
	for _, n := range list.Content {
		one := r.mapping(of, n)
		r.known(one, of+", "+name, "name", "value")
		h := scheme.Header{Name: r.word(one, of, "name"), Value: strings.TrimSpace(r.word(one, of, "value"))}
		switch {
		case !headerName.MatchString(h.Name):
			r.failAt(n, "%s: %s: a header's name is made of letters, digits and hyphens", of, name)
		case strings.ContainsFunc(h.Value, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f }):
			r.failAt(n, "%s: %s: the value contains a control character, which a header cannot", of, name)
		}
		h.Name = http.CanonicalHeaderKey(h.Name)
		all = append(all, h)
	}
	return all
}

func (r *reader) login(of string, n *yaml.Node) *scheme.Login {
	m := r.mapping(of, n)
	r.known(m, of, "endpoint", "externalEndpointURL", "payloadRaw", "payloadUserPwd", "headers", "verb", "contentType", "token", "expectCookies")
	l := &scheme.Login{
		Method: strings.ToUpper(r.word(m, of, "verb")), URL: r.word(m, of, "endpoint"), AtRoot: true, Headers: r.headers(m, of, "headers"),
		Body: r.word(m, of, "payloadRaw"), ContentType: r.word(m, of, "contentType"), Cookies: r.is(m, of, "expectCookies"),
	}
	if external := r.word(m, of, "externalEndpointURL"); external != "" {
		if l.URL != "" {
			r.failAt(n, "%s: endpoint and externalEndpointURL exclude each other", of)
		}
		if u, err := url.Parse(external); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			r.failAt(n, "%s: externalEndpointURL: expected a URL that begins with http:// or https://", of)
		}
		l.URL = external
	} else if l.URL != "" && !strings.HasPrefix(l.URL, "/") {
		r.failAt(n, "%s: endpoint: expected a path, which begins with /", of)
	}
	if !slices.Contains([]string{"GET", "POST", "PUT", "PATCH", "DELETE"}, l.Method) {
		r.failAt(n, "%s: verb: expected one of POST, GET, PATCH, DELETE, PUT", of)
	}
	if l.URL == "" {
		r.failAt(n, "%s: there is neither endpoint nor externalEndpointURL", of)
	}
	if payload := m["payloadUserPwd"]; payload != nil {
		if l.Body != "" {
			r.failAt(payload, "%s: payloadRaw and payloadUserPwd exclude each other", of)
		}
		r.payload(of+", payloadUserPwd", payload, l)
	} else {
		l.Secrets = append(l.Secrets, passwords(l.Body)...)
	}
	if token := m["token"]; token != nil {
		if l.Cookies {
			r.failAt(token, "%s: token and expectCookies exclude each other", of)
		}
		r.token(of+", token", token, l)
	} else if !l.Cookies {
		r.failAt(n, "%s: there is neither token nor expectCookies", of)
	}
	return l
}

// payload serializes a user name and a password in the format of the content type.
func (r *reader) payload(of string, n *yaml.Node, l *scheme.Login) {
	m := r.mapping(of, n)
	names := []string{"username", "password", "usernameField", "passwordField"}
	r.known(m, of, names...)
	for _, name := range names {
		if m[name] == nil {
			r.failAt(n, "%s: there is no %s", of, name)
		}
	}
	user, password := r.word(m, of, "username"), r.word(m, of, "password")
	userField, passwordField := r.word(m, of, "usernameField"), r.word(m, of, "passwordField")
	l.Secrets = append(l.Secrets, password)
	kind, _, _ := strings.Cut(l.ContentType, ";")
	switch kind = strings.ToLower(strings.TrimSpace(kind)); {
	case kind == "application/x-www-form-urlencoded":
		l.Body = url.QueryEscape(userField) + "=" + url.QueryEscape(user) + "&" + url.QueryEscape(passwordField) + "=" + url.QueryEscape(password)
	case kind == "", kind == "application/json", strings.HasSuffix(kind, "+json"):
		l.Body = "{" + quoted(userField) + ": " + quoted(user) + ", " + quoted(passwordField) + ": " + quoted(password) + "}"
	default:
		r.failAt(n, "%s: a user and a password are written as JSON or as a form, not as %s; use payloadRaw", of, text.Visible(kind))
	}
}

// quoted returns a text as a JSON string.
func quoted(s string) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(s) // a string always has a JSON text
	return strings.TrimSpace(out.String())
}

// token reads where the token is found and how it is sent, in any version of the format.
func (r *reader) token(of string, n *yaml.Node, l *scheme.Login) {
	m := r.mapping(of, n)
	r.known(m, of, "extractFromField", "extractFromHeader", "httpHeaderName", "headerPrefix", "headerPostfix",
		"extractFrom", "extractSelector", "sendIn", "sendName", "sendTemplate")
	l.Pointer, l.Header = r.word(m, of, "extractFromField"), r.word(m, of, "extractFromHeader")
	selector := r.word(m, of, "extractSelector")
	switch from := r.word(m, of, "extractFrom"); from {
	case "":
	case "body":
		l.Pointer = selector
	case "header":
		l.Header = selector
	default:
		r.failAt(n, "%s: extractFrom: expected body or header", of)
	}
	switch {
	case l.Pointer == "" && l.Header == "", l.Pointer != "" && l.Header != "":
		r.failAt(n, "%s: name the place of the token with one of extractFromField, extractFromHeader, extractFrom with extractSelector", of)
	case l.Pointer != "" && !strings.HasPrefix(l.Pointer, "/"):
		r.failAt(n, "%s: expected a JSON Pointer, which begins with /", of)
	}
	l.SendIn, l.SendName = r.word(m, of, "sendIn"), r.word(m, of, "sendName")
	if l.SendIn == "" {
		l.SendIn = scheme.InHeader
	}
	if !slices.Contains([]string{scheme.InHeader, scheme.InQuery, scheme.InCookie}, l.SendIn) {
		r.failAt(n, "%s: sendIn: expected header or query", of)
	}
	if l.SendName == "" {
		l.SendName = r.word(m, of, "httpHeaderName")
	}
	if l.SendName == "" {
		l.SendName = "Authorization"
	}
	if l.SendIn == scheme.InHeader && !headerName.MatchString(l.SendName) {
		r.failAt(n, "%s: a header's name is made of letters, digits and hyphens", of)
	}
	if l.SendAs = r.word(m, of, "sendTemplate"); l.SendAs == "" {
		l.SendAs = r.word(m, of, "headerPrefix") + "{token}" + r.word(m, of, "headerPostfix")
	}
	if !strings.Contains(l.SendAs, "{token}") || strings.ContainsAny(l.SendAs, "\r\n\x00") {
		r.failAt(n, "%s: sendTemplate: expected a text with {token} in it", of)
	}
}

// passwords returns the strings in a JSON body whose names are those of secrets.
func passwords(body string) []string {
	var tree any
	if json.Unmarshal([]byte(body), &tree) != nil {
		return nil
	}
	var all []string
	var walk func(v any, secret bool)
	walk = func(v any, secret bool) {
		switch v := v.(type) {
		case string:
			if secret {
				all = append(all, v)
			}
		case []any:
			for _, one := range v {
				walk(one, secret)
			}
		case map[string]any:
			for name, one := range v {
				walk(one, secret || secretName.MatchString(name))
			}
		}
	}
	walk(tree, false)
	slices.Sort(all)
	return all
}

var secretName = regexp.MustCompile(`(?i)pass|pwd|secret|token|pin|key|credential`)
