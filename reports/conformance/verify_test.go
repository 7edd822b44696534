package conformance

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

// Reports of all kinds of runs are true.
func TestReportsAreSound(t *testing.T) {
	suite := own(t)
	for name, v := range map[string]*view.View{
		"good": sample.Good(t), "broken": sample.Broken(t), "hostile": sample.Hostile(t),
		"read-only": changed(t, func(rec *record.Record) { rec.Target.ReadOnly = true }),
		"a part":    changed(t, func(rec *record.Record) { rec.Options.Rules, rec.Scenarios = []string{"list"}, rec.Scenarios[:9] }),
		"merged": changed(t, func(rec *record.Record) {
			rec.Shards = []record.Part{{}, {}}
			rec.Scenarios = append(slices.Clone(rec.Scenarios), rec.Scenarios[slices.IndexFunc(rec.Scenarios, func(s record.Scenario) bool { return s.ID == "preflight" })])
		}),
		"lost": changed(t, func(rec *record.Record) { rec.Lost = "connection refused" }),
		"after getPet is gone": changed(t, func(rec *record.Record) {
			rec.Options.Now = "2031-01-01T00:00:00Z"
			rec.NotApplicable = suite.NotApplicable(time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC))
		}),
		"odd: strict":       sample.Named(t, "strict"),
		"odd: known":        sample.Named(t, "known"),
		"odd: outdated":     sample.Named(t, "outdated"),
		"odd: intermittent": sample.Named(t, "intermittent"),
		"odd: harness":      sample.Named(t, "harness"),
		"odd: interrupted":  sample.Named(t, "interrupted"),
	} {
		inYAML, _ := written(t, v, nil)
		d := mustRead(t, inYAML)
		checks := d.verify(suite, nil, after(d))
		if failed, unchecked := summarize(checks); failed+unchecked > 0 {
			t.Errorf("%s: %+v", name, checks)
		}
	}
}

// edit finds what is at a path of a tree; a number is an index, and a name after "area" finds the area of that name.
func at(t *testing.T, tree any, path ...any) map[string]any {
	t.Helper()
	for _, step := range path {
		switch s := step.(type) {
		case string:
			tree = tree.(map[string]any)[s]
		case int:
			tree = tree.([]any)[s]
		}
	}
	return tree.(map[string]any)
}

func area(t *testing.T, tree map[string]any, name string) map[string]any {
	t.Helper()
	for _, a := range tree["areas"].([]any) {
		if a := a.(map[string]any); a["area"] == name {
			return a
		}
	}
	t.Fatalf("there is no area %s", name)
	return nil
}

func add(object map[string]any, name string, by int64) {
	n, _ := object[name].(json.Number).Int64()
	object[name] = n + by
}

