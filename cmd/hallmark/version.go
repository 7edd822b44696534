package main

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/bundled"

	"github.com/spf13/cobra"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/prove"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/second"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

// identity says exactly which suite this is.
type identity struct {
	Version   string `json:"version"`
	Go        string `json:"go"`
	Platform  string `json:"platform"`
	Contract  string `json:"contract"`
	Catalogue string `json:"catalogue"`
	Features  string `json:"features"`
}

func versionCommand(a *app) *cobra.Command {
	var asJSON, proof, judges bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Show the version, and the digests of the suite",
		Long: "Show the version of hallmark, and the digests of its suite. Two runs can be compared when their digests of the\n" +
			"contract, the catalogue of rules and the features are the same.",
		Example: "  hallmark version\n  hallmark version --json\n  hallmark version --proof\n  hallmark version --judges",
		Args:    cli.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			if judges {
				return writeJudges(a.Stdout, asJSON)
			}
			own := bundled.Petstore()
			contract, err := own.Contract()
			if err != nil {
				return err
			}
			known, err := suiteOf(own.Proof)
			if err != nil {
				return err
			}
			id := identity{
				Version: cli.Version(version), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
				Contract: contract.Digest(), Catalogue: known.catalogue, Features: known.features,
			}
			if proof {
				return writeProven(a, known.features, asJSON)
			}
			if asJSON {
				encoder := json.NewEncoder(a.Stdout)
				encoder.SetIndent("", "  ")
				return encoder.Encode(id)
			}
			_, err = fmt.Fprintf(a.Stdout, "hallmark   %s\ngo         %s %s\ncontract   %s  %s %s\ncatalogue  %s  %s\nfeatures   %s  %s\n",
				id.Version, id.Go, id.Platform, id.Contract, contract.Title(), contract.Version(),
				id.Catalogue, text.Count(known.rules, "rule"), id.Features, text.Count(known.scenarios, "scenario"))
			return err
		},
	}
	cli.AddSwitch(cmd.Flags(), &asJSON, "json", "write JSON")
	cli.AddSwitch(cmd.Flags(), &proof, "proof", "say what this suite was proven to see (\"hallmark prove\")")
	cli.AddSwitch(cmd.Flags(), &judges, "judges", "show the libraries of the second judge, and where it is known to judge differently")
	return cmd
}

// judgesOf describes the second judge.
type judgesOf struct {
	Libraries   []second.Library    `json:"libraries"`
	Differences []second.Difference `json:"differences"`
}

// writeJudges writes which libraries the second judge uses, and where it is known to judge differently from the first.
func writeJudges(w io.Writer, asJSON bool) error {
	all := judgesOf{second.Libraries(), second.Differences()}
	if asJSON {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		return encoder.Encode(all)
	}
	var out strings.Builder
	out.WriteString("The second judge is asked about each finding that rests on a schema:\n")
	for _, l := range all.Libraries {
		fmt.Fprintf(&out, "  %s %s\n", l.Path, l.Version)
	}
	out.WriteString("\nIf it disagrees, a finding is undecided and fails nothing, unless the disagreement is one of these:\n")
	for _, d := range all.Differences {
		fmt.Fprintf(&out, "\n%s (seen in %s)\n", d.ID, d.Version)
		for _, says := range []string{d.Says, "but: " + d.Reason} {
			for _, line := range text.Wrap(says, 100) {
				out.WriteString("  " + line + "\n")
			}
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// suiteFacts are the digests of the bundled suite's rules and features, and how many rules and scenarios these are.
type suiteFacts struct {
	catalogue, features string
	rules, scenarios    int
}

// suiteOf describes the bundled suite. Parsing its features takes longer than everything else, so the number of scenarios comes from the
// kept proof if that belongs to them.
func suiteOf(proof func() (spec.Proven, error)) (suiteFacts, error) {
	own := bundled.Petstore()
	promises, catalogue, err := own.Derived()
	if err != nil {
		return suiteFacts{}, err
	}
	features, err := own.Features(promises, catalogue)
	if err != nil {
		return suiteFacts{}, err
	}
	f := suiteFacts{catalogue: catalogue.Digest(), rules: len(catalogue.Rules)}
	if f.features, err = suite.DigestOf(features); err != nil {
		return f, err
	}
	if kept, err := proof(); err == nil && kept.Catalogue == f.catalogue && kept.Features == f.features && kept.Catalogued > 0 && kept.Quick != nil {
		f.scenarios = kept.Quick.Whole.Scenarios
		return f, nil
	}
	builtin, err := session.Builtin()
	if err != nil {
		return f, err
	}
	parsed, err := builtin.Suite("")
	if err != nil {
		return f, err
	}
	f.scenarios = parsed.Scenarios()
	return f, nil
}

// writeProven writes what the suite of this program was last proven to see.
func writeProven(a *app, features string, asJSON bool) error {
	kept, err := bundled.Petstore().Proof()
	if err != nil {
		return err
	}
	if asJSON {
		return prove.Keep(a.Stdout, kept)
	}
	if kept.Faults == 0 {
		_, err = fmt.Fprintln(a.Stdout, "Nothing was proven of this suite yet; \"hallmark prove\" does.")
		return err
	}
	text := kept.Sentence()
	if !kept.Of(features) {
		text += " Its features were changed since; \"hallmark prove\" says what holds now."
	}
	if err := prove.Text(a.Stdout, prove.Measurement{Figures: kept}); err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.Stdout, "\n"+text)
	return err
}
