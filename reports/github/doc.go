// Package github reports a run as workflow commands of GitHub Actions, which are shown beside the code and on the page of the run. [Guard]
// keeps all other output from being interpreted as commands.
package github
