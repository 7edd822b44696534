package record

import (
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// mergeTraffic joins records of traffic, such as those of several proxies or of several days, as if one judge had seen it all. What exchanges
// of different records show together is not judged.
func mergeTraffic(all []Named) (*Record, error) {
	first := shard{Named: all[0]}
	var wrong []error
	for _, n := range all[1:] {
		if n.Record.Traffic == nil {
			wrong = append(wrong, fmt.Errorf("%s is a record of traffic and %s one of a run; merge those of one kind", text.Visible(first.Name), text.Visible(n.Name)))
			continue
		}
		wrong = append(wrong, agreeOnBasis(first, shard{Named: n})...)
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, err
	}
	if err := errors.Join(givenTwice(all), ofOneService(all)); err != nil {
		return nil, err
	}
	rec := *first.Record
	rec.ID, rec.Scenarios, rec.Exchanges, rec.Opinions, rec.Unjudged, rec.Exercised = "", nil, nil, nil, nil, map[string]int{}
	traffic := Traffic{Source: text.Count(len(all), "record")}
	if len(all) == 1 {
		traffic.Source = first.Record.Traffic.Source
	}
	var sums trafficSums
	for i, n := range all {
		from := n.Record
		if i > 0 {
			rec.Coverage = rec.Coverage.Plus(from.Coverage)
		}
		if from.Started.Before(rec.Started) {
			rec.Started = from.Started
		}
		if from.Ended.After(rec.Ended) {
			rec.Ended = from.Ended
		}
		if serviceOf(&rec) == "" && serviceOf(from) != "" {
			rec.Target.BaseURL = from.Target.BaseURL
		}
		rec.Unjudged = PlusUnjudged(rec.Unjudged, from.Unjudged)
		for rule, count := range from.Exercised {
			rec.Exercised[rule] += count
		}
		rec.append(shard{Named: n})
		sums.count(&traffic, from.Traffic)
	}
	sums.fill(&traffic, &rec)
	rec.Traffic = &traffic
	rec.Scenarios = joinedByID(rec.Scenarios)
	return &rec, nil
}

// givenTwice returns an error if a record is there twice: its exchanges would count twice. Copies of a record are of the same traffic, and
// began and ended at the same time.
func givenTwice(all []Named) error {
	for i, n := range all {
		for _, before := range all[:i] {
			a, b := before.Record, n.Record
			if a.Started.Equal(b.Started) && a.Ended.Equal(b.Ended) && reflect.DeepEqual(a.Traffic, b.Traffic) {
				return fmt.Errorf("%s and %s are the same record; give each of them once", text.Visible(before.Name), text.Visible(n.Name))
			}
		}
	}
	return nil
}

// ofOneService returns an error if two records are of different services.
func ofOneService(all []Named) error {
	var first Named
	for _, n := range all {
		switch service := serviceOf(n.Record); {
		case service == "":
		case first.Record == nil:
			first = n
		case service != serviceOf(first.Record):
			return fmt.Errorf("%s is of the service at %s and %s of that at %s; merge the records of each service by themselves",
				text.Visible(first.Name), brief(first.Record.Target.BaseURL), text.Visible(n.Name), brief(n.Record.Target.BaseURL))
		}
	}
	return nil
}

// serviceOf returns where the service of a record of traffic is, or "" if that is unknown: then the record has localhost. The scheme and its
// port do not count, since TLS may end before or behind what saw the traffic.
func serviceOf(rec *Record) string {
	u, err := url.Parse(rec.Target.BaseURL)
	if err != nil || u.Host == "" || u.Host == "localhost" {
		return ""
	}
	host := strings.ToLower(u.Host)
	for _, port := range []string{":80", ":443"} {
		host = strings.TrimSuffix(host, port)
	}
	return host + strings.TrimRight(u.EscapedPath(), "/")
}

// trafficSums are sums of several records, by name.
type trafficSums struct {
	outside, hosts, notJudged, more map[string]int
	succeeded                       map[string]bool
}

// count adds a record.
func (s *trafficSums) count(to, t *Traffic) {
	to.Seen, to.Judged, to.Forgotten = to.Seen+t.Seen, to.Judged+t.Judged, to.Forgotten+t.Forgotten
	for _, one := range []struct {
		sums *map[string]int
		all  []Tallied
	}{{&s.outside, t.Outside}, {&s.hosts, t.Hosts}, {&s.notJudged, t.NotJudged}, {&s.more, t.More}} {
		if *one.sums == nil {
			*one.sums = map[string]int{}
		}
		for _, counted := range one.all {
			(*one.sums)[counted.Name] += counted.Count
		}
	}
	if s.succeeded == nil {
		s.succeeded = map[string]bool{}
	}
	for _, id := range t.Succeeded {
		s.succeeded[id] = true
	}
}

// fill writes the sums, and which operations were seen in none of the records.
func (s *trafficSums) fill(to *Traffic, rec *Record) {
	to.Outside, to.Hosts, to.NotJudged, to.More = Counted(s.outside), Counted(s.hosts), Counted(s.notJudged), Counted(s.more)
	if rec.Coverage == nil {
		return
	}
	for i := range rec.Coverage.Operations {
		id := rec.Coverage.Operations[i].Operation
		if !slices.ContainsFunc(rec.Scenarios, func(sc Scenario) bool { return sc.ID == id }) {
			to.Unseen = append(to.Unseen, id)
		}
		if s.succeeded[id] {
			to.Succeeded = append(to.Succeeded, id)
		}
	}
}

// joinedByID joins scenarios with the same id.
func joinedByID(all []Scenario) []Scenario {
	var out []Scenario
	for _, sc := range all {
		i := slices.IndexFunc(out, func(known Scenario) bool { return known.ID == sc.ID })
		if i < 0 {
			out = append(out, sc)
			continue
		}
		known := &out[i]
		known.Findings = append(slices.Clip(known.Findings), sc.Findings...)
		known.Exchanges = append(slices.Clip(known.Exchanges), sc.Exchanges...)
		if sc.Outcome == Failed {
			known.Outcome = Failed
		}
	}
	return out
}
