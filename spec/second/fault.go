package second

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	liberrors "github.com/pb33f/libopenapi-validator/errors"
	"github.com/pb33f/libopenapi-validator/helpers"

	"github.com/hallmark-kit/hallmark/spec"
)

// errLarger says that a reduced document must be reduced further.
var errLarger = errors.New("the document is large")

// maxBuilt bounds the reduced documents that are built, in bytes.
const maxBuilt = 256 << 10

// Fault is one fault that the second judge finds.
type Fault struct {
	// Text is its message, made visible and truncated.
	Text string
	// Header or Parameter is the name of the header or parameter concerned; both are empty for the body.
	Header, Parameter string
	// Pointer is the place in the body; Whole reports whether the fault is about the body as a whole, which could not
	// be parsed.
	Pointer string
	Whole   bool
}

// response judges a response.
func (m *model) response(ex *spec.Exchange) Result {
	request, err := m.httpRequest(ex)
	if err != nil {
		return Result{Unknown: err.Error()}
	}
	response := &http.Response{
		StatusCode: ex.Response.Status, Header: canonical(ex.Response.Header), Body: http.NoBody, Request: request,
		ContentLength: int64(len(ex.Response.Body)), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}
	if len(ex.Response.Body) > 0 {
		response.Body = io.NopCloser(bytes.NewReader(ex.Response.Body))
	}
	_, all := m.validator.GetResponseBodyValidator().ValidateResponseBodyWithPathItem(request, response, m.item, m.path)
	return resultOf(all)
}

// request judges a request.
func (m *model) request(ex *spec.Exchange) Result {
	request, err := m.httpRequest(ex)
	if err != nil {
		return Result{Unknown: err.Error()}
	}
	_, all := m.validator.ValidateHttpRequestSyncWithPathItem(request, m.item, m.path)
	r := resultOf(all)
	if kind := contentType(ex.Request.Header); kind != "" && !isJSON(kind) && r.Unknown == "" && len(r.Faults) == 0 {
		r.Unknown = "not JSON"
	}
	return r
}

// httpRequest returns the request as net/http has it, below the address of the service.
func (m *model) httpRequest(ex *spec.Exchange) (*http.Request, error) {
	target, ok := below(ex.Request.URL, m.path)
	if !ok {
		return nil, errors.New("the request is not at the path of the operation")
	}
	request, err := http.NewRequest(ex.Request.Method, "http://service"+target, http.NoBody) //nolint:noctx // it is not sent
	if err != nil {
		return nil, errors.New("the request cannot be read: " + short(err.Error()))
	}
	request.Header = canonical(ex.Request.Header)
	if len(ex.Request.Body) > 0 {
		body := []byte(ex.Request.Body)
		request.Body, request.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		request.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	}
	return request, nil
}

// below returns the part of a URL that matches a path template, with the query.
func below(address, template string) (string, bool) {
	address, _, _ = strings.Cut(address, "#")
	address, query, queried := strings.Cut(address, "?")
	if _, rest, absolute := strings.Cut(address, "://"); absolute {
		_, address, _ = strings.Cut(rest, "/")
		address = "/" + address
	}
	segments, parts := strings.Split(address, "/"), strings.Split(template, "/")
	if len(segments) < len(parts) {
		return "", false
	}
	segments = segments[len(segments)-len(parts)+1:]
	for i, part := range parts[1:] {
		if strings.Contains(part, "{") {
			continue
		}
		if plain, err := url.PathUnescape(segments[i]); err != nil || plain != part {
			return "", false
		}
	}
	target := "/" + strings.Join(segments, "/")
	if queried {
		target += "?" + query
	}
	return target, true
}

// canonical returns a header with the names as net/http has them.
func canonical(h http.Header) http.Header {
	out := make(http.Header, len(h))
	for name, lines := range h {
		for _, line := range lines {
			out.Add(name, line)
		}
	}
	return out
}

