package html

import "strings"

// Palette is the part of the style sheet that gives colours their names, for other pages that should look alike.
func Palette() string {
	block, _, _ := strings.Cut(style, "\n}\n")
	return block + "\n}\n"
}
