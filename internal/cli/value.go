package cli

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/hallmark-kit/hallmark/internal/config"
)

// Value is a flag's value. Its errors say what is wrong with a text, whether it comes from an argument, from the environment or from a
// file.
type Value struct {
	// Kind is the placeholder for the value in the help text: "URL".
	Kind string
	// List reports whether the flag may be given more than once.
	List bool
	// Whole reports whether a variable holds one value of a List, which may contain commas.
	Whole bool
	// ArgumentOnly reports whether the flag is valid only on the command line.
	ArgumentOnly bool
	// Key describes how the value is written in a file of targets, as far as the flag does not say it.
	Key config.Key
	// Text is the last text that was given; texts holds all of them.
	Text  string
	Texts []string
	Parse func(string) error
	// Show returns a text for display; nil displays it unchanged.
	Show func(string) string
}

var _ pflag.Value = (*Value)(nil)

// String returns the text that was given last.
func (v *Value) String() string { return v.Text }

// Type returns the placeholder for the value in the help text.
func (v *Value) Type() string { return v.Kind }

// Set parses the text of an argument, a variable or a key in a file of targets.
func (v *Value) Set(text string) error {
	if err := v.Parse(text); err != nil {
		return err
	}
	v.Text, v.Texts = text, append(v.Texts, text)
	return nil
}

// Display returns a text of this value for display.
func (v *Value) Display(text string) string {
	if v.Show == nil {
		return text
	}
	return v.Show(text)
}

// WithShow marks a value as possibly secret and sets how it is displayed.
func WithShow(v *Value, show func(string) string) *Value {
	v.Show = show
	return v
}

// TextValue returns a value for any text.
func TextValue(to *string, kind string) *Value {
	return &Value{Kind: kind, Text: *to, Key: config.Key{Kind: config.Text}, Parse: func(text string) error {
		*to = text
		return nil
	}}
}

// FileValue returns a value for the name of a file or folder, which must not be empty.
func FileValue(to *string, kind string) *Value {
	return &Value{Kind: kind, Text: *to, Key: config.Key{Kind: config.Path}, Parse: func(text string) error {
		if text == "" {
			return fmt.Errorf("the name is empty")
		}
		*to = text
		return nil
	}}
}

// IsURL reports whether a text is an http or https address.
func IsURL(text string) bool {
	return strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://")
}

// ShowURL returns a file name or an address for display, without the query of an address, which may hold a token.
func ShowURL(text string) string {
	if before, query, found := strings.Cut(text, "?"); found && query != "" && IsURL(text) {
		return before + "?…"
	}
	return text
}

// FileOrURLValue is [FileValue] for a file that may be an http or https address: hallmark.yaml does not take one for a path.
func FileOrURLValue(to *string, kind string) *Value {
	v := WithShow(FileValue(to, kind), ShowURL)
	parse := v.Parse
	v.Parse = func(text string) error {
		if u, err := url.Parse(text); IsURL(text) && (err != nil || u.User != nil) {
			return errors.New("the address of a document holds no user name and no password")
		}
		return parse(text)
	}
	v.Key.Place = func(folder, text string) string {
		if IsURL(text) || filepath.IsAbs(text) {
			return text
		}
		return filepath.Join(folder, text)
	}
	return v
}

// ListValue returns a value for a flag that may be repeated.
func ListValue(to *[]string, kind string) *Value {
	return &Value{Kind: kind, List: true, Key: config.Key{Kind: config.Text}, Parse: func(text string) error {
		if text == "" {
			return fmt.Errorf("the value is empty")
		}
		*to = append(*to, text)
		return nil
	}}
}

// NumberValue returns a value for an integer from least to most.
func NumberValue[N int | int64](to *N, least, most N) *Value {
	bounds := config.Key{Kind: config.Number, Least: strconv.FormatInt(int64(least), 10), Most: strconv.FormatInt(int64(most), 10)}
	return &Value{Kind: "N", Text: strconv.FormatInt(int64(*to), 10), Key: bounds, Parse: func(text string) error {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < int64(least) || n > int64(most) {
			return fmt.Errorf("%q is not a whole number from %d to %d", text, least, most)
		}
		*to = N(n)
		return nil
	}}
}

// NumberOrWordValue returns a value for an integer from least to most, or for a word that stands for another number.
func NumberOrWordValue(to *int, least, most int, word string, instead int) *Value {
	v := NumberValue(to, least, most)
	v.Kind, v.Key.Word = "N", word
	if *to == instead {
		v.Text = word
	}
	number := v.Parse
	v.Parse = func(text string) error {
		if text == word {
			*to = instead
			return nil
		}
		if err := number(text); err != nil {
			return fmt.Errorf("%w, nor %s", err, word)
		}
		return nil
	}
	return v
}

