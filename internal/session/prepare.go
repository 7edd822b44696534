package session

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hallmark-kit/hallmark/internal/bundled"

	"github.com/hallmark-kit/hallmark/reports/verdict"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/terminal"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/credential"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/budget"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
	"github.com/hallmark-kit/hallmark/steps/redact"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// Prepare checks everything that was given, before the first request. rerun is the command line that runs the same
// again.
func Prepare(env *cli.Env, o options.Options, rerun string) (*Session, error) {
	return prepare(env, o, rerun, func(int) {})
}

// prepare is Prepare, and calls loaded with the number of scenarios before it packs the sources: at that point
// memory from loading can be collected.
func prepare(env *cli.Env, o options.Options, rerun string, loaded func(scenarios int)) (*Session, error) {
	p := &preparation{env: env, o: o, run: o.Run, rerun: rerun}
	for _, step := range []func() error{p.reach, p.load, p.choose, p.report} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	loaded(p.run.Suite.Scenarios())
	if err := p.pack(); err != nil {
		return nil, err
	}
	p.begin()
	return p.session(), nil
}

// preparation is a run being prepared. Each step fills in what later ones and the [Session] need.
type preparation struct {
	env   *cli.Env
	o     options.Options
	rerun string
	// run is the configuration of the suite: that of o at first, to which each step adds.
	run steps.Config

	// Of reach: the way to the service.
	transport  *client.Transport
	connection record.Connection
	// Set by load: what the run is judged by, and which of it is not built in.
	*Basis
	foreign []string
	proven  spec.Proven
	// Set by choose: what was selected before it is divided into shards, and how many scenarios this run has.
	selected record.Selected
	total    int
	// Set by report: known violations, and the requested reports.
	known []record.Deviation
	sinks *reports.Sinks
	// Set by load: what runs hooks.
	hookRunner *hookRunner
	// Set by pack: the sources as the record holds them.
	packed record.Packed
	// Set by begin: when the run began, and, if given, the day by which it judges.
	started time.Time
	day     string
}

// reach finds out where the service is, and how to connect to it.
func (p *preparation) reach() (err error) {
	if p.o.BaseURL == "" && cli.IsURL(p.o.Contract.File) {
		if err := p.addressOfDocument(); err != nil {
			return err
		}
	}
	if p.run.Target, err = p.o.Target(p.env); err != nil {
		return err
	}
	if p.transport, p.run.Target.Secrets, err = p.o.Network.Transport(p.env, p.o.MostAtOnce(), p.run.Patience.Wait > 0); err != nil {
		return err
	}
	p.connection = p.o.Network.Connection(p.run.Target)
	return nil
}

// addressOfDocument takes the address of the service from a document that was given by its own address. Only the server of the document
// counts: a document must not choose which other service gets requests and credentials.
func (p *preparation) addressOfDocument() (err error) {
	if p.Basis, err = Load(p.o.Contract); err != nil {
		return err
	}
	document, err := url.Parse(p.o.Contract.File)
	if err != nil {
		return err
	}
	server := "/"
	if all := p.Contract.Servers(); len(all) > 0 {
		server = all[0].Address()
	}
	base, err := document.Parse(server)
	if err != nil || !sameOrigin(document, base) {
		return fmt.Errorf("the document names the server %s, which is not the server of the document itself (scheme, host and port): if that is the service to be judged, give it with --base-url", text.Visible(server))
	}
	p.o.BaseURL = strings.TrimRight(base.String(), "/")
	fmt.Fprintf(p.env.Stderr, "hallmark: judging %s, the server that the document names (--base-url names another)\n", text.Visible(p.o.BaseURL))
	return nil
}

// sameOrigin reports whether two addresses lead to the same server in the same way: https never becomes http.
func sameOrigin(x, y *url.URL) bool {
	port := func(u *url.URL) string {
		return cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
	}
	return x.Scheme == y.Scheme && strings.EqualFold(x.Hostname(), y.Hostname()) && port(x) == port(y)
}

