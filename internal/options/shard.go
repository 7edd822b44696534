package options

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

// maxShards limits --shard: further parts would be empty.
const maxShards = 1000

// AutoShard takes the shard from the environment.
const AutoShard = "auto"

// ciNumbering describes how a CI system numbers its parallel jobs.
type ciNumbering struct {
	name, index, total string
	// first is the number of the first job.
	first int
}

func ciNumberings() []ciNumbering {
	return []ciNumbering{
		{"GitLab", "CI_NODE_INDEX", "CI_NODE_TOTAL", 1},
		// Kubernetes sets the first variable; the manifest must set the second.
		{"Kubernetes", "JOB_COMPLETION_INDEX", "JOB_COMPLETIONS", 0},
	}
}

// shardValue returns a flag's value for 2/5 or auto.
func shardValue(to *string) *cli.Value {
	return &cli.Value{Kind: "I/N", Parse: func(text string) error {
		if text != AutoShard {
			if _, err := parseShard(text); err != nil {
				return err
			}
		}
		*to = text
		return nil
	}}
}

// parseShard parses 2/5.
func parseShard(s string) (suite.Shard, error) {
	a, b, found := strings.Cut(s, "/")
	index, errIndex := strconv.Atoi(a)
	of, errOf := strconv.Atoi(b)
	if !found || errIndex != nil || errOf != nil || index < 1 || of < 1 || of > maxShards {
		return suite.Shard{}, fmt.Errorf("%q is not a shard; write for example 2/5, the second of five, or %s", text.Visible(s), AutoShard)
	}
	if index > of {
		return suite.Shard{}, fmt.Errorf("%q is not a shard: there is no part %d of %d; parts count from 1", text.Visible(s), index, of)
	}
	return suite.Shard{Index: index, Of: of}, nil
}

// ResolveShard returns the part of the suite to run.
func ResolveShard(env *cli.Env, text string) (suite.Shard, error) {
	switch text {
	case "":
		return suite.Shard{}, nil
	case AutoShard:
		return shardFromCI(env)
	}
	return parseShard(text)
}

// shardFromCI reads the number of this job and the number of jobs from the environment.
func shardFromCI(env *cli.Env) (suite.Shard, error) {
	var found []ciNumbering
	var all []string
	for _, n := range ciNumberings() {
		all = append(all, n.index+" and "+n.total+" ("+n.name+")")
		if env.Getenv(n.index) != "" {
			found = append(found, n)
		}
	}
	switch len(found) {
	case 0:
		return suite.Shard{}, fmt.Errorf("--shard auto: the environment does not number this job; these variables are read: %s", strings.Join(all, ", "))
	case 1:
	default:
		return suite.Shard{}, fmt.Errorf("--shard auto: %s and %s are both set; give the shard explicitly, as in 2/5", found[0].index, found[1].index)
	}
	n := found[0]
	index, errIndex := strconv.Atoi(env.Getenv(n.index))
	total, errTotal := strconv.Atoi(env.Getenv(n.total))
	switch {
	case env.Getenv(n.total) == "":
		return suite.Shard{}, fmt.Errorf("--shard auto: %s is set and %s is not; set it to the number of jobs", n.index, n.total)
	case errIndex != nil || errTotal != nil || total < 1 || total > maxShards || index < n.first || index >= total+n.first:
		return suite.Shard{}, fmt.Errorf("--shard auto: %s is %q and %s is %q; they must be numbers, the first from %d to one less or the same as the second",
			n.index, text.Visible(env.Getenv(n.index)), n.total, text.Visible(env.Getenv(n.total)), n.first)
	}
	return suite.Shard{Index: index - n.first + 1, Of: total}, nil
}