// contentType returns the Content-Type of a header.
func contentType(h http.Header) string {
	for name, lines := range h {
		if strings.EqualFold(name, "Content-Type") && len(lines) > 0 {
			return lines[0]
		}
	}
	return ""
}

// isJSON reports whether a media type is that of a single JSON text.
func isJSON(contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil && kind == "" {
		kind, _, _ = strings.Cut(strings.ToLower(contentType), ";")
	}
	kind = strings.TrimSpace(kind)
	return kind == "application/json" || kind == "text/json" || strings.HasSuffix(kind, "+json")
}

// resultOf converts the errors of the library.
func resultOf(all []*liberrors.ValidationError) Result {
	var r Result
	for _, e := range all {
		if e == nil {
			continue
		}
		if why := unknown(e); why != "" {
			return Result{Unknown: why}
		}
		r.Faults = append(r.Faults, faultsOf(e)...)
	}
	return r
}

// unknown returns why an error means that the second judge cannot judge, or "" if it means a fault.
func unknown(e *liberrors.ValidationError) string {
	switch {
	case strings.Contains(e.Message, "failed schema compilation"), e.Message == "schema is nil", e.Message == "schema cannot be rendered":
		return "it cannot read the schema: " + short(e.Reason)
	case e.ValidationType == helpers.ResponseBodyValidation && e.ValidationSubType == helpers.ResponseBodyResponseCode:
		return "the contract does not document the status"
	case e.ValidationType == helpers.ResponseBodyValidation && e.ValidationSubType == helpers.RequestBodyContentType:
		return "the contract does not document the media type"
	case e.ValidationType == helpers.PathValidation && (e.ValidationSubType == helpers.ValidationMissing || e.ValidationSubType == helpers.ValidationMissingOperation):
		return "it does not find the operation"
	}
	return ""
}

// faultsOf returns the faults in an error.
func faultsOf(e *liberrors.ValidationError) []Fault {
	base := Fault{Text: short(e.Reason)}
	switch e.ValidationSubType {
	case helpers.ParameterValidationHeader, "headers":
		if e.ValidationType == helpers.ResponseBodyValidation {
			base.Header = e.ParameterName
			if base.Header == "" && len(e.SchemaValidationErrors) > 0 {
				base.Header = e.SchemaValidationErrors[0].FieldName
			}
			if len(e.SchemaValidationErrors) > 0 {
				base.Text = short(e.SchemaValidationErrors[0].Reason)
			}
			return []Fault{base}
		}
	}
	if e.ValidationType == helpers.ParameterValidation || e.ParameterName != "" {
		base.Parameter = e.ParameterName
		if len(e.SchemaValidationErrors) > 0 {
			base.Text = short(e.SchemaValidationErrors[0].Reason)
		}
		return []Fault{base}
	}
	if len(e.SchemaValidationErrors) == 0 {
		base.Whole = true
		return []Fault{base}
	}
	var all []Fault
	for _, f := range e.SchemaValidationErrors {
		one := base
		one.Text, one.Pointer = short(f.Reason), pointerOf(f.InstancePath)
		all = append(all, one)
	}
	return all
}

// pointerOf returns the JSON Pointer of already escaped parts.
func pointerOf(parts []string) string {
	if len(parts) == 0 {
		return ""
	}
	return "/" + strings.Join(parts, "/")
}

// namesIn returns the names of all members in a JSON text, and a text that lists them.
func namesIn(body []byte) (map[string]bool, string) {
	names := map[string]bool{}
	dec := jsontext.NewDecoder(bytes.NewReader(body), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		token, err := dec.ReadToken()
		if err != nil {
			break
		}
		if kind, n := dec.StackIndex(dec.StackDepth()); kind == '{' && n%2 == 1 && token.Kind() == '"' {
			names[token.String()] = true
		}
	}
	return names, strings.Join(slices.Sorted(maps.Keys(names)), "\x00")
}
