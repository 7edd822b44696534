package service

import (
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"
)

// etag is the entity tag of a row.
func (s *Service) etag(e entry) string {
	tag := strconv.Quote(fmt.Sprintf("%v-%d", e.key, e.row.version))
	switch {
	case s.is("etags-weak", "etags-never-strong"):
		return "W/" + tag
	case s.is("etags-of-encodings"):
		return strconv.Quote(strings.Trim(tag, `"`) + "-gzip")
	case s.is("etags-by-the-second"):
		return strconv.Quote(fmt.Sprintf("%v-%x", e.key, e.row.changed.Unix()))
	case s.is("etags-of-responses"):
		return strconv.Quote(fmt.Sprintf("%s.%d", strings.Trim(tag, `"`), s.served))
	}
	return tag
}

// listed reports whether a list of entity tags holds one, by the weak comparison.
func listed(all, tag string) bool {
	for one := range strings.SplitSeq(all, ",") {
		if one = strings.TrimSpace(one); one == "*" || strings.TrimPrefix(one, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}

// unmodified returns the response to a read by whoever knows the representation; nil for others.
func unmodified(a *asked, tag string, out reply) *reply {
	known := a.Header.Get("If-None-Match")
	if known == "" || a.is("never-304") || a.shop.is("etags-of-encodings") || !listed(known, tag) && !a.is("always-304") {
		return nil
	}
	header := out.header
	if a.shop.is("304-bare") || a.is("304-without-etag") {
		header = http.Header{}
	}
	return &reply{status: http.StatusNotModified, header: header}
}

// meant refuses a change to another representation than the request means.
func meant(a *asked, e entry) *reply {
	wanted, tag := a.Header.Get("If-Match"), a.shop.etag(e)
	strict := a.shop.is("etags-never-strong", "etags-of-encodings") && wanted != "*"
	switch {
	case wanted == "", a.is("if-match-ignored"), a.is("if-match-by-id") && strings.HasPrefix(wanted, fmt.Sprintf(`"%v-`, e.key)):
		return nil
	case listed(wanted, tag) && !strict && !a.is("if-match-refused"):
		return nil
	}
	status := http.StatusPreconditionFailed
	if a.shop.is("stale-409") {
		status = http.StatusConflict
	}
	out := a.refused(status, "the book has been changed since")
	if sent, is := a.value.(map[string]any); is && a.is("stale-stored") {
		maps.Copy(e.row.members, sent)
	}
	return &out
}
