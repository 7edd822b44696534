package record

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/coverage"
)

// Coverage says how much of the contract was put to the test: what was judged, and what was only seen. It lists all that the contract has.
type Coverage struct {
	Operations []OperationCoverage `json:"operations"`
}

// Judgements counts the exchanges that touched an element of the contract: those that were judged and right, those with a finding, and those
// that were only seen, because the request was refused or the response could not be judged.
type Judgements struct {
	Right  int `json:"right,omitempty"`
	Broken int `json:"broken,omitempty"`
	Seen   int `json:"seen,omitempty"`
}

// OperationCoverage is the coverage of one operation. It counts as judged only if it succeeded in a response that was judged.
type OperationCoverage struct {
	Operation string `json:"operation"`
	Method    string `json:"method"`
	Path      string `json:"path"`
	Judgements
	// Succeeded is the number of successes, including those that could not be judged. Unsuccessful counts the statuses of all other
	// responses.
	Succeeded    int       `json:"succeeded,omitempty"`
	Unsuccessful []Tallied `json:"unsuccessful,omitempty"`
	// Statuses are the documented responses ("200", "4XX", "default"), Media the media types ("request application/json", "200
	// application/json"), Parameters the parameters ("query limit"), in the order of the document.
	Statuses   []ElementCoverage `json:"statuses,omitempty"`
	Media      []ElementCoverage `json:"mediaTypes,omitempty"`
	Parameters []ElementCoverage `json:"parameters,omitempty"`
	Schemas    []SchemaCoverage  `json:"schemas,omitempty"`
}

// ElementCoverage is the coverage of a documented response, a media type or a parameter.
type ElementCoverage struct {
	Name string `json:"name"`
	Judgements
}

// Judgement returns what the exchanges show. A finding is rarely about all that a request holds, so a parameter or a media type of requests
// that was right once is right.
func (e *ElementCoverage) Judgement() Judgement {
	if e.Right > 0 && e.Requested() {
		return JudgedRight
	}
	return e.Judgements.Judgement()
}

// Requested reports whether the element is part of requests. Names of what is part of responses begin with the key of the response.
func (e *ElementCoverage) Requested() bool {
	key, _, _ := strings.Cut(e.Name, " ")
	return key != "default" && strings.Trim(key[:min(len(key), 1)], "0123456789") != ""
}

// SchemaCoverage is the coverage of the schema of a JSON body or a parameter, by keywords and branches.
type SchemaCoverage struct {
	// Of is the media type or the parameter.
	Of string `json:"of"`
	// Elements is the number of keywords and branches. Right, Broken and Seen are ranges of their numbers from 0, in the order of package
	// coverage ("0-4,7"), each number in at most one of them.
	Elements int    `json:"elements"`
	Right    string `json:"right,omitempty"`
	Broken   string `json:"broken,omitempty"`
	Seen     string `json:"seen,omitempty"`
}

// CoverageTally collects the coverage of a run. It is safe for concurrent use. It keeps one entry for each element of the contract that was
// touched, however many exchanges there are.
type CoverageTally struct {
	mu         sync.Mutex
	operations map[string]*operationTally
}

// operationTally is what a tally keeps of one operation.
type operationTally struct {
	all          Judgements
	succeeded    int
	unsuccessful map[int]int
	// elements counts responses, media types and parameters by name, each under its own group of names.
	elements map[coveredName]*Judgements
	schemas  map[string]map[coverage.Element]Judgement
}

// coveredName is a response, a media type or a parameter.
type coveredName struct {
	group byte // one of the groups
	name  string
}

// The groups of names.
const (
	statusGroup    byte = 's'
	mediaGroup     byte = 'm'
	parameterGroup byte = 'p'
)

// Judgement is what is known about an element of the contract.
type Judgement uint8

// The judgements. Never means that nothing was seen of an element.
const (
	Never Judgement = iota
	OnlySeen
	JudgedBroken
	JudgedRight
)

