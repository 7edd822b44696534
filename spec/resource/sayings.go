package resource

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// sayings are the words of an operation, by place.
type sayings struct {
	id string
	// lead is the verb of the id; empty if its first word is not one.
	lead string
	// segments are the path segments without parameters, and the values of parameters that the document states; after
	// are those after the last parameter that names a resource.
	segments, after []string
	summary         string
	tags            []string
}

func sayingsOf(op *spec.Operation) sayings {
	said := sayings{id: op.ID, summary: op.Summary, tags: op.Tags}
	if said.summary == "" {
		said.summary, _, _ = strings.Cut(op.Description, "\n")
		said.summary, _, _ = strings.Cut(said.summary, ". ")
	}
	path, _, _ := strings.Cut(op.Path, "#")
	for s := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
		if !strings.Contains(s, "{") {
			if s != "" {
				said.segments, said.after = append(said.segments, s), append(said.after, s)
			}
			continue
		}
		name := strings.Trim(s, "{}")
		p, ok := pathParameter(op, name)
		if !ok || !Fixed(p) {
			_, verb, _ := strings.Cut(s[strings.LastIndexByte(s, '}')+1:], ":") // "/things/{id}:undelete"
			if said.after = nil; verb != "" {
				said.segments, said.after = append(said.segments, verb), append(said.after, verb)
			}
			continue
		}
		stated := strings.ReplaceAll(strings.Join(p.Schema.Enum, "-"), `"`, "")
		said.segments, said.after = append(said.segments, stated), append(said.after, stated)
	}
	skip := append(wordsIn(strings.Join(op.Tags, " ")), strings.ToLower(op.Method), "api", "service", "controller", "admin", "rest", "bulk", "batch", "mass", "using")
	for _, w := range wordsIn(op.ID) {
		if !slices.ContainsFunc(skip, func(s string) bool { return s == w || singular(s) == singular(w) }) {
			said.lead = verb(w)
			break
		}
	}
	return said
}

// last returns the last segment of the path, or "".
func (said sayings) last() string {
	if len(said.segments) == 0 {
		return ""
	}
	return said.segments[len(said.segments)-1]
}

// summaryVerb returns the first word of the summary in its base form.
func (said sayings) summaryVerb() string {
	if all := wordsIn(said.summary); len(all) > 0 {
		return verb(all[0])
	}
	return ""
}

// reads reports whether a POST only queries, by its verb or the last word of its path.
func (said sayings) reads() bool {
	last := wordsIn(said.last())
	if changesToo(last) || changesToo(wordsIn(said.id)) {
		return false
	}
	return slices.Contains(reading, said.lead) || len(last) > 0 && slices.Contains(reading, last[len(last)-1]) && !slices.Contains(creating, said.lead) ||
		len(last) > 0 && slices.Contains(reading, last[0])
}

// creates returns the danger of an operation that creates a resource; top reports whether that has no parent.
func (said sayings) creates(top bool) Danger {
	last := said.last()
	for _, h := range hazards {
		for _, phrase := range h.always {
			if where := said.where(phrase, true); where != "" {
				return h.danger(phrase, where)
			}
		}
		if top && slices.Contains(h.nouns, noun(last)) {
			return h.danger(last, "its path")
		}
	}
	return Danger{}
}

// harms returns the danger of an operation that is not known to create a resource, and whose path names none. adds
// reports whether it seems to add something nevertheless.
func (said sayings) harms(adds bool) Danger {
	for _, h := range hazards {
		for _, phrase := range slices.Concat(h.always, h.named) {
			if where := said.where(phrase, false); where != "" && (!adds || !slices.Contains([]string{"bulk", "batch", "mass", "maintenance"}, phrase)) {
				return h.danger(phrase, where)
			}
		}
		for _, v := range h.verbs {
			switch {
			case containsPhrase(wordsIn(said.last()), v) && (!adds || !said.addsThings(v)), !slices.Contains([]string{"default", "role"}, v) && slices.Contains(said.segments, v):
				return h.danger(v, "its path")
			case said.lead == v || len(strings.Fields(v)) > 1 && containsPhrase(wordsIn(said.id), v):
				return h.danger(v, "its id")
			case said.summaryVerb() == v:
				return h.danger(v, "its summary")
			}
		}
	}
	return Danger{}
}

