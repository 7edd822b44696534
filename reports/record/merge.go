package record

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// Selected identifies the scenarios that were to be run.
type Selected struct {
	Scenarios int `json:"scenarios"`
	// Digest is "sha256:…" over their sorted ids.
	Digest string `json:"digest"`
}

// NewSelected identifies scenarios by their ids, in any order.
func NewSelected(ids []string) Selected {
	sum := sha256.Sum256([]byte(strings.Join(slices.Sorted(slices.Values(ids)), "\n")))
	return Selected{Scenarios: len(ids), Digest: "sha256:" + hex.EncodeToString(sum[:])}
}

// Part is what a merged record keeps of one of its shards.
type Part struct {
	Shard     string    `json:"shard"`
	ID        string    `json:"id,omitempty"`
	Seed      int64     `json:"seed"`
	Started   time.Time `json:"started"`
	Ended     time.Time `json:"ended"`
	Scenarios int       `json:"scenarios"`
	Exchanges int       `json:"exchanges"`
}

// Named is a record with the name by which its reader knows it.
type Named struct {
	Name   string
	Record *Record
}

// preflightID is the id of the checks before the scenarios, which every shard has.
const preflightID = "preflight"

// Merge joins the records of all shards of a suite into one, as if they had been a single run. It rejects records that do not fit together:
// gaps, overlaps, different suites, targets or options, unfinished runs. Records of traffic are joined, too, any number of them. It does not
// change the given records.
func Merge(all []Named) (*Record, error) {
	if len(all) == 0 {
		return nil, errors.New("there is nothing to merge")
	}
	if all[0].Record.Traffic != nil {
		return mergeTraffic(all)
	}
	shards := make([]shard, 0, len(all))
	var wrong []error
	for _, n := range all {
		s, err := shardOf(n)
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		shards = append(shards, s)
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, err
	}
	for _, s := range shards[1:] {
		wrong = append(wrong, agree(shards[0], s)...)
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, err
	}
	slices.SortStableFunc(shards, func(x, y shard) int { return cmp.Compare(x.index, y.index) })
	if err := errors.Join(complete(shards)...); err != nil {
		return nil, err
	}
	if err := disjoint(shards); err != nil {
		return nil, err
	}
	return join(shards), nil
}

// shard is a record that is one part of several.
type shard struct {
	Named
	index, of int
}

func shardOf(n Named) (shard, error) {
	name, rec := text.Visible(n.Name), n.Record
	index, of, ok := parseShard(rec.Options.Shard)
	switch {
	case rec.Traffic != nil:
		return shard{}, fmt.Errorf("%s is a record of traffic, and others are of runs; merge those of one kind", name)
	case len(rec.Shards) > 0:
		return shard{}, fmt.Errorf("%s was already merged from %s; merge all of them at once", name, text.Count(len(rec.Shards), "shard"))
	case rec.Options.Shard == "":
		return shard{}, fmt.Errorf("%s is not a shard: its run had no --shard", name)
	case !ok:
		return shard{}, fmt.Errorf("%s says that it is shard %s, which is not valid", name, strconv.Quote(text.Visible(rec.Options.Shard)))
	case rec.Failure != "":
		return shard{}, fmt.Errorf("%s (shard %d/%d) proves nothing, because hallmark itself failed: %s", name, index, of, text.Short(rec.Failure))
	case !rec.Complete:
		return shard{}, fmt.Errorf("%s (shard %d/%d) ended early; run it again", name, index, of)
	}
	return shard{n, index, of}, nil
}

// parseShard reads "2/5".
func parseShard(text string) (index, of int, ok bool) {
	a, b, found := strings.Cut(text, "/")
	index, errIndex := strconv.Atoi(a)
	of, errOf := strconv.Atoi(b)
	return index, of, found && errIndex == nil && errOf == nil && index >= 1 && index <= of
}

