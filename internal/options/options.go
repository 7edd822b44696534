package options

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/hallmark-kit/hallmark/internal/bundled"
	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/budget"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// maxRequests limits --concurrency: with more, a run measures its own machine.
const maxRequests = 1000

// autoConcurrency lets the run determine how many concurrent requests the service can take.
const autoConcurrency = "auto"

// IntermittentFail is the default of --intermittent.
const IntermittentFail = "fail"

// maxConfirm limits --confirm.
const maxConfirm = 100

// journalSpace is the default space for all journals in MiB, enough for a hundred runs.
const journalSpace = 256

// maxJournalSpace limits --journal-space to a pebibyte, in MiB.
const maxJournalSpace = 1 << 30

// Options are the flags of run.
type Options struct {
	// Run holds the flags of the run itself. Data from files is added when the run is prepared.
	Run steps.Config
	// Recorded holds the flags that the record keeps and the verdict depends on.
	Recorded record.Options

	BaseURL, keyFile string
	Reports          []string
	Sign             Signing
	Journal          string
	JournalSpace     int64
	Features         string
	Contract         Contract
	Deviations       string
	Shard            string
	Detail           cli.DetailFlags
	NoGitHub         bool
	intermittent     string
	Plan             bool
	Network          Network
	Hooks            Hooks
	authFile         string

	// named selects a target of hallmark.yaml. Settings says where all values came from.
	named    targetFlags
	Settings *Settings
}

// DefaultOptions returns the defaults of the flags.
func DefaultOptions() Options {
	o := Options{intermittent: IntermittentFail, JournalSpace: journalSpace}
	o.Run.Concurrency, o.Run.Timeout, o.Run.Confirm = client.Auto, 10*time.Second, 1
	o.Run.Target.MaxCreated, o.Run.Target.MaxSensitive = budget.DefaultMax, budget.DefaultOfAKind
	return o
}

// AddFlags adds all flags of run.
func (o *Options) AddFlags(flags *pflag.FlagSet) {
	flags.SortFlags = false
	o.named.addFlags(flags)
	flags.VarP(cli.TextValue(&o.BaseURL, "URL"), "base-url", "u", "the address of the service, with the path that precedes those of the contract")
	flags.Var(cli.FileValue(&o.keyFile, "FILE"), "api-key-file", "read the API key from this file instead of HALLMARK_API_KEY")
	users, role := cli.FileValue(&o.authFile, "FILE"), cli.TextValue(&o.Run.Target.Role, "NAME")
	users.Key.Own, role.Key.Own = true, true
	flags.Var(users, authFileFlag, "a file of WebFuzzing Commons (auth.yaml), whose users are further roles; the first is used if there are no credentials")
	flags.Var(role, roleFlag, "send the credentials of this role of hallmark.yaml, or of this user of --auth-file")
	flags.Var(cli.DateValue(&o.Run.Now), "now", "judge removal dates as of this day or moment (default now)")
	flags.Var(cli.TextValue(&o.Recorded.Tags, "EXPR"), "tags", `only scenarios with these tags: "@read-only && ~@derived", or "@read-only and not @derived"`)
	flags.Var(cli.ListValue(&o.Recorded.Rules, "ID"), "rule", "only scenarios of this rule, of the rules within it, or of all rules with this prefix (list.limit); repeatable (hallmark rules lists them)")
	flags.Var(cli.ListValue(&o.Recorded.Operations, "NAME"), "operation", "only scenarios of this operation; repeatable")
	cli.AddSwitch(flags, &o.Recorded.Quick, quickFlag, "only the few scenarios that find all seeded faults (hallmark prove --full chooses them); never reports that the service conforms")
	flags.Var(shardValue(&o.Shard), "shard", "only one of several equal parts, such as 2/5; auto reads the variables of GitLab or Kubernetes (hallmark merge joins the parts)")
	flags.Var(cli.FileValue(&o.Recorded.Again, "FILE"), "rerun", "only what failed in this record or journal, and everything else that judges the same rules")
	flags.Var(cli.ListValue(&o.Run.Target.Allowed, "NAME"), "allow", "call this operation, which may do harm and is not called by default (doctor lists them); repeatable")
	cli.AddSwitch(flags, &o.Run.Target.ReadOnly, "read-only", "create nothing; scenarios that need to are left out")
	cli.AddSwitch(flags, &o.Recorded.Strict, "strict", "exit with 1 also when a should rule is violated")
	cli.AddSwitch(flags, &o.Recorded.RequireComplete, "require-complete", "exit with 4 when a must rule was not exercised")
	cli.AddSwitch(flags, &o.Recorded.RequireProse, "require-prose", "exit with 4 when a sentence of the document that states behaviour was not judged (hallmark rules --prose lists them)")
	flags.Var(coverageValue(&o.Recorded.RequireCoverage), requireCoverageFlag, "exit with 4 when less of the contract was judged, in percent: operations, statuses, media-types, parameters, schemas")
	cli.AddSwitch(flags, &o.Recorded.AcceptPartial, "accept-partial", "exit with 0 also when operations were not called because a credential is missing, or when most of them never succeeded")
	flags.Var(cli.FileValue(&o.Deviations, "FILE"), "deviations", "a list of known violations, which do not fail the run; an entry that has expired, changed or been fixed does (hallmark deviations writes the file)")
	flags.Var(cli.NumberOrWordValue(&o.Run.Concurrency, 1, maxRequests, autoConcurrency, client.Auto), "concurrency", fmt.Sprintf("how many requests are in flight at a time; %s starts with %d, and goes up to %d while the service copes", autoConcurrency, client.StartWidth, client.MostWidth))
	flags.Var(cli.NumberValue(&o.Run.Seed, 0, math.MaxInt64), "seed", "repeat the order and the examples of an earlier run; 0 picks a new seed, which the last line shows")
	flags.Var(cli.DurationValue(&o.Run.Timeout, time.Millisecond, time.Hour), "timeout", "how long one request may take, until the whole response is read")
	cli.AddSwitch(flags, &o.Run.FailFast, "fail-fast", "stop at the first scenario that finds a must rule violated")
	flags.VarP(cli.ReportsValue(&o.Reports), "report", "o", "write a report (hallmark report --help lists the formats); repeatable, or separated by commas; - is standard output")
	o.Sign.AddFlags(flags)
	flags.Var(cli.FileValue(&o.Journal, "FILE"), "journal", "the file for the journal of the run, or none (default a new file that report and ledger find)")
	flags.Var(cli.NumberValue(&o.JournalSpace, 0, maxJournalSpace), "journal-space", "how many MiB all journals may take together; a new run removes the oldest; 0 sets no limit")
	flags.Var(cli.FileValue(&o.Features, "DIR"), "features", "use the .feature files of this folder instead of the built-in ones")
	o.Contract.AddFlags(flags)
	flags.Var(cli.NumberValue(&o.Run.Confirm, 0, maxConfirm), "confirm", "how often to repeat findings; one that does not show again is marked INTERMITTENT")
	flags.Var(cli.ChoiceValue(&o.intermittent, "HOW", IntermittentFail, record.IntermittentWarn), "intermittent", "what to do about findings that no repetition shows again: fail the run, or warn about them and exit with 0")
	cli.AddArgument(flags, &o.Plan, "plan", "show what the run would do and how many resources it would create at most, and send nothing")
	flags.Var(cli.NumberValue(&o.Run.Target.MaxCreated, 1, math.MaxInt32), "max-created", "create at most this many resources")
	flags.Var(cli.NumberValue(&o.Run.Target.MaxSensitive, 1, math.MaxInt32), "max-sensitive", "create at most this many of each kind of user, token, message and payment")
	o.Detail.Add(flags)
	AddGitHub(flags, &o.NoGitHub)
	o.Network.addFlags(flags)
	o.addLimits(flags)
	o.Hooks.addFlags(flags)
}

