package text

// Truncate cuts s to at most limit characters, of which the last is an ellipsis where something was cut off.
func Truncate(s string, limit int) string {
	if r := []rune(s); len(r) > limit {
		return string(r[:limit-1]) + "…"
	}
	return s
}
