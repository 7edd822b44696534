package service

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// media refuses a body of another media type, and none; nil where it is of the right one.
func (a *asked) ofMedia() (map[string]string, *reply) {
	if len(a.text) == 0 && !a.is("body.optional") {
		out := a.refused(http.StatusBadRequest, "there is no body")
		return nil, &out
	}
	kind, parameters, err := mime.ParseMediaType(a.Header.Get("Content-Type"))
	if (err != nil || kind != a.operation.media) && !a.is("media-unchecked") && len(a.text) > 0 {
		out := a.refused(http.StatusUnsupportedMediaType, "the body is no "+a.operation.media)
		return nil, &out
	}
	return parameters, nil
}

func (a *asked) unreadable(why string) *reply {
	out := a.refused(http.StatusBadRequest, why)
	return &out
}

// readJSON reads a body that is one JSON text.
func readJSON(a *asked) (any, *reply) {
	if _, refused := a.ofMedia(); refused != nil {
		return nil, refused
	}
	if len(a.text) == 0 {
		return a.plainBody(), nil
	}
	sent := a.text
	if a.is("single-quotes-read") {
		sent = bytes.ReplaceAll(sent, []byte("'"), []byte(`"`))
	}
	d := json.NewDecoder(bytes.NewReader(sent))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		if form, failed := url.ParseQuery(string(a.text)); a.is("form-read") && failed == nil && len(form) > 1 {
			return a.plainBody(), nil
		}
		return nil, a.unreadable("the body is no JSON text")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) && !a.is("trailing-read") {
		return nil, a.unreadable("the body goes on behind a JSON text")
	}
	return value, nil
}

// plainBody is what a fault takes for a body that it did not read.
func (a *asked) plainBody() any {
	var value any
	d := json.NewDecoder(strings.NewReader(map[string]string{
		"addBook": `{"title":"none","pages":1,"genre":"novel"}`, "addReview": `{"stars":3,"text":"none"}`, "registerCustomer": `{"name":"none","password":"nonesuch"}`,
		"placeOrder": `{"lines":[{"title":"none","copies":1}],"payment":{"method":"card","last4":"1234"}}`, "startReport": `{"of":"sales"}`,
		"replaceBook": `{"title":"none","pages":1,"genre":"novel"}`, "changeBook": `{"pages":2}`,
	}[a.operation.name]))
	d.UseNumber()
	_ = d.Decode(&value)
	return value
}

// readForm reads a form as an object.
func readForm(a *asked) (any, *reply) {
	if _, refused := a.ofMedia(); refused != nil {
		return nil, refused
	}
	form, err := url.ParseQuery(string(a.text))
	if err != nil {
		return nil, a.unreadable("the body is no form")
	}
	out := map[string]any{}
	for name, values := range form {
		if len(values) > 1 {
			return nil, a.unreadable("a field stands there twice")
		}
		out[name] = values[0]
	}
	return out, nil
}

// readParts reads a multipart form as an object; the image is its bytes.
func readParts(a *asked) (any, *reply) {
	parameters, refused := a.ofMedia()
	if refused != nil {
		return nil, refused
	}
	if parameters["boundary"] == "" && a.is("boundary-unread") {
		return map[string]any{"image": []byte("none"), "caption": "none"}, nil
	}
	reader, out := multipart.NewReader(bytes.NewReader(a.text), parameters["boundary"]), map[string]any{}
	for {
		part, err := reader.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			if a.is("boundary-unread") {
				return map[string]any{"image": []byte("none"), "caption": "none"}, nil
			}
			return nil, a.unreadable("the body has no parts")
		}
		data, err := io.ReadAll(part)
		if _, there := out[part.FormName()]; err != nil || there {
			return nil, a.unreadable("a part cannot be read, or stands there twice")
		}
		if out[part.FormName()] = string(data); part.FormName() == "image" {
			out["image"] = data
		}
	}
	return out, nil
}

var integerText = regexp.MustCompile(`^-?[0-9]{1,30}$`)

// number reads an integer of a form or an address for a check; a text that is none stays one.
func numeral(text string) any {
	if integerText.MatchString(text) {
		n := strings.TrimLeft(strings.TrimPrefix(text, "-"), "0")
		if n == "" {
			n = "0"
		}
		if strings.HasPrefix(text, "-") && n != "0" {
			n = "-" + n
		}
		return json.Number(n)
	}
	return text
}

// parameter is one of an address, a header or a cookie.
type parameter struct {
	name, in string
	required bool
	read     func(string) any
	check    check
}

func plain(text string) any { return text }

func truth(text string) any {
	switch text {
	case "true":
		return true
	case "false":
		return false
	}
	return text
}

// commas reads a list of integers.
func commas(text string) any {
	var all []any
	for one := range strings.SplitSeq(text, ",") {
		all = append(all, numeral(one))
	}
	return all
}

// parameters reads and checks parameters; those that are not sent are left out.
func (a *asked) parameters(all ...parameter) (map[string]any, *reply) {
	c, out := &checker{a: a}, map[string]any{}
	query := a.URL.Query()
	for _, p := range all {
		var sent []string
		switch p.in {
		case "query":
			sent = query[p.name]
		case "header":
			sent = a.Header.Values(p.name)
		case "cookie":
			for _, k := range a.CookiesNamed(p.name) {
				sent = append(sent, k.Value)
			}
		}
		switch {
		case len(sent) == 0 && p.required:
			c.holds(p.name, "required", false)
		case len(sent) == 0:
		case len(sent) > 1:
			c.holds(p.name, "once", false)
		default:
			before := len(c.bad)
			value := p.read(sent[0])
			if p.check(c, p.name, value); len(c.bad) == before {
				out[p.name] = value
			}
		}
	}
	if len(c.bad) > 0 {
		return nil, a.unprocessable(c.bad)
	}
	return out, nil
}

// deep reads an object that is written as name[member].
func (a *asked) deep(name string, members ...string) (map[string]any, *reply) {
	c, out := &checker{a: a}, map[string]any{}
	for key, values := range a.URL.Query() {
		inner, is := strings.CutPrefix(key, name+"[")
		if !is {
			continue
		}
		inner = strings.TrimSuffix(inner, "]")
		if c.holds(name, "members", slices.Contains(members, inner)); slices.Contains(members, inner) {
			out[inner] = numeral(values[0])
			integer(0, 100000)(c, name+"."+inner, out[inner])
		}
	}
	if len(c.bad) > 0 {
		return nil, a.unprocessable(c.bad)
	}
	return out, nil
}

// integerOf returns a parameter, or what stands for it.
func integerOf(all map[string]any, name string, otherwise int) int {
	n, is := all[name].(json.Number)
	if !is {
		return otherwise
	}
	i, err := n.Int64()
	if err != nil || i > 1<<31 {
		return 1 << 31
	}
	return int(i)
}
