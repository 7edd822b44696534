package listing

import (
	"fmt"
	"io"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/prove"
	"github.com/hallmark-kit/hallmark/internal/text"
)

// Cases lists faults or freedoms in one of the formats, by family. Tables are wrapped to width columns, or not if width is 0.
func Cases(w io.Writer, cases []prove.Case, format string, width int) error {
	switch format {
	case JSON:
		return encode(w, cases)
	case Markdown:
		return casesMarkdown(w, cases)
	}
	return casesTable(w, cases, width)
}

// casesMarkdown lists the cases with a heading and a table for each family.
func casesMarkdown(w io.Writer, cases []prove.Case) error {
	var out strings.Builder
	family := ""
	for _, c := range cases {
		if c.Family != family {
			family = c.Family
			fmt.Fprintf(&out, "\n## %s\n\n| Name | Rule | Says |\n|---|---|---|\n", text.Visible(family))
		}
		fmt.Fprintf(&out, "| `%s` | `%s` | %s |\n", c.Name, c.Rule, text.TableCell(c.Says))
	}
	_, err := io.WriteString(w, strings.TrimPrefix(out.String(), "\n"))
	return err
}

// casesTable lists the cases in columns.
func casesTable(w io.Writer, cases []prove.Case, width int) error {
	var out strings.Builder
	head := [2]string{"NAME", "RULE"}
	wide := [2]int{len(head[0]), len(head[1])}
	for _, c := range cases {
		wide[0], wide[1] = max(wide[0], len(c.Name)), max(wide[1], len(c.Rule))
	}
	indent, room := wide[0]+wide[1]+4, 0
	if width > 0 {
		room = max(width-indent, leastSentence)
	}
	fmt.Fprintf(&out, "%-*s  %-*s  SAYS\n", wide[0], head[0], wide[1], head[1])
	family := ""
	for _, c := range cases {
		if family != "" && c.Family != family {
			out.WriteByte('\n')
		}
		family = c.Family
		fmt.Fprintf(&out, "%-*s  %-*s  %s\n", wide[0], c.Name, wide[1], c.Rule,
			strings.Join(text.Wrap(text.Visible(c.Says), room), "\n"+strings.Repeat(" ", indent)))
	}
	_, err := io.WriteString(w, out.String())
	return err
}
