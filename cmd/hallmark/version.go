package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"hallmark/internal/bundled"

	"github.com/spf13/cobra"

	"hallmark/internal/cli"
	"hallmark/internal/prove"
	"hallmark/internal/session"
	"hallmark/internal/text"
	"hallmark/steps/suite"
)

// currentVersion is the version that the linker set, else that of the build, else "unknown".
func currentVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "unknown"
}

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
	var asJSON, proof bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Show the version, and the digests of the suite",
		Long: "Show the version of hallmark, and the digests of its suite. Two runs can be compared when their digests of the\n" +
			"contract, the catalogue of rules and the features are the same.",
		Example: "  hallmark version\n  hallmark version --json\n  hallmark version --proof",
		Args:    cli.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			builtin, err := session.Builtin()
			if err != nil {
				return err
			}
			features, scenarios, err := featuresOf(builtin)
			if err != nil {
				return err
			}
			id := identity{
				Version: currentVersion(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
				Contract: builtin.Contract.Digest(), Catalogue: builtin.Catalogue.Digest(), Features: features,
			}
			if proof {
				return writeProven(a, features, asJSON)
			}
			if asJSON {
				encoder := json.NewEncoder(a.Stdout)
				encoder.SetIndent("", "  ")
				return encoder.Encode(id)
			}
			_, err = fmt.Fprintf(a.Stdout, "hallmark   %s\ngo         %s %s\ncontract   %s  %s %s\ncatalogue  %s  %s\nfeatures   %s  %s\n",
				id.Version, id.Go, id.Platform, id.Contract, builtin.Contract.Title(), builtin.Contract.Version(),
				id.Catalogue, text.Count(len(builtin.Catalogue.Rules), "rule"), id.Features, text.Count(scenarios, "scenario"))
			return err
		},
	}
	cli.AddSwitch(cmd.Flags(), &asJSON, "json", "write JSON")
	cli.AddSwitch(cmd.Flags(), &proof, "proof", "say what this suite was proven to see (\"hallmark prove\")")
	return cmd
}

// featuresOf returns the digest of the bundled features, and how many scenarios they have. To parse them takes longer than all the rest,
// and the proof that is kept knows how many it judged by, where it is of these features.
func featuresOf(builtin *session.Basis) (digest string, scenarios int, err error) {
	if digest, err = suite.DigestOf(bundled.Petstore().Features); err != nil {
		return "", 0, err
	}
	if kept, err := bundled.Petstore().Proof(); err == nil && kept.Features == digest && kept.Quick != nil {
		return digest, kept.Quick.Whole.Scenarios, nil
	}
	parsed, err := builtin.Suite("")
	if err != nil {
		return "", 0, err
	}
	return digest, parsed.Scenarios(), nil
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
