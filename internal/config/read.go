package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/pb33f/go-yaml"

	"github.com/hallmark-kit/hallmark/internal/text/syntax"
)

// maxFile is the most that a file holds, in bytes.
const maxFile = 1 << 20

// Load reads a file. The name is used in messages; file names in it are relative to its folder.
func (s *Shape) Load(path, name string, lookup Lookup) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > maxFile:
		return nil, fmt.Errorf("the file is larger than %d KiB", maxFile>>10)
	}
	return s.Read(data, name, filepath.Dir(path), lookup)
}

// Read reads the text of a file that is in a folder. Its error is that the text is not YAML; all other mistakes
// are reported by [File.Err] and [File.Target].
func (s *Shape) Read(data []byte, name, folder string, lookup Lookup) (*File, error) {
	r := reader{shape: s, folder: folder, lookup: lookup, problems: problems{file: name}}
	file := &File{Name: name, targets: map[string]*Target{}, own: map[string]bool{}}
	for _, k := range s.Keys {
		file.own[k.Name] = k.Own
	}
	root, err := r.document(data)
	if err != nil {
		return nil, err
	}
	file.defaults = r.target("", root, nil)
	if root != nil {
		r.file(root, file)
	}
	file.problems = r.problems.all
	return file, nil
}

// reader reads one file.
type reader struct {
	shape  *Shape
	folder string
	lookup Lookup
	problems
}

// document is the root of the only document; nil when nothing is in it.
func (r *reader) document(data []byte) (root *yaml.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			root, err = nil, Problem{File: r.problems.file, Text: "it is not YAML"}
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	switch err := decoder.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, nil //nolint:nilnil // an empty file says nothing, and that is fine
	case err != nil:
		why := syntax.YAML(data)
		return nil, Problem{File: r.problems.file, Line: why.Line, Column: why.Column, Text: why.Summary()}
	}
	var more yaml.Node
	if err := decoder.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, Problem{File: r.problems.file, Text: "there are several documents; remove the --- lines and keep one"}
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 || doc.Content[0].ShortTag() == "!!null" {
		return nil, nil //nolint:nilnil // only comments
	}
	return doc.Content[0], nil
}

// entry is a key with its value.
type entry struct {
	name       string
	key, value *yaml.Node
}

// entries are the keys of a map, without duplicates.
func (r *reader) entries(of string, n *yaml.Node) []entry {
	n = resolved(n)
	if n.Kind != yaml.MappingNode {
		r.report(n, "%s: expected keys with values, not %s", of, what(n))
		return nil
	}
	var all []entry
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		first := slices.IndexFunc(all, func(e entry) bool { return e.name == resolved(key).Value })
		switch {
		case resolved(key).Kind != yaml.ScalarNode:
			r.report(key, "%s: a key is a word, not %s", of, what(resolved(key)))
		case key.ShortTag() == "!!merge":
			r.report(key, "%s: << is not supported; write what several targets share under %s:", of, defaultsKey)
		case first >= 0:
			r.report(key, "%s is here twice, first in line %d", repeated(of, all[first].name), all[first].key.Line)
		default:
			all = append(all, entry{resolved(key).Value, key, resolved(value)})
		}
	}
	return all
}

// repeated names a duplicate key. Among the places of secrets, what looks like a key may itself be a secret.
func repeated(of, name string) string {
	if of == apiKeyKey || strings.HasPrefix(of, credentialsKey+".") || strings.HasPrefix(of, rolesKey+".") {
		return "a key of " + of
	}
	return fmt.Sprintf("the key %q", name)
}

// file reads the keys of the whole file.
func (r *reader) file(root *yaml.Node, to *File) {
	known := []string{targetsKey, defaultsKey, targetKey}
	var chosen *entry
	for _, e := range r.entries("the file", root) {
		switch e.name {
		case targetsKey:
			if e.value.ShortTag() == "!!null" {
				continue
			}
			for _, t := range r.entries(targetsKey, e.value) {
				if t.name == "" || strings.ContainsFunc(t.name, func(c rune) bool { return c == ' ' || c == ',' || !unicode.IsPrint(c) }) || strings.HasPrefix(t.name, "-") {
					r.report(t.key, "%q cannot be the name of a target: it needs letters, and no blanks or commas", t.name)
					continue
				}
				to.order = append(to.order, t.name)
				to.targets[t.name] = r.target(t.name, t.key, t.value)
			}
		case defaultsKey:
			if e.value.ShortTag() != "!!null" {
				to.defaults = r.target("", e.key, e.value)
			}
		case targetKey:
			chosen = &e
		default:
			r.unknown(e, known)
		}
	}
	if chosen == nil {
		return
	}
	name, ok := r.scalar(Key{Name: targetKey, Kind: Text}, chosen.value)
	switch {
	case !ok:
	case len(name.missing) > 0:
		to.unknown = name.missing
	case to.targets[name.text] == nil:
		r.report(chosen.value, "target: %s", NoTarget(name.text, to.order, r.shape.Nearest))
	default:
		to.chosen, to.line = name.text, chosen.key.Line
	}
}

