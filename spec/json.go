package spec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// maxTreeDepth is how deep a decoded tree goes. What lies deeper is checked to be JSON, but stands as an empty object or
// array: no contract describes it (see maxSchemaDepth).
const maxTreeDepth = 128

// errTooDeep says that a text nests deeper than it can be read. It is a limit of ours, not a defect of the text.
var errTooDeep = errors.New("the JSON text nests deeper than hallmark reads")

// errTooMany says that a text holds more values than are kept at a time.
var errTooMany = fmt.Errorf("the JSON text holds more than %d values", maxValues)

// IsBeyond reports whether a response could not be judged because there was more of it than is read: a limit of hallmark's,
// and neither the service's fault nor a defect.
func IsBeyond(err error) bool {
	return errors.Is(err, errCut) || errors.Is(err, errTooMany) || errors.Is(err, errTooDeep)
}

// decoded is a JSON text, taken apart exactly.
type decoded struct {
	// tree is made of map[string]any, []any, json.Number, string, bool and nil.
	tree any
	// wild reports whether a number in it is too much for the schema validator, see tame.
	wild bool
	// repeats are the names that an object holds more than once with values that differ.
	repeats []repeat
}

// repeat is a name that an object holds twice.
type repeat struct {
	path          []string
	first, second any
}

// decodeJSON reads one JSON text by RFC 8259, strictly where the grammar is strict: text after the value, a byte order
// mark, bytes that are no UTF-8, NaN are errors. What the grammar allows is read, though senders do better without it: a
// repeated name (the last value counts, as with most parsers; the repeat is noted) and an escaped half of a surrogate
// pair (it reads as U+FFFD).
func decodeJSON(data []byte) (decoded, error) {
	d, err := decode(data)
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return decoded{}, errors.New("it ends too early")
	}
	if errors.Is(err, errTooMany) {
		return d, err
	}
	if err != nil {
		return decoded{}, err
	}
	return d, nil
}

// decodeBeginning reads the beginning of a JSON text that was cut off. Of an array it gives the items that are whole. The
// error is errCut, or what is wrong with the text already.
func decodeBeginning(data []byte) (decoded, error) {
	for range utf8.UTFMax - 1 { // the cut may go through a character
		if r, size := utf8.DecodeLastRune(data); r != utf8.RuneError || size != 1 {
			break
		}
		data = data[:len(data)-1]
	}
	d, err := decode(data)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) && !errors.Is(err, errTooMany) {
		return decoded{}, err
	}
	items, ok := d.tree.([]any)
	if !ok || len(items) == 0 {
		return decoded{}, errCut
	}
	d.tree = items[:len(items)-1] // the last may be half a number
	return d, errCut
}

// decode reads one JSON text. When it ends too early (io.ErrUnexpectedEOF, or io.EOF if nothing is there) the items that
// were read of an array come with the error.
func decode(data []byte) (decoded, error) {
	if bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) {
		return decoded{}, errors.New("it begins with a byte order mark")
	}
	if !utf8.Valid(data) {
		return decoded{}, fmt.Errorf("it is not UTF-8, at byte %d", invalidAt(data))
	}
	r := reader{decoder: jsontext.NewDecoder(bytes.NewBuffer(data),
		jsontext.AllowDuplicateNames(true),
		// The bytes are known to be UTF-8; this admits the lone surrogate escapes.
		jsontext.AllowInvalidUTF8(true))}
	tree, err := r.value(0)
	d := decoded{tree: tree, wild: r.wild, repeats: r.repeats}
	if err == nil {
		end := r.decoder.InputOffset()
		if _, err = r.decoder.ReadToken(); !errors.Is(err, io.EOF) {
			return decoded{}, fmt.Errorf("text follows the value, after byte %d", end)
		}
		return d, nil
	}
	var syntax *jsontext.SyntacticError
	switch {
	case r.decoder.StackDepth() >= maxTextDepth:
		return decoded{}, errTooDeep
	case !errors.Is(err, io.ErrUnexpectedEOF) && errors.As(err, &syntax):
		return decoded{}, fmt.Errorf("%w, at byte %d", syntax.Err, syntax.ByteOffset)
	}
	return d, err
}

