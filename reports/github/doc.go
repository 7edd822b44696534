// Package github tells a run in the way that the runner of GitHub Actions reads: as workflow commands, which it shows
// beside the code and on the page of the run. [Guard] keeps everything else that is written from being taken for one.
package github