// load reads what the service is judged by.
func (p *preparation) load() (err error) {
	if p.Basis == nil {
		if p.Basis, err = Load(p.o.Contract); err != nil {
			return err
		}
	}
	if err := knownOperations("--allow", p.run.Target.Allowed, p.Contract); err != nil {
		return err
	}
	if err := p.authorization(); err != nil {
		return err
	}
	p.o.Settings.WarnCredentials(p.env, p.Contract.Operations(), os.Environ())
	if p.run.Suite, err = p.Suite(p.o.Features); err != nil {
		return err
	}
	if err := p.hooks(); err != nil {
		return err
	}
	if !p.o.Settings.IsGiven("max-created") {
		p.run.Target.MaxCreated = budget.DefaultFor(p.promises.Budget().Created)
	}
	if err := p.unlock(); err != nil {
		return err
	}
	if p.rerun != "" && p.o.Detail.Detail() != terminal.Brief { // doctor reports it in detail
		for _, line := range p.notices() {
			fmt.Fprintln(p.env.Stderr, "hallmark: "+line)
		}
	}
	p.foreign, err = p.Basis.foreign(p.o.Features, p.run.Suite)
	return err
}

// authorization refuses the header Authorization where the contract says which operations need credentials: the suite sends right and wrong
// ones there.
func (p *preparation) authorization() error {
	given := slices.ContainsFunc(p.run.Target.Headers, func(h client.Header) bool { return h.Name == "Authorization" })
	operations := p.Contract.Operations()
	i := slices.IndexFunc(operations, func(op spec.Operation) bool { return len(op.Security) > 0 || op.StatesAnonymous() })
	if !given || i < 0 {
		return nil
	}
	return fmt.Errorf("the header Authorization cannot be given, as the contract says which operations need credentials (%s is the first): set HALLMARK_API_KEY, or HALLMARK_CREDENTIAL_<SCHEME>", operations[i].ID)
}

// unlock finds the credentials for the operations that need one according to the contract.
func (p *preparation) unlock() (err error) {
	p.run.Target.Keyring, err = p.o.Settings.Keyring(p.env, p.Contract.Operations(), p.run.Target.BaseURL,
		scheme.Secret{Text: p.run.Target.Key, Place: p.run.Target.KeyPlace}, &http.Client{Transport: p.transport, Timeout: p.run.Timeout}, p.transport.HasCertificate(), p.run.Target.Role)
	if err != nil {
		return err
	}
	p.run.Target.Keyring.ExactCase = p.exactCase
	return nil
}

// exactCase reports whether a must rule of a file is about secrets with their case swapped.
func (p *preparation) exactCase(op *spec.Operation) bool {
	id := p.Catalogue.Resolve(p.promises.Names.Rule(op.ID, promise.CredentialWrong), string(credential.Case))
	rule, ok := p.Catalogue.Rule(id)
	return ok && rule.Level == spec.Must && slices.ContainsFunc(rule.Covers, func(covered string) bool {
		return strings.HasSuffix(covered, " "+string(credential.Case))
	})
}

// choose selects the scenarios.
func (p *preparation) choose() (err error) {
	if p.proven, err = bundled.Petstore().Proof(); err != nil {
		return cli.WithCode(verdict.ExitHarness, err)
	}
	if err := p.bothChosen(); err != nil {
		return err
	}
	asked, note, err := SelectRules(p.o.Recorded.Rules, p.Catalogue, p.run.Suite.Rules())
	if err != nil {
		return err
	}
	if note != "" && p.o.Detail.Detail() != terminal.Brief {
		fmt.Fprintln(p.env.Stderr, "hallmark: "+note)
	}
	chosen := &p.run.Selection
	chosen.Tags, chosen.Rules, chosen.Operations, chosen.ReadOnly = p.o.Recorded.Tags, asked, p.o.Recorded.Operations, p.run.Target.ReadOnly
	if chosen.Shard, err = options.ResolveShard(p.env, p.o.Shard); err != nil {
		return err
	}
	if chosen.Only == nil {
		if chosen.Only, err = failedBefore(p.env, p.o.Recorded.Again, p.run.Suite, p.Contract, p.Catalogue); err != nil {
			return err
		}
	}
	if err := p.quicken(); err != nil {
		return err
	}
	p.selected, p.total, err = p.run.Suite.Selected(*chosen, p.Catalogue, p.Contract)
	return err
}

// report reads the known violations, and opens the reports.
func (p *preparation) report() (err error) {
	if p.known, err = knownViolations(p.o.Deviations, p.Catalogue); err != nil {
		return err
	}
	if hint := renewal(p.o.Deviations, p.known); hint != "" {
		fmt.Fprintln(p.env.Stderr, "hallmark: "+hint)
	}
	formats, err := SignedFormats(p.env, p.o.Sign, p.o.Reports, p.o.Settings.Implementation(), p.o.Settings.OnCommandLine("sign"))
	if err != nil {
		return err
	}
	p.sinks, err = reports.OpenSinks(p.o.Reports, formats, p.env.Stdout)
	return err
}

