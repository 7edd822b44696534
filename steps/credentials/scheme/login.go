package scheme

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
)

// Login is a request that logs in.
type Login struct {
	// Method defaults to POST. URL is absolute, or relative to the address of the service.
	Method, URL string
	// AtRoot makes a relative URL refer to the root of the host instead.
	AtRoot  bool
	Headers []Header
	// Body is the body, if any. ContentType defaults to application/json.
	Body, ContentType string
	// Pointer is the JSON Pointer of the token in the response. Alternatively, Header or Cookie names its place, or Cookies takes all
	// cookies of the response.
	Pointer, Header, Cookie string
	Cookies                 bool
	// Lifetime is how long the token is valid; Expires is the JSON Pointer of the number of seconds. Both are optional.
	Lifetime time.Duration
	Expires  string
	// Secrets are the texts in the request that records must not contain.
	Secrets []string

	// SendIn is the place ("header", "query", "cookie") of the token of a log-in that belongs to no scheme, under the name SendName;
	// {token} in SendAs stands for the token.
	SendIn, SendName, SendAs string
}

// check returns an error if a log-in is incomplete.
func (l *Login) check() error {
	ways := 0
	for _, given := range []bool{l.Pointer != "", l.Header != "", l.Cookie != "", l.Cookies} {
		if given {
			ways++
		}
	}
	switch {
	case l.URL == "":
		return errors.New("is a log-in without a path")
	case ways == 0:
		return errors.New("is a log-in that does not say where the token is")
	case ways > 1:
		return errors.New("is a log-in that gives several places of the token")
	case l.Pointer != "" && !strings.HasPrefix(l.Pointer, "/"):
		return errors.New("is a log-in whose token is not a JSON Pointer; it must begin with /")
	case l.Expires != "" && !strings.HasPrefix(l.Expires, "/"):
		return errors.New("is a log-in whose lifetime is not a JSON Pointer; it must begin with /")
	}
	for _, h := range l.Headers {
		if err := checkHeaderValue(h.Value); err != nil {
			return fmt.Errorf("is a log-in whose header %s %w", text.Visible(h.Name), err)
		}
	}
	return nil
}

// loginFetcher returns the fetcher that logs in. If the key of the scheme is a cookie, that cookie is the token unless another place is
// given.
func loginFetcher(k *Keyring, l *Login, s spec.Security) fetcher {
	return func(ctx context.Context) (fetched, error) {
		to, err := resolve(k, l.URL, !l.AtRoot)
		if err != nil {
			return fetched{}, err
		}
		header := http.Header{}
		if l.Body != "" {
			header.Set("Content-Type", orElse(l.ContentType, "application/json"))
		}
		for _, h := range l.Headers {
			header.Set(h.Name, h.Value)
		}
		r, err := send(ctx, k, orElse(l.Method, http.MethodPost), to, header, l.Body)
		if err != nil {
			return fetched{}, err
		}
		if r.status >= 400 || r.status < 200 {
			return fetched{}, errors.New(refusal(k, r))
		}
		got, err := l.read(r, s, k.Now())
		if err != nil {
			return fetched{}, err
		}
		k.learn(got.value, "")
		for _, c := range got.cookies {
			k.learn(c.Value, "")
		}
		return got, nil
	}
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// read extracts the token from a response.
func (l *Login) read(r reply, s spec.Security, now time.Time) (fetched, error) {
	got := fetched{lifetime: l.Lifetime}
	var err error
	switch {
	case l.Pointer != "":
		got.value, err = tokenAt(r.body, l.Pointer)
	case l.Header != "":
		if got.value = strings.TrimSpace(r.header.Get(l.Header)); got.value == "" {
			err = fmt.Errorf("the response has no header %s", text.Visible(l.Header))
		}
	default:
		err = l.readCookies(r, s, now, &got)
	}
	if err != nil {
		return fetched{}, fmt.Errorf("%w (its status is %d)", err, r.status)
	}
	if len(got.cookies) == 0 {
		if isBearer(s) {
			if word, rest, found := strings.Cut(got.value, " "); found && strings.EqualFold(word, "Bearer") {
				got.value = strings.TrimSpace(rest) // some services return the whole header value
			}
		}
		if strings.ContainsFunc(got.value, func(r rune) bool { return isControl(r) || r > '~' }) {
			return fetched{}, errors.New("the token contains a character that headers cannot carry")
		}
	}
	if l.Expires != "" {
		value, err := valueAt(r.body, l.Expires)
		if err != nil {
			return fetched{}, err
		}
		lifetime, ok := seconds(value)
		if !ok {
			return fetched{}, fmt.Errorf("the value at %s in the response is not a number of seconds", l.Expires)
		}
		got.lifetime = lifetime
	}
	return got, nil
}

// readCookies takes one cookie, or all of them.
func (l *Login) readCookies(r reply, s spec.Security, now time.Time, got *fetched) error {
	name := l.Cookie
	if l.Cookies && s.Type == "apiKey" && s.In == InCookie {
		name = s.Key
	}
	for _, c := range r.cookies {
		if c.Value == "" || c.MaxAge < 0 || name != "" && c.Name != name {
			continue
		}
		got.cookies = append(got.cookies, c)
		ends := time.Duration(c.MaxAge) * time.Second
		if ends == 0 && !c.Expires.IsZero() {
			ends = c.Expires.Sub(now)
		}
		if l.Lifetime == 0 && ends > 0 && (got.lifetime == 0 || ends < got.lifetime) {
			got.lifetime = ends
		}
	}
	switch {
	case len(got.cookies) == 0 && name != "":
		return fmt.Errorf("the response sets no cookie %s", text.Visible(name))
	case len(got.cookies) == 0:
		return errors.New("the response sets no cookie")
	}
	got.value = got.cookies[0].Value
	return nil
}

// serves reports whether a role's log-in sends its token where a scheme expects the credential.
func (l *Login) serves(s spec.Security) bool {
	if l.Cookies {
		return s.Type == "apiKey" && s.In == InCookie
	}
	switch {
	case l.SendIn != InHeader:
		return s.Type == "apiKey" && s.In == l.SendIn && s.Key == l.SendName
	case isBearer(s) || isBasic(s):
		_, ok := ofHeader(s, Header{l.SendName, strings.ReplaceAll(l.SendAs, "{token}", "token")})
		return ok
	}
	return s.Place() == InHeader+" "+strings.ToLower(l.SendName)
}

// parts returns the parts that a role's log-in sends.
func (l *Login) parts(got fetched, role string) []Part {
	if l.Cookies {
		var all []Part
		for _, c := range got.cookies {
			all = append(all, Part{In: InCookie, Name: c.Name, Value: c.Value, Shown: "$" + headerVariable(role, c.Name)})
		}
		return all
	}
	value := strings.ReplaceAll(orElse(l.SendAs, "{token}"), "{token}", got.value)
	shown := strings.ReplaceAll(orElse(l.SendAs, "{token}"), "{token}", "${"+headerVariable(role, l.SendName)+"}")
	return []Part{{In: l.SendIn, Name: l.SendName, Value: value, Shown: shown}}
}

// queries returns the values in a URL's query, any of which may be a secret.
func queries(address string) []string {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	var all []string
	for _, values := range u.Query() {
		all = append(all, values...)
	}
	slices.Sort(all)
	return all
}
