package verdict

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"hallmark/spec"
)

// asked replaces what the path names in what a response shows.
const asked = "\x00asked"

// addMadeUp records what was returned for a resource that does not exist: a later response that shows the same
// shows something made up, whichever rule finds it. An identifier that belonged to nothing may belong to something
// by then.
func (x *relations) addMadeUp(h holder) {
	if h.it.Kind != spec.KindStatus || !h.it.absent || h.it.Status/100 != http.StatusOK/100 {
		return
	}
	if text := x.besideThePath(h.it.at); text != "" {
		x.madeUp[text] = append(x.madeUp[text], h)
	}
}

// sameMadeUp are those by whom the same was shown to a request for what is not there as one of a finding's exchanges shows.
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

// besideThePath is the operation and what its response shows, without what the path of the request names; empty
// for a response that is no success, and for one that shows nothing else.
func (x *relations) besideThePath(seq int) string {
	ex := x.exchanges.by[seq]
	if ex == nil || ex.Response == nil || ex.Response.Status/100 != http.StatusOK/100 {
		return ""
	}
	tree, there := x.shown(seq, nil)
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

// scalarText is a number as it is written and a text as it is, empty for everything else.
func scalarText(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case json.Number:
		return value.String()
	}
	return ""
}
