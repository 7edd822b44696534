package exactjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// maxTreeDepth is how deep a decoded tree goes. What lies deeper is checked to be JSON, but stands as an empty object or
// array: no contract describes it (see openapi.maxSchemaDepth).
const maxTreeDepth = 128

// ErrTooDeep is returned when a text nests deeper than it can be read. It is a limit of ours, not a defect of the text.
var ErrTooDeep = errors.New("the JSON text nests deeper than hallmark reads")

// ErrCut is returned when only the beginning of a text is known.
var ErrCut = errors.New("the body is longer than what was kept of it, so it cannot be judged")

// errTooMany is returned when a text holds more values than are kept at a time.
var errTooMany = fmt.Errorf("the JSON text holds more than %d values", maxValues)

// ExceedsLimit reports whether a text could not be read because there is more of it than is read: a limit of hallmark's, and
// no defect of the text.
func ExceedsLimit(err error) bool {
	return errors.Is(err, ErrCut) || errors.Is(err, errTooMany) || errors.Is(err, ErrTooDeep)
}

// Decoded is a JSON text, taken apart exactly.
type Decoded struct {
	// Tree is made of map[string]any, []any, json.Number, string, bool and nil.
	Tree any
	// Repeats are the names that an object holds more than once with values that differ.
	Repeats []Repeat
}

// Repeat is a name that an object holds twice.
type Repeat struct {
	Path          []string
	First, Second any
}

// Decode reads one JSON text by RFC 8259, strictly where the grammar is strict: text after the value, a byte order
// mark, bytes that are no UTF-8, NaN are errors. What the grammar allows is read, though senders do better without it: a
// repeated name (the last value counts, as with most parsers; the repeat is noted) and an escaped half of a surrogate
// pair (it reads as U+FFFD).
func Decode(data []byte) (Decoded, error) {
	d, err := decode(data)
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return Decoded{}, errors.New("it ends too early")
	}
	if errors.Is(err, errTooMany) {
		return d, err
	}
	if err != nil {
		return Decoded{}, err
	}
	return d, nil
}

// DecodeBeginning reads the beginning of a JSON text that was cut off. Of an array it gives the items that are whole. The
// error is ErrCut, or what is wrong with the text already.
func DecodeBeginning(data []byte) (Decoded, error) {
	for range utf8.UTFMax - 1 { // the cut may go through a character
		if r, size := utf8.DecodeLastRune(data); r != utf8.RuneError || size != 1 {
			break
		}
		data = data[:len(data)-1]
	}
	d, err := decode(data)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) && !errors.Is(err, errTooMany) {
		return Decoded{}, err
	}
	items, ok := d.Tree.([]any)
	if !ok || len(items) == 0 {
		return Decoded{}, ErrCut
	}
	d.Tree = items[:len(items)-1] // the last may be half a number
	return d, ErrCut
}

// decode reads one JSON text. When it ends too early (io.ErrUnexpectedEOF, or io.EOF if nothing is there) the items that
// were read of an array come with the error.
func decode(data []byte) (Decoded, error) {
	if bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) {
		return Decoded{}, errors.New("it begins with a byte order mark")
	}
	if !utf8.Valid(data) {
		return Decoded{}, fmt.Errorf("it is not UTF-8, at byte %d", invalidAt(data))
	}
	own, _ := decoders.Get().(*jsontext.Decoder)
	defer func() {
		own.Reset(nothing{}) // which lets go of the text
		decoders.Put(own)
	}()
	own.Reset(bytes.NewBuffer(data),
		jsontext.AllowDuplicateNames(true),
		// The bytes are known to be UTF-8; this admits the lone surrogate escapes.
		jsontext.AllowInvalidUTF8(true))
	r := treeReader{decoder: own}
	tree, err := r.value(0)
	d := Decoded{Tree: tree, Repeats: r.repeats}
	if err == nil {
		end := r.decoder.InputOffset()
		if _, err = r.decoder.ReadToken(); !errors.Is(err, io.EOF) {
			return Decoded{}, fmt.Errorf("text follows the value, after byte %d", end)
		}
		return d, nil
	}
	var syntax *jsontext.SyntacticError
	switch {
	case r.decoder.StackDepth() >= MaxTextDepth:
		return Decoded{}, ErrTooDeep
	case !errors.Is(err, io.ErrUnexpectedEOF) && errors.As(err, &syntax):
		return Decoded{}, fmt.Errorf("%w, at byte %d", syntax.Err, syntax.ByteOffset)
	}
	return d, err
}

// decoders are those that read a text, for their memory.
var decoders = sync.Pool{New: func() any { return jsontext.NewDecoder(nothing{}) }}

// nothing is a reader at its end.
type nothing struct{}

// Read implements [io.Reader].
func (nothing) Read([]byte) (int, error) { return 0, io.EOF }

// MaxTextDepth is how deep jsontext can follow.
const MaxTextDepth = 10000

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

// treeReader builds a tree from tokens.
type treeReader struct {
	decoder *jsontext.Decoder
	path    []string
	repeats []Repeat
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

func (r *treeReader) value(depth int) (any, error) {
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
		return json.Number(text), nil
	case jsontext.KindTrue, jsontext.KindFalse:
		return token.Bool(), nil
	default:
		return nil, nil
	}
}

func (r *treeReader) object(depth int) (any, error) {
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
		if first, twice := members[name]; twice && len(r.repeats) < maxRepeats && !Equal(first, value) {
			r.repeats = append(r.repeats, Repeat{Path: append([]string(nil), r.path...), First: first, Second: value})
		}
		r.path = r.path[:len(r.path)-1]
		members[name] = value
	}
	_, err := r.decoder.ReadToken()
	return members, err
}

// skip reads over one value, or over the name of a member. It does not recurse, and unlike the decoder's own SkipValue
// it keeps account of the depth, by which a limit of ours is told from a defect of the text.
func (r *treeReader) skip() error {
	for depth := r.decoder.StackDepth(); ; {
		if _, err := r.decoder.ReadToken(); err != nil {
			return err
		}
		if r.decoder.StackDepth() == depth {
			return nil
		}
	}
}

func (r *treeReader) array(depth int) (any, error) {
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

// ClampNumbers copies a tree, with its huge numbers clamped (see clamp).
func ClampNumbers(tree any) any {
	switch t := tree.(type) {
	case map[string]any:
		c := make(map[string]any, len(t))
		for name, v := range t {
			c[name] = ClampNumbers(v)
		}
		return c
	case []any:
		c := make([]any, len(t))
		for i, v := range t {
			c[i] = ClampNumbers(v)
		}
		return c
	case json.Number:
		return clamp(t)
	}
	return tree
}
