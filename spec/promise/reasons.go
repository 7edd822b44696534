package promise

import (
	"net/http"
	"regexp"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// otherReason matches words with which documents describe refusals for reasons that no schema expresses: things
// that exist already or are used up, that cannot be combined, or that are possible only at certain times.
var otherReason = regexp.MustCompile(`(?i)\b(already|exists?|existing|duplicates?|unique|taken|reserved|in use|conflicts?|conflicting|overlaps?|quota|budget|capacity|` +
	`insufficient|funds|balance|stock|sold out|fully booked|expired?|elapsed|closed|locked|busy|unavailable|available|free|eligible|` +
	`in the (past|future)|too (late|early|soon)|before|after|earlier|later|cannot|can ?not|can't|could not|unable|impossible|possible|` +
	`not (allowed|permitted|enough|ready)|combination|combined|together|contradict(s|ory|ing)?|inconsistent|incompatible|mutually|exclusive|` +
	`depend(s|ing|ent|ency)?|business|semantic(s|ally)?|polic(y|ies)|state|precondition|limit (is |was )?(reached|exceeded)|but|although|despite|` +
	`do(es)? not (exist|match|belong|fit)|nonexistent|no such|no longer)\b`)

// unreadable matches descriptions of requests that cannot be parsed, which is a matter of the schema.
var unreadable = regexp.MustCompile(`(?i)\b(cannot|can ?not|can't|could not|couldn't|unable to|impossible to)( be)? (pars|read|decod|process|underst|deseriali|validat|interpret)\w*`)

// generic matches the words in which documents describe refusals by schema, or say nothing specific.
var generic = regexp.MustCompile(`(?i)\b(unprocessable|entity|content|validation|validat\w*|invalid|malformed|bad|wrong|incorrect|missing|required|requests?|body|bodies|payload|inputs?|` +
	`parameters?|params?|arguments?|fields?|values?|propert(y|ies)|attributes?|data|json|schema|format(s|ted)?|form|syntax|errors?|fail(s|ed|ure)?|client|` +
	`supplied|provided|given|passed|sent|or|and|the|an?|of|in|is|are|was|were|for|to|with|not|this|that|it|by|due|be|has|have|http|status|code|response|` +
	`when|if|which|contains?|containing|one|more|some|something|anything|operations?|calls?|api|endpoint|valid|allowed|unexpected|details?|see|message|semantic|understood|can|read|readable|right)\b`)

// SaysOtherReason reports whether the document describes a response of an operation so that a valid request may
// get it: the description names another reason, or the operation distinguishes a 422 from a 400 in its own words.
func SaysOtherReason(op *spec.Operation, status int) bool {
	a := op.ResponseFor(status)
	if a == nil || a.Class() != 4 || status == http.StatusUnsupportedMediaType {
		return false
	}
	if otherReason.MatchString(unreadable.ReplaceAllString(a.Description, "")) {
		return true
	}
	if status != http.StatusUnprocessableEntity || a.Status != status || exactly(op, http.StatusBadRequest) == nil {
		return false
	}
	left := generic.ReplaceAllString(a.Description, "")
	return strings.ContainsFunc(left, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 127 })
}
