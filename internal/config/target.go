package config

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Target is what a file says about a target.
type Target struct {
	Name string
	// Line is where it begins.
	Line int
	// Settings are the values of flags, by their names.
	Settings map[string]Setting
	// Key is where the API key is found, if the file says so.
	Key *Source
	// Production reports whether nothing must be written there; ProductionLine is where the file says so.
	Production     bool
	ProductionLine int
	// Headers are sent with every request, in the order of their names.
	Headers []Header
	// Implementation says who made the target, for reports.
	Implementation Implementation
	// Credentials are where the secrets of security schemes are found, and Roles further sets of them; see
	// [Target.Role].
	Credentials []Credential
	Roles       map[string][]Credential

	productionGiven bool
	implementation  map[string]Setting
}

// Setting is the value of a key: several texts if the key is a list.
type Setting struct {
	Texts []string
	Line  int
	// Variables are the environment variables in it.
	Variables []string

	missing []Problem
}

// Source is where a secret is found: a variable of the environment, or a file. One of the two is set.
type Source struct {
	Env, File string
	Line      int

	missing []Problem
}

// Header is a header for every request. Its value is Value, or what is found at From.
type Header struct {
	Name, Value string
	From        *Source
	Secret      bool
	Line        int

	missing []Problem
	// names are the variables in the value.
	names []string
}

// Implementation says what was judged, and who made it.
type Implementation struct {
	Organization, Project, URL, Version, Contact string
}

// implementationKeys are the keys of an implementation, with their descriptions.
func implementationKeys() [][2]string {
	return [][2]string{
		{"organization", "who makes the implementation"},
		{"project", "what it is called"},
		{"url", "where one can read about it"},
		{"version", "which version of it this is"},
		{"contact", "whom to write to about it"},
	}
}

func newImplementation(s map[string]Setting) Implementation {
	text := func(name string) string { return strings.Join(s[name].Texts, "") }
	return Implementation{
		Organization: text("organization"), Project: text("project"), URL: text("url"), Version: text("version"), Contact: text("contact"),
	}
}

// over applies a target to the defaults: its values take precedence, key by key, header by header.
func (t *Target) over(defaults *Target) *Target {
	both := *t
	both.Settings = maps.Clone(defaults.Settings)
	maps.Copy(both.Settings, t.Settings)
	both.implementation = maps.Clone(defaults.implementation)
	maps.Copy(both.implementation, t.implementation)
	both.Implementation = newImplementation(both.implementation)
	if both.Key == nil {
		both.Key = defaults.Key
	}
	if !t.productionGiven {
		both.Production, both.ProductionLine = defaults.Production, defaults.ProductionLine
	}
	both.Headers = slices.Clone(t.Headers)
	for _, h := range defaults.Headers {
		if !slices.ContainsFunc(t.Headers, func(own Header) bool { return strings.EqualFold(own.Name, h.Name) }) {
			both.Headers = append(both.Headers, h)
		}
	}
	both.Credentials = joinCredentials(t.Credentials, defaults.Credentials)
	both.Roles = maps.Clone(defaults.Roles)
	if both.Roles == nil {
		both.Roles = map[string][]Credential{}
	}
	for name, own := range t.Roles {
		both.Roles[name] = joinCredentials(own, both.Roles[name])
	}
	slices.SortFunc(both.Headers, func(a, b Header) int { return strings.Compare(a.Name, b.Name) })
	return &both
}

// missing are the environment variables that it needs and that are not set. The values of some keys are given
// elsewhere and not needed.
func (t *Target) missing(given map[string]bool) []Problem {
	var all []Problem
	for name, s := range t.Settings {
		if !given[name] {
			all = append(all, s.missing...)
		}
	}
	for _, s := range t.implementation {
		all = append(all, s.missing...)
	}
	if t.Key != nil {
		all = append(all, t.Key.missing...)
	}
	for _, h := range t.Headers {
		all = append(all, h.missing...)
		if h.From != nil {
			all = append(all, h.From.missing...)
		}
	}
	return all
}

// File is a file that was read.
type File struct {
	// Name is the name of the file in messages.
	Name string

	targets  map[string]*Target
	order    []string
	defaults *Target
	chosen   string    // what target: names
	line     int       // the line of target:
	unknown  []Problem // why target: names nothing
	problems []Problem
	own      map[string]bool // the keys that only apply to targets of the file
}

// Targets are the names of the targets, in the order of the file.
func (f *File) Targets() []string { return slices.Clone(f.order) }

