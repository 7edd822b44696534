package compare

import (
	"io"
	"time"

	"github.com/hallmark-kit/hallmark/reports/jsonout"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
)

// Schema names the JSON format of a comparison; docs/comparison.schema.json describes it.
const Schema = "hallmark.comparison/v1"

type jsonComparison struct {
	Schema    string         `json:"schema"`
	Way       Mode           `json:"way"`
	Because   string         `json:"because"`
	Outcome   string         `json:"outcome"`
	Says      string         `json:"says"`
	Cautions  []string       `json:"cautions"`
	Runs      []jsonRun      `json:"runs"`
	Rules     []jsonRow      `json:"rules"`
	Questions []jsonQuestion `json:"questions"`
	Change    *jsonChange    `json:"change,omitempty"`
}

type jsonRun struct {
	Name           string                `json:"name"`
	File           string                `json:"file"`
	BaseURL        string                `json:"baseURL"`
	Implementation record.Implementation `json:"implementation,omitzero"`
	Suite          record.Suite          `json:"suite"`
	Started        time.Time             `json:"started,omitzero"`
	Verdict        verdict.Verdict       `json:"verdict"`
	Because        string                `json:"because"`
	Void           string                `json:"void,omitempty"`
}

type jsonRow struct {
	Rule     string            `json:"rule"`
	Level    spec.Level        `json:"level"`
	Verdicts []verdict.Verdict `json:"verdicts"`
}

type jsonQuestion struct {
	Rule    string     `json:"rule"`
	Level   spec.Level `json:"level"`
	Section string     `json:"section,omitempty"`
	Asks    string     `json:"asks,omitempty"`
	// Read is "differently", "in other words" or "alike".
	Read  string     `json:"read"`
	Items []jsonItem `json:"items"`
}

type jsonItem struct {
	Asked   []string  `json:"asked"`
	Answers []*string `json:"answers"`
	Differs bool      `json:"differs"`
}

type jsonChange struct {
	Broke    []jsonStep `json:"broke"`
	Fixed    []jsonStep `json:"fixed"`
	Still    []jsonStep `json:"stillBroken"`
	Lost     []jsonStep `json:"noLongerJudged"`
	Gained   []jsonStep `json:"judgedNow"`
	New      []jsonStep `json:"newRules"`
	Gone     []jsonStep `json:"goneRules"`
	Answered []string   `json:"answeredOtherwise"`
	Appeared []string   `json:"newScenarios"`
	Vanished []string   `json:"goneScenarios"`
	Slower   []jsonPace `json:"slower"`
	Quicker  []jsonPace `json:"quicker"`
}

type jsonStep struct {
	Rule   string          `json:"rule"`
	Level  spec.Level      `json:"level"`
	Before verdict.Verdict `json:"before"`
	After  verdict.Verdict `json:"after"`
	Fails  bool            `json:"fails"`
	Note   string          `json:"note,omitempty"`
	// Cause is the cause that shows it, on one line.
	Cause string `json:"cause,omitempty"`
}

type jsonPace struct {
	Operation string `json:"operation"`
	// The medians are in seconds.
	Before float64 `json:"before"`
	After  float64 `json:"after"`
}

// JSON writes the comparison for scripts. Everything that could control a terminal is escaped.
func JSON(c *Comparison, w io.Writer) error {
	word, because := c.Outcome()
	out := jsonComparison{
		Schema: Schema, Way: c.Mode, Because: c.Because, Outcome: word, Says: because, Cautions: listOf(c.Cautions),
		Runs: []jsonRun{}, Rules: []jsonRow{}, Questions: []jsonQuestion{},
	}
	for _, r := range c.Runs {
		out.Runs = append(out.Runs, jsonRun{
			Name: r.Name, File: r.File, BaseURL: r.BaseURL, Implementation: r.Implementation, Suite: r.Suite, Started: r.Started,
			Verdict: r.Verdict, Because: r.Because, Void: r.Void,
		})
	}
	for _, row := range c.Rows {
		out.Rules = append(out.Rules, jsonRow{row.Rule.ID, row.Rule.Level, row.Verdicts})
	}
	for _, q := range c.Questions {
		out.Questions = append(out.Questions, q.json())
	}
	if ch := c.Change; ch != nil {
		out.Change = ch.json()
	}
	j := jsonout.New(w)
	j.Value(out)
	j.Raw("\n")
	return j.Flush()
}

func (q Question) json() jsonQuestion {
	out := jsonQuestion{Rule: q.Rule.ID, Level: q.Rule.Level, Section: q.Rule.Section, Asks: q.Asks(), Read: "alike"}
	switch {
	case q.Differs():
		out.Read = "differently"
	case q.Worded():
		out.Read = "in other words"
	}
	for _, item := range q.Items {
		one := jsonItem{Asked: listOf(item.Asked), Differs: item.Differs}
		for _, answer := range item.Answers {
			if answer == "" {
				one.Answers = append(one.Answers, nil)
				continue
			}
			one.Answers = append(one.Answers, &answer)
		}
		out.Items = append(out.Items, one)
	}
	return out
}

func (ch *Change) json() *jsonChange {
	out := &jsonChange{
		Broke: stepsOf(ch.Broke), Fixed: stepsOf(ch.Fixed), Still: stepsOf(ch.Still), Lost: stepsOf(ch.Lost), Gained: stepsOf(ch.Gained),
		New: stepsOf(ch.New), Gone: stepsOf(ch.Gone), Answered: []string{},
		Appeared: listOf(ch.Appeared), Vanished: listOf(ch.Vanished), Slower: pacesOf(ch.Slower), Quicker: pacesOf(ch.Quicker),
	}
	for _, q := range ch.Questions {
		out.Answered = append(out.Answered, q.Rule.ID)
	}
	return out
}

func stepsOf(steps []Step) []jsonStep {
	out := []jsonStep{}
	for _, s := range steps {
		one := jsonStep{Rule: s.Rule.ID, Level: s.Rule.Level, Before: s.Before, After: s.After, Fails: s.Fails, Note: s.Note}
		if s.Cause != nil {
			one.Cause = s.Cause.Rule + ": " + s.Cause.Message
		}
		out = append(out, one)
	}
	return out
}

func pacesOf(paces []Pace) []jsonPace {
	out := []jsonPace{}
	for _, p := range paces {
		out = append(out, jsonPace{p.Operation, p.Before.Median.Seconds(), p.After.Median.Seconds()})
	}
	return out
}

// listOf returns a list that JSON encodes as [] if it is empty.
func listOf(all []string) []string {
	if all == nil {
		return []string{}
	}
	return all
}