// A report that was edited into another result is refused, even if it is not signed.
func TestEditedReportsAreFalse(t *testing.T) {
	suite := own(t)
	_, violated := written(t, sample.Broken(t), nil)
	_, partial := written(t, changed(t, func(rec *record.Record) { rec.Target.ReadOnly = true }), nil)
	_, good := written(t, sample.Good(t), nil)
	conformant := func(all map[string]any) {
		all["result"] = "conformant"
		at(t, all, "run")["verdict"] = "conformant"
	}
	// drop removes the failed rules from an area and its totals.
	drop := func(a map[string]any, total bool) {
		n := int64(len(a["failed"].([]any)))
		delete(a, "failed")
		rules, must := at(t, a, "rules"), at(t, a, "must")
		rules["violated"], must["violated"], a["result"] = 0, 0, "conformant"
		if total {
			add(rules, "total", -n)
			add(must, "total", -n)
		}
	}
	for name, c := range map[string]struct {
		text  []byte
		edit  func(all map[string]any)
		fails string
	}{
		"the result":                       {violated, func(all map[string]any) { all["result"] = "conformant" }, "result"},
		"the result and the run's verdict": {violated, conformant, "result"},
		"the result of a read-only run":    {partial, conformant, "result"},
		"the mode as well": {partial, func(all map[string]any) {
			conformant(all)
			at(t, all, "mode")["readOnly"] = false
		}, "result"}, // it still has a caveat
		"the summary": {violated, func(all map[string]any) {
			conformant(all)
			at(t, all, "summary", "rules")["violated"] = 0
			at(t, all, "summary", "must")["violated"] = 0
		}, "totals"},
		"the totals of an area": {violated, func(all map[string]any) {
			at(t, area(t, all, "list"), "rules")["violated"] = 0
		}, "totals"},
		"an area's result":           {violated, func(all map[string]any) { area(t, all, "list")["result"] = "conformant" }, "result"},
		"failed rules that are gone": {violated, func(all map[string]any) { drop(area(t, all, "list"), true) }, "rules"},
		"a failed rule that conforms, and nothing else": {violated, func(all map[string]any) {
			delete(area(t, all, "list"), "failed")
		}, "totals"},
		"a must rule among the should rules": {good, func(all map[string]any) {
			c := at(t, area(t, all, "list"), "conforms")
			must := c["must"].([]any)
			c["must"], c["should"] = must[1:], append(c["should"].([]any), must[0])
		}, "rules"},
		"a rule twice": {good, func(all map[string]any) {
			c := at(t, area(t, all, "list"), "conforms")
			c["should"] = append(c["should"].([]any), c["must"].([]any)[0])
		}, "rules"},
		"a rule of another area": {good, func(all map[string]any) {
			c := at(t, area(t, all, "list"), "conforms")
			c["must"].([]any)[0] = at(t, area(t, all, "get"), "conforms")["must"].([]any)[0]
		}, "rules"},
		"an unknown rule": {good, func(all map[string]any) {
			at(t, area(t, all, "list"), "conforms")["must"].([]any)[0] = "list.nonesuch"
		}, "rules"},
		"a must rule that would not apply": {good, func(all map[string]any) {
			c := at(t, area(t, all, "list"), "conforms")
			id := c["must"].([]any)[0]
			c["must"] = c["must"].([]any)[1:]
			area(t, all, "list")["notApplicable"] = []any{map[string]any{"rule": id, "level": "must", "reason": "so"}}
		}, "rules"},
		"a must rule that could not be tested": {good, func(all map[string]any) {
			c := at(t, area(t, all, "list"), "conforms")
			id := c["must"].([]any)[0]
			c["must"] = c["must"].([]any)[1:]
			area(t, all, "list")["untestable"] = []any{map[string]any{"rule": id, "level": "must", "reason": "so"}}
		}, "rules"},
		"a must rule that only warns": {violated, func(all map[string]any) {
			at(t, area(t, all, "list"), "failed", 0)["verdict"] = "warned"
		}, "rules"},
		"a rule in two lists": {good, func(all map[string]any) {
			list := area(t, all, "list")
			list["notExercised"] = []any{map[string]any{"rule": at(t, list, "conforms")["must"].([]any)[0], "level": "must", "reason": "so"}}
		}, "rules"},
		"a rule that moved to another area": {good, func(all map[string]any) {
			from, to := at(t, area(t, all, "get"), "conforms"), at(t, area(t, all, "list"), "conforms")
			must := from["must"].([]any)
			from["must"], to["must"] = must[1:], append(to["must"].([]any), must[0])
		}, "rules"},
		"the run's verdict alone": {violated, func(all map[string]any) { at(t, all, "run")["verdict"] = "conformant" }, "result"},
		"scenarios that do not add up anywhere": {good, func(all map[string]any) {
			add(at(t, area(t, all, "list"), "scenarios"), "passed", -1)
			add(at(t, all, "summary", "scenarios"), "passed", -1)
		}, "totals"},
		"one observation too many": {good, func(all map[string]any) {
			more := map[string]any{"rule": "get.removed", "asks": "Why?", "answers": []any{map[string]any{"answer": "so", "asked": []any{}}}}
			all["observations"] = append(all["observations"].([]any), more)
		}, "rules"},
		"an area twice": {good, func(all map[string]any) {
			all["areas"] = append(all["areas"].([]any), area(t, all, "list"))
		}, "totals"},
		"fewer scenarios": {good, func(all map[string]any) {
			for _, s := range []map[string]any{at(t, all, "summary", "scenarios"), at(t, area(t, all, "list"), "scenarios")} {
				add(s, "total", -5)
				add(s, "passed", -5)
			}
		}, "scenarios"},
		"scenarios that do not add up": {good, func(all map[string]any) {
			add(at(t, area(t, all, "list"), "scenarios"), "passed", -1)
		}, "totals"},
		"skipped scenarios without a list": {good, func(all map[string]any) { delete(area(t, all, "get"), "skipped") }, "totals"},
		"observations that are gone":       {good, func(all map[string]any) { all["observations"] = all["observations"].([]any)[1:] }, "rules"},
		"observations of nothing": {good, func(all map[string]any) {
			at(t, all, "observations", 0)["rule"] = "get.removed"
		}, "rules"},
		"the proof":                        {good, func(all map[string]any) { add(at(t, all, "proof"), "killed", 1) }, "proof"},
		"caveats that are gone":            {partial, func(all map[string]any) { delete(all, "caveats") }, "result"},
		"an insecure way without a caveat": {good, func(all map[string]any) { at(t, all, "mode")["insecure"] = true }, "result"},
		"deviations that fail": {good, func(all map[string]any) {
			all["deviations"] = []any{map[string]any{"rule": "list.accepted", "message": "expected", "reason": "r", "link": "l", "expires": "2027-01-01", "state": "fixed", "findings": 0, "fails": true}}
			all["caveats"] = []any{"Known violations were taken into account: 1."}
		}, "result"},
		"own digests":                 {good, func(all map[string]any) { at(t, all, "suite")["features"] = "sha256:" + strings.Repeat("0", 64) }, "suite"},
		"a foreign suite that is not": {good, func(all map[string]any) { at(t, all, "suite")["foreign"] = []any{"features"} }, "suite"},
		"the day after tomorrow":      {good, func(all map[string]any) { all["date"] = "2999-01-01T00:00:00Z" }, "dates"},
	} {
		all := tree(t, c.text)
		c.edit(all)
		d, err := read(asText(t, all))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		now := mustRead(t, good).Date.Add(time.Hour)
		if got := states(d.verify(suite, nil, now))[c.fails]; got != Bad {
			t.Errorf("%s: the check of %s is %s: %+v", name, c.fails, got, d.verify(suite, nil, now))
		}
	}
}