// The flags that select whose credentials are sent.
const (
	authFileFlag = "auth-file"
	roleFlag     = "role"
)

// quickFlag selects the quick part of the suite.
const quickFlag = "quick"

// Target validates the options about the service.
func (o *Options) Target(env *cli.Env) (scenario.Target, error) {
	if t := o.Settings.Target; o.BaseURL == "" && t != nil && t.Name != "" {
		return scenario.Target{}, fmt.Errorf("%s: the target %s has no base-url", o.Settings.file.At(t.Line), t.Name)
	}
	base, err := scenario.ParseBaseURL(o.BaseURL)
	if err != nil {
		return scenario.Target{}, err
	}
	if o.Contract.File == "" { // the interface of another contract is not known yet
		if err := scenario.CheckBasePath(base, bundled.Default().BasePath); err != nil {
			return scenario.Target{}, err
		}
	}
	if err := checkKeyRoute(o.Settings); err != nil {
		return scenario.Target{}, err
	}
	found := keySource(o.Settings, env, o.keyFile)
	var secret string
	if o.Contract.File == "" || found != noKey() || env.Getenv(KeyVariable) != "" { // another contract may need none
		if secret, err = key(env, found); err != nil {
			return scenario.Target{}, err
		}
	}
	o.Network.setKeySource(found)
	target := o.Run.Target
	target.BaseURL, target.Key, target.KeyPlace = base, secret, found.String()
	if err := o.Network.addHeaders(&target, env); err != nil {
		return target, err
	}
	return target, addHeaders(o.Settings, &target, env)
}

// MostAtOnce returns the maximum number of requests in flight.
func (o *Options) MostAtOnce() int {
	if o.Run.Concurrency == client.Auto {
		return client.MostWidth
	}
	return o.Run.Concurrency
}

// RecordedIntermittent returns the value of --intermittent for the record: "" for the default.
func (o *Options) RecordedIntermittent() string {
	if o.intermittent == IntermittentFail {
		return ""
	}
	return o.intermittent
}

// Rerun returns the command that repeats the run, wherever its values came from, without what is specific to one run: reports, the seed,
// the rules. A single rule can never be complete, and covers little. The name of a target stands for everything that hallmark.yaml says about it.
func (s *Settings) Rerun(env *cli.Env, flags *pflag.FlagSet) string {
	line, key := "hallmark run", keySource(s, env, cli.FlagText(flags, "api-key-file"))
	flags.VisitAll(func(f *pflag.Flag) {
		v, ours := f.Value.(*cli.Value)
		if !ours || !s.given[f.Name] {
			return
		}
		switch f.Name {
		case "rule", "report", GitHubFlag, "sign", "valid-days", "journal", "journal-space", "seed", "require-complete", "require-coverage", "require-prose", "shard", "rerun", "verbose", "quiet":
			return
		case "api-key-file":
			if key.from != s.origin(f.Name) {
				return // another key takes precedence
			}
		}
		switch {
		case f.NoOptDefVal != "":
			switch {
			case v.On():
				line += " --" + f.Name
			case s.Target != nil && len(s.Target.Settings[f.Name].Texts) > 0:
				line += " --" + f.Name + "=false"
			}
		case v.List:
			for _, one := range v.Texts {
				line += " --" + f.Name + " " + text.ShellQuote(v.Display(one))
			}
		case f.Name == "base-url":
			line += " --base-url " + text.ShellQuote(strings.TrimSpace(v.Text)) // as steps.ParseBaseURL trims it
		default:
			line += " --" + f.Name + " " + text.ShellQuote(v.Display(v.Text))
		}
	})
	return line
}
