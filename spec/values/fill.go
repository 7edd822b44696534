package values

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

// placeholder matches what stands for another value in the texts of a file of values: {new}, {created NOUN}, and {command N} for the output of
// a command.
var placeholder = regexp.MustCompile(`\{(new|created ([A-Za-z][\w -]*)|command (\d+)( json)?)\}`)

// Fill says what placeholders in values become.
type Fill struct {
	// Name returns a unique name for {new}.
	Name func() string
	// Created returns the identifier of a resource that the run created, by its noun, and false if there is none; {created NOUN} then stays. If
	// it is nil, all of them stay.
	Created func(noun string) (any, bool)
}

// Filled returns a value with its placeholders replaced, in whatever text of it they are, and whether there were any. A text that is nothing but
// a placeholder becomes the identifier or the number itself.
func (v *Values) Filled(value any, by Fill) (filled any, changed bool) {
	switch one := value.(type) {
	case string:
		return v.filledText(one, by)
	case map[string]any:
		made := make(map[string]any, len(one))
		for name, inner := range one {
			var did bool
			made[name], did = v.Filled(inner, by)
			changed = changed || did
		}
		if changed {
			return made, true
		}
	case []any:
		made := make([]any, len(one))
		for i, inner := range one {
			var did bool
			made[i], did = v.Filled(inner, by)
			changed = changed || did
		}
		if changed {
			return made, true
		}
	}
	return value, false
}

func (v *Values) filledText(text string, by Fill) (any, bool) {
	if !strings.Contains(text, "{") {
		return text, false
	}
	changed := false
	var whole any
	out := placeholder.ReplaceAllStringFunc(text, func(found string) string {
		is, ok := v.valueOf(found, by)
		if !ok {
			return found
		}
		changed = true
		if found == text {
			whole = is
		}
		return fmt.Sprint(is)
	})
	if whole != nil {
		return whole, true
	}
	return out, changed
}

// valueOf returns what one placeholder becomes; false if it stays.
func (v *Values) valueOf(found string, by Fill) (any, bool) {
	m := placeholder.FindStringSubmatch(found)
	switch {
	case m[1] == "new":
		if by.Name == nil {
			return nil, false
		}
		return by.Name(), true
	case m[2] != "":
		if by.Created == nil {
			return nil, false
		}
		return by.Created(m[2])
	}
	if v == nil {
		return nil, false
	}
	n, err := strconv.Atoi(m[3])
	if err != nil || n < 1 || n > len(v.repeated) {
		return nil, false
	}
	data, err := v.repeated[n-1].run()
	if err != nil {
		data = v.repeated[n-1].data // what it printed at first
	}
	if m[4] != "" {
		if d, err := exactjson.Decode(data); err == nil {
			return d.Tree, true
		}
	}
	return string(data), true
}

// NounsIn returns the nouns of {created NOUN} in a value.
func NounsIn(value any) []string {
	var all []string
	switch one := value.(type) {
	case string:
		for _, m := range placeholder.FindAllStringSubmatch(one, -1) {
			if m[2] != "" {
				all = append(all, m[2])
			}
		}
	case map[string]any:
		for _, inner := range one {
			all = append(all, NounsIn(inner)...)
		}
	case []any:
		for _, inner := range one {
			all = append(all, NounsIn(inner)...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// unknownNoun returns the first noun in a value that is not among others, or "".
func (v *Values) unknownNoun(value any, nouns []string) string {
	for _, noun := range NounsIn(value) {
		if !slices.Contains(nouns, noun) {
			return noun
		}
	}
	return ""
}

// fits reports whether a schema allows a value whose placeholders are filled: an identifier may be a text or a number.
func (v *Values) fits(value any, s *spec.Schema, valid func(*spec.Schema, any) bool) bool {
	for _, id := range []any{"3f2b8c1e-6d4a-4f0b-9a57-2c1d8e7b6a90", "a1", json.Number("7")} {
		made, _ := v.Filled(value, Fill{Name: func() string { return "hallmark-a1b2c3-00001" }, Created: func(string) (any, bool) { return id, true }})
		if valid(s, made) {
			return true
		}
	}
	return false
}
