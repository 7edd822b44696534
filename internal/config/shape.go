package config

import (
	"path/filepath"
	"slices"
)

// ValueKind is how the value of a key is written.
type ValueKind int

// The kinds. Any is for everything else: a text, a number, true or false. A Number is an integer, a Decimal may
// have a fraction, and a Hook is a command or a request.
const (
	Any ValueKind = iota
	Text
	Path
	Number
	Decimal
	Switch
	Duration
	Date
	Choice
	Hook
)

// Key is a key of a target that corresponds to a flag.
type Key struct {
	Name string
	// Help says what it does, in a sentence.
	Help string
	Kind ValueKind
	// Default is the value without the key; empty if there is nothing useful to say.
	Default string
	// List reports whether the value may be several.
	List bool
	// Least and Most bound a Number, as decimal texts; empty is no bound.
	Least, Most string
	// Word is what a Number may be instead; empty for none.
	Word string
	// Choices are the values of a Choice.
	Choices []string
	// Verbatim leaves ${NAME} unexpanded: the flag inserts the variable itself, and keeps its value out of the
	// reports.
	Verbatim bool
	// Own does not apply the default to an address that is not a target of the file, as for credentials and hooks.
	Own bool
	// secret reports whether the value may be a secret, so that no default for it belongs in the file.
	secret bool
	// Place makes a text that contains a file name relative to the folder of hallmark.yaml. A Path needs none.
	Place func(folder, text string) string
	// Check says what is wrong with a value.
	Check func(text string) error
}

// Shape says what a file may contain.
type Shape struct {
	Keys []Key
	// Refused are flags that cannot be keys, with what to do instead.
	Refused map[string]string
	// Nearest is the known word that is most similar to a wrong one, or empty.
	Nearest func(word string, known []string) string
	// CheckHeader says what is wrong with the name of a header.
	CheckHeader func(name string) error
	// SecretHeader reports whether a header of this name always holds a secret.
	SecretHeader func(name string) bool
}

// The keys of a target that correspond to no flag.
const (
	apiKeyKey         = "api-key"
	productionKey     = "production"
	headersKey        = "headers"
	implementationKey = "implementation"
	credentialsKey    = "credentials"
	rolesKey          = "roles"
)

// The keys of the whole file.
const (
	targetsKey  = "targets"
	defaultsKey = "defaults"
	targetKey   = "target"
)

// key finds the key of a name, or of an alias.
func (s *Shape) key(name string) (Key, bool) {
	i := slices.IndexFunc(s.Keys, func(k Key) bool { return k.Name == name })
	if i < 0 {
		return Key{}, false
	}
	return s.Keys[i], true
}

// names are the keys of a target.
func (s *Shape) names() []string {
	all := []string{apiKeyKey, credentialsKey, rolesKey, productionKey, headersKey, implementationKey}
	for _, k := range s.Keys {
		all = append(all, k.Name)
	}
	return all
}

// relativeTo makes a file name relative to a folder. Words that are not file names stay unchanged.
func relativeTo(folder, name string) string {
	if name == "" || name == "-" || name == "none" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(folder, name)
}
