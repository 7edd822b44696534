package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"hallmark/reports"
	"hallmark/reports/record"
	"hallmark/spec"
	"hallmark/steps"
	"hallmark/steps/suite"
)

// trial is one run: what it asks, and where it tells of it.
type trial struct {
	app      *app
	config   steps.Config
	sources  reports.Sources
	recorder *record.Recorder
	sinks    *reports.Sinks
	// journalPath is what --journal named, journalSpace --journal-space in bytes; journal is opened with the first request.
	journalPath  string
	journalSpace int64
	journal      *journalFile
	text         screen // for the final text
	detail       reports.Detail
	total        int // scenarios; 0 when not known
	// warning is what a person has to know before the run.
	warning string
	// elsewhere tells what comes of it where nobody asked for a report by a flag.
	elsewhere func(*reports.View)
}

// judge runs the suite. Its error carries the exit code, also when there is nothing more to say.
func (a *app) judge(ctx context.Context, o runOptions, rerun string) error {
	t, err := a.prepare(o, rerun)
	if err != nil {
		return err
	}
	if o.plan {
		return t.tellPlan()
	}
	t.announce()
	t.config.Notice = t.notice
	begin := &firstRequest{RoundTripper: t.config.Transport, begin: t.start}
	t.config.Transport = begin
	fmt.Fprint(a.stderr, t.warning)

	ending, err := t.ask(ctx)
	var away steps.Unreachable
	_, wasInterrupted := interruption(ctx)
	switch {
	case begin.err != nil:
		return failure{exitUsage, begin.err}
	case err == nil, errors.As(err, &away), wasInterrupted:
	case !begin.begun.Load():
		return err // what was asked for cannot be run
	default:
		ending.Failure = err.Error()
	}
	return t.tell(ctx, ending, away)
}

// start begins what is written while the run goes on.
func (t *trial) start() error {
	if err := t.sinks.Start(t.recorder, t.sources); err != nil {
		return err
	}
	journal, err := t.app.openJournal(t.journalPath, t.journalSpace, time.Now())
	if err != nil {
		return err
	}
	t.journal = journal
	if journal.journal != nil {
		t.recorder.Keep(journal.journal)
	}
	return nil
}

