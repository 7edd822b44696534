package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hallmark/reports/record"
	"hallmark/steps"
)

const runHelp = `Judge a service: send it the requests of the whole suite, and report which rules of the interface it breaks.

Name the service with --base-url, or with --target, a target of hallmark.yaml ("hallmark init" writes that file).
The API key comes from where the target says, else from HALLMARK_API_KEY or from a file. It is never an argument, because
other users of the machine can see those.

A full run creates about 200 animals, and never more than --max-animals. Their names contain "hallmark-", except for a few
that cannot (an empty name, a blank, digits only). --read-only creates none.
"hallmark ledger" lists them, also after a run that was killed.
Reports and a journal are written while the run goes on. A run that ends early leaves what it has, marked as incomplete, and
"hallmark report" makes reports from the journal later.

` + exitCodes

const runExample = `  # judge a service
  export HALLMARK_API_KEY=...
  hallmark run --base-url https://pets.example.com/v1

  # a target of hallmark.yaml; "hallmark config --show" shows its settings
  hallmark run --target staging

  # as a gate in CI: should rules count, every must rule has to be exercised, and the CI system shows the scenarios
  hallmark run --base-url "$STAGING" --strict --require-complete --report junit:hallmark.xml

  # show what a run would do, without sending anything
  hallmark run --base-url https://pets.example.com/v1 --plan

  # create nothing
  hallmark run --base-url https://pets.example.com/v1 --read-only

  # judge one rule again
  hallmark run --base-url https://pets.example.com/v1 --rule list.limit.honoured --verbose

  # the record as JSON on standard output; the text for people goes to standard error
  hallmark run --base-url https://pets.example.com/v1 --report json:- | jq .result.verdict`

// maxRequests bounds --concurrency: beyond it, a run measures its own machine.
const maxRequests = 1000

// maxExamples bounds --examples: beyond it, a run takes hours.
const maxExamples = 100_000

// intermittentFail is the default of --intermittent.
const intermittentFail = "fail"

// maxConfirm bounds --confirm.
const maxConfirm = 100

// maxJournalSpace bounds --journal-space: a pebibyte, in MiB.
const maxJournalSpace = 1 << 30

// runOptions are the flags of run.
type runOptions struct {
	baseURL, keyFile   string
	categoryID         int64
	now                time.Time
	tags               string
	rules, operations  []string
	readOnly           bool
	strict             bool
	requireComplete    bool
	concurrency        int
	seed               int64
	timeout            time.Duration
	failFast           bool
	reports            []string
	sign               signOptions
	journal            string
	journalSpace       int64
	features, contract string
	deviations         string
	shard, again       string
	only               []string // the scenarios to ask again, where again is no record
	maxAnimals         int
	detail             detailFlags
	noGitHub           bool
	confirm            int
	intermittent       string
	plan               bool
	examples           int
	way                reachOptions
	polite             politeOptions

	// named is what chooses a target of hallmark.yaml; in force is where all these values came from.
	named   targetFlags
	inForce *settings
}

func defaultRun() runOptions {
	return runOptions{categoryID: 1, concurrency: 8, timeout: 10 * time.Second, maxAnimals: steps.DefaultMaxAnimals, intermittent: intermittentFail, confirm: 1, examples: steps.DefaultExamples, journalSpace: journalSpace}
}

func (a *app) runCommand() *cobra.Command {
	o := defaultRun()
	cmd := &cobra.Command{
		Use:     "run",
		Short:   "Judge a service",
		Long:    runHelp,
		Example: runExample,
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var err error
			if o.inForce, err = a.settle(cmd.Flags()); err != nil {
				return err
			}
			if err := o.detail.check(); err != nil {
				return err
			}
			o.inForce.warn(a.stderr)
			return a.judge(cmd.Context(), o, o.inForce.rerun(a, cmd.Flags()))
		},
	}
	o.addFlags(cmd.Flags())
	cmd.Long += "\n\n" + variables(cmd.Flags())
	a.completeRun(cmd)
	return cmd
}

