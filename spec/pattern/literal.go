package pattern

import "strings"

// Literal returns the pattern inside of a literal of a program ("/^[a-z]+$/i"), which some documents hold by mistake; false where
// a pattern is none. Read as it stands such a pattern wants the slashes in the text, which its author did not mean.
func Literal(text string) (string, bool) {
	inner, ok := strings.CutPrefix(text, "/")
	end := strings.LastIndexByte(inner, '/')
	if !ok || end < 1 || strings.Trim(inner[end+1:], "dgimsuvy") != "" {
		return "", false
	}
	inner = inner[:end]
	// Without assertions at its ends, or something that a path does not hold, it may well be a path.
	if !strings.HasPrefix(inner, "^") && !strings.HasSuffix(inner, "$") && !strings.HasPrefix(inner, "(?") {
		return "", false
	}
	return inner, true
}
