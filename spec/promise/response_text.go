package promise

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/schema"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// items judges a stream item by item.
func (x *responseJudge) items(m *spec.Media) {
	s, whole := m.Item.Schema, m.Schema
	if s == nil && whole != nil && whole.Type == "array" {
		s = whole.Item()
	}
	if s == nil && !whole.OnlyBytes() {
		x.hole(Body, m.Pointer, "the schema does not say what the items of a stream are")
	}
	n, before := 0, len(x.Findings)
	err := wire.Items(contentType(x.ex.Response), bytes.NewReader(x.ex.Response.Body), streamItem, func(item wire.Item) error {
		_, number := item.Value.(json.Number) // more digits may have followed
		cut := item.Unfinished && x.ex.Response.Cut()
		switch n++; {
		case cut && (number || item.Err != nil):
			if n == 1 { // items before it are judged, and a stream need not end
				x.hole(Body, m.Pointer, exactjson.ErrCut.Error())
			}
		case item.Err != nil:
			x.unreadable(m, item.Err)
			return errStop
		case s != nil:
			x.value(s, nil, item.Value, "/"+strconv.Itoa(item.Index))
		}
		if len(x.Findings) > before {
			return errStop
		}
		return nil
	})
	switch {
	case err != nil && !errors.Is(err, errStop):
		x.hole(Body, m.Pointer, "the stream was not read to its end: "+err.Error())
	case n == 0 && x.ex.Response.Cut():
		x.hole(Body, m.Pointer, "no item came while the stream was read")
	}
}

// streamItem is the maximum length of an item of a stream, in bytes.
const streamItem = 1 << 20

// errStop ends the reading of a stream.
var errStop = fmt.Errorf("enough")

// judgeText judges forms and texts, which may be parsed in several ways: they violate their schema if each result
// does.
func (x *responseJudge) judgeText(m *spec.Media) {
	if m.Schema == nil {
		return
	}
	v := x.contract.Validator(m.Schema)
	media := contentType(x.ex.Response)
	options := request.MediaOptions(m, media, "")
	read, err := wire.ParseBody(media, x.ex.Response.Body, options)
	if len(options.Encoding) > 0 && x.contract.OpenAPI() < "3.2" { // by the letter, an encoding is for request bodies only
		options.Encoding = nil
		other, failed := wire.ParseBody(media, x.ex.Response.Body, options)
		if read.Values = append(read.Values, other.Values...); err != nil {
			err = failed
		}
		read.Truncated = read.Truncated || other.Truncated
	}
	reason, known := wire.ReasonOf(err)
	switch {
	case x.ex.Response.Cut():
		x.hole(Body, m.Pointer, exactjson.ErrCut.Error())
		return
	case v == nil:
		x.hole(Body, m.Schema.Pointer, noSchema)
		return
	case known && reason == wire.Malformed:
		x.unreadable(m, err)
		return
	case err != nil:
		x.hole(Body, m.Pointer, "the content cannot be read: "+err.Error())
		return
	}
	x.partHeaders(m)
	if read.Truncated {
		x.hole(Body, m.Pointer, manyReadings)
		return
	}
	x.violations(x.readings(Body, v, read.Values, m.Schema, m.Examples), "")
}

// readings judges the possible values of a text by a schema and the examples beside it. It returns the violations
// of the first value if every value violates the schema, and records what leaves that open.
func (x *responseJudge) readings(k Kind, v *schema.Schema, values []any, s *spec.Schema, beside []spec.Example) (first []schema.Violation) {
	var holes []schema.Hole
	for _, value := range values {
		sure, open := x.settled(s, beside, true, v.Validate(value, schema.Response))
		switch broken := serious(sure); {
		case len(broken) > 0 && first == nil:
			first = broken
		case len(broken) > 0:
		case len(open) == 0:
			return nil
		default:
			holes = append(holes, open...)
		}
	}
	if len(holes) > 0 {
		x.unjudged(k, holes)
		return nil
	}
	return first
}

// serious returns the violations that are more than advice.
func serious(all []schema.Violation) []schema.Violation {
	return slices.DeleteFunc(slices.Clone(all), func(v schema.Violation) bool { return v.Advice })
}
