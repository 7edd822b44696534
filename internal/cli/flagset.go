package cli

import "github.com/spf13/pflag"

// FlagText returns the text of a flag's value; empty where a command has no such flag.
func FlagText(flags *pflag.FlagSet, name string) string {
	if f := flags.Lookup(name); f != nil {
		return f.Value.String()
	}
	return ""
}

// SetFlag gives a flag a value, unless it has it already.
func SetFlag(flags *pflag.FlagSet, name, text string) error {
	if f := flags.Lookup(name); f != nil && f.Value.String() != text {
		return f.Value.Set(text)
	}
	return nil
}

// IsOn reports whether a switch is on; one that a command does not have is off.
func IsOn(flags *pflag.FlagSet, name string) bool {
	f := flags.Lookup(name)
	if f == nil {
		return false
	}
	v, ours := f.Value.(*Value)
	return ours && v.On()
}
