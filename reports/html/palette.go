package html

import (
	"html/template"
	"strings"
)

// Sheet returns a style sheet that begins with the colours of the report, for other pages in the same style, and the content security policy
// of a page that has this style, and no scripts or external references.
func Sheet(rules string) (sheet template.CSS, policy string) {
	palette, _, _ := strings.Cut(style, "\n}\n")
	all := palette + "\n}\n" + rules
	return template.CSS(all), "default-src 'none'; style-src " + digest(all) + "; base-uri 'none'; form-action 'none'" //nolint:gosec // the style is ours, and part of the program
}
