package lifecycle

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// locationLeads implements "its Location leads to it". It reports a violation only if the Location is a URL of the
// operation that reads the resource, and shows another resource or none, while the identifier in the response can
// be read. A Location outside the contract, such as a page for people, is the service's own affair.
func locationLeads(ctx context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	at := in.created
	location := at.Exchange.Response.Header.Get("Location")
	life := in.story.life
	own, told := life.Creator.Identifier(life.Slot, at.Value.Tree, "", nil)
	switch {
	case at.Status() != http.StatusCreated || location == "":
		return judgement{}, scenario.Excusef("no Location came with a 201")
	case !told || fmt.Sprint(own) != fmt.Sprint(in.resource.Identifier()):
		return judgement{at: at, meaning: "the response itself does not say what was created"}, nil
	}
	id, ok := life.Slot.Located(location)
	if !ok {
		return judgement{at: at, meaning: "it leads to another place than where " + life.Reader.ID + " reads"}, nil
	}
	if strings.EqualFold(fmt.Sprint(id), fmt.Sprint(own)) {
		return judgement{at: at, kept: true}, nil
	}
	there := &instance{story: in.story, resource: in.resource.As(id)}
	if !nameable(s, there.resource) {
		return judgement{at: at, meaning: "what it names is not an identifier by the contract"}, nil
	}
	a, err := read(ctx, s, in, life.Reader, false)
	if err != nil {
		return judgement{}, err
	}
	if is, told := life.Identifier(in.note(a).Value.Tree); a.Status()/100 != 2 || !told || fmt.Sprint(is) != fmt.Sprint(own) {
		return judgement{at: a, meaning: "what was created is not read by its own identifier"}, nil
	}
	by, err := read(ctx, s, there, life.Reader, false)
	if err != nil {
		return judgement{}, err
	}
	in.note(by)
	if !sameURL(location, at.Exchange.Request.URL, by.Exchange.Request.URL) {
		return judgement{at: by, meaning: "it leads to another place than where " + life.Reader.ID + " reads"}, nil
	}
	expected := phrase.Of("what was created at its Location, {}", phrase.JSON(location))
	is, told := life.Identifier(by.Value.Tree)
	switch {
	case by.Status() == http.StatusNotFound || by.Status() == http.StatusGone:
		return wrong(s, by, spec.KindAnother, expected, phrase.Of("status {}", phrase.Status(by.Status()))), nil
	case by.Status()/100 != 2 || !told:
		return judgement{at: by, meaning: "what it leads to shows no identifier"}, nil
	case fmt.Sprint(is) == fmt.Sprint(own):
		return judgement{at: by, kept: true}, nil
	}
	return wrong(s, by, spec.KindAnother, expected, phrase.Of("{}", phrase.JSON(fmt.Sprint(is)))), nil
}

// sameURL reports whether a Location, resolved against from, equals to, ignoring the query.
func sameURL(location, from, to string) bool {
	base, err := url.Parse(from)
	if err != nil {
		return false
	}
	u, err := base.Parse(location)
	if err != nil {
		return false
	}
	other, err := url.Parse(to)
	return err == nil && u.Host == other.Host && strings.TrimSuffix(u.EscapedPath(), "/") == strings.TrimSuffix(other.EscapedPath(), "/")
}
