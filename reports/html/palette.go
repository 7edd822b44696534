package html

import "strings"

// Palette returns the part of the style sheet that defines the colours, for other pages in the same style.
func Palette() string {
	block, _, _ := strings.Cut(style, "\n}\n")
	return block + "\n}\n"
}
