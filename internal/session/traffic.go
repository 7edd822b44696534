package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/files"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/internal/traffic"
	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/terminal"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec/second"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// TrafficOptions are what judges exchanges that others make.
type TrafficOptions struct {
	options.Options

	// FromFile is what hallmark.yaml says.
	FromFile options.Judging
}

// trafficSession judges exchanges that others made, and reports on them as on a run.
type trafficSession struct {
	env   *cli.Env
	o     options.Options
	basis *Basis
	judge *traffic.Judge
	known []record.Deviation
	sinks *reports.Sinks
	began time.Time
}

// newTrafficSession reads what exchanges are judged by. most is the maximum length of a body that is judged.
func newTrafficSession(env *cli.Env, o TrafficOptions, most int) (*trafficSession, error) {
	s := &trafficSession{env: env, o: o.Options, began: time.Now()}
	var err error
	if s.basis, err = Load(o.Contract); err != nil {
		return nil, err
	}
	place := traffic.Documented(s.basis.Contract)
	if o.BaseURL != "" {
		base, err := scenario.ParseBaseURL(o.BaseURL)
		if err != nil {
			return nil, err
		}
		place = traffic.At(s.basis.Contract, base)
	}
	s.judge = traffic.New(s.basis.Traffic(), traffic.Options{
		Place: place, Most: most, SecretHeaders: o.FromFile.SecretHeaders, Secrets: o.FromFile.Secrets,
	})
	if s.known, err = knownViolations(o.Deviations, s.basis.Catalogue); err != nil {
		return nil, err
	}
	if hint := renewal(o.Deviations, s.known); hint != "" {
		fmt.Fprintln(env.Stderr, "hallmark: "+hint)
	}
	s.sinks, err = reports.OpenSinks(o.Reports, Formats(), env.Stdout)
	return s, err
}

// CheckRecording judges a recording, and reports on it. The name - is standard input.
func CheckRecording(ctx context.Context, env *cli.Env, o TrafficOptions, name string) error {
	s, err := cli.Heed(ctx, func() (*trafficSession, error) {
		s, err := newTrafficSession(env, o, traffic.LongestBody)
		if err != nil {
			return nil, err
		}
		return s, s.read(name)
	})
	if err != nil {
		return err
	}
	return s.finish(ctx, shownRecording(name))
}

// shownRecording is how a recording is named.
func shownRecording(name string) string {
	if name == "-" {
		return "standard input"
	}
	return text.Visible(name)
}

// read judges a recording.
func (s *trafficSession) read(name string) error {
	var from io.Reader = os.Stdin
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return fmt.Errorf("%s cannot be read: %w", text.Visible(name), cli.Bare(err))
		}
		defer file.Close() //nolint:errcheck // only read
		from = file
	}
	err := traffic.Read(from, traffic.Recording{
		Base: func(url string) {
			if s.o.BaseURL == "" {
				s.judge.SetPlace(traffic.At(s.basis.Contract, url))
			}
		},
		Exchange: s.judge.Add, Other: s.judge.Skip,
	})
	if err != nil {
		return fmt.Errorf("%s: %w", shownRecording(name), cli.Bare(err))
	}
	return nil
}

// WatchOptions are the options of a proxy beside those of a run.
type WatchOptions struct {
	// To is the base URL of the service, Listen the address to listen at, as HOST:PORT.
	To, Listen string
	// Sample judges one exchange of so many.
	Sample int64
	// ServiceHost sends the host of the service instead of that which clients ask for.
	ServiceHost bool
	// URLFile, if set, is the file that receives the base URL once the proxy is ready.
	URLFile string
}

// longestWatched is how many bytes of a body are copied by a proxy; what has a longer one is not judged.
const longestWatched = 1 << 20