// prepare checks everything that was given, before the first request.
func (a *app) prepare(o runOptions, rerun string) (*trial, error) {
	target, err := o.target(a)
	if err != nil {
		return nil, err
	}
	o.way.reach.SocketMayCome = o.polite.patience.Wait > 0
	transport, err := o.way.transport(a, o.concurrency)
	if err != nil {
		return nil, err
	}
	target.Secrets = o.way.proxyPasswords
	way := o.way.way(target)
	contract, catalogue, err := loadContract(o.contract)
	if err != nil {
		return nil, err
	}
	loaded, err := suiteFor(o.features, o.contract, contract, catalogue)
	if err != nil {
		return nil, err
	}
	others, err := foreign(o.contract, contract, o.features, loaded)
	if err != nil {
		return nil, err
	}
	asked, note, err := wantedRules(o.rules, catalogue, loaded.Rules())
	if err != nil {
		return nil, err
	}
	if note != "" && o.detail.detail() != reports.Brief {
		fmt.Fprintln(a.stderr, "hallmark: "+note)
	}
	selection := suite.Selection{Tags: o.tags, Rules: asked, Operations: o.operations, ReadOnly: o.readOnly}
	if selection.Shard, err = a.shard(o.shard); err != nil {
		return nil, err
	}
	if selection.Only = o.only; selection.Only == nil {
		if selection.Only, err = a.again(o.again, loaded, contract, catalogue); err != nil {
			return nil, err
		}
	}
	selected, part, err := loaded.Selected(selection, catalogue, contract)
	if err != nil {
		return nil, err
	}
	proven, err := spec.Proof()
	if err != nil {
		return nil, failure{reports.ExitHarness, err}
	}
	known, err := readDeviations(o.deviations, catalogue)
	if err != nil {
		return nil, err
	}
	formats, err := o.sign.formats(a, o.reports, o.inForce.implementation(), o.inForce.origin("sign") == fromFlag)
	if err != nil {
		return nil, err
	}
	sinks, err := reports.OpenSinks(o.reports, formats, a.stdout)
	if err != nil {
		return nil, err
	}
	if o.seed == 0 {
		o.seed = newSeed()
	}
	id := steps.NewRunID()
	started, said := time.Now(), ""
	if o.now.IsZero() {
		o.now = started
	} else {
		said = o.now.Format(time.RFC3339)
	}
	recorder := record.NewRecorder(record.Record{
		Suite: record.Suite{
			Version: currentVersion(), Contract: contract.Digest(), Catalogue: catalogue.Digest(), Features: loaded.Digest(), Foreign: others,
		},
		Proof: record.NewProof(proven, steps.DefaultExamples, steps.ScenarioAnimals),
		Target: record.Target{
			BaseURL: target.BaseURL, ReadOnly: target.ReadOnly, Removed: steps.Removed(contract, o.now), Connection: way,
			Implementation: o.inForce.implementation(),
		},
		Options: record.Options{
			Seed: o.seed, Concurrency: o.concurrency, Examples: o.examples, MaxAnimals: o.maxAnimals, Now: said, Tags: o.tags, Rules: o.rules, Operations: o.operations,
			Reserved: steps.Reserved(o.maxAnimals, o.confirm > 0), Intermittent: o.intermittentOption(),
			Strict: o.strict, RequireComplete: o.requireComplete, Rerun: rerun,
			Shard: selection.Shard.String(), Again: o.again,
		},
		Selected:      selected,
		Started:       started,
		ID:            id,
		NotApplicable: steps.NotApplicable(contract, catalogue, o.now),
		Deviations:    known,
	})
	t := &trial{
		app: a, sources: reports.Sources{Catalogue: catalogue, Contract: contract, ContractFile: o.contract, Features: loaded.Files()}, recorder: recorder, sinks: sinks, journalPath: o.journal, journalSpace: o.journalSpace * mebibyte, journal: &journalFile{}, detail: o.detail.detail(),
		text: a.screen(a.stdout), warning: o.way.warning(way, target),
		elsewhere: func(v *reports.View) { a.tellGitHub(v, o.noGitHub, o.placeOf(a, v)) },
		config: steps.Config{
			Target: target, Contract: contract, Catalogue: catalogue, Suite: loaded, Selection: selection,
			Seed: o.seed, Examples: o.examples, Concurrency: o.concurrency, Timeout: o.timeout, Now: o.now, FailFast: o.failFast, Confirm: o.confirm,
			Known:     reports.Covers(known, o.now),
			Transport: transport, Agent: agent(), Recorder: recorder,
			ID: id, Correlation: o.polite.correlation, Limits: o.polite.limits, Patience: o.polite.patience,
		},
	}
	if sinks.Stdout() {
		t.text = a.screen(a.stderr)
	}
	t.total = part
	return t, nil
}

// ask runs the suite, and shows meanwhile how far it is.
func (t *trial) ask(ctx context.Context) (record.Ending, error) {
	live := t.app.screen(t.app.stderr)
	look := reports.ProgressLook{Total: t.total, Width: live.width, Colour: live.colour}
	var progress *reports.Progress
	teller := newTeller(live, t.recorder)
	if live.steered && t.detail != reports.Brief {
		progress = reports.StartProgress(live, t.recorder, look)
		teller.to = progress
	} else {
		progress = reports.StartProgress(nil, t.recorder, look)
	}
	if t.detail == reports.Full {
		teller.start()
	}
	ending, err := steps.Run(ctx, t.config)
	if t.detail == reports.Full {
		teller.stop()
	}
	progress.Stop()
	return ending, err
}

