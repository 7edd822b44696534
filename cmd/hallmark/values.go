package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"hallmark/internal/config"
)

// value is a flag's value. It says in words what is wrong with a text, whether that comes from an argument or from the
// environment.
type value struct {
	// kind stands for the value in the help text: "URL".
	kind string
	// list reports whether the flag may be given more than once.
	list bool
	// argumentOnly reports whether neither the environment nor a file may give it.
	argumentOnly bool
	// key says how the value is written in a file of targets; what the flag itself says is added there.
	key config.Key
	// text is what was given, the last of several; texts are all of them.
	text  string
	texts []string
	set   func(string) error
	// show is the text as others may see it; nil shows it as it is.
	show func(string) string
}

var _ pflag.Value = (*value)(nil)

func (v *value) String() string { return v.text }
func (v *value) Type() string   { return v.kind }

func (v *value) Set(text string) error {
	if err := v.set(text); err != nil {
		return err
	}
	v.text, v.texts = text, append(v.texts, text)
	return nil
}

// shown is a text of this value as others may see it.
func (v *value) shown(text string) string {
	if v.show == nil {
		return text
	}
	return v.show(text)
}

// shownValue makes a value that may hold secrets, and says how it is shown without them.
func shownValue(v *value, show func(string) string) *value {
	v.show = show
	return v
}

func textValue(to *string, kind string) *value {
	return &value{kind: kind, text: *to, key: config.Key{Kind: config.Text}, set: func(text string) error {
		*to = text
		return nil
	}}
}

// fileValue is the name of a file or folder, which cannot be empty.
func fileValue(to *string, kind string) *value {
	return &value{kind: kind, text: *to, key: config.Key{Kind: config.Path}, set: func(text string) error {
		if text == "" {
			return fmt.Errorf("no name is given")
		}
		*to = text
		return nil
	}}
}

// listValue collects the values of a flag that may be given more than once.
func listValue(to *[]string, kind string) *value {
	return &value{kind: kind, list: true, key: config.Key{Kind: config.Text}, set: func(text string) error {
		if text == "" {
			return fmt.Errorf("an empty value names nothing")
		}
		*to = append(*to, text)
		return nil
	}}
}

// numberValue is a whole number within bounds.
func numberValue[N int | int64](to *N, least, most N) *value {
	bounds := config.Key{Kind: config.Number, Least: strconv.FormatInt(int64(least), 10), Most: strconv.FormatInt(int64(most), 10)}
	return &value{kind: "N", text: strconv.FormatInt(int64(*to), 10), key: bounds, set: func(text string) error {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < int64(least) || n > int64(most) {
			return fmt.Errorf("%q is no whole number from %d to %d", text, least, most)
		}
		*to = N(n)
		return nil
	}}
}

func durationValue(to *time.Duration, least, most time.Duration) *value {
	return &value{kind: "TIME", text: to.String(), key: config.Key{Kind: config.Duration}, set: func(text string) error {
		d, err := time.ParseDuration(text)
		if err != nil {
			return fmt.Errorf("%q is no length of time; write for example 500ms, 10s or 1m30s", text)
		}
		if d < least || d > most {
			return fmt.Errorf("%q is not from %v to %v", text, least, most)
		}
		*to = d
		return nil
	}}
}

// dateValue is a day (midnight in UTC) or a moment.
func dateValue(to *time.Time) *value {
	return &value{kind: "DATE", key: config.Key{Kind: config.Date}, set: func(text string) error {
		for _, layout := range []string{time.DateOnly, time.RFC3339} {
			if t, err := time.Parse(layout, text); err == nil {
				*to = t
				return nil
			}
		}
		return fmt.Errorf("%q is neither a date, as in 2027-01-31, nor a moment, as in 2027-01-31T12:00:00Z", text)
	}}
}

func choiceValue(to *string, kind string, choices ...string) *value {
	return &value{kind: kind, text: *to, key: config.Key{Kind: config.Choice, Choices: choices}, set: func(text string) error {
		if slices.Contains(choices, text) {
			*to = text
			return nil
		}
		all := "it is one of " + strings.Join(choices, ", ")
		if near := nearest(text, choices); near != "" {
			all += "; did you mean " + near + "?"
		}
		return fmt.Errorf("there is no %q: %s", text, all)
	}}
}

// switchValue is a flag that needs no value. Its kind is the one that pflag leaves out of the help text.
func switchValue(to *bool) *value {
	return &value{kind: "bool", text: "false", key: config.Key{Kind: config.Switch}, set: func(text string) error {
		on, err := strconv.ParseBool(text)
		if err != nil {
			return fmt.Errorf("%q is neither true nor false", text)
		}
		*to = on
		return nil
	}}
}

// on reports whether a flag that needs no value is switched on.
func (v *value) on() bool {
	on, err := strconv.ParseBool(v.text)
	return err == nil && on
}

// addArgument adds a flag that needs no value and counts only on the command line.
func addArgument(flags *pflag.FlagSet, to *bool, name, usage string) {
	v := switchValue(to)
	v.argumentOnly = true
	flags.VarPF(v, name, "", usage).NoOptDefVal = "true"
}

// addSwitch adds a flag that needs no value.
func addSwitch(flags *pflag.FlagSet, to *bool, name, usage string) {
	flags.VarPF(switchValue(to), name, "", usage).NoOptDefVal = "true"
}
