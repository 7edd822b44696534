package second

import (
	"bytes"
	"encoding/json"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
)

// Difference is a known way in which the second judge differs from the first. A finding that it contradicts for
// that reason stands.
type Difference struct {
	// ID identifies it in records.
	ID string `json:"id"`
	// Says is what the second judge does, Reason why the finding stands.
	Says   string `json:"says"`
	Reason string `json:"reason"`
	// Version is the version of libopenapi-validator in which it was seen.
	Version string `json:"version"`

	holds func(q question, v evidence) bool
}

// evidence is what a difference is recognized by.
type evidence struct {
	finding   spec.Finding
	rule      spec.Rule
	exchange  *spec.Exchange
	operation *spec.Operation
	contract  *spec.Contract
	result    Result
}

// seenIn is the version that the differences were seen in.
const seenIn = "v0.16.2"

// Differences returns the known differences.
func Differences() []Difference {
	return []Difference{
		{
			"blank-body", "a response whose body is nothing but white space passes for any schema", "white space is no JSON text (RFC 8259, section 2)", seenIn,
			func(q question, v evidence) bool {
				body := v.exchange.Response.Body
				return q == aboutResponse && v.finding.Pointer == "" && len(body) > 0 && len(bytes.TrimSpace(body)) == 0
			},
		}, {
			"null-body", "a response whose body is null passes for any schema", "null is a value like others, and a schema may rule it out (JSON Schema, section 4.2.1)", seenIn,
			func(q question, v evidence) bool {
				return q == aboutResponse && v.finding.Pointer == "" && string(bytes.TrimSpace(v.exchange.Response.Body)) == "null"
			},
		}, {
			"rounded-number", "numbers are rounded to 53 bits before they are judged", "a number is what its digits say: 9007199254740993 is not 9007199254740992 (RFC 8259, section 6)", seenIn, rounded,
		}, {
			"repeated-member", "of a member that an object holds twice only the last is judged", "such an object says two things of what has one value", seenIn,
			func(q question, v evidence) bool {
				return q == aboutResponse && (v.finding.Kind == spec.KindRepeated || repeated(v))
			},
		}, {
			"not-utf-8", "bytes that are no UTF-8 are replaced before a body is judged", "JSON is UTF-8 (RFC 8259, section 8.1)", seenIn,
			func(q question, v evidence) bool {
				switch q {
				case aboutResponse:
					return v.finding.Kind == spec.KindUnreadable && !utf8.Valid(v.exchange.Response.Body)
				case aboutAcceptance:
					return !utf8.Valid(v.exchange.Request.Body)
				case aboutRefusal, aboutSoundResponse, aboutSoundRequest, none:
				}
				return false
			},
		}, {
			"structured-parameter", "of an array, an object or content in a parameter it judges a part only, or reads it otherwise than its style has it",
			"the schema of a parameter holds for all of its value, in the style that the contract gives (OpenAPI Specification, Parameter Object)", seenIn, structured,
		}, {
			"header-content", "of a header that is described by content the value is not judged", "the schema of its media type holds for the value (OpenAPI Specification, Header Object)", seenIn, headerContent,
		}, {
			"ignored-parameter", "header parameters named Accept, Content-Type and Authorization count", "their definitions are ignored (OpenAPI Specification, Parameter Object)", seenIn, ignoredParameter,
		}, {
			"loose-uri", "spaces, quotes, angle brackets and backslashes pass in URIs, and anything in the braces of URI templates",
			"URIs encode them (RFC 3986, section 2), and the braces of a template hold variables (RFC 6570, section 2.2)", seenIn, looseURI,
		}, {
			"to-the-letter", "a schema is taken to the letter where documents evidently mean something else: alternatives that overlap or whose discriminator is missing, additionalProperties false beside alternatives, slashes around patterns",
			"the first judge holds nothing against a response there; a finding is never upheld for this reason", seenIn, toTheLetter,
		},
	}
}

// known returns the difference that explains a contradiction of the second judge, or nil.
func (j *Judge) known(q question, f spec.Finding, rule spec.Rule, ex *spec.Exchange, r Result) *Difference {
	op, ok := j.contract.Operation(ex.Operation)
	if !ok {
		return nil
	}
	for _, d := range Differences() {
		if d.holds(q, evidence{f, rule, ex, op, j.contract, r}) {
			return &d
		}
	}
	return nil
}

