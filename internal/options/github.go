package options

import (
	"github.com/spf13/pflag"

	"hallmark/internal/cli"
)

// GitHubFlag is the name of the switch that turns off reporting to GitHub Actions.
const GitHubFlag = "no-github"

// AddGitHub adds that switch.
func AddGitHub(flags *pflag.FlagSet, off *bool) {
	cli.AddSwitch(flags, off, GitHubFlag, "under GitHub Actions, add nothing to the summary of the job and make no annotations")
}
