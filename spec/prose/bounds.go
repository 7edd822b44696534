package prose

import (
	"regexp"
	"strings"
)

// Words for how two values are ordered.
const (
	morePhrase = `(?:later than|after|greater than|larger than|higher than|more than|bigger than)`
	lessPhrase = `(?:earlier than|before|less than|smaller than|lower than|fewer than)`
	orSo       = `(?: or (?:equal to|the same as|on|at))?`
)

// boundPatterns returns the patterns of sentences that say that one value lies above or below another.
func boundPatterns() []pattern {
	const (
		subject = `(?:(?:it|this|the value|this value|this field) )?`
		least   = `(?:on or after|at or after|no earlier than|not earlier than|no less than|not less than|at least|greater than or equal to|later than or equal to)`
		most    = `(?:on or before|at or before|no later than|not later than|no greater than|no more than|not more than|at most|less than or equal to|earlier than or equal to)`
		mustBe  = `(?:must|has to|have to) (?:always )?(?:be|lie) `
		mustNot = `(?:must not|can ?not|can't|may not) (?:be|lie) `
		order   = `(?:` + mustBe + `(` + morePhrase + `|` + lessPhrase + `|` + least + `|` + most + `)|(` + mustNot + `(?:` + morePhrase + `|` + lessPhrase + `)))` + orSo + ` (?:the )?(?:value of )?`
		refused = `(?:(?:it |this )?(?:returns?|answers?|responds with|gives|fails with) (?:an? )?(?:error|(?:http )?(?:status )?4\d\d(?: bad request| unprocessable (?:entity|content))?)(?: error| response)?,? (?:if|when) |(?:returned|sent) (?:if|when) )`
		wrong   = `(?:the )?` + member + ` (?:is|lies) (not (?:` + morePhrase + `|` + lessPhrase + `)|` + morePhrase + `|` + lessPhrase + `)` + orSo + ` (?:the )?` + member
	)
	requests := []Place{Operation, RequestBody}
	return []pattern{
		{form: Bounded, places: []Place{Schema}, re: said(subject + order + member)},
		{form: Bounded, places: requests, re: said(`(?:the )?` + member + ` ` + order + member)},
		{form: Bounded, conditional: true, places: []Place{Operation}, re: said(refused + wrong)},
		{form: Bounded, conditional: true, places: []Place{Response}, re: said(refused + `?` + wrong)},
	}
}

var (
	negated   = regexp.MustCompile(`^(?:not |no |must not |can ?not |can't |may not )`)
	greater   = regexp.MustCompile(`\b(?:later|after|greater|larger|higher|more|bigger)\b`)
	unequal   = regexp.MustCompile(`\b(?:later|after|greater|larger|higher|more|bigger|earlier|before|less|smaller|lower|fewer|least|most)\b`)
	forbidden = regexp.MustCompile(` (?:is|lies) `)
)

// bounds sets what a sentence says about two values, and reports whether it is clear: the words for the lower one as Low and for the upper
// one as High, empty for the value that the sentence describes.
func (c *Claim) bounds(bare string, groups []string) bool {
	var way string
	var names []string
	for _, g := range groups {
		switch {
		case g == "":
		case unequal.MatchString(g) && way == "":
			way = g
		default:
			if strings.Contains(g, " ") && notNoun.MatchString(g) { // from and to are names
				return false
			}
			names = append(names, g)
		}
	}
	if way == "" || len(names) == 0 || len(names) > 2 {
		return false
	}
	up := greater.MatchString(way)
	switch {
	case way == "at least":
		up = true
	case negated.MatchString(way) && !forbidden.MatchString(bare), !negated.MatchString(way) && forbidden.MatchString(bare):
		up = !up // what must not be below is above, and what is refused if it is below
	}
	first, second := "", names[len(names)-1]
	if len(names) == 2 {
		first = names[0]
	}
	c.Low, c.High, c.Statuses = second, first, nil
	if !up {
		c.Low, c.High = first, second
	}
	return true
}