// maxTextDepth is how deep jsontext can follow.
const maxTextDepth = 10000

func invalidAt(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size <= 1 {
			return i
		}
		i += size
	}
	return len(data)
}

// reader builds a tree from tokens.
type reader struct {
	decoder *jsontext.Decoder
	path    []string
	wild    bool
	repeats []repeat
	values  int
}

// maxDigits is how much of a number is kept, in bytes: what comes behind makes no int64 of one that is none.
const maxDigits = 4096

const (
	// maxValues is how many values a tree holds at most: more than 100 animals have, with 1,000 fields each, and no more than
	// fits into the memory of a run.
	maxValues = 120_000
	// maxRepeats is how many repeated names are noted.
	maxRepeats = 10_000
)

func (r *reader) value(depth int) (any, error) {
	if r.values++; r.values > maxValues {
		return nil, errTooMany
	}
	token, err := r.decoder.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case jsontext.KindBeginObject:
		return r.object(depth)
	case jsontext.KindBeginArray:
		return r.array(depth)
	case jsontext.KindString:
		return token.String(), nil
	case jsontext.KindNumber:
		text := token.String()
		if len(text) > maxDigits && !strings.ContainsAny(text, ".eE") {
			text = strings.Clone(text[:maxDigits])
		}
		r.wild = r.wild || wild(text)
		return json.Number(text), nil
	case jsontext.KindTrue, jsontext.KindFalse:
		return token.Bool(), nil
	default:
		return nil, nil
	}
}

func (r *reader) object(depth int) (any, error) {
	members := map[string]any{}
	for r.decoder.PeekKind() != jsontext.KindEndObject {
		if depth >= maxTreeDepth {
			if err := r.skip(); err != nil {
				return nil, err
			}
			continue
		}
		token, err := r.decoder.ReadToken()
		if err != nil {
			return nil, err
		}
		name := token.String()
		r.path = append(r.path, name)
		value, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		if first, twice := members[name]; twice && len(r.repeats) < maxRepeats && !equal(first, value) {
			r.repeats = append(r.repeats, repeat{path: append([]string(nil), r.path...), first: first, second: value})
		}
		r.path = r.path[:len(r.path)-1]
		members[name] = value
	}
	_, err := r.decoder.ReadToken()
	return members, err
}

// skip reads over one value, or over the name of a member. It does not recurse, and unlike the decoder's own SkipValue
// it keeps account of the depth, by which a limit of ours is told from a defect of the text.
func (r *reader) skip() error {
	for depth := r.decoder.StackDepth(); ; {
		if _, err := r.decoder.ReadToken(); err != nil {
			return err
		}
		if r.decoder.StackDepth() == depth {
			return nil
		}
	}
}

func (r *reader) array(depth int) (any, error) {
	items := []any{}
	for r.decoder.PeekKind() != jsontext.KindEndArray {
		if depth >= maxTreeDepth {
			if err := r.skip(); err != nil {
				return nil, err
			}
			continue
		}
		r.path = append(r.path, strconv.Itoa(len(items)))
		value, err := r.value(depth + 1)
		if err != nil {
			return items, err
		}
		r.path = r.path[:len(r.path)-1]
		items = append(items, value)
	}
	_, err := r.decoder.ReadToken()
	return items, err
}

// equal reports whether two decoded values are the same; numbers are compared as numbers, exactly.
func equal(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name, v := range a {
			if w, ok := b[name]; !ok || !equal(v, w) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !equal(a[i], b[i]) {
				return false
			}
		}
		return true
	case json.Number:
		b, ok := b.(json.Number)
		return ok && (a == b || parseDecimal(string(a)) == parseDecimal(string(b)))
	default:
		return a == b
	}
}

// tamed copies a tree and makes its numbers tame.
func tamed(tree any) any {
	switch t := tree.(type) {
	case map[string]any:
		c := make(map[string]any, len(t))
		for name, v := range t {
			c[name] = tamed(v)
		}
		return c
	case []any:
		c := make([]any, len(t))
		for i, v := range t {
			c[i] = tamed(v)
		}
		return c
	case json.Number:
		return tame(t)
	}
	return tree
}
