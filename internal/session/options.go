package session

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/spf13/pflag"

	"hallmark/internal/cli"
	"hallmark/internal/text"
	"hallmark/reports/record"
	"hallmark/steps"
)

// maxRequests bounds --concurrency: beyond it, a run measures its own machine.
const maxRequests = 1000

// MaxExamples bounds --examples: beyond it, a run takes hours.
const MaxExamples = 100_000

// IntermittentFail is the default of --intermittent.
const IntermittentFail = "fail"

// maxConfirm bounds --confirm.
const maxConfirm = 100

// maxJournalSpace bounds --journal-space: a pebibyte, in MiB.
const maxJournalSpace = 1 << 30

// Options are the flags of run.
type Options struct {
	BaseURL, keyFile   string
	categoryID         int64
	Now                time.Time
	tags               string
	rules, operations  []string
	ReadOnly           bool
	strict             bool
	requireComplete    bool
	concurrency        int
	Seed               int64
	timeout            time.Duration
	failFast           bool
	reports            []string
	sign               SignOptions
	Journal            string
	journalSpace       int64
	Features, Contract string
	deviations         string
	shard, Again       string
	Only               []string // the scenarios to ask again, where again is no record
	maxAnimals         int
	Detail             cli.DetailFlags
	noGitHub           bool
	Confirm            int
	intermittent       string
	plan               bool
	Examples           int
	way                reachOptions
	limits             limitOptions

	// named is what chooses a target of hallmark.yaml; in force is where all these values came from.
	named    targetFlags
	Settings *Settings
}

// DefaultOptions returns the values that flags have by themselves.
func DefaultOptions() Options {
	return Options{categoryID: 1, concurrency: 8, timeout: 10 * time.Second, maxAnimals: steps.DefaultMaxAnimals, intermittent: IntermittentFail, Confirm: 1, Examples: steps.DefaultExamples, journalSpace: JournalSpace}
}

// AddFlags adds all flags of run.
func (o *Options) AddFlags(flags *pflag.FlagSet) {
	flags.SortFlags = false
	o.named.add(flags)
	flags.Var(cli.TextValue(&o.BaseURL, "URL"), "base-url", "the address of the service, ending in /v1")
	flags.Var(cli.FileValue(&o.keyFile, "FILE"), "api-key-file", "read the API key from this file instead of HALLMARK_API_KEY")
	flags.Var(cli.NumberValue(&o.categoryID, math.MinInt64, math.MaxInt64), "category-id", "the id of a category that exists, for the animals that the run creates")
	flags.Var(cli.DateValue(&o.Now), "now", "judge removal dates as of this day or moment (default now)")
	flags.Var(cli.TextValue(&o.tags, "EXPR"), "tags", `only scenarios with these tags: "@read-only && ~@derived", or "@read-only and not @derived"`)
	flags.Var(cli.ListValue(&o.rules, "ID"), "rule", "only scenarios of this rule, of the rules within it, or of all rules with this prefix (list.limit); repeatable (hallmark rules lists them)")
	flags.Var(cli.ListValue(&o.operations, "NAME"), "operation", "only scenarios of this operation; repeatable")
	flags.Var(ShardValue(&o.shard), "shard", "only one of several equal parts, such as 2/5; auto reads the variables of GitLab or Kubernetes (hallmark merge joins the parts)")
	flags.Var(cli.FileValue(&o.Again, "FILE"), "rerun", "only what failed in this record or journal, and everything else that judges the same rules")
	cli.AddSwitch(flags, &o.ReadOnly, "read-only", "create nothing; scenarios that need to are left out")
	cli.AddSwitch(flags, &o.strict, "strict", "exit with 1 also when a should rule is violated")
	cli.AddSwitch(flags, &o.requireComplete, "require-complete", "exit with 4 when a must rule was not exercised")
	flags.Var(cli.FileValue(&o.deviations, "FILE"), "deviations", "a list of known violations, which do not fail the run; an entry that has expired, changed or been fixed does (hallmark deviations writes the file)")
	flags.Var(cli.NumberValue(&o.concurrency, 1, maxRequests), "concurrency", "how many scenarios run at a time")
	flags.Var(cli.NumberValue(&o.Seed, 0, math.MaxInt64), "seed", "repeat the order and the examples of an earlier run; 0 picks a new seed, which the last line shows")
	flags.Var(cli.NumberValue(&o.Examples, 1, MaxExamples), "examples", "how many valid bodies to generate; also 4 times as many invalid ones, and a sequence and a history for every 10")
	flags.Var(cli.DurationValue(&o.timeout, time.Millisecond, time.Hour), "timeout", "how long one request may take, until the whole response is read")
	cli.AddSwitch(flags, &o.failFast, "fail-fast", "stop at the first scenario that finds a must rule violated")
	flags.Var(cli.ListValue(&o.reports, "FORMAT:PATH"), "report", "write a report (hallmark report --help lists the formats); repeatable; - is standard output")
	o.sign.Add(flags)
	flags.Var(cli.FileValue(&o.Journal, "FILE"), "journal", "the file for the journal of the run, or none (default a new file that report and ledger find)")
	flags.Var(cli.NumberValue(&o.journalSpace, 0, maxJournalSpace), "journal-space", "how many MiB all journals may take together; a new run removes the oldest ones; 0 sets no limit")
	flags.Var(cli.FileValue(&o.Features, "DIR"), "features", "use the .feature files of this folder instead of the built-in ones")
	flags.Var(cli.FileValue(&o.Contract, "FILE"), "contract", "an OpenAPI 3.1 document to judge by, instead of the built-in one")
	flags.Var(cli.NumberValue(&o.Confirm, 0, maxConfirm), "confirm", "how often to repeat what was found; what does not show again is marked INTERMITTENT")
	flags.Var(cli.ChoiceValue(&o.intermittent, "HOW", IntermittentFail, record.IntermittentWarn), "intermittent", "what to do about findings that no repetition shows again: fail the run, or warn of them and exit with 0")
	cli.AddArgument(flags, &o.plan, "plan", "show what the run would do and how many animals it would create at most, and send nothing")
	flags.Var(cli.NumberValue(&o.maxAnimals, 1, math.MaxInt32), "max-animals", "create at most this many animals")
	o.Detail.Add(flags)
	AddGitHub(flags, &o.noGitHub)
	o.way.addFlags(flags)
	o.limits.addFlags(flags)
}