// begin fixes the seed, the day and the id of the run.
func (p *preparation) begin() {
	if p.run.Seed == 0 {
		p.run.Seed = newSeed()
	}
	p.run.ID, p.started = scenario.NewRunID(), time.Now()
	if p.run.Now.IsZero() {
		p.run.Now = p.started
	} else {
		p.day = p.run.Now.Format(time.RFC3339)
	}
}

// record is the record as it is before the first scenario.
func (p *preparation) record() record.Record {
	var document *record.Document
	d := p.document()
	if d.Sentences = p.sentences(); len(d.Omissions)+len(d.Defects)+len(d.Sentences) > 0 || d.Budget != nil {
		document = &d
	}
	recorded := p.o.Recorded
	recorded.Seed, recorded.MaxCreated, recorded.Now = p.run.Seed, p.run.Target.MaxCreated, p.day
	recorded.Concurrency, recorded.Adaptive = p.o.MostAtOnce(), p.run.Concurrency == client.Auto
	recorded.Reserved, recorded.Intermittent = budget.Reserved(p.run.Target.MaxCreated, p.run.Confirm > 0), p.o.RecordedIntermittent()
	recorded.Shard, recorded.Quick, recorded.Rerun = p.run.Selection.Shard.String(), p.run.Selection.Quick != nil, p.rerun
	return record.Record{
		Sources:  p.packed,
		Document: document,
		Uncalled: p.uncalled(),
		Suite: record.Suite{
			Version: p.env.Version, Contract: p.Contract.Digest(), Catalogue: p.Catalogue.Digest(), Features: p.run.Suite.Digest(), Foreign: p.foreign,
		},
		Proof: record.NewProof(p.proven, budget.ForScenarios),
		Target: record.Target{
			BaseURL: p.run.Target.BaseURL, ReadOnly: p.run.Target.ReadOnly, Removed: steps.Removed(p.Contract, p.run.Now), Connection: p.connection,
			Implementation: p.o.Settings.Implementation(),
		},
		Options:       recorded,
		Selected:      p.selected,
		Started:       p.started,
		ID:            p.run.ID,
		NotApplicable: steps.NotApplicable(p.Contract, p.Catalogue, p.run.Now),
		Deviations:    p.known,
	}
}

// config is the configuration of the suite.
func (p *preparation) config(recorder *record.Recorder) steps.Config {
	cfg := p.run
	cfg.Contract, cfg.Catalogue, cfg.Promises = p.Contract, p.Catalogue, p.promises
	cfg.Transport, cfg.Agent, cfg.Recorder = p.transport, agent(p.env.Version), recorder
	cfg.Known = verdict.Covers(p.known, p.run.Now)
	return cfg
}

// sources is what a view of the run needs besides the record.
func (p *preparation) sources() view.Sources {
	return view.Sources{Catalogue: p.Catalogue, Contract: p.Contract, ContractFile: p.ContractFile(), Features: p.run.Suite.Files()}
}

// session assembles the run.
func (p *preparation) session() *Session {
	env, o := p.env, p.o
	text := env.Output(env.Stdout)
	if p.sinks.Stdout() {
		text = env.Output(env.Stderr)
	}
	recorder := record.NewRecorder(p.record())
	target := p.run.Target
	p.hookRunner.redactor = sync.OnceValue(func() *redact.Redactor { return redactorFor(target) })
	return &Session{
		env: env, hooks: p.hookRunner, Config: p.config(recorder), sources: p.sources(), recorder: recorder, sinks: p.sinks,
		journalPath: o.Journal, journalSpace: o.JournalSpace * mebibyte, journal: &Journal{},
		text: text, detail: o.Detail.Detail(), total: p.total, warning: o.Network.Warning(p.connection, p.run.Target),
		publish: func(v *view.View) { ReportToGitHub(env, v, o.NoGitHub, PlaceOf(env, o.Features, v)) },
	}
}

// newSeed is short enough to be typed again.
func newSeed() int64 { return 1 + rand.Int64N(999_999_999) }

// knownOperations makes sure that the contract has the operations that a flag names.
func knownOperations(flag string, all []string, contract *spec.Contract) error {
	for _, id := range all {
		if _, ok := contract.Operation(id); ok {
			continue
		}
		var known []string
		for _, op := range contract.Operations() {
			known = append(known, op.ID)
		}
		hint := ""
		if near := text.Similar(id, known); near != "" {
			hint = "; did you mean " + near + "?"
		}
		return fmt.Errorf("%s: the contract has no operation %q%s", flag, id, hint)
	}
	return nil
}