// rounded reports whether the judged value is a number that float64 cannot represent; for a request, whether each
// place that the second judge calls wrong holds one.
func rounded(q question, v evidence) bool {
	switch q {
	case aboutResponse:
		d, err := exactjson.Decode(v.exchange.Response.Body)
		return err == nil && isRounded(d.Tree, v.finding.Pointer)
	case aboutRefusal, aboutSoundResponse, aboutSoundRequest:
		body := v.exchange.Request.Body
		if q == aboutSoundResponse {
			body = v.exchange.Response.Body
		}
		d, err := exactjson.Decode(body)
		if err != nil {
			return false
		}
		for _, f := range v.result.Faults {
			if f.Whole || f.Parameter != "" || !isRounded(d.Tree, f.Pointer) {
				return false
			}
		}
		return true
	case aboutAcceptance:
		d, err := exactjson.Decode(v.exchange.Request.Body)
		return err == nil && anyRounded(d.Tree)
	case none:
	}
	return false
}

// headerContent reports whether a finding is about a header that the contract describes by content.
func headerContent(q question, v evidence) bool {
	if q != aboutResponse || v.finding.Header == "" {
		return false
	}
	a := v.operation.ResponseFor(v.exchange.Response.Status)
	return a != nil && slices.ContainsFunc(a.Headers, func(h spec.Header) bool { return strings.EqualFold(h.Name, v.finding.Header) && h.Content != nil })
}

// looseURI reports whether a finding about a format is about a text with characters that the library passes in URIs and templates.
func looseURI(q question, v evidence) bool {
	if q != aboutResponse || v.finding.Kind != spec.KindFormat || !v.contract.AssertsFormats() {
		return false
	}
	text := v.exchange.Response.Header.Get(v.finding.Header)
	if v.finding.Header == "" {
		d, err := exactjson.Decode(v.exchange.Response.Body)
		if err != nil {
			return false
		}
		value, _ := exactjson.Lookup(d.Tree, jsonpointer.Tokens(v.finding.Pointer))
		text, _ = value.(string)
	}
	return strings.ContainsAny(text, " \"<>\\{}")
}

// ignoredParameter reports whether all faults of a request are about header parameters that are ignored.
func ignoredParameter(q question, v evidence) bool {
	return (q == aboutRefusal || q == aboutSoundRequest) && !slices.ContainsFunc(v.result.Faults, func(f Fault) bool {
		return !slices.ContainsFunc([]string{"Accept", "Content-Type", "Authorization"}, func(name string) bool { return strings.EqualFold(f.Parameter, name) })
	})
}

// toTheLetter reports whether all faults found in a conforming message are of the kinds that the first judge
// forgives.
func toTheLetter(q question, v evidence) bool {
	return (q == aboutSoundResponse || q == aboutSoundRequest) && !slices.ContainsFunc(v.result.Faults, func(f Fault) bool {
		overlap := strings.HasPrefix(f.Text, "'oneOf' failed, subschemas ") && strings.HasSuffix(f.Text, " matched")
		overlap = overlap || strings.HasPrefix(f.Text, "discriminator property ") && strings.HasSuffix(f.Text, " is missing")
		return !overlap && !strings.HasPrefix(f.Text, "additional properties ") && !strings.Contains(f.Text, " does not match pattern '/")
	})
}

// repeated reports whether the place of a finding is in a duplicate member.
func repeated(v evidence) bool {
	d, err := exactjson.Decode(v.exchange.Response.Body)
	return err == nil && slices.ContainsFunc(d.Repeats, func(r exactjson.Repeat) bool {
		return jsonpointer.Within(v.finding.Pointer, jsonpointer.Join("", r.Path...))
	})
}

// isRounded reports whether the value at a pointer is a number that float64 cannot represent.
func isRounded(tree any, pointer string) bool {
	value, ok := exactjson.Lookup(tree, jsonpointer.Tokens(pointer))
	n, number := value.(json.Number)
	return ok && number && !exact(n)
}

// anyRounded reports whether a tree holds a number that float64 does not hold.
func anyRounded(tree any) bool {
	switch t := tree.(type) {
	case json.Number:
		return !exact(t)
	case []any:
		return slices.ContainsFunc(t, anyRounded)
	case map[string]any:
		for _, item := range t {
			if anyRounded(item) {
				return true
			}
		}
	}
	return false
}

// exact reports whether rounding a number to float64 preserves it: the value is the same, or its shortest text is.
func exact(n json.Number) bool {
	text := string(n)
	if len(text) > 400 {
		return false
	}
	if strings.ContainsAny(text, "eE") && len(text[strings.IndexAny(text, "eE"):]) > 5 {
		return false
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return false
	}
	rounded, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return false
	}
	if held := new(big.Rat).SetFloat64(rounded); held != nil && held.Cmp(r) == 0 {
		return true
	}
	shortest, ok := new(big.Rat).SetString(strconv.FormatFloat(rounded, 'e', -1, 64))
	return ok && shortest.Cmp(r) == 0
}
