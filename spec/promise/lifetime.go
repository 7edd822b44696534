package promise

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/resource"
)

// lifetime matches words with which documents say that resources expire by themselves.
var lifetime = regexp.MustCompile(`(?i)\b(expir(es?|ed|y|ation|ing)|life ?time|time[ -]to[ -]live|ttl|short[ -]lived|ephemeral|ends by itself|` +
	`(deleted|removed|dropped|discarded|purged|cleaned up|gone|valid|kept|stored|lives?|retained|available) (automatically )?(after|for|within|only for|until) )`)

// untilMembers are normalized names of members that hold the time of expiry, forMembers of those that hold a
// lifetime in seconds.
var (
	untilMembers = []string{"expires", "expiresat", "expireat", "expiry", "expiration", "expirationdate", "expirationtime", "expirydate", "expireson", "validuntil", "validto", "deletedat", "endsat"}
	forMembers   = []string{"expiresin", "expirein", "ttl", "lifetime", "timetolive", "maxage", "validfor"}
)

// Ended returns why a created resource may be gone by itself, or "": the document says that it has a lifetime, or
// its representation says when it expires. shown is its representation, since the time since its creation, and
// seen reports whether it has been seen.
func Ended(life resource.Life, shown map[string]any, now time.Time, since time.Duration, seen bool) string {
	const slow = 10 * time.Second
	told := false
	for name, value := range shown {
		switch {
		case slices.Contains(untilMembers, normalizedName(name)):
			if end, ok := momentOf(fmt.Sprint(value)); ok {
				told = true
				if !now.Before(end) {
					return name + " says until when it is there, which has passed"
				}
			}
		case slices.Contains(forMembers, normalizedName(name)):
			if n, ok := numberOf(value); ok {
				told = true
				if seconds, _ := n.Float64(); since.Seconds() >= seconds {
					return name + " says how long it is there, which has passed"
				}
			}
		}
	}
	if told {
		return "" // it has not expired yet
	}
	if !seen && since < slow {
		return "" // no lifetime worth documenting is that short
	}
	var texts []string
	for _, op := range []*spec.Operation{life.Creator.Operation, life.Reader, life.Remover} {
		if op == nil {
			continue
		}
		texts = append(texts, op.Summary, op.Description)
		for i := range op.Responses {
			texts = append(texts, op.Responses[i].Description)
		}
	}
	if life.Record != nil {
		texts = append(texts, life.Record.Title, life.Record.Description)
	}
	for _, text := range texts {
		if found := lifetime.FindString(text); found != "" {
			return "the document speaks of its lifetime (" + strings.TrimSpace(found) + ")"
		}
	}
	return ""
}
