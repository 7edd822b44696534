package traffic

import (
	"hash/maphash"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// incidental are request headers that certainly select no representation. Others may: credentials, languages, versions, tenants, and what some
// services know their tenants by (Host, Origin, Referer).
var incidental = []string{
	"Accept-Encoding", "Cache-Control", "Connection", "Content-Length", "Content-Type", "Date", "Expect", "Idempotency-Key", "If-Match", "If-Modified-Since", "If-None-Match",
	"If-Unmodified-Since", "Pragma", "Te", "Traceparent", "Tracestate", "Transfer-Encoding", "X-Correlation-Id", "X-Request-Id",
}

// client returns a hash of the request headers that may select what a response shows.
func (w *window) client(x *Exchange) uint64 {
	var h maphash.Hash
	h.SetSeed(w.seed)
	add := func(text string) {
		_, _ = h.WriteString(text) // never fails
		_ = h.WriteByte(0)
	}
	add(x.Authority)
	for _, name := range slices.Sorted(maps.Keys(x.Request.Header)) {
		if slices.Contains(incidental, name) {
			continue
		}
		add(name)
		for _, value := range x.Request.Header[name] {
			add(value)
		}
	}
	return h.Sum64()
}

// key returns the key of what is compared: its purpose, the host by all the ways in which a request names it, and what else has to be the
// same.
func key(p purpose, x *Exchange, parts ...string) string {
	all := []string{string(p), x.Origin, x.Authority}
	for _, name := range []string{"Host", "X-Forwarded-Host"} {
		all = append(all, strings.Join(x.Request.Header[name], ","))
	}
	return strings.Join(append(all, parts...), "\x00")
}

// masks matches values of headers that recorders write in place of credentials.
var masks = regexp.MustCompile(`(?i)secret|redact|mask|hidden|remov|xxx|\*\*|\$`)

// identified reports whether it is known as whom the client asked. Recorders leave out credentials, or mask them.
func identified(x *Exchange) bool {
	if !x.RequestHeadersUnknown {
		return true
	}
	found := false
	for name, values := range x.Request.Header {
		if !holdsSecret(name) || len(values) == 0 {
			continue
		}
		if slices.ContainsFunc(values, masks.MatchString) {
			return false
		}
		found = true
	}
	return found
}