// agree returns the differences between two shards in what they must have in common.
func agree(first, s shard) []error {
	a, b := first.Record, s.Record
	d := differences{first: first, other: s, wrong: agreeOnBasis(first, s)}
	d.same("ran different scenarios", a.Suite.Features, b.Suite.Features)
	d.same("are of different targets", a.Target.BaseURL, b.Target.BaseURL)
	d.same("differ in --read-only", a.Target.ReadOnly, b.Target.ReadOnly)
	d.same("are of suites in different numbers of shards", first.of, s.of)
	d.same("differ in --tags", a.Options.Tags, b.Options.Tags)
	d.same("differ in --rule", a.Options.Rules, b.Options.Rules)
	d.same("differ in --operation", a.Options.Operations, b.Options.Operations)
	d.same("differ in --rerun", a.Options.Again, b.Options.Again)
	d.same("differ in --quick", a.Options.Quick, b.Options.Quick)
	d.same("differ in --now", a.Options.Now, b.Options.Now)
	d.same("differ in --intermittent", a.Options.Intermittent, b.Options.Intermittent)
	d.same("differ in --require-complete", a.Options.RequireComplete, b.Options.RequireComplete)
	d.same("differ in --require-prose", a.Options.RequireProse, b.Options.RequireProse)
	d.same("differ in --accept-partial", a.Options.AcceptPartial, b.Options.AcceptPartial)
	d.same("differ in the operations that they call", a.Uncalled, b.Uncalled)
	d.same("selected different scenarios", a.Selected, b.Selected)
	return d.wrong
}

// agreeOnBasis returns the differences between two records in what they were judged by.
func agreeOnBasis(first, s shard) []error {
	a, b := first.Record, s.Record
	d := differences{first: first, other: s}
	d.same("were made by different versions of hallmark", a.Suite.Version, b.Suite.Version)
	d.same("were judged by different contracts", a.Suite.Contract, b.Suite.Contract)
	d.same("were judged by different rules", a.Suite.Catalogue, b.Suite.Catalogue)
	d.same("judge removal dates on different days", a.NotApplicable, b.NotApplicable)
	d.same("differ in --strict", a.Options.Strict, b.Options.Strict)
	d.same("differ in --require-coverage", a.Options.RequireCoverage, b.Options.RequireCoverage)
	d.same("differ in --deviations", a.Deviations, b.Deviations)
	return d.wrong
}

// differences collects the differences between two records.
type differences struct {
	first, other shard
	wrong        []error
}

// same notes that two values differ.
func (d *differences) same(what string, x, y any) {
	if !reflect.DeepEqual(x, y) {
		d.wrong = append(d.wrong, fmt.Errorf("%s and %s %s: %s and %s", text.Visible(d.first.Name), text.Visible(d.other.Name), what, brief(x), brief(y)))
	}
}

// brief returns a short form of a value for an error.
func brief(v any) string {
	s := fmt.Sprint(v)
	if s == "" || s == "[]" || s == "map[]" {
		return "nothing"
	}
	return text.Elide(text.Visible(s), 120)
}

// complete lists the shards that are missing, and those given twice.
func complete(shards []shard) []error {
	var wrong []error
	by := map[int]string{}
	for _, s := range shards {
		if before, twice := by[s.index]; twice {
			wrong = append(wrong, fmt.Errorf("%s and %s are both shard %d/%d", before, text.Visible(s.Name), s.index, s.of))
			continue
		}
		by[s.index] = text.Visible(s.Name)
	}
	var missing []string
	for i := 1; i <= shards[0].of; i++ {
		if by[i] == "" {
			missing = append(missing, fmt.Sprintf("%d/%d", i, shards[0].of))
		}
	}
	switch {
	case len(missing) == 1:
		wrong = append(wrong, fmt.Errorf("shard %s is missing; the verdict needs all shards", missing[0]))
	case len(missing) > 1:
		wrong = append(wrong, fmt.Errorf("shards %s are missing; the verdict needs all shards", text.Elide(strings.Join(missing, ", "), 200)))
	}
	return wrong
}

// disjoint checks that the shards together ran each selected scenario once.
func disjoint(shards []shard) error {
	by := map[string]string{}
	for _, s := range shards {
		for _, sc := range s.Record.Scenarios {
			if sc.ID == preflightID {
				continue
			}
			if before, twice := by[sc.ID]; twice {
				return fmt.Errorf("the scenario %s is in %s and again in %s; shards must not overlap", text.Visible(sc.ID), before, text.Visible(s.Name))
			}
			by[sc.ID] = text.Visible(s.Name)
		}
	}
	want := shards[0].Record.Selected
	if got := NewSelected(slices.Collect(maps.Keys(by))); got != want {
		return fmt.Errorf("the shards hold %s, but %d were selected; some are missing or extra", text.Count(got.Scenarios, "scenario"), want.Scenarios)
	}
	return nil
}