func TestDates(t *testing.T) {
	signer, _ := newSigner(t)
	_, text := written(t, sample.Good(t), signer)
	d := mustRead(t, text)
	for name, c := range map[string]struct {
		now  time.Time
		want State
	}{
		"at once":                 {d.Date, Good},
		"by a clock that is late": {d.Date.Add(-9 * time.Minute), Good},
		"before it was made":      {d.Date.Add(-11 * time.Minute), Bad},
		"at last":                 {d.Expires.Add(-time.Second), Good},
		"too late":                {d.Expires, Bad},
	} {
		if got := d.checkDates(c.now); got.State != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
	backwards := mustRead(t, text)
	backwards.Expires = backwards.Date
	if got := backwards.checkDates(d.Date.Add(-time.Second)); got.State != Bad || !strings.Contains(got.Says, "before its own date") {
		t.Errorf("%+v", got)
	}
}

// A report made by another suite is neither true nor false here.
func TestOtherSuites(t *testing.T) {
	_, text := written(t, sample.Good(t), nil)
	d := mustRead(t, text)
	other := "sha256:" + strings.Repeat("1", 64)
	for name, c := range map[string]struct {
		change func(own *Own, d *Document)
		want   State
		says   string
		remedy string
	}{
		"the same by another version": {func(own *Own, _ *Document) { own.Suite.Version = "v9" }, Good, "those of this hallmark", ""},
		"other features, other version": {func(own *Own, _ *Document) {
			own.Suite.Version, own.Suite.Features = "v9", other
		}, Unchecked, "with another suite than this one has (v9): features", "hallmark v0.0.0-sample can check"},
		"other rules, other version": {func(own *Own, _ *Document) {
			own.Suite.Version, own.Suite.Catalogue = "v9", other
		}, Unchecked, "catalogue", "hallmark v0.0.0-sample"},
		"other features, same version": {func(own *Own, _ *Document) { own.Suite.Features = other }, Bad, "its features are not the same there", ""},
		"both are of no version": {func(own *Own, d *Document) {
			own.Suite.Features, own.Suite.Version, d.Suite.Version = other, "unknown", "unknown"
		}, Unchecked, "features", ""},
		"both are in the making": {func(own *Own, d *Document) {
			own.Suite.Features, own.Suite.Version, d.Suite.Version = other, "v1-dirty", "v1-dirty"
		}, Unchecked, "features", ""},
		"own features, as it says": {func(_ *Own, d *Document) {
			d.Suite.Features, d.Suite.Foreign = other, []string{"features"}
		}, Unchecked, "are not hallmark's own, as it says itself", ""},
	} {
		suite, doc := own(t), *d
		report := *d.Report
		doc.Report = &report
		c.change(&suite, &doc)
		check, same := doc.checkSuite(suite)
		if check.State != c.want || !strings.Contains(check.Says, c.says) || !strings.Contains(check.Remedy, c.remedy) || same != (c.want == Good) {
			t.Errorf("%s: %+v", name, check)
		}
		rules := states(doc.verify(suite, nil, after(d)))
		if c.want != Good && (rules["rules"] != Unchecked || rules["proof"] != Unchecked || rules["scenarios"] != Unchecked) {
			t.Errorf("%s: %v", name, rules)
		}
	}
}
