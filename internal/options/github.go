package options

import (
	"github.com/spf13/pflag"

	"github.com/hallmark-kit/hallmark/internal/cli"
)

// GitHubFlag is the name of the flag that turns off reporting to GitHub Actions.
const GitHubFlag = "no-github"

// AddGitHub adds that flag.
func AddGitHub(flags *pflag.FlagSet, off *bool) {
	cli.AddSwitch(flags, off, GitHubFlag, "under GitHub Actions, do not add to the job summary or annotate")
}