// join makes one record of shards that fit together.
func join(shards []shard) *Record {
	rec := *shards[0].Record
	rec.Scenarios, rec.Exchanges, rec.Created, rec.Exercised = nil, nil, nil, map[string]int{}
	rec.Confirmations, rec.Opinions, rec.Patience.Interrupted, rec.Unjudged, rec.Bodies, rec.Suggestions, rec.Roles = nil, nil, nil, nil, nil, nil, nil
	rec.ID, rec.Options.Shard, rec.Lost, rec.Suspects = "", "", "", nil
	for i, s := range shards {
		from := s.Record
		if i > 0 {
			rec.Coverage = rec.Coverage.Plus(from.Coverage)
		}
		rec.Shards = append(rec.Shards, Part{
			Shard: from.Options.Shard, ID: from.ID, Seed: from.Options.Seed, Started: from.Started, Ended: from.Ended,
			Scenarios: len(from.Scenarios), Exchanges: len(from.Exchanges),
		})
		if from.Started.Before(rec.Started) {
			rec.Started = from.Started
		}
		if from.Ended.After(rec.Ended) {
			rec.Ended = from.Ended
		}
		if rec.Options.Seed != from.Options.Seed {
			rec.Options.Seed = 0
		}
		if from.Lost != "" && rec.Lost == "" {
			rec.Suspects = moveSuspects(from.Suspects, rec.lastSeq())
			rec.Lost = "in shard " + from.Options.Shard + ": " + from.Lost
		}
		rec.Patience.Interrupted = rec.Patience.Interrupted.Plus(from.Patience.Interrupted)
		rec.Width = rec.Width.Plus(from.Width)
		rec.Unjudged = PlusUnjudged(rec.Unjudged, from.Unjudged)
		rec.Bodies = PlusBodySearches(rec.Bodies, from.Bodies)
		rec.Suggestions = PlusSuggestions(rec.Suggestions, from.Suggestions)
		rec.Roles = PlusRoleUses(rec.Roles, from.Roles)
		for rule, n := range from.Exercised {
			rec.Exercised[rule] += n
		}
		rec.append(s)
	}
	return &rec
}

// lastSeq returns the highest exchange number, or 0.
func (rec *Record) lastSeq() int {
	last := 0
	for i := range rec.Exchanges {
		last = max(last, rec.Exchanges[i].Seq)
	}
	return last
}

// append adds a shard's scenarios, exchanges and creations, with numbers that continue the existing ones.
func (rec *Record) append(s shard) {
	after := rec.lastSeq()
	renumber := func(seqs []int) []int {
		if seqs == nil {
			return nil
		}
		moved := make([]int, len(seqs))
		for i, seq := range seqs {
			moved[i] = seq + after
		}
		return moved
	}
	for _, sc := range s.Record.Scenarios {
		if sc.ID == preflightID {
			sc.Name += " (shard " + s.Record.Options.Shard + ")"
		}
		sc.Exchanges = renumber(sc.Exchanges)
		sc.Findings = slices.Clone(sc.Findings)
		for i := range sc.Findings {
			sc.Findings[i].Exchanges = renumber(sc.Findings[i].Exchanges)
		}
		sc.Observations = slices.Clone(sc.Observations)
		for i := range sc.Observations {
			if sc.Observations[i].Exchange > 0 {
				sc.Observations[i].Exchange += after
			}
		}
		rec.Scenarios = append(rec.Scenarios, sc)
	}
	for _, c := range s.Record.Confirmations {
		c.Exchanges = renumber(c.Exchanges)
		rec.Confirmations = append(rec.Confirmations, c)
	}
	for _, o := range s.Record.Opinions {
		if o.Exchange > 0 {
			o.Exchange += after
		}
		rec.Opinions = append(rec.Opinions, o)
	}
	rec.Exchanges = slices.Grow(rec.Exchanges, len(s.Record.Exchanges))
	for _, ex := range s.Record.Exchanges {
		ex.Seq += after
		rec.Exchanges = append(rec.Exchanges, ex)
	}
	last := 0
	for _, a := range rec.Created {
		last = max(last, a.N)
	}
	for _, a := range s.Record.Created {
		a.N += last
		rec.Created = append(rec.Created, a)
	}
}