// NoTarget says that there is no target with a name, and which may have been meant.
func NoTarget(name string, there []string, nearest func(string, []string) string) string {
	text := fmt.Sprintf("there is no target %q; ", name)
	if near := nearest(name, there); near != "" {
		return text + "did you mean " + near + "?"
	}
	if len(there) == 0 {
		return text + "the file has none"
	}
	return text + "the targets are " + strings.Join(there, ", ")
}

// unknown says that there is no such key, and what may have been meant.
func (r *reader) unknown(e entry, known []string) {
	s := r.shape
	if reason, refused := s.Refused[e.name]; refused {
		r.report(e.key, "the key %q is not allowed in a file: %s", e.name, reason)
		return
	}
	near := s.Nearest(e.name, known)
	if slices.Contains(known, targetsKey) {
		const where = "belongs to a target: write it under targets: and the target's name, or under defaults:"
		switch inTarget := s.Nearest(e.name, s.names()); {
		case slices.Contains(s.names(), e.name):
			r.report(e.key, "the key %q "+where, e.name)
			return
		case near == "" && inTarget != "":
			r.report(e.key, "there is no key %q; did you mean %s? It "+where, e.name, inTarget)
			return
		}
	}
	if near == "" && slices.Contains([]string{"key", "token", "apikey"}, strings.ToLower(e.name)) {
		near = apiKeyKey
	}
	if near != "" {
		r.report(e.key, "there is no key %q here; did you mean %s?", e.name, near)
		return
	}
	r.report(e.key, "there is no key %q here; the keys are %s", e.name, strings.Join(known, ", "))
}

// target reads the content under the name of a target, or under defaults:.
func (r *reader) target(name string, at, n *yaml.Node) *Target {
	t := &Target{Name: name, Settings: map[string]Setting{}, implementation: map[string]Setting{}}
	if at != nil {
		t.Line = at.Line
	}
	if n == nil || n.ShortTag() == "!!null" {
		return t
	}
	of := "the target " + name
	if name == "" {
		of = defaultsKey
	}
	for _, e := range r.entries(of, n) {
		switch e.name {
		case apiKeyKey:
			t.Key = r.apiKey(e)
		case productionKey:
			if v, ok := r.scalar(Key{Name: productionKey, Kind: Switch}, e.value); ok {
				if len(v.names) > 0 {
					r.report(e.value, "production: write true or false here: an environment variable cannot set it")
				}
				t.productionGiven, t.Production, t.ProductionLine = true, strings.EqualFold(v.text, "true"), e.key.Line
			}
		case headersKey:
			t.Headers = r.headers(e)
		case implementationKey:
			r.implementation(e, t)
		case credentialsKey:
			if e.value.ShortTag() != "!!null" {
				t.Credentials = r.credentials(credentialsKey, e.value)
			}
		case rolesKey:
			t.Roles = r.roles(e)
		default:
			if key, known := r.shape.key(e.name); known {
				if s, ok := r.setting(key, e); ok {
					t.Settings[key.Name] = s
				}
			} else {
				r.unknown(e, r.shape.names())
			}
		}
	}
	t.Implementation = newImplementation(t.implementation)
	return t
}

// setting reads the value of a flag.
func (r *reader) setting(key Key, e entry) (Setting, bool) {
	if key.Kind == Hook {
		return r.hooks(key, e)
	}
	s, whole := Setting{Line: e.key.Line}, true
	values := []*yaml.Node{e.value}
	if key.List && e.value.Kind == yaml.SequenceNode {
		values, key.List = e.value.Content, false
	}
	for _, n := range values {
		v, ok := r.scalar(key, resolved(n))
		if !ok {
			whole = false
			continue
		}
		s.Variables, s.missing = append(s.Variables, v.names...), append(s.missing, v.missing...)
		s.Texts = append(s.Texts, v.text)
	}
	return s, whole
}

// apiKey reads where the key is found. A literal key is refused, and not shown.
func (r *reader) apiKey(e entry) *Source {
	const how = "write {env: NAME}, with the name of a variable of the environment, or {file: PATH}"
	if e.value.Kind != yaml.MappingNode {
		r.report(e.value, "api-key: do not write a key into a file that is shared; "+how)
		return nil
	}
	for _, part := range r.entries("api-key", e.value) {
		if part.name != "env" && part.name != "file" {
			r.report(part.key, "api-key: only env and file are allowed here, not a key; "+how) // the content may be the key
			return nil
		}
	}
	return r.source(e, "api-key", nil)
}

