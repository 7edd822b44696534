package text

// Truncate cuts s to at most limit characters, of which the last is an ellipsis where something was cut off.
func Truncate(s string, limit int) string {
	if r := []rune(s); len(r) > limit {
		return string(r[:limit-1]) + "…"
	}
	return s
}

// Shorten cuts a plain text when it is long.
func Shorten(s string) string {
	if len(s) > 2*MaxQuoted {
		return s[:MaxQuoted] + "…" + s[len(s)-MaxQuoted/2:]
	}
	return s
}

// Middle returns s, without its middle when it has more than most characters.
func Middle(s string, most int) string {
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	return string(runes[:most/2]) + " … " + string(runes[len(runes)-most/2:])
}
