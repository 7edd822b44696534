package promise

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strconv"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/phrase"
)

// ErrorStatus is the promise that a member of an error which the document describes as the HTTP status is that of the response.
const ErrorStatus Kind = "error-status"

// saysThat begins the source of a rule that is inferred from a sentence, which it quotes.
const saysThat = "the document describes "

// repeatsStatus matches descriptions of a member that repeats the status of its own response, and otherStatus those that may mean the status
// of something else.
var (
	repeatsStatus = regexp.MustCompile(`(?i)\bHTTP (response )?status\b|\bHTTP (response )?code\b|\bstatus( code)? of (the|this) (HTTP )?response\b`)
	otherStatus   = regexp.MustCompile(`(?i)\b(upstream|origin(al)?|provider|remote|backend|callback|webhook|deliver\w*|target|destination|last|previous|third|item|each|sub-?\w*|similar|class|categor\w*|if|may|optional\w*|internal)\b`)
)

// statusMember is a member of an error that the document describes as the HTTP status of the response.
type statusMember struct {
	path        []string
	pointer     string
	description string
}

// statusMembers returns the integers of an error's schema that the document describes as the HTTP status of the response, at its top or in an
// object there.
func statusMembers(s *spec.Schema) []statusMember { return statusMembersWithin(s, nil) }

func statusMembersWithin(s *spec.Schema, path []string) []statusMember {
	const deepest = 1
	var all []statusMember
	for _, part := range partsOf(s, 0) {
		for i := range part.Properties {
			p := &part.Properties[i]
			if p.Schema == nil {
				continue
			}
			at := append(slices.Clone(path), p.Name)
			switch says := p.Schema.Description; {
			case p.Schema.Type == "object" && len(path) < deepest:
				all = append(all, statusMembersWithin(p.Schema, at)...)
			case p.Schema.Type == "integer" && repeatsStatus.MatchString(says) && !otherStatus.MatchString(says):
				all = append(all, statusMember{path: at, pointer: p.Schema.Pointer, description: says})
			}
		}
	}
	return all
}

// showsOtherStatus reports whether an example of a response has another number in the place of its status: the document means something else.
func showsOtherStatus(a *spec.DocumentedResponse, m *spec.Media, at []string) bool {
	examples := m.Examples
	if m.Schema != nil {
		examples = append(slices.Clone(examples), m.Schema.Examples...)
	}
	return a.Status != 0 && slices.ContainsFunc(examples, func(e spec.Example) bool {
		d, err := exactjson.Decode([]byte(e.JSON))
		if err != nil {
			return false
		}
		value, there := exactjson.Lookup(d.Tree, at)
		n, number := value.(json.Number)
		whole, _ := exactjson.CanonicalInt(n)
		return there && number && !plausibleFor(whole, m.Schema, e, a.Status)
	})
}

// plausibleFor reports whether a number of an example may be the status of a response. The examples of a schema that several responses share
// have the status of one of them.
func plausibleFor(number string, s *spec.Schema, e spec.Example, status int) bool {
	if s != nil && slices.Contains(s.Examples, e) {
		n, err := strconv.Atoi(number)
		return err == nil && n >= http.StatusBadRequest && n < 600
	}
	return number == strconv.Itoa(status)
}

// documentsErrorStatus reports whether a response is an error that repeats its status.
func documentsErrorStatus(a *spec.DocumentedResponse) bool {
	return a.Class() != 2 && a.Class() != 3 && slices.ContainsFunc(a.Content, func(m spec.Media) bool { return m.IsJSON() && len(statusMembers(m.Schema)) > 0 })
}

// errorStatus judges that an error has the status of the response where the document describes a member so.
func (x *responseJudge) errorStatus(m *spec.Media, tree any) {
	if x.ex.Response.Status < http.StatusBadRequest || isProblem(m.Type) {
		return
	}
	status := strconv.Itoa(x.ex.Response.Status)
	for _, member := range statusMembers(m.Schema) {
		value, _ := exactjson.Lookup(tree, member.path)
		n, is := value.(json.Number)
		if !is || showsOtherStatus(x.answer, m, member.path) {
			continue
		}
		x.exercised(ErrorStatus)
		if whole, _ := exactjson.CanonicalInt(n); whole == status {
			continue
		}
		pointer := jsonpointer.Join("", member.path...)
		x.find(ErrorStatus, spec.Finding{
			Kind: spec.KindDiffers, Detail: pointer, Expected: phrase.Of("{}, the status of the response", phrase.JSON(status)),
			Actual: phrase.Of("{}", phrase.JSON(exactjson.Describe(n))), Contract: member.pointer, Pointer: pointer, Where: x.place().At(pointer),
		})
	}
}

// RepeatedStatus returns where errors of a media type repeat the status of their response; false where the document says so of no member.
func RepeatedStatus(m *spec.Media) ([]string, bool) {
	if m == nil || !m.IsJSON() {
		return nil, false
	}
	members := statusMembers(m.Schema)
	if len(members) == 0 {
		return nil, false
	}
	return members[0].path, true
}

// describeErrorStatus adds that errors repeat their status.
func (d *describer) describeErrorStatus() {
	for i := range d.op.Responses {
		a := &d.op.Responses[i]
		if !documentsErrorStatus(a) {
			continue
		}
		for _, m := range a.Content {
			if members := statusMembers(m.Schema); m.IsJSON() && len(members) > 0 {
				name := jsonpointer.Join("", members[0].path...)
				d.addRule(ErrorStatus, true, "Errors of "+d.op.ID+" have the status of the response in "+name, d.content(documentsErrorStatus)...)
				d.source("inferred: " + saysThat + name + " as: " + oneLine(members[0].description))
				return
			}
		}
	}
}
