package feature

import (
	"strings"
)

// About returns the parts of derived features that are about a rule, each as in its file, or "" if there are none.
func About(features []File, rule string) string {
	var b strings.Builder
	for _, f := range features {
		in := false
		for line := range strings.Lines(f.Content) {
			if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "@rule:") {
				tag, _, _ := strings.Cut(trimmed, " ")
				in = tag == "@rule:"+rule
			}
			if in {
				b.WriteString(line)
			}
		}
	}
	return b.String()
}
