package promise

import (
	"net/http"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/sentence"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// Steps for requests that no operation of the contract describes.
const (
	// MethodSent names an operation of the path.
	MethodSent sentence.Sentence = "GET is sent to the path of {name}"
	// HeadSent sends the successful request with another method.
	HeadSent = "HEAD is sent in its place"
	// LinkFollowed names a link.
	LinkFollowed sentence.Sentence = "the link {name} of its response is followed"
)

// lacksGET reports whether the path of an operation has no GET, and the operation is the first of the path. GET is
// the one method that can be tried on a service that lacks it: it is safe, and unlike HEAD, OPTIONS and TRACE no
// server answers it unless its author wants that. Paths with parameters are excluded, and those that another path
// matches too.
func lacksGET(op *spec.Operation, all []spec.Operation) bool {
	if strings.Contains(op.Path, "{") || slices.Contains(op.PathMethods, http.MethodGet) {
		return false
	}
	first := true
	for i := range all {
		other := &all[i]
		if other.Path == op.Path {
			if first && other.ID != op.ID {
				return false
			}
			first = false
		}
		if other.Method == http.MethodGet && covers(other.Path, op.Path) {
			return false
		}
	}
	return true
}

// covers reports whether a template matches a path, with each name in braces matching one or more segments.
func covers(template, path string) bool {
	want, have := strings.Split(strings.Trim(template, "/"), "/"), strings.Split(strings.Trim(path, "/"), "/")
	for i, segment := range want {
		switch {
		case strings.Contains(segment, "{") && i == len(want)-1:
			return len(have) > i
		case len(have) <= i, !strings.Contains(segment, "{") && segment != have[i]:
			return false
		}
	}
	return len(want) == len(have)
}

// readLinks returns the links of a response that lead to GET operations.
func readLinks(a *spec.DocumentedResponse, all []spec.Operation) []spec.Link {
	return slices.DeleteFunc(slices.Clone(a.Links), func(l spec.Link) bool {
		return !slices.ContainsFunc(all, func(op spec.Operation) bool { return op.ID == l.Operation && op.Method == http.MethodGet })
	})
}

// deriveMethod adds a method that the path lacks.
func deriveMethod(d *deriver) {
	if lacksGET(d.op, d.options.operations) {
		d.group(Case{
			Kind: MethodNotAllowed, Aspect: Elsewhere, Title: "GET, which " + d.op.Path + " does not have", When: []string{MethodSent.Write(d.op.ID)}, Contract: []string{d.op.Pointer},
		})
	}
}

// headless reports whether an operation is a GET whose path documents no HEAD.
func headless(op *spec.Operation, all []spec.Operation) bool {
	return op.Method == http.MethodGet && !slices.ContainsFunc(all, func(other spec.Operation) bool { return other.Path == op.Path && other.Method == http.MethodHead })
}

// deriveHead adds HEAD instead of GET.
func deriveHead(d *deriver) {
	if headless(d.op, d.options.operations) {
		d.group(Case{Kind: Head, Aspect: LikeGet, Title: "HEAD in the place of GET", When: []string{HeadSent}, Contract: []string{d.op.Pointer}})
	}
}

// deriveAccept adds a request for each documented media type of successes, if there are several. A service may
// still send another one (RFC 9110, section 12.4.1); the response is judged by the schema of its own type.
func deriveAccept(d *deriver) {
	var cases []Case
	known := map[string]bool{}
	for i := range d.op.Responses {
		a := &d.op.Responses[i]
		if a.Class() != 2 {
			continue
		}
		for j := range a.Content {
			media := a.Content[j].Type
			m, err := wire.ParseMedia(media)
			if err != nil || m.IsRange() || known[m.String()] || oneLine(media) != media {
				continue
			}
			known[m.String()] = true
			cases = append(cases, Case{
				Kind: Available, Aspect: Allowed, Title: "it asks for " + media, Change: changeOf(AsksFor, media), Contract: []string{a.Content[j].Pointer},
			})
		}
	}
	if len(cases) > 1 {
		d.group(cases...)
	}
}

// deriveLinks adds each documented link to a GET operation.
func deriveLinks(d *deriver) {
	var known []Kind
	for i := range d.op.Responses {
		a := &d.op.Responses[i]
		for _, l := range readLinks(a, d.options.operations) {
			kind := linkKind(l)
			if a.Class() != 2 || slices.Contains(known, kind) {
				continue
			}
			known = append(known, kind)
			d.group(Case{
				Kind: kind, Aspect: Follows, Title: "the link " + oneLine(l.Name) + " leads to " + l.Operation, When: []string{LinkFollowed.Write(l.Name)},
				Contract: []string{jsonpointer.Join(a.Definition(), "links", l.Name)},
			})
		}
	}
}

// linkKind returns the kind of promise of a link.
func linkKind(l spec.Link) Kind { return Link + Kind("."+slug(l.Name)) }