// completeRun is what the shell may complete of the flags of run.
func (a *app) completeRun(cmd *cobra.Command) {
	a.completeTargets(cmd)
	completeFiles(cmd, "api-key-file")
	completeFiles(cmd, "journal")
	completeFiles(cmd, "rerun")
	completeWords(cmd, "shard", autoShard)
	completeFiles(cmd, "contract", "yaml", "yml", "json")
	completeFiles(cmd, "deviations", "yaml", "yml")
	completeFolders(cmd, "features")
	completeRules(cmd, "rule")
	completeOperations(cmd, "operation")
	completeReports(cmd, "report")
	completeSigning(cmd)
	completeReach(cmd)
	completePolite(cmd)
	for _, flag := range []string{"base-url", "category-id", "now", "concurrency", "seed", "timeout", "max-animals", "examples", "confirm", "journal-space"} {
		completeWords(cmd, flag)
	}
	completeWords(cmd, "intermittent", intermittentFail, record.IntermittentWarn)
	completeWords(cmd, "tags", "@read-only", "@derived", "~@derived")
}

func (o *runOptions) addFlags(flags *pflag.FlagSet) {
	flags.SortFlags = false
	o.named.add(flags)
	flags.Var(textValue(&o.baseURL, "URL"), "base-url", "the address of the service, ending in /v1")
	flags.Var(fileValue(&o.keyFile, "FILE"), "api-key-file", "read the API key from this file instead of HALLMARK_API_KEY")
	flags.Var(numberValue(&o.categoryID, math.MinInt64, math.MaxInt64), "category-id", "the id of a category that exists, for the animals that the run creates")
	flags.Var(dateValue(&o.now), "now", "judge removal dates as of this day or moment (default now)")
	flags.Var(textValue(&o.tags, "EXPR"), "tags", `only scenarios with these tags: "@read-only && ~@derived", or "@read-only and not @derived"`)
	flags.Var(listValue(&o.rules, "ID"), "rule", "only scenarios of this rule, of the rules within it, or of all rules with this prefix (list.limit); repeatable (hallmark rules lists them)")
	flags.Var(listValue(&o.operations, "NAME"), "operation", "only scenarios of this operation; repeatable")
	flags.Var(shardValue(&o.shard), "shard", "only one of several equal parts, such as 2/5; auto reads the variables of GitLab or Kubernetes (hallmark merge joins the parts)")
	flags.Var(fileValue(&o.again, "FILE"), "rerun", "only what failed in this record or journal, and everything else that judges the same rules")
	addSwitch(flags, &o.readOnly, "read-only", "create nothing; scenarios that need to are left out")
	addSwitch(flags, &o.strict, "strict", "exit with 1 also when a should rule is violated")
	addSwitch(flags, &o.requireComplete, "require-complete", "exit with 4 when a must rule was not exercised")
	flags.Var(fileValue(&o.deviations, "FILE"), "deviations", "a list of known violations, which do not fail the run; an entry that has expired, changed or been fixed does (hallmark deviations writes the file)")
	flags.Var(numberValue(&o.concurrency, 1, maxRequests), "concurrency", "how many scenarios run at a time")
	flags.Var(numberValue(&o.seed, 0, math.MaxInt64), "seed", "repeat the order and the examples of an earlier run; 0 picks a new seed, which the last line shows")
	flags.Var(numberValue(&o.examples, 1, maxExamples), "examples", "how many valid bodies to generate; also 4 times as many invalid ones, and a sequence and a history for every 10")
	flags.Var(durationValue(&o.timeout, time.Millisecond, time.Hour), "timeout", "how long one request may take, until the whole response is read")
	addSwitch(flags, &o.failFast, "fail-fast", "stop at the first scenario that finds a must rule violated")
	flags.Var(listValue(&o.reports, "FORMAT:PATH"), "report", "write a report (hallmark report --help lists the formats); repeatable; - is standard output")
	o.sign.add(flags)
	flags.Var(fileValue(&o.journal, "FILE"), "journal", "the file for the journal of the run, or none (default a new file that report and ledger find)")
	flags.Var(numberValue(&o.journalSpace, 0, maxJournalSpace), "journal-space", "how many MiB all journals may take together; a new run removes the oldest ones; 0 sets no limit")
	flags.Var(fileValue(&o.features, "DIR"), "features", "use the .feature files of this folder instead of the built-in ones")
	flags.Var(fileValue(&o.contract, "FILE"), "contract", "an OpenAPI 3.1 document to judge by, instead of the built-in one")
	flags.Var(numberValue(&o.confirm, 0, maxConfirm), "confirm", "how often to repeat what was found; what does not show again is marked INTERMITTENT")
	flags.Var(choiceValue(&o.intermittent, "HOW", intermittentFail, record.IntermittentWarn), "intermittent", "what to do about findings that no repetition shows again: fail the run, or warn of them and exit with 0")
	addArgument(flags, &o.plan, "plan", "show what the run would do and how many animals it would create at most, and send nothing")
	flags.Var(numberValue(&o.maxAnimals, 1, math.MaxInt32), "max-animals", "create at most this many animals")
	o.detail.add(flags)
	addGitHub(flags, &o.noGitHub)
	o.way.addFlags(flags)
	o.polite.addFlags(flags)
}