// DurationValue returns a value for a duration from least to most.
func DurationValue(to *time.Duration, least, most time.Duration) *Value {
	return &Value{Kind: "TIME", Text: to.String(), Key: config.Key{Kind: config.Duration}, Parse: func(text string) error {
		d, err := time.ParseDuration(text)
		if err != nil {
			return fmt.Errorf("%q is not a duration; write for example 500ms, 10s or 1m30s", text)
		}
		if d < least || d > most {
			return fmt.Errorf("%q is not from %v to %v", text, least, most)
		}
		*to = d
		return nil
	}}
}

// DateValue returns a value for a day (midnight in UTC) or a time.
func DateValue(to *time.Time) *Value {
	return &Value{Kind: "DATE", Key: config.Key{Kind: config.Date}, Parse: func(text string) error {
		for _, layout := range []string{time.DateOnly, time.RFC3339} {
			if t, err := time.Parse(layout, text); err == nil {
				*to = t
				return nil
			}
		}
		return fmt.Errorf("%q is neither a date, as in 2027-01-31, nor a time, as in 2027-01-31T12:00:00Z", text)
	}}
}

// ChoiceValue returns a value for one of several words.
func ChoiceValue(to *string, kind string, choices ...string) *Value {
	return &Value{Kind: kind, Text: *to, Key: config.Key{Kind: config.Choice, Choices: choices}, Parse: func(text string) error {
		if slices.Contains(choices, text) {
			*to = text
			return nil
		}
		all := "it is one of " + strings.Join(choices, ", ")
		if near := Nearest(text, choices); near != "" {
			all += "; did you mean " + near + "?"
		}
		return fmt.Errorf("there is no %q: %s", text, all)
	}}
}

// switchValue returns a value for a flag that needs no argument. Its kind is the one that pflag omits from the help text.
func switchValue(to *bool) *Value {
	return &Value{Kind: "bool", Text: "false", Key: config.Key{Kind: config.Switch}, Parse: func(text string) error {
		on, err := strconv.ParseBool(text)
		if err != nil {
			return fmt.Errorf("%q is neither true nor false", text)
		}
		*to = on
		return nil
	}}
}

// On reports whether a switch is on.
func (v *Value) On() bool {
	on, err := strconv.ParseBool(v.Text)
	return err == nil && on
}

// AddArgument adds a switch that is valid only on the command line.
func AddArgument(flags *pflag.FlagSet, to *bool, name, usage string) {
	v := switchValue(to)
	v.ArgumentOnly = true
	flags.VarPF(v, name, "", usage).NoOptDefVal = "true"
}

// AddSwitch adds a switch.
func AddSwitch(flags *pflag.FlagSet, to *bool, name, usage string) {
	AddShortSwitch(flags, to, name, "", usage)
}

// AddShortSwitch is [AddSwitch] for a flag that a letter stands for too.
func AddShortSwitch(flags *pflag.FlagSet, to *bool, name, letter, usage string) {
	flags.VarPF(switchValue(to), name, letter, usage).NoOptDefVal = "true"
}

// WordsValue returns a value that collects words, which may be separated by commas.
func WordsValue(to *[]string, kind string) *Value {
	v := ListValue(to, kind)
	v.Parse = func(text string) error {
		for word := range strings.SplitSeq(text, ",") {
			if word = strings.TrimSpace(word); word == "" {
				return fmt.Errorf("the value is empty")
			}
			*to = append(*to, word)
		}
		return nil
	}
	return v
}

// nextReport matches the start of the next report in a value with several: "json:a,markdown:b".
var nextReport = regexp.MustCompile(`,\s*([A-Za-z][A-Za-z0-9-]*:)`)

// SplitReports splits a value of --report into reports. A comma within a path is kept: it separates reports only before another FORMAT:.
func SplitReports(text string) []string {
	return strings.Split(nextReport.ReplaceAllString(text, "\x00$1"), "\x00")
}

// ReportsValue returns a value that collects reports, each FORMAT:PATH, which may be separated by commas.
func ReportsValue(to *[]string) *Value {
	v := ListValue(to, "FORMAT:PATH")
	one := v.Parse
	v.Parse = func(text string) error {
		for _, report := range SplitReports(text) {
			if err := one(report); err != nil {
				return err
			}
		}
		return nil
	}
	return v
}