// Target checks what is said of the service.
func (o *Options) target(env *cli.Env) (steps.Target, error) {
	if t := o.Settings.Target; o.BaseURL == "" && t != nil && t.Name != "" {
		return steps.Target{}, fmt.Errorf("%s: the target %s has no base-url", o.Settings.file.At(t.Line), t.Name)
	}
	base, err := steps.ParseBaseURL(o.BaseURL)
	if err != nil {
		return steps.Target{}, err
	}
	if err := o.Settings.checkKeyRoute(); err != nil {
		return steps.Target{}, err
	}
	found := o.Settings.keyPlace(env, o.keyFile)
	key, err := key(env, found)
	if err != nil {
		return steps.Target{}, err
	}
	o.way.keyFrom(found)
	target := steps.Target{
		BaseURL: base, Key: key, KeyPlace: found.words(), ReadOnly: o.ReadOnly, MaxAnimals: o.maxAnimals,
		Plain: map[string]string{"categoryId": fmt.Sprint(o.categoryID)},
	}
	if err := o.way.addTo(&target, env); err != nil {
		return target, err
	}
	return target, o.Settings.addHeaders(&target, env)
}

// intermittentOption is what the record says of --intermittent: nothing where that is the default.
func (o *Options) intermittentOption() string {
	if o.intermittent == IntermittentFail {
		return ""
	}
	return o.intermittent
}

// newSeed is short enough to be typed again.
func newSeed() int64 { return 1 + rand.Int64N(999_999_999) }

// Rerun is the command line that asks the same again, wherever its values came from, but without those of the one run:
// reports, the seed, the rules. One rule alone can never be complete. The name of a target stands for all that
// hallmark.yaml says of it.
func (s *Settings) Rerun(env *cli.Env, flags *pflag.FlagSet) string {
	line, key := "hallmark run", s.keyPlace(env, cli.FlagText(flags, "api-key-file"))
	flags.VisitAll(func(f *pflag.Flag) {
		v, ours := f.Value.(*cli.Value)
		if !ours || !s.given[f.Name] {
			return
		}
		switch f.Name {
		case "rule", "report", githubFlag, "sign", "valid-days", "journal", "journal-space", "seed", "require-complete", "shard", "rerun", "verbose", "quiet":
			return
		case "api-key-file":
			if key.from != s.origin(f.Name) {
				return // another key came before it
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
				line += " --" + f.Name + " " + text.ShellQuote(v.Shown(one))
			}
		default:
			line += " --" + f.Name + " " + text.ShellQuote(v.Shown(v.Text))
		}
	})
	return line
}