// WatchService passes on what clients and a service say to each other until the context ends, judges it, and reports on it.
func WatchService(ctx context.Context, env *cli.Env, o TrafficOptions, w WatchOptions) error {
	to, err := scenario.ParseBaseURL(w.To)
	if err != nil {
		return fmt.Errorf("--to: %w", err)
	}
	service, err := url.Parse(to)
	if err != nil {
		return fmt.Errorf("--to: %w", err)
	}
	o.BaseURL = to
	s, err := cli.Heed(ctx, func() (*trafficSession, error) { return newTrafficSession(env, o, longestWatched) })
	if err != nil {
		return err
	}
	transport, _, err := o.Network.Transport(env, mostConnections, false)
	if err != nil {
		return err
	}
	transport.DisableCompression = true
	listener, err := cli.Listen(ctx, "--listen", w.Listen)
	if err != nil {
		return err
	}
	proxy := traffic.NewProxy(traffic.ProxyOptions{
		To: service, Transport: transport, Judge: s.judge.Add, Sample: int(w.Sample), Most: longestWatched, ServiceHost: w.ServiceHost,
	})
	at := "http://" + cli.Reachable(listener.Addr()) + strings.TrimRight(service.EscapedPath(), "/")
	fmt.Fprintf(env.Stderr, "The proxy is ready at %s, until it is interrupted. The service is at %s.\n", at, to)
	if w.URLFile != "" {
		if err := files.Replace(w.URLFile, at+"\n"); err != nil {
			return errors.Join(fmt.Errorf("--url-file %s: the file cannot be written: %w", text.Visible(w.URLFile), err), listener.Close())
		}
	}
	if err := traffic.Serve(ctx, listener, proxy); err != nil {
		return err
	}
	for why, n := range proxy.Close() {
		s.judge.SkipAll(why, n)
	}
	transport.CloseIdleConnections()
	return s.finish(context.WithoutCancel(ctx), "the traffic of "+text.Visible(to))
}

// mostConnections is how many connections to a service are kept open.
const mostConnections = 64

// finish writes the reports and the text, and returns an error with the exit code.
func (s *trafficSession) finish(ctx context.Context, source string) error {
	rec, err := s.record(source)
	if err != nil {
		return err
	}
	if len(rec.Exchanges) > 0 {
		rec.Opinions = steps.Opinions(ctx, second.New(s.basis.Contract), rec, s.basis.Catalogue)
	}
	v := view.New(rec, view.Sources{Catalogue: s.basis.Catalogue, Contract: s.basis.Contract, ContractFile: s.basis.ContractFile()})
	unwritten := FinishReports(s.sinks, v)
	ReportToGitHub(s.env, v, s.o.NoGitHub, PlaceOf(s.env, "", v))
	out := s.env.Output(s.env.Stdout)
	if s.sinks.Stdout() {
		out = s.env.Output(s.env.Stderr)
	}
	if err := terminal.Write(out, v, out.Look(s.o.Detail.Detail())); err != nil && !errors.Is(err, syscall.EPIPE) {
		unwritten = errors.Join(unwritten, fmt.Errorf("the result could not be written: %w", cli.Bare(err)))
	}
	code := v.Result.ExitCode
	if unwritten != nil && code == verdict.ExitOK {
		code = verdict.ExitHarness // a passing result that nobody could read must not count
	}
	return cli.WithCode(code, unwritten)
}

// record returns what was judged as a record.
func (s *trafficSession) record(source string) (*record.Record, error) {
	rec := &record.Record{
		Suite:   record.Suite{Version: s.env.Version, Contract: s.basis.Contract.Digest(), Catalogue: s.basis.Catalogue.Digest()},
		Options: s.o.Recorded, Started: s.began.Round(0), Deviations: s.known,
	}
	rec.Options.AcceptPartial = true // nobody chose the operations that were called
	if s.o.BaseURL != "" {
		rec.Target.BaseURL = s.o.BaseURL
	}
	if !s.basis.IsBundled() {
		rec.Suite.Foreign = []string{"contract"}
		sources := record.Sources{Rules: s.basis.Catalogue.Rules, ContractFile: s.basis.ContractFile()}
		sources.Own, sources.Contract = s.basis.Contract.Texts()
		var err error
		if rec.Sources, err = sources.Pack(); err != nil {
			return nil, err
		}
	}
	s.judge.Fill(rec, source)
	return rec, nil
}