// Judgement returns what the exchanges show. One that broke the contract counts more than any number that did not.
func (j Judgements) Judgement() Judgement {
	switch {
	case j.Broken > 0:
		return JudgedBroken
	case j.Right > 0:
		return JudgedRight
	case j.Seen > 0:
		return OnlySeen
	}
	return Never
}

// Judged reports whether an element was put to the test.
func (j Judgement) Judged() bool { return j >= JudgedBroken }

// String names the judgement: "right".
func (j Judgement) String() string {
	return [...]string{Never: "never", OnlySeen: "seen", JudgedBroken: "broken", JudgedRight: "right"}[j]
}

// count counts an exchange.
func (j *Judgements) count(one Judgement) {
	switch one {
	case JudgedRight:
		j.Right++
	case JudgedBroken:
		j.Broken++
	case OnlySeen:
		j.Seen++
	case Never:
	}
}

func (j Judgements) plus(k Judgements) Judgements {
	return Judgements{j.Right + k.Right, j.Broken + k.Broken, j.Seen + k.Seen}
}

// Add counts what an exchange touched. broken reports whether a finding that fails the run is about the exchange.
func (t *CoverageTally) Add(m *coverage.Marks, broken bool) {
	judgement := OnlySeen
	switch {
	case m.Judged && broken:
		judgement = JudgedBroken
	case m.Judged:
		judgement = JudgedRight
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	op := t.operation(m.Operation)
	if m.Succeeded {
		op.succeeded++
		op.all.count(judgement)
	} else {
		op.unsuccessful[m.Status]++
		op.all.count(OnlySeen)
	}
	if m.Response != "" {
		op.element(statusGroup, m.Response).count(judgement)
	}
	for _, group := range []struct {
		group     byte
		names     []string
		judgement Judgement
	}{
		{mediaGroup, m.Media, judgement},
		{parameterGroup, m.Parameters, judgement},
		{mediaGroup, m.SeenMedia, OnlySeen},
		{parameterGroup, m.SeenParameters, OnlySeen},
	} {
		for _, name := range group.names {
			op.element(group.group, name).count(group.judgement)
		}
	}
	for of, all := range m.Elements {
		op.schema(of, all, judgement)
	}
}

func (t *CoverageTally) operation(id string) *operationTally {
	op := t.operations[id]
	if op == nil {
		op = &operationTally{unsuccessful: map[int]int{}, elements: map[coveredName]*Judgements{}, schemas: map[string]map[coverage.Element]Judgement{}}
		if t.operations == nil {
			t.operations = map[string]*operationTally{}
		}
		t.operations[id] = op
	}
	return op
}

func (op *operationTally) element(group byte, name string) *Judgements {
	one := op.elements[coveredName{group, name}]
	if one == nil {
		one = &Judgements{}
		op.elements[coveredName{group, name}] = one
	}
	return one
}

// mostNoted is how many elements of one schema are noted at most. Values may lead to more of them than are listed.
const mostNoted = 4 * coverage.MostElements

// schema notes elements of a schema. A finding is rarely about all that its exchange touches, so an element that was right once stays right.
func (op *operationTally) schema(of string, all []coverage.Element, judgement Judgement) {
	known := op.schemas[of]
	if known == nil {
		known = map[coverage.Element]Judgement{}
		op.schemas[of] = known
	}
	for _, e := range all {
		if before, is := known[e]; before < judgement && (is || len(known) < mostNoted) {
			known[e] = judgement
		}
	}
}

// Coverage returns the coverage of a contract, by what was added so far.
func (t *CoverageTally) Coverage(c *spec.Contract) *Coverage {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := &Coverage{}
	operations := c.Operations()
	for i := range operations {
		all := coverage.Of(&operations[i])
		one := OperationCoverage{Operation: all.ID, Method: all.Method, Path: all.Path}
		op := t.operations[all.ID]
		if op == nil {
			op = &operationTally{}
		}
		one.Judgements, one.Succeeded = op.all, op.succeeded
		for status, n := range op.unsuccessful {
			one.Unsuccessful = append(one.Unsuccessful, Tallied{strconv.Itoa(status), n})
		}
		sortTallied(one.Unsuccessful)
		one.Statuses = op.listed(statusGroup, all.Statuses)
		one.Media = op.listed(mediaGroup, all.Media)
		one.Parameters = op.listed(parameterGroup, all.Parameters)
		for j := range all.Schemas {
			one.Schemas = append(one.Schemas, op.listedSchema(&all.Schemas[j]))
		}
		out.Operations = append(out.Operations, one)
	}
	return out
}

func (op *operationTally) listed(group byte, names []string) []ElementCoverage {
	var all []ElementCoverage
	for _, name := range names {
		one := ElementCoverage{Name: name}
		if known := op.elements[coveredName{group, name}]; known != nil {
			one.Judgements = *known
		}
		all = append(all, one)
	}
	return all
}

func (op *operationTally) listedSchema(s *coverage.Schema) SchemaCoverage {
	known := make([]Judgement, len(s.Elements))
	for i, e := range s.Elements {
		known[i] = op.schemas[s.Of][e]
	}
	return newSchemaCoverage(s.Of, known)
}

func newSchemaCoverage(of string, all []Judgement) SchemaCoverage {
	return SchemaCoverage{
		Of: of, Elements: len(all), Right: rangesOf(all, JudgedRight), Broken: rangesOf(all, JudgedBroken), Seen: rangesOf(all, OnlySeen),
	}
}

// Judgements returns the judgement of each element.
func (s *SchemaCoverage) Judgements() []Judgement {
	all := make([]Judgement, min(max(s.Elements, 0), coverage.MostElements))
	for _, one := range []struct {
		ranges    string
		judgement Judgement
	}{{s.Seen, OnlySeen}, {s.Broken, JudgedBroken}, {s.Right, JudgedRight}} {
		for part := range strings.SplitSeq(one.ranges, ",") {
			first, last, several := strings.Cut(part, "-")
			if !several {
				last = first
			}
			from, errFrom := strconv.Atoi(first)
			to, errTo := strconv.Atoi(last)
			if errFrom != nil || errTo != nil {
				continue
			}
			for i := max(from, 0); i <= min(to, len(all)-1); i++ {
				all[i] = one.judgement
			}
		}
	}
	return all
}

// rangesOf returns the numbers of the elements with a judgement: "0-4,7".
func rangesOf(all []Judgement, wanted Judgement) string {
	var parts []string
	for i := 0; i < len(all); i++ {
		if all[i] != wanted {
			continue
		}
		first := i
		for i+1 < len(all) && all[i+1] == wanted {
			i++
		}
		part := strconv.Itoa(first)
		if i > first {
			part += "-" + strconv.Itoa(i)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ",")
}

// Plus returns the union of the coverage of two parts of a run with the same contract. If that of one part is unknown, so is the union.
func (c *Coverage) Plus(d *Coverage) *Coverage {
	if c == nil || d == nil {
		return nil
	}
	out := &Coverage{Operations: slices.Clone(c.Operations)}
	for i := range d.Operations {
		more := &d.Operations[i]
		at := slices.IndexFunc(out.Operations, func(one OperationCoverage) bool { return one.Operation == more.Operation })
		if at < 0 {
			out.Operations = append(out.Operations, *more)
			continue
		}
		out.Operations[at] = out.Operations[at].plus(more)
	}
	return out
}

func (c OperationCoverage) plus(d *OperationCoverage) OperationCoverage {
	c.Judgements, c.Succeeded = c.Judgements.plus(d.Judgements), c.Succeeded+d.Succeeded
	c.Unsuccessful = plusTallied(c.Unsuccessful, d.Unsuccessful)
	c.Statuses, c.Media, c.Parameters = plusElements(c.Statuses, d.Statuses), plusElements(c.Media, d.Media), plusElements(c.Parameters, d.Parameters)
	c.Schemas = slices.Clone(c.Schemas)
	for i := range c.Schemas {
		for j := range d.Schemas {
			if d.Schemas[j].Of != c.Schemas[i].Of {
				continue
			}
			all := c.Schemas[i].Judgements()
			for k, one := range d.Schemas[j].Judgements() {
				if k < len(all) {
					all[k] = max(all[k], one)
				}
			}
			c.Schemas[i] = newSchemaCoverage(c.Schemas[i].Of, all)
		}
	}
	return c
}

func plusElements(all, more []ElementCoverage) []ElementCoverage {
	all = slices.Clone(all)
	for i := range all {
		for _, other := range more {
			if other.Name == all[i].Name {
				all[i].Judgements = all[i].Judgements.plus(other.Judgements)
			}
		}
	}
	return all
}

func plusTallied(all, more []Tallied) []Tallied {
	all = slices.Clone(all)
	for _, other := range more {
		if i := slices.IndexFunc(all, func(one Tallied) bool { return one.Name == other.Name }); i >= 0 {
			all[i].Count += other.Count
		} else {
			all = append(all, other)
		}
	}
	sortTallied(all)
	return all
}

func sortTallied(all []Tallied) {
	slices.SortFunc(all, func(a, b Tallied) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name)) })
}

