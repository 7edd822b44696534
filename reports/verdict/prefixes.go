package verdict

import (
	"regexp"
	"slices"
	"strings"
)

// passing is what may be another the next time: numbers that are no status, and names that a run makes up.
var passing = regexp.MustCompile(`status [0-9]{3}\b|hallmark-|[0-9]+`)

// commonPrefixes returns the beginnings of messages by which the same breaches are known again in the next run: as long as they can be
// without what differs from one message, and one run, to the next.
func commonPrefixes(messages []string) []string {
	groups := map[string][]string{}
	for _, m := range messages {
		sort := passing.ReplaceAllStringFunc(quotedText.ReplaceAllString(m, `"…"`), func(found string) string {
			if strings.HasPrefix(found, "status ") {
				return found // 200 for 401 is one breach, 500 for 401 another
			}
			return "0"
		})
		groups[sort] = append(groups[sort], m)
	}
	var all []string
	for _, group := range groups {
		all = append(all, commonPrefix(group))
	}
	slices.Sort(all) // a start stands before whatever it covers
	var few []string
	for _, s := range all {
		if !slices.ContainsFunc(few, func(shorter string) bool { return strings.HasPrefix(s, shorter) }) {
			few = append(few, s)
		}
	}
	return few
}

// commonPrefix is what all messages of a sort begin with.
func commonPrefix(group []string) string {
	common := group[0]
	for _, m := range group[1:] {
		for !strings.HasPrefix(m, common) {
			common = common[:len(common)-1]
		}
	}
	// What is expected of many requests alike is no accident.
	steady := 0
	if len(group) > 1 {
		steady = max(strings.Index(common, ", actual "), 0)
	}
	for _, at := range passing.FindAllStringIndex(common, -1) {
		found := common[at[0]:at[1]]
		if strings.HasPrefix(found, "status ") || at[0] < steady && found != "hallmark-" {
			continue
		}
		common = common[:at[0]]
		break
	}
	if len(common) < len(group[0]) {
		common = strings.TrimRight(strings.ToValidUTF8(common, ""), `"' `)
	}
	if !strings.HasPrefix(common, "expected ") {
		common = "expected "
	}
	return common
}