// Err is everything that is wrong with the file, whichever target is used.
func (f *File) Err() error { return join(f.problems) }

// At is a place in the file, as in "hallmark.yaml:12".
func (f *File) At(line int) string { return fmt.Sprintf("%s:%d", f.Name, line) }

// Default is the name of the target that is used if none is named: that of target:, else the only one; and the
// line that says so. The error lists the names.
func (f *File) Default() (name string, line int, err error) {
	switch {
	case len(f.unknown) > 0:
		return "", 0, join(f.unknown)
	case f.chosen != "":
		return f.chosen, f.line, nil
	case len(f.order) == 1:
		return f.order[0], f.targets[f.order[0]].Line, nil
	case len(f.order) == 0:
		return "", 0, fmt.Errorf("%s has no targets; add one, or give an address with --base-url", f.Name)
	}
	return "", 0, fmt.Errorf("%s has several targets; name one with --target: %s", f.Name, strings.Join(f.order, ", "))
}

// Has reports whether there is a target of that name.
func (f *File) Has(name string) bool { return f.targets[name] != nil }

// Target returns a target with the defaults applied. Its error lists everything that is wrong with the file, and
// the environment variables that this target lacks, except for keys whose values are given elsewhere. The empty
// name means an address that is not in the file: it gets the limits that all targets have in common, and no key,
// no credentials and no headers.
func (f *File) Target(name string, given map[string]bool) (*Target, error) {
	alone := *f.defaults
	alone.Key, alone.Headers, alone.Implementation, alone.implementation = nil, nil, Implementation{}, nil
	alone.Credentials, alone.Roles = nil, nil
	alone.Settings = maps.Clone(alone.Settings)
	maps.DeleteFunc(alone.Settings, func(name string, _ Setting) bool { return f.own[name] })
	t := &alone
	if name != "" {
		own := f.targets[name]
		if own == nil {
			return nil, join(append(slices.Clone(f.problems), Problem{File: f.Name, Text: fmt.Sprintf("there is no target %q", name)}))
		}
		t = own.over(f.defaults)
	}
	if err := join(append(slices.Clone(f.problems), t.missing(given)...)); err != nil {
		return nil, err
	}
	return t, nil
}

// Production reports whether a target is marked so.
func (f *File) Production(target string) bool {
	own := f.targets[target]
	return own != nil && own.over(f.defaults).Production
}

// Value is the value of a key for a target, as far as it is known.
func (f *File) Value(target, key string) string {
	own := f.targets[target]
	if own == nil {
		return ""
	}
	if s := own.over(f.defaults).Settings[key]; len(s.missing) == 0 {
		return strings.Join(s.Texts, ", ")
	}
	return ""
}

// Known returns what the file says about a key, for a target or, without a name, for all of them. It needs no
// other key, and so none of their variables.
func (f *File) Known(target, key string) ([]string, error) {
	t := f.defaults
	if own := f.targets[target]; own != nil {
		t = own.over(f.defaults)
	}
	s := t.Settings[key]
	return s.Texts, join(s.missing)
}

// variableReference matches a variable of the environment in a text that its reader expands.
var variableReference = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// Secrets returns where a target has secrets: the names of headers that hold one, and the environment variables that do.
func (f *File) Secrets(target string) (headers, variables []string) {
	t := f.defaults
	if own := f.targets[target]; own != nil {
		t = own.over(f.defaults)
	}
	from := func(sources ...*Source) {
		for _, s := range sources {
			if s != nil && s.Env != "" {
				variables = append(variables, s.Env)
			}
		}
	}
	from(t.Key)
	for _, h := range t.Headers {
		if h.Secret || h.From != nil {
			headers = append(headers, h.Name)
		}
		from(h.From)
		variables = append(variables, h.names...)
	}
	for _, text := range t.Settings["secret-query"].Texts {
		for _, found := range variableReference.FindAllStringSubmatch(text, -1) {
			variables = append(variables, found[1])
		}
	}
	for _, all := range append(slices.Collect(maps.Values(t.Roles)), t.Credentials) {
		for _, c := range all {
			from(c.Secret, c.Password, c.ClientSecret)
		}
	}
	return headers, variables
}

// Detail is a known detail of an implementation.
type Detail struct {
	Name, Text string
	Line       int
}

// Details are the known details of the implementation, for display.
func (t *Target) Details() []Detail {
	var all []Detail
	for _, k := range implementationKeys() {
		if s, there := t.implementation[k[0]]; there {
			all = append(all, Detail{k[0], strings.Join(s.Texts, ""), s.Line})
		}
	}
	return all
}
