package prose

import "strings"

// taken is the end of a sentence that says that there is one with a value.
const taken = `(?: (?:already exists|exists(?: already)?|is already there|is there already|(?:was|has been) (?:already )?(?:created|registered|added)(?: already)?))`

// everywhere is a scope within which all that a run creates is: that of its client, or that of all resources, which are the group.
const everywhere = `(?: (?:across|within|in|among) (?:(?:the |your |this |an? )?(?:system|service|api|application|platform|account|organi[sz]ation|enterprise|company|workspace|tenant|database)|` +
	`(?:all |the |all the )?([a-z]+s)))?`

// uniquePatterns returns the patterns of sentences that say that no two resources have the same value.
func uniquePatterns() []pattern {
	const (
		refused = `(?:(?:it |this )?(?:returns?|answers?|responds with|gives|fails with) (?:an? )?(?:error|conflict|(?:http )?(?:status )?409(?: conflict)?)(?: error| response)?,? (?:if|when) |(?:returned|sent) (?:if|when) |conflict(?::|,| -|;) )`
		same    = `(?:with|by|of) (?:this|that|the same|the given|such an?|an identical) `
	)
	return []pattern{
		{form: Unique, conditional: true, places: []Place{Response}, re: said(refused + `?(?:there is (?:already )?)?(?:an?|the|another) ` + noun + ` ` + same + member + taken + `?`)},
		{form: Unique, conditional: true, places: []Place{Operation}, re: said(refused + `(?:there is (?:already )?)?(?:an?|the|another) ` + noun + ` ` + same + member + taken)},
		{form: Unique, conditional: true, places: []Place{Response}, re: said(refused + `?(?:the|this|that) ` + member + `(?: of (?:the|this|an?) ` + noun + `)? (?:(?:is|has been|was) (?:already )?(?:taken|in use|used|registered|known)(?: already)?|already exists|exists already)`)},
		{form: Unique, places: []Place{Operation, RequestBody}, re: said(`(?:the |all |each )?` + member + `(?: of (?:an?|the|each|every) ` + noun + `)? (?:must be|are|is|have to be|has to be) unique` + everywhere)},
		{form: Unique, places: []Place{Schema}, re: said(`(?:(?:it|this|this value|this field|this property|the value|its value) )?(?:must be|has to be) unique` + everywhere)},
	}
}

// unique sets what a sentence says about a value that no two have, and reports whether it is clear: the words for the value, none if the
// sentence describes it.
func (c *Claim) unique(bare string, groups []string, described bool) bool {
	var all []string
	for _, g := range groups {
		if g == "" {
			continue
		}
		if notNoun.MatchString(g) || strings.Contains(g, "combination") {
			return false
		}
		all = append(all, g)
	}
	if described {
		all = append([]string{""}, all...)
	}
	last := len(all) - 1
	switch {
	case last < 0 || last > 1 && all[1] != all[last]:
		return false
	case strings.Contains(bare, "unique"):
		c.Value = all[0]
		if last > 0 {
			c.Noun = all[last]
		}
	default:
		c.Value = all[last]
		if last > 0 {
			c.Noun = all[0]
		}
	}
	c.Statuses = nil
	return true
}
