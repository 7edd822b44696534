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

// maxTreeDepth is the maximum depth of a decoded tree. Anything deeper is checked to be JSON but appears as an empty object or array:
// no contract describes it (see openapi.maxSchemaDepth).
const maxTreeDepth = 128

// ErrTooDeep is returned for a text that is nested too deeply. This is a limit of hallmark, not a defect of the text.
var ErrTooDeep = errors.New("the JSON text is nested more deeply than hallmark supports")

// ErrCut is returned when only the beginning of a text is known.
var ErrCut = errors.New("the body was truncated, so it cannot be judged")

// errTooMany is returned for a text with too many values.
var errTooMany = fmt.Errorf("the JSON text has more than %d values", maxValues)

// ExceedsLimit reports whether a text could not be read because it exceeds a limit of hallmark, which is not a defect of the text.
func ExceedsLimit(err error) bool {
	return errors.Is(err, ErrCut) || errors.Is(err, errTooMany) || errors.Is(err, ErrTooDeep)
}

// Decoded is the result of decoding a JSON text exactly.
type Decoded struct {
	// Tree consists of map[string]any, []any, json.Number, string, bool and nil.
	Tree any
	// Repeats are the names that occur more than once in an object with different values.
	Repeats []Repeat
}

// Repeat is a repeated name in an object.
type Repeat struct {
	Path          []string
	First, Second any
}

// Decode decodes one JSON text. It follows the grammar of RFC 8259 strictly: text after the value, a byte order mark, invalid UTF-8
// and NaN are errors. It accepts what the grammar allows but senders should avoid: repeated names (the last value is used, as by most
// parsers, and the repeat is recorded) and an unpaired surrogate escape (decoded as U+FFFD).
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

// DecodeBeginning decodes the beginning of a truncated JSON text. Of an array it returns the complete items. The error is ErrCut,
// or a mistake that precedes the cut.
func DecodeBeginning(data []byte) (Decoded, error) {
	for range utf8.UTFMax - 1 { // the cut may be within a character
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
	d.Tree = items[:len(items)-1] // the last may be an incomplete number
	return d, ErrCut
}

// decode decodes one JSON text. If the text of an array ends too early (io.ErrUnexpectedEOF, or io.EOF if it is empty), the items read
// so far are returned with the error.
func decode(data []byte) (Decoded, error) {
	if bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) {
		return Decoded{}, errors.New("it begins with a byte order mark")
	}
	if !utf8.Valid(data) {
		return Decoded{}, fmt.Errorf("it is not UTF-8, at byte %d", invalidAt(data))
	}
	own, _ := decoders.Get().(*jsontext.Decoder)
	defer func() {
		own.Reset(nothing{}) // release the text
		decoders.Put(own)
	}()
	own.Reset(bytes.NewBuffer(data),
		jsontext.AllowDuplicateNames(true),
		// The bytes are known to be UTF-8; this option accepts unpaired surrogate escapes.
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

// decoders reuses decoders and their memory.
var decoders = sync.Pool{New: func() any { return jsontext.NewDecoder(nothing{}) }}

// nothing is an empty reader.
type nothing struct{}

// Read implements [io.Reader].
func (nothing) Read([]byte) (int, error) { return 0, io.EOF }

// MaxTextDepth is the maximum nesting that jsontext supports.
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

// treeReader builds a tree of tokens.
type treeReader struct {
	decoder *jsontext.Decoder
	path    []string
	repeats []Repeat
	values  int
}

// maxDigits is the maximum length of a number that is kept, in bytes. The rest cannot make a number an int64.
const maxDigits = 4096

const (
	// maxValues is the maximum number of values in a tree: more than a list of 100 animals with 1,000 fields each has, and few
	// enough for the memory of a run.
	maxValues = 120_000
	// maxRepeats is the maximum number of repeated names that are recorded.
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

// skip skips one value, or the name of a member. It does not recurse, and unlike the decoder's SkipValue it tracks the depth, to tell
// hallmark's limit from a defect of the text.
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

// ClampNumbers returns a copy of a tree with huge numbers clamped (see clamp).
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
