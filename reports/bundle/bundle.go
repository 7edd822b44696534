package bundle

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/failure"
	"github.com/hallmark-kit/hallmark/reports/har"
	"github.com/hallmark-kit/hallmark/reports/jsonout"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
)

// Format is a zip file of bundles.
func Format() reports.Format {
	return reports.Format{Name: "bundle", Says: "a zip file with everything about each failure, which hallmark replay can run again", Write: Write}
}

// Write writes a folder for each cause that fails the run.
func Write(w io.Writer, v *view.View) error {
	z := &archive{zip: zip.NewWriter(w), View: v}
	failing, _ := v.Causes()
	z.file("README.txt", z.overview(failing))
	for i, c := range failing {
		if err := z.cause(caseName(i, c.Rule), c); err != nil {
			return err
		}
	}
	if z.err != nil {
		return z.err
	}
	return z.zip.Close()
}

// archive is a bundle being written.
type archive struct {
	*view.View
	zip *zip.Writer
	err error
}

// create adds a file. Its time is that of the run, so the same record always makes the same bundle.
func (z *archive) create(name string) io.Writer {
	if z.err != nil {
		return io.Discard
	}
	var w io.Writer
	header := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: z.Record.Started.UTC()}
	header.SetMode(0o644)
	if strings.HasSuffix(name, ".sh") {
		header.SetMode(0o755)
	}
	if w, z.err = z.zip.CreateHeader(header); z.err != nil {
		return io.Discard
	}
	return w
}

func (z *archive) file(name, text string) {
	if _, err := io.WriteString(z.create(name), text); err != nil && z.err == nil {
		z.err = err
	}
}

// cause writes the folder of a cause.
func (z *archive) cause(dir string, c verdict.Cause) error {
	failure := failureOf(z.View, c)
	said, err := json.MarshalIndent(failure, "", "  ")
	if err != nil {
		return fmt.Errorf("the failure cannot be written as JSON: %w", err)
	}
	sc := z.scenario(c.Scenario)
	z.file(dir+"/README.txt", z.story(c, sc))
	if _, err := jsonout.NewEscaper(z.create(dir + "/" + fileName)).Write(append(said, '\n')); err != nil && z.err == nil {
		z.err = err
	}
	z.file(dir+"/replay.sh", Script(z.View, c))
	if feature := z.feature(c.Scenario); feature != "" {
		z.file(dir+"/scenario.feature", visible(feature))
	}
	of := slices.Concat(sc.Exchanges, c.Lead.Exchanges)
	if c.Confirmation != nil {
		of = append(of, c.Confirmation.Exchanges...)
	}
	if z.err != nil {
		return z.err
	}
	return har.Write(z.create(dir+"/exchanges.har"), z.View, func(ex *spec.Exchange) bool { return slices.Contains(of, ex.Seq) })
}

// visible returns the text of a feature with invisible characters escaped, except line ends and tabs.
func visible(feature string) string {
	parts := strings.Split(feature, "\t")
	for i, part := range parts {
		parts[i] = text.VisibleLines(part)
	}
	return strings.Join(parts, "\t")
}

// scenario returns a scenario of the record, or an empty one.
func (z *archive) scenario(id string) *record.Scenario {
	for i := range z.Record.Scenarios {
		if z.Record.Scenarios[i].ID == id {
			return &z.Record.Scenarios[i]
		}
	}
	return &record.Scenario{ID: id}
}

// overview returns the text to read first.
func (z *archive) overview(failing []verdict.Cause) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n%s: %s\n", strings.Join(z.Scope(), " · "), z.Result.Verdict.Word(), text.Visible(z.Result.Because))
	for _, t := range z.Troubles() {
		out.WriteString(text.Short(t.Message) + "\n")
	}
	if len(failing) == 0 {
		out.WriteString("\nNothing failed, so there is nothing more in this bundle.\n")
		return out.String()
	}
	out.WriteString("\nEach folder holds one defect:\n\n")
	for i, c := range failing {
		fmt.Fprintf(&out, "  %s\n      %s\n      %s\n", caseName(i, c.Rule), text.Short(c.Says), text.Visible(c.Message))
	}
	out.WriteString(explanation)
	return out.String()
}

const explanation = `
In a folder:
  README.txt        the failure, as the terminal shows it
  exchanges.har     the requests and answers that show it; a browser's network panel opens it
  replay.sh         the requests as curl lines; it says which variables it needs
  scenario.feature  the scenario that shows it
  failure.json      the same for programs: the suite, its seed and options, what was expected and found

"hallmark replay" asks about all of them again, or about one folder, and says whether they still fail.
No credential is in any of the files. Bodies of responses are.
`

// story writes one failure.
func (z *archive) story(c verdict.Cause, sc *record.Scenario) string {
	var out strings.Builder
	out.WriteString(strings.Join(z.Scope(), " · ") + "\n\n")
	out.WriteString(failure.Text(z.View, sc, []spec.Finding{c.Lead}, "FAIL"))
	out.WriteString("\n")
	for _, part := range c.Extent() {
		out.WriteString("      " + text.Visible(part) + "\n")
	}
	flags := " --base-url " + z.Record.Target.BaseURL
	if all, ok := strings.CutPrefix(z.Record.Options.Rerun, "hallmark run "); ok && len(z.Record.Suite.Foreign) > 0 {
		flags = " " + all // including the contract
	}
	out.WriteString("\nWhether it still fails:\n\n      hallmark replay THIS_FOLDER" + text.Visible(flags) + "\n")
	out.WriteString("\nThe seed of the run was " + text.Visible(z.Seed()) + ".\n")
	return out.String()
}

// caseName returns the name for a cause's folder: its number and the permitted part of its rule.
func caseName(i int, rule string) string {
	safe := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-' {
			return r
		}
		return '_'
	}, rule)
	return fmt.Sprintf("%02d-%s", i+1, safe[:min(len(safe), 80)])
}
