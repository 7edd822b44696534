package scheme

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
)

// maxTokenBody is the maximum size of a response that is read from an endpoint, in bytes.
const maxTokenBody = 1 << 20

// reply is the response of an endpoint that grants tokens.
type reply struct {
	status  int
	header  http.Header
	cookies []*http.Cookie
	body    []byte
}

// send sends a request and reads the response. Its errors show neither the request nor secrets that the response repeats.
func send(ctx context.Context, k *Keyring, method, to string, header http.Header, body string) (reply, error) {
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	req, err := http.NewRequestWithContext(ctx, method, to, reader)
	if err != nil {
		return reply{}, errors.New("its address or its method cannot be read")
	}
	req.Header.Set("Accept", "application/json")
	maps.Copy(req.Header, header)
	where := method + " " + shownURL(req.URL)
	client := *k.Client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	client.Jar = nil
	resp, err := client.Do(req)
	if err != nil {
		if wrapped, ok := errors.AsType[*url.Error](err); ok {
			err = wrapped.Err // without the URL
		}
		if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
			return reply{}, err
		}
		return reply{}, fmt.Errorf("%s: %s", where, k.redacted(err.Error()))
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(io.LimitReader(resp.Body, maxTokenBody+1))
	switch {
	case err != nil:
		return reply{}, fmt.Errorf("%s: the response ended early", where)
	case len(got) > maxTokenBody:
		return reply{}, fmt.Errorf("%s: the response is longer than 1 MiB", where)
	}
	return reply{resp.StatusCode, resp.Header, resp.Cookies(), got}, nil
}

// shownURL returns a URL without the parts that may be secret.
func shownURL(u *url.URL) string {
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// refusal describes a response that granted nothing: its status, and the OAuth 2 error code or the title of a problem.
func refusal(k *Keyring, r reply) string {
	says := fmt.Sprintf("the response has the status %d", r.status)
	tree, err := exactjson.Decode(r.body)
	if err != nil {
		return says
	}
	var words []string
	for _, name := range []string{"error", "error_description", "title", "detail", "message"} {
		if value, ok := exactjson.Lookup(tree.Tree, []string{name}); ok {
			if s, isText := value.(string); isText && s != "" {
				words = append(words, s)
			}
		}
	}
	if len(words) > 0 {
		says += ": " + text.Visible(text.Truncate(k.redacted(strings.Join(words, ", ")), 200))
	}
	return says
}

// valueAt returns the value at a pointer in a JSON text.
func valueAt(body []byte, pointer string) (any, error) {
	decoded, err := exactjson.Decode(body)
	if err != nil {
		return nil, errors.New("the response is not JSON")
	}
	value, ok := exactjson.Lookup(decoded.Tree, jsonpointer.Tokens(pointer))
	if !ok {
		return nil, fmt.Errorf("the response has nothing at %s", pointer)
	}
	return value, nil
}

// tokenAt returns the string at a pointer.
func tokenAt(body []byte, pointer string) (string, error) {
	value, err := valueAt(body, pointer)
	if err != nil {
		return "", err
	}
	switch value := value.(type) {
	case string:
		if value != "" {
			return value, nil
		}
	case json.Number:
		return value.String(), nil
	}
	return "", fmt.Errorf("the value at %s in the response is not a string", pointer)
}

// seconds parses a lifetime: a number of seconds, or a string with one.
func seconds(value any) (time.Duration, bool) {
	digits := ""
	switch value := value.(type) {
	case string:
		digits = value
	case json.Number:
		digits = value.String()
	}
	whole, _, _ := strings.Cut(digits, ".")
	n, err := strconv.ParseUint(whole, 10, 31)
	return time.Duration(n) * time.Second, err == nil && n > 0
}

// resolve returns an absolute address. The path of a log-in is appended to the address of the service, like the paths of operations; an
// address in the document is a relative reference (RFC 3986, section 5).
func resolve(k *Keyring, address string, follows bool) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", errors.New("its address cannot be read")
	}
	base := strings.TrimSuffix(k.BaseURL, "/") + "/"
	switch {
	case u.IsAbs():
		if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return "", errors.New("its address does not begin with http:// or https://")
		}
		return address, nil
	case u.Host != "":
		return "", errors.New("its address has a host but no scheme")
	case follows:
		return base + strings.TrimPrefix(address, "/"), nil
	}
	from, err := url.Parse(base)
	if err != nil {
		return "", errors.New("the address of the service cannot be read")
	}
	return from.ResolveReference(u).String(), nil
}
