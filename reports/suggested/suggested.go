package suggested

import (
	"fmt"
	"io"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/view"
)

// Format is the format of suggested values.
func Format() reports.Format {
	return reports.Format{
		Name: "values", Says: "lines for values.yaml, in comments, for operations that never succeeded",
		Write: func(w io.Writer, v *view.View) error {
			_, err := io.WriteString(w, write(v))
			return err
		},
	}
}

// Heading is how each such file begins.
const Heading = "# Values that operations need which never succeeded in a run, as far as hallmark can tell."

// mostNamed is the maximum number of operations named in a line.
const mostNamed = 3

func write(v *view.View) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n# The run was %s against %s.\n", Heading, v.Record.Started.UTC().Format("on 2006-01-02 at 15:04 UTC"), text.Visible(v.Record.Target.BaseURL))
	all := v.Suggested()
	if len(all) == 0 {
		b.WriteString("#\n# Nothing is suggested: no operation that was to be called was left without a success.\n")
		return b.String()
	}
	b.WriteString(`#
# Remove the "# " in front of a line, replace the value by one that the service knows (its type is right), and keep the line in
# values.yaml beside the contract, or in the file of --values-file. {new} is another name in each request.
`)
	for _, one := range all {
		if one.Key != "" {
			fmt.Fprintf(&b, "\n# %s: %s  # %s: %s%s\n", text.Visible(one.Key), text.Visible(one.Example), named(one.Operations), text.Visible(one.Says), behind(one.Behind))
		}
	}
	first := true
	for _, one := range all {
		if one.Key != "" {
			continue
		}
		if first {
			b.WriteString("\n# No value is known to help here:\n#\n")
			first = false
		}
		why := text.Visible(one.Says)
		if one.After != "" {
			why = "needs what " + text.Visible(one.After) + " creates, which never succeeded"
		}
		fmt.Fprintf(&b, "## %s: %s\n", named(one.Operations), why)
	}
	return b.String()
}

// named names operations, the first of many.
func named(operations []string) string {
	if n := len(operations); n > mostNamed {
		return text.Visible(strings.Join(operations[:mostNamed], ", ")) + " and " + text.Count(n-mostNamed, "more operation")
	}
	return text.Visible(text.Enumerate(operations, "and"))
}

// behind says how many further operations a value may help.
func behind(operations []string) string {
	if len(operations) == 0 {
		return ""
	}
	return fmt.Sprintf("; then also %s", named(operations))
}