// target checks what is said of the service.
func (o *runOptions) target(a *app) (steps.Target, error) {
	if t := o.inForce.target; o.baseURL == "" && t != nil && t.Name != "" {
		return steps.Target{}, fmt.Errorf("%s: the target %s has no base-url", o.inForce.file.At(t.Line), t.Name)
	}
	base, err := steps.ParseBaseURL(o.baseURL)
	if err != nil {
		return steps.Target{}, err
	}
	if err := o.inForce.checkKeyRoute(); err != nil {
		return steps.Target{}, err
	}
	found := o.inForce.keyPlace(a, o.keyFile)
	key, err := a.key(found)
	if err != nil {
		return steps.Target{}, err
	}
	o.way.keyFrom(found)
	target := steps.Target{
		BaseURL: base, Key: key, KeyPlace: found.words(), ReadOnly: o.readOnly, MaxAnimals: o.maxAnimals,
		Plain: map[string]string{"categoryId": fmt.Sprint(o.categoryID)},
	}
	if err := o.way.addTo(&target, a); err != nil {
		return target, err
	}
	return target, o.inForce.addHeaders(&target, a)
}

// intermittentOption is what the record says of --intermittent: nothing where that is the default.
func (o *runOptions) intermittentOption() string {
	if o.intermittent == intermittentFail {
		return ""
	}
	return o.intermittent
}

// newSeed is short enough to be typed again.
func newSeed() int64 { return 1 + rand.Int64N(999_999_999) }

// variables lists the environment's names of all flags.
func variables(flags *pflag.FlagSet) string {
	names := []string{keyVariable}
	flags.VisitAll(func(f *pflag.Flag) {
		if v, ours := f.Value.(*value); ours && !v.argumentOnly {
			names = append(names, variable(f.Name))
		}
	})
	text := "Environment: each flag has a variable, which applies where the flag is not given; separate several values by\ncommas.\n"
	for _, line := range wrap(strings.Join(names, ", "), 110) {
		text += "  " + line + "\n"
	}
	return strings.TrimSuffix(text, "\n")
}

// rerun is the command line that asks the same again, wherever its values came from, but without those of the one run:
// reports, the seed, the rules. One rule alone can never be complete. The name of a target stands for all that
// hallmark.yaml says of it.
func (s *settings) rerun(a *app, flags *pflag.FlagSet) string {
	line, key := "hallmark run", s.keyPlace(a, flagText(flags, "api-key-file"))
	flags.VisitAll(func(f *pflag.Flag) {
		v, ours := f.Value.(*value)
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
			case v.on():
				line += " --" + f.Name
			case s.target != nil && len(s.target.Settings[f.Name].Texts) > 0:
				line += " --" + f.Name + "=false"
			}
		case v.list:
			for _, text := range v.texts {
				line += " --" + f.Name + " " + shellWord(v.shown(text))
			}
		default:
			line += " --" + f.Name + " " + shellWord(v.shown(v.text))
		}
	})
	return line
}
