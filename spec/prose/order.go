package prose

import (
	"regexp"
	"strings"
)

// Parts of the patterns of orders.
const (
	newest = `(?:newest|latest|most recent(?:ly (?:created|added))?)`
	oldest = `(?:oldest|earliest)`
	// leads is the end of a sentence that says what comes first.
	leads = `(?:with )?(?:the )?(` + newest + `|` + oldest + `)(?: (?:created )?` + noun + `)?(?: (?:appearing|listed|shown|returned|coming|being))? first\)?(?: by default)?`
	// items is the subject of a sentence about all items of a list.
	items = `(?:(?:by default,? )?(?:the |all )?(?:list|results?|items?|entries|objects?|response|` + noun + `) (?:is|are) (?:always )?(?:listed |returned |shown |given )?)`
	// lists is the beginning of a sentence that says what an operation lists.
	lists = `(?:(?:lists?|returns?|gets?|retrieves?|shows?|fetch(?:es)?|all|an? (?:page|list) of)\b[\w' ,/-]*?,? ?\(?)`
	sorts = `(?:sorted|ordered|in (?:the )?order|in sorted order)`
	by    = `(?: by default)? by (?:the |their |its )?`
	// member is what a list is sorted by.
	member = `([a-z][\w' -]{1,38}?)`
)

// orderPatterns returns the patterns of sentences that say in which order a list is.
func orderPatterns() []pattern {
	places := []Place{Operation, Response}
	return []pattern{
		{form: Ordered, places: places, re: said(`(?:` + lists + `|` + items + `)(?:` + sorts + `(?:` + by + member + `)?)?,? ?` + leads)},
		{form: Ordered, places: places, re: said(`(?:` + lists + `|` + items + `)` + sorts + by + member + `,? (?:\(|in )?(ascending|descending|asc|desc)(?: order)?\)?(?: by default)?`)},
		{form: Ordered, places: places, re: said(`(?:` + lists + `|` + items + `)` + sorts + by + `(ascending|descending) ` + member)},
		{form: Ordered, places: places, re: said(`(?:` + lists + `|` + items + `)(?:sorted |ordered )?(?:by default )?in (ascending|descending) order(?: of|` + by + `) ?` + member)},
	}
}

// partly matches words by which an order is not that of the whole list.
var partly = regexp.MustCompile(`\b(group(ed|s)?|within|each|every|pinned|then|whose|versions?|releases?|relevance|score|match(es|ing)?|random|search|query|of the (newest|oldest|latest))\b`)

// creation matches names for the time at which something was created.
var creation = regexp.MustCompile(`^(?:(?:date|time) (?:of creation|created)|creation(?: (?:date|time|timestamp|datetime))?s?|created(?: (?:at|on|date|time))?|(?:date|time) (?:they were|it was) created)$`)

// order sets what a sentence says about an order, and reports whether it is clear.
func (c *Claim) order(bare string, groups []string) bool {
	if partly.MatchString(bare) {
		return false
	}
	way, nouns := "", []string(nil)
	for _, g := range groups {
		switch {
		case direction.MatchString(g):
			way = g
		case notNoun.MatchString(g):
			return false
		case c.Value == "" && sortedBy(bare, g):
			c.Value = g
		case g != "":
			nouns = append(nouns, g)
		}
	}
	if way == "" || strings.Count(bare, "first") > 1 || c.Value == "" && strings.Contains(bare, "order of ") {
		return false
	}
	before := bare[:strings.LastIndex(bare, way)]
	if c.Value != "" {
		before = strings.Replace(before, "by "+c.Value, "", 1)
	}
	if before = sorting.ReplaceAllString(before, ""); another.MatchString(before) {
		return false
	}
	for _, n := range nouns {
		if c.Noun != "" && c.Noun != n {
			return false
		}
		c.Noun = n
	}
	c.Descending = strings.HasPrefix(way, "desc") || !strings.HasPrefix(way, "asc") && !strings.HasPrefix(way, "oldest") && !strings.HasPrefix(way, "earliest")
	c.Created = creation.MatchString(c.Value) || c.Value == "" && strings.Contains(way, "ly ")
	c.Statuses = nil
	return true
}

var (
	// sorting matches words that introduce an order, another those of a second one.
	sorting = regexp.MustCompile(`\b(?:by default|in sorted order|(?:sorted|ordered|in (?:the )?order)(?: by default)?(?: by| of)?(?: the| their| its)?)\b`)
	another = regexp.MustCompile(`\b(?:by|before|after|first|order\w*|sort\w*|top|rank\w*|rated|unread)\b`)
)

// sortedBy reports whether words of a sentence are those for what a list is sorted by.
func sortedBy(bare, words string) bool {
	at := strings.Index(bare, words)
	return words != "" && at > 0 && sortedBefore.MatchString(bare[:at])
}

// sortedBefore matches what precedes the words for what a list is sorted by.
var sortedBefore = regexp.MustCompile(`(?: by| of|\b(?:ascending|descending))(?: the| their| its)? $`)

// direction matches the words for a direction.
var direction = regexp.MustCompile(`^(?:asc(?:ending)?|desc(?:ending)?|` + newest + `|` + oldest + `)$`)
