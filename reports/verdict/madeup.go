package verdict

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// asked is the placeholder for the path's value within a response.
const asked = "\x00asked"

// addMadeUp records a success response for a resource that does not exist. Any later response with the same content is made up too,
// whichever rule finds it. An identifier that did not exist then may exist by now.
func (x *relations) addMadeUp(h holder) {
	if h.it.Kind != spec.KindStatus || !h.it.absent || h.it.Status/100 != http.StatusOK/100 {
		return
	}
	if text := x.besideThePath(h.it.at); text != "" {
		x.madeUp[text] = append(x.madeUp[text], h)
	}
}

// sameMadeUp returns the findings whose request for a missing resource got the same content as one of the item's exchanges.
func (x *relations) sameMadeUp(it *item) []holder {
	if len(x.madeUp) == 0 || it.Status != 0 {
		return nil
	}
	var all []holder
	for _, seq := range it.Exchanges {
		if text := x.besideThePath(seq); text != "" {
			all = append(all, x.madeUp[text]...)
		}
	}
	return all
}

// besideThePath returns the operation and the content of its response, without the value that the request's path names. It returns "" for
// responses that are no success or that contain nothing else.
func (x *relations) besideThePath(seq int) string {
	ex := x.exchanges.by[seq]
	if ex == nil || ex.Response == nil || ex.Response.Status/100 != http.StatusOK/100 {
		return ""
	}
	tree, there := x.valueShown(seq, nil)
	object, is := tree.(map[string]any)
	if !there || !is {
		return ""
	}
	u, err := url.Parse(ex.Request.URL)
	if err != nil {
		return ""
	}
	segments := map[string]bool{}
	for segment := range strings.SplitSeq(u.Path, "/") {
		segments[segment] = true
	}
	rest := map[string]any{}
	more := false
	for name, value := range object {
		if segments[scalarText(value)] {
			rest[name] = asked
			continue
		}
		rest[name], more = value, true
	}
	if !more {
		return ""
	}
	return ex.Operation + " " + textOf(rest)
}

// scalarText returns a number as written and a string as is, and "" for everything else.
func scalarText(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case json.Number:
		return value.String()
	}
	return ""
}