// tell ends the record, writes the reports and the final text, and gives the exit code.
func (t *trial) tell(ctx context.Context, ending record.Ending, away steps.Unreachable) error {
	record := t.recorder.Finish(ending)
	view := reports.NewView(&record, t.sources)
	result := &view.Result
	var last error
	signal, wasInterrupted := interruption(ctx)
	switch {
	case wasInterrupted:
		result.ExitCode, last = signal.exitCode(), fmt.Errorf("%w; the run is incomplete", signal)
	case away.Reason != "":
		result.ExitCode, last = reports.ExitUnjudged, away
		if away.Remedy != "" {
			last = fmt.Errorf("%w; %s", away, away.Remedy)
		}
	}
	// The reports first: the reader of the text may have gone.
	unwritten := t.sinks.Finish(view)
	kept := t.journal.close()
	if kept != nil {
		fmt.Fprintf(t.app.stderr, "hallmark: the journal %s is not whole: %v\n", visible(t.journal.path), bare(kept))
		fmt.Fprint(t.app.stderr, leftBehind(&record))
	}
	if t.journal.journal.Full() {
		fmt.Fprintf(t.app.stderr, "hallmark: the journal %s reached its limit (--journal-space) and holds only a part of the run, but all animals\n", visible(t.journal.path))
	}
	if (unwritten != nil || wasInterrupted) && t.journal.path != "" && kept == nil {
		fmt.Fprintf(t.app.stderr, "hallmark: hallmark report %s makes reports of what the run had\n", shellWord(t.journal.path))
	}
	if t.detail != reports.Brief {
		fmt.Fprint(t.app.stderr, cutShort(&record, result))
	}
	t.elsewhere(view)
	if away.Reason == "" || wasInterrupted {
		err := reports.Terminal(t.text, view, t.text.look(t.detail))
		if err != nil && !errors.Is(err, syscall.EPIPE) {
			unwritten = errors.Join(unwritten, fmt.Errorf("the result could not be written: %w", bare(err)))
		}
	}
	code := result.ExitCode
	if unwritten != nil && code == reports.ExitOK {
		code = reports.ExitHarness // nobody could read that all is well
	}
	return failure{code, errors.Join(last, unwritten)}
}

// leftBehind names what the run created: where the journal is not whole, this may be the only list of it.
func leftBehind(rec *record.Record) string {
	var all []string
	for _, a := range rec.Animals {
		if a.ID != "" {
			all = append(all, a.ID)
		} else {
			all = append(all, "? ("+short(visible(a.Name), 60)+")")
		}
	}
	if len(all) == 0 {
		return ""
	}
	return fmt.Sprintf("hallmark: the ids of the animals that it created: %s\n", strings.Join(all, ", "))
}

// cutShort says that fewer generated cases were tried than were asked for. Where no rule is left unexercised by it, the
// text for people does not say so.
func cutShort(rec *record.Record, res *reports.Result) string {
	told := map[string]bool{}
	for _, r := range res.Rules {
		told[r.Reason] = true
	}
	var all []string
	for _, s := range rec.Scenarios {
		if tried, cut := steps.CutShort(s); cut && !told[s.Reason] {
			all = append(all, tried)
		}
	}
	if len(all) == 0 {
		return ""
	}
	slices.Sort(all)
	return fmt.Sprintf("hallmark: the run may create no more than %s (--max-animals), so that fewer examples were tried than were asked for (--examples): %s\n",
		count(rec.Options.MaxAnimals, "animal"), visible(strings.Join(all, ", ")))
}

// agent is the User-Agent of the requests.
func agent() string {
	v := strings.Map(func(r rune) rune {
		if r > ' ' && r < 0x7f && !strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r) {
			return r
		}
		return -1
	}, currentVersion())
	return "hallmark/" + v
}

// firstRequest begins something with the first request. Until then wrong input may still turn up, and must not replace
// the reports of an earlier run.
type firstRequest struct {
	http.RoundTripper
	begin func() error
	once  sync.Once
	begun atomic.Bool
	err   error
}

// Unwrap is the transport that it stands before.
func (f *firstRequest) Unwrap() http.RoundTripper { return f.RoundTripper }

func (f *firstRequest) RoundTrip(r *http.Request) (*http.Response, error) {
	f.once.Do(func() {
		f.begun.Store(true)
		f.err = f.begin()
	})
	if f.err != nil {
		return nil, f.err
	}
	return f.RoundTripper.RoundTrip(r)
}