// Dimension is a dimension of coverage, by which parts of the contract are counted.
type Dimension string

// The dimensions.
const (
	Operations Dimension = "operations"
	Statuses   Dimension = "statuses"
	MediaTypes Dimension = "media-types"
	Parameters Dimension = "parameters"
	Schemas    Dimension = "schemas"
)

// Dimensions returns all dimensions, in the order in which they are shown.
func Dimensions() []Dimension {
	return []Dimension{Operations, Statuses, MediaTypes, Parameters, Schemas}
}

// Covered is how many parts of the contract were judged, out of all; Broken of the judged ones have a finding.
type Covered struct {
	Judged int `json:"judged"`
	Broken int `json:"broken"`
	Seen   int `json:"seen"`
	All    int `json:"all"`
}

// count counts one part.
func (c *Covered) count(j Judgement) {
	c.All++
	switch j {
	case JudgedRight:
		c.Judged++
	case JudgedBroken:
		c.Judged++
		c.Broken++
	case OnlySeen:
		c.Seen++
	case Never:
	}
}

// Count counts parts of the contract by their judgements.
func Count(all []Judgement) Covered {
	var out Covered
	for _, one := range all {
		out.count(one)
	}
	return out
}

func (c Covered) plus(d Covered) Covered {
	return Covered{c.Judged + d.Judged, c.Broken + d.Broken, c.Seen + d.Seen, c.All + d.All}
}

// Reaches reports whether a percentage of all was judged. Of nothing, everything was.
func (c Covered) Reaches(percent float64) bool {
	return 100*float64(c.Judged) >= percent*float64(c.All)
}

// Percent returns the percentage that was judged.
func (c Covered) Percent() float64 {
	if c.All == 0 {
		return 100
	}
	return 100 * float64(c.Judged) / float64(c.All)
}

// Covered counts one dimension of an operation.
func (c *OperationCoverage) Covered(d Dimension) Covered {
	var out Covered
	elements := map[Dimension][]ElementCoverage{Statuses: c.Statuses, MediaTypes: c.Media, Parameters: c.Parameters}
	switch d {
	case Operations:
		out.count(c.Judgement())
	case Schemas:
		for i := range c.Schemas {
			out = out.plus(Count(c.Schemas[i].Judgements()))
		}
	case Statuses, MediaTypes, Parameters:
		for i := range elements[d] {
			out.count(elements[d][i].Judgement())
		}
	}
	return out
}

// Covered counts one dimension of the whole contract.
func (c *Coverage) Covered(d Dimension) Covered {
	var out Covered
	for i := range c.Operations {
		out = out.plus(c.Operations[i].Covered(d))
	}
	return out
}
