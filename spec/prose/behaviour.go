package prose

import (
	"regexp"
	"strings"
)

// signal matches, in lower case, the words with which documents state what a service does, refuses or keeps, as opposed to what something is called.
var signal = regexp.MustCompile(`\b(` +
	`must|shall|should|will|would|cannot|can ?not|can't|won't|doesn't|don't|may not|never|always|only|no longer|no effect|(change|create|store|do)s? nothing|not (allowed|permitted|accepted|supported|returned|included|changed|possible)|` +
	`(is|are|be|been) (\w+ly )?(not |also )?(ignored|rejected|refused|denied|returned|omitted|included|excluded|sorted|ordered|set|reset|replaced|removed|deleted|created|kept|` +
	`retained|preserved|trimmed|truncated|rounded|normali[sz]ed|lower-?cased|upper-?cased|converted|generated|assigned|computed|calculated|updated|overwritten|changed|` +
	`applied|limited|capped|restricted|masked|hidden|encrypted|hashed|stored|validated|enforced|counted|incremented|listed|shown|visible|treated|merged|appended|added|inserted|` +
	`cancell?ed|archived|locked|closed|expired|escaped|paginated|cached)|` +
	`rejects?|refuses?|ignores?|keeps|leaves|overwrites?|sorts|orders by|limits|fails|succeeds|expires?|cascades?|trims?|truncates?|omits?|excludes?|replaces (the|all|every|any)|` +
	`(returns?|answers?|responds?) .*\b(if|unless|until|once|instead|whether|than)\b|(returns?|answers?|responds?)( with)?( an?)?( http)?( status)? [1-5]\d\d|` +
	`if|unless|until|once|whenever|otherwise|by default|defaults? (to|is|value)|default[:=]|maximum|minimum|at most|at least|no (more|less|fewer|longer) than|up to \d+|` +
	`between \S+ and|(greater|less|fewer|more|longer|shorter|earlier|later|higher|lower|larger|smaller) than|limited to|` +
	`required|mandatory|read[- ]?only|write[- ]?only|immutable|unique|idempoten\w+|case[- ](in)?sensitive|verbatim|unchanged|immediately|at once|atomic(ally)?|automatically|` +
	`ascending|descending|(newest|oldest|latest|earliest|largest|smallest|highest|lowest|most recent)( \w+)? first|one of|exclusive(ly)?|inclusive(ly)?|` +
	`http [1-5]\d\d|[1-5]\d\d (error|response|status)|status (code )?[1-5]\d\d|[45]\d\d)\b|` +
	`(^|[,;:] )when\b`)

// naming matches words that look like a promise, and only say what something is called or for.
var naming = regexp.MustCompile(`\b(that|which|who|to) (needs? |has |have )?(to be|will be|should be|must be)( \w+ed\b)?|\bto be \w+ed\b|\bcan be (used|found)\b|\brequired for\b|\bone of (the|our|your|these|those)\b`)

// aside matches sentences about the document, its examples and its readers.
var aside = regexp.MustCompile(`^(\W*)(see |for (more )?(details?|information|example|instance)|examples?\b|e\.g\.|learn |read (more|about)|refer to |more (info|details)|this (document|page|guide|section)|` +
	`deprecated\b|we |you (can|may|might) |https?://|note:?$|warning:?$|todo\b)|\?$|^\W*$`)

// StatesBehaviour reports whether a sentence says what a service does, needs or refuses: it contains a word with which documents say so. A mere
// name for an operation ("Lists all tickets.") or a value ("The name of the ticket.") states nothing that schemas and statuses do not.
func StatesBehaviour(sentence string) bool {
	sentence = strings.ToLower(sentence)
	if aside.MatchString(sentence) {
		return false
	}
	if name, ok := clause(sentence); ok {
		sentence = name
	}
	return signal.MatchString(naming.ReplaceAllString(sentence, " "))
}

// clause returns the rest of a sentence that is only a condition ("If the user is an administrator."), which names a value.
func clause(sentence string) (string, bool) {
	first, rest, more := strings.Cut(sentence, " ")
	if !more || strings.Contains(rest, ",") {
		return "", false
	}
	switch first {
	case "if", "when", "whether", "until", "once":
		return rest, true
	}
	return "", false
}
