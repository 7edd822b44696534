package compare

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
)

// Question is an open rule, or a should rule that only some keep, with the answers of each run.
type Question struct {
	Rule spec.Rule
	// Items groups the requests with the same answers, those with different readings first.
	Items []Item
}

// Item is a group of requests with the same answers in each run. Answers holds each run's answer in run order, or "" if the run did not
// make the requests.
type Item struct {
	Asked   []string
	Answers []string
	// Differs reports whether the runs read the question differently, and not only in wording or counts.
	Differs bool
}

// Differs reports whether the question is an ambiguity: implementations read it differently.
func (q Question) Differs() bool {
	return slices.ContainsFunc(q.Items, func(i Item) bool { return i.Differs })
}

// Worded reports whether the answers differ only in wording and counts.
func (q Question) Worded() bool {
	return !q.Differs() && slices.ContainsFunc(q.Items, func(i Item) bool { return len(i.Groups()) > 1 })
}

// Asks returns the question.
func (q Question) Asks() string {
	if q.Rule.Asks != "" {
		return q.Rule.Asks
	}
	return q.Rule.Says
}

// Group is an answer with the indexes of the runs that gave it.
type Group struct {
	Answer string
	Runs   []int
}

// Groups returns the different answers in run order, without runs that were not asked.
func (i Item) Groups() []Group {
	var all []Group
	for run, answer := range i.Answers {
		if answer == "" {
			continue
		}
		at := slices.IndexFunc(all, func(g Group) bool { return g.Answer == answer })
		if at < 0 {
			at = len(all)
			all = append(all, Group{Answer: answer})
		}
		all[at].Runs = append(all[at].Runs, run)
	}
	return all
}

// questions returns the open questions in row order.
func questions(runs []*Run, rows []Row) []Question {
	var all []Question
	for _, row := range rows {
		switch {
		case row.Rule.Level == spec.Open:
			if items := openItems(runs, row.Rule.ID); len(items) > 0 {
				all = append(all, Question{Rule: row.Rule, Items: items})
			}
		case row.Rule.Level == spec.Should && row.Sort() == Differing:
			all = append(all, Question{Rule: row.Rule, Items: []Item{shouldItem(runs, row)}})
		}
	}
	return all
}

// openItems joins the parts of an open rule that each run answered in the same way.
func openItems(runs []*Run, rule string) []Item {
	var asked []string
	for _, r := range runs {
		for a := range r.Answers[rule] {
			if r.Void == "" {
				asked = append(asked, a)
			}
		}
	}
	slices.Sort(asked)
	var items []Item
	at := map[string]int{}
	for _, a := range slices.Compact(asked) {
		item := Item{Asked: []string{a}}
		full, rough := map[string]bool{}, map[string]bool{}
		for _, r := range runs {
			answers := r.answers(rule, a)
			item.Answers = append(item.Answers, textOf(answers))
			if len(answers) == 0 {
				continue
			}
			rough[read(answers, true)] = true
			if !r.Empty {
				full[read(answers, false)] = true // counts in an empty store mean nothing
			}
		}
		item.Differs = len(full) > 1 || len(rough) > 1
		key := strings.Join(item.Answers, "\x00")
		if i, seen := at[key]; seen {
			items[i].Asked = append(items[i].Asked, a)
			continue
		}
		at[key] = len(items)
		items = append(items, item)
	}
	slices.SortStableFunc(items, func(x, y Item) int {
		switch {
		case x.Differs == y.Differs:
			return 0
		case x.Differs:
			return -1
		}
		return 1
	})
	return items
}

// answers returns a run's answers to a part of an open rule. A run that examined all responses and saw nothing of the kind says so.
func (r *Run) answers(rule, asked string) []OpenAnswer {
	switch v := r.Rules[rule]; {
	case r.Void != "":
		return nil
	case v.Verdict == verdict.NotExercised && v.Reason == verdict.Unseen:
		return []OpenAnswer{{Text: verdict.Unseen, Reading: verdict.Unseen, Count: -1}}
	}
	return r.Answers[rule][asked]
}

// textOf joins several answers to one question.
func textOf(answers []OpenAnswer) string {
	all := make([]string, len(answers))
	for i, a := range answers {
		all[i] = a.Text
	}
	return strings.Join(all, " or ")
}

// read returns the combined reading of several answers to one question. If rough is set, it ignores their counts.
func read(answers []OpenAnswer, rough bool) string {
	all := make([]string, len(answers))
	for i, a := range answers {
		all[i] = a.Reading
		if !rough {
			all[i] += " " + a.magnitude()
		}
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), "\x00")
}

// magnitude returns roughly how many resources an answer held: none, or a power of ten.
func (a OpenAnswer) magnitude() string {
	switch {
	case a.Count < 0:
		return ""
	case a.Count == 0:
		return "0"
	}
	return "about 10^" + strconv.Itoa(len(strconv.FormatInt(a.Count, 10))-1)
}

// shouldItem returns which runs keep a should rule.
func shouldItem(runs []*Run, row Row) Item {
	item := Item{Differs: true}
	for i, v := range row.Verdicts {
		answer := ""
		switch standing(v) {
		case good:
			answer = "keeps it"
		case bad, known:
			answer = "breaks it"
			if c := runs[i].cause(row.Rule.ID); c != nil && c.Rule == row.Rule.ID {
				answer += ": " + c.Message
			}
		default:
		}
		item.Answers = append(item.Answers, answer)
	}
	return item
}

// Ambiguities returns the questions that were read differently.
func (c *Comparison) Ambiguities() []Question {
	return c.chosen(Question.Differs)
}

// Worded returns the questions whose answers differ only in wording and counts.
func (c *Comparison) Worded() []Question { return c.chosen(Question.Worded) }

// Agreed returns the questions that all runs that were asked answer in the same way.
func (c *Comparison) Agreed() []Question {
	return c.chosen(func(q Question) bool { return !q.Differs() && !q.Worded() })
}

func (c *Comparison) chosen(is func(Question) bool) []Question {
	var all []Question
	for _, q := range c.Questions {
		if is(q) {
			all = append(all, q)
		}
	}
	return all
}

// unasked returns the runs that were not asked.
func (i Item) unasked() []int {
	var all []int
	for run, answer := range i.Answers {
		if answer == "" {
			all = append(all, run)
		}
	}
	return all
}

// askedShown is the maximum number of requests named.
const askedShown = 6

// asked lists the requests of an item on one line; long lists are cut.
func (i Item) asked() string {
	all := i.Asked
	if len(all) > askedShown {
		all = append(slices.Clone(all[:askedShown]), "and "+text.Number(len(all)-askedShown)+" more")
	}
	return strings.Join(all, ", ")
}