// addsThings reports whether a POST that adds something adds what the plural of a verb names, which is not the act: "triggers", but not "resets".
func (said sayings) addsThings(verb string) bool {
	things := []string{"arm", "crash", "forward", "outage", "relay", "scale", "trigger"}
	return slices.Contains(things, verb) && !slices.Contains(wordsIn(said.last()), verb)
}

// where returns where a phrase occurs: in the id, the path, the summary or a tag; or "". few excludes the first
// segments of the path and the tags, which name what an operation belongs to.
func (said sayings) where(phrase string, few bool) string {
	segments := said.segments
	if few && len(segments) > 0 {
		segments = segments[len(segments)-1:]
	}
	switch {
	case containsPhrase(wordsIn(said.id), phrase):
		return "its id"
	case slices.ContainsFunc(segments, func(s string) bool { return containsPhrase(wordsIn(s), phrase) }):
		return "its path"
	case containsPhraseNear(wordsIn(said.summary), phrase):
		return "its summary"
	case !few && slices.ContainsFunc(said.tags, func(t string) bool { return containsPhrase(wordsIn(t), phrase) }):
		return "a tag"
	}
	return ""
}

// isAboutSettings reports whether the path is that of settings.
func (said sayings) isAboutSettings() bool {
	return slices.ContainsFunc(said.segments, func(s string) bool {
		return slices.Contains([]string{"setting", "preference", "config", "configuration", "option"}, noun(s))
	})
}

// movesShared returns the danger of an action on one resource that changes a shared state.
func (said sayings) movesShared() Danger {
	thrown := func() bool {
		all := slices.Concat(wordsIn(said.id), wordsIn(strings.Join(said.segments, " ")), wordsIn(said.summary), wordsIn(strings.Join(said.tags, " ")))
		return slices.ContainsFunc(all, func(w string) bool { return slices.Contains(discarded, w) })
	}
	d := Danger{Does: "move a state that all share"}
	for _, phrase := range sharedAnywhere {
		where := ""
		switch {
		case slices.ContainsFunc(said.after, func(s string) bool { return containsPhrase(wordsIn(s), phrase) }):
			where = "its path"
		case containsPhrase(wordsIn(said.id), phrase) && (said.lead == phrase || strings.Contains(phrase, " ")):
			where = "its id"
		case said.summaryVerb() == phrase || strings.Contains(phrase, " ") && containsPhraseNear(wordsIn(said.summary), phrase):
			where = "its summary"
		}
		if where != "" && (!slices.Contains([]string{"restore", "recover"}, phrase) || !thrown()) {
			d.Says = strconv.Quote(phrase) + " in " + where
			return d
		}
	}
	for _, word := range sharedStateWords {
		if slices.ContainsFunc(said.after, func(s string) bool { return strings.EqualFold(s, word) }) {
			d.Says = strconv.Quote(word) + " in its path"
			return d
		}
	}
	return Danger{}
}

// changesToo reports whether words that begin like a query say that something is changed as well: "fetch and lock", "delete by query", "check out".
func changesToo(all []string) bool {
	if len(all) < 2 {
		return false
	}
	changes := func(word string) bool {
		return slices.Contains(changeVerbs, word) || slices.Contains(removing, word) || slices.Contains(creating, word)
	}
	for i, word := range all[:len(all)-1] {
		if next := all[i+1]; slices.Contains([]string{"and", "or", "then"}, word) && changes(next) || word == "check" && (next == "in" || next == "out") {
			return true
		}
	}
	return changes(all[0]) && slices.Contains(all, "by")
}