// source reads {env: NAME} or {file: PATH}; further keys are read by more.
func (r *reader) source(e entry, of string, more map[string]func(entry)) *Source {
	const how = "write {env: NAME}, with the name of a variable of the environment, or {file: PATH}"
	known := []string{"env", "file"}
	for name := range more {
		known = append(known, name)
	}
	slices.Sort(known)
	source, before := &Source{Line: e.key.Line}, len(r.problems.all)
	for _, part := range r.entries(of, e.value) {
		switch {
		case part.name == "env":
			source.Env = part.value.Value
			if part.value.Kind != yaml.ScalarNode || part.value.ShortTag() != "!!str" || !variableName.MatchString(source.Env) {
				r.report(part.value, "%s.env: expected the name of a variable, made of letters, digits and _, without a $", of)
			}
		case part.name == "file":
			v, ok := r.scalar(Key{Name: of + ".file", Kind: Path}, part.value)
			if !ok {
				continue
			}
			source.File, source.missing = v.text, v.missing
			switch {
			case len(v.missing) > 0:
				source.File = part.value.Value
			case v.text == "":
				r.report(part.value, "%s.file: no name is given", of)
			}
		case more[part.name] != nil:
			more[part.name](part)
		default:
			r.unknown(part, known)
		}
	}
	switch {
	case len(r.problems.all) > before:
		return nil
	case source.Env != "" && source.File != "":
		r.report(e.key, "%s: env and file exclude each other", of)
		return nil
	case source.Env == "" && source.File == "":
		if more == nil {
			r.report(e.key, "%s: its place is missing; "+how, of)
		}
		return nil
	}
	return source
}

// headers reads names with values.
func (r *reader) headers(e entry) []Header {
	var all []Header
	for _, h := range r.entries(headersKey, e.value) {
		if i := slices.IndexFunc(all, func(o Header) bool { return strings.EqualFold(o.Name, h.name) }); i >= 0 {
			r.report(h.key, "headers: %s is here twice, first in line %d", h.name, all[i].Line)
			continue
		}
		if err := r.shape.CheckHeader(h.name); err != nil {
			r.report(h.key, "headers: %v", err)
			continue
		}
		if header, ok := r.header(h); ok {
			all = append(all, header)
		}
	}
	return all
}

// header reads a value, {env: NAME}, {file: PATH} or {value: TEXT}, the last three with secret. A value from the
// environment or a file is a secret unless it is declared not to be.
func (r *reader) header(e entry) (Header, bool) {
	h := Header{Name: e.name, Line: e.key.Line}
	of := "headers." + e.name
	hasDefault := false
	value := func(n *yaml.Node) (ok bool) {
		if tag := n.ShortTag(); n.Kind == yaml.ScalarNode && tag != "!!str" && tag != "!!null" {
			r.report(n, "%s: expected text; put it into quotes", of) // it may be a secret, and is not shown
			return false
		}
		v, ok := r.scalar(Key{Name: of, Kind: Text, secret: true}, n)
		if !ok {
			return false
		}
		h.Value, h.missing, h.names, h.Secret = v.text, v.missing, v.names, len(v.names) > 0
		hasDefault = v.hasDefault
		if strings.ContainsFunc(v.text, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f }) {
			r.report(n, "%s: the value contains a control character, which a header cannot", of)
			return false
		}
		return true
	}
	if e.value.Kind != yaml.MappingNode {
		return h, value(e.value) && r.noSecretDefault(e, &h, hasDefault)
	}
	before, given := len(r.problems.all), false
	var secret *bool
	source := r.source(e, of, map[string]func(entry){
		"value": func(part entry) { given = value(part.value) },
		"secret": func(part entry) {
			if v, ok := r.scalar(Key{Name: of + ".secret", Kind: Switch}, part.value); ok {
				on := strings.EqualFold(v.text, "true")
				secret = &on
			}
		},
	})
	switch {
	case len(r.problems.all) > before:
		return h, false
	case source != nil && given:
		r.report(e.key, "%s: value and the place where it is found exclude each other", of)
		return h, false
	case source == nil && !given:
		r.report(e.key, "%s: there is no value; write a text, or one of {env: NAME}, {file: PATH}, {value: TEXT, secret: true}", of)
		return h, false
	}
	h.From = source
	h.Secret = h.Secret || source != nil
	if secret != nil {
		h.Secret = *secret
	}
	return h, r.noSecretDefault(e, &h, hasDefault)
}

// noSecretDefault refuses a default for a value that may be a secret: the default would be a secret in the file.
func (r *reader) noSecretDefault(e entry, h *Header, hasDefault bool) bool {
	secret := h.Secret || r.shape.SecretHeader != nil && r.shape.SecretHeader(h.Name)
	if !hasDefault || !secret {
		return true
	}
	r.report(e.value, "headers.%s: a header with a variable in it is a secret, and a default for a secret is a secret in a file; "+
		"write ${NAME} without a default, or {value: …, secret: false} where it is none", h.Name)
	return false
}

// implementation reads who made the target.
func (r *reader) implementation(e entry, t *Target) {
	var known []string
	for _, k := range implementationKeys() {
		known = append(known, k[0])
	}
	for _, part := range r.entries(implementationKey, e.value) {
		if !slices.Contains(known, part.name) {
			r.unknown(part, known)
			continue
		}
		kind := Text
		if part.name == "version" {
			kind = Any // 1.2 looks like a number
		}
		if s, ok := r.setting(Key{Name: implementationKey + "." + part.name, Kind: kind}, part); ok {
			t.implementation[part.name] = s
		}
	}
}
