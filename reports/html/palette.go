package html

import "strings"

// Palette is the part of the style sheet that names the colours, for other pages that should look the same.
func Palette() string {
	block, _, _ := strings.Cut(style, "\n}\n")
	return block + "\n}\n"
}
