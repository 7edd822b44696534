package cli

import "github.com/spf13/pflag"

// FlagText returns the text of a flag's value, or "" if a command has no such flag.
func FlagText(flags *pflag.FlagSet, name string) string {
	if f := flags.Lookup(name); f != nil {
		return f.Value.String()
	}
	return ""
}

// SetFlag sets a flag unless it already has that value.
func SetFlag(flags *pflag.FlagSet, name, text string) error {
	if f := flags.Lookup(name); f != nil && f.Value.String() != text {
		return f.Value.Set(text)
	}
	return nil
}

// IsOn reports whether a switch is on. A switch that the command does not have is off.
func IsOn(flags *pflag.FlagSet, name string) bool {
	f := flags.Lookup(name)
	if f == nil {
		return false
	}
	v, ours := f.Value.(*Value)
	return ours && v.On()
}
