package variants

import (
	"cmp"
	"fmt"
	"slices"
)

// place is an aspect of a service that several freedoms change, each in its own way. In one service, one of them would hide the other.
type place struct {
	what     string
	freedoms []string
}

// places lists the places from the store outwards: of the freedoms of one service, those of later places see the changes of earlier ones. A
// freedom may have several places; the first determines its position. A freedom without a place hides more than one: with animals of its
// own, with other clients, or after a removal, whole scenarios are skipped.
func places() []place {
	return []place{
		{"lists", []string{
			"default-none", "default-pending", "default-sold", "default-varies",
			"order-oldest-first", "order-by-name", "order-by-status", "order-random", "order-differs-by-filter", "page-filtered-after-limit", "page-half-full",
		}},
		{"ids", []string{
			"ids-odd-beyond-2-53", "ids-negative", "ids-from-zero", "ids-across-zero", "ids-sparse", "ids-apart-by-2-32", "ids-by-tens", "ids-mirrored",
			"json-ids-point-zero",
		}},
		{"names", []string{
			"names-up-to-40", "names-up-to-255", "names-not-blank", "names-without-controls", "names-ascii", "names-plain", "names-basic-plane",
			"names-without-replacements", "names-once", "keys-repeated-accepted",
			"bytes-replaced", "bytes-left-out", "bytes-as-latin-1", "bytes-overlong-read", "bytes-cut-left-out",
			"halves-replaced", "halves-dropped", "halves-kept", "halves-replaced-on-read", "halves-dropped-on-read",
		}},
		{"categories", []string{"categories-only-1", "categories-positive", "categories-32-bits", "integers-in-any-form", "json-ids-point-zero"}},
		{"unknown fields", []string{"fields-unknown-refused", "fields-unknown-kept"}},
		{"media types of requests", []string{"media-415", "media-400-or-missing", "no-media-415"}},
		{"Location", []string{"location-absent"}},
		{"refusals of lists", []string{
			"limit-clamped", "limit-422", "limit-404", "limit-odd-means-20", "limit-odd-means-100", "limit-odd-means-none",
			"status-unknown-finds-none", "status-unknown-ignored", "status-unknown-422", "status-any-case", "parameter-last-wins",
		}},
		{"parameters", []string{"parameter-unknown-refused", "parameter-last-wins", "key-in-query"}},
		{"odd ids", []string{"id-odd-404", "id-odd-422"}},
		{"credentials", []string{"scheme-exact", "key-without-scheme", "key-in-query"}},
		{"other addresses", []string{"routes-html", "routes-app", "routes-slash", "orders-there"}},
		{"members of animals", []string{"pets-with-more", "pets-that-tell-the-time", "lists-with-less", "halves-kept", "halves-replaced-on-read", "halves-dropped-on-read"}},
		{"members of errors", []string{
			"errors-with-more", "errors-own-codes", "errors-empty", "errors-in-czech", "errors-in-japanese", "errors-status-point-zero",
		}},
		{"characters in JSON texts", []string{
			"names-without-controls", "names-ascii", "names-plain", "names-basic-plane", "json-escaped", "json-html-escaped",
		}},
		{"JSON texts", []string{"json-pretty", "json-space-around", "json-escaped", "json-html-escaped", "json-ids-point-zero", "halves-kept", "halves-replaced-on-read", "halves-dropped-on-read"}},
		{"Content-Type", []string{"label-charset", "label-case"}},
		{"headers", []string{"headers-many", "retry-after-always"}},
		{"address", []string{"prefix-deep", "prefix-twice", "prefix-other-version", "tls", "network"}},
		{"network", []string{"tls", "network", "gzip", "connection-close", "chunked"}},
		{"pace", []string{"slow", "slow-unevenly", "busy-429", "busy-429-a-second", "busy-429-silent", "busy-503", "retry-after-always"}},
		{"day", []string{"removed-tomorrow"}},
	}
}

// placesOf returns the places that a freedom changes, or nil for more than that.
func placesOf(freedom string) []string {
	var all []string
	for _, p := range places() {
		if slices.Contains(p.freedoms, freedom) {
			all = append(all, p.what)
		}
	}
	return all
}

// Unite returns the variant with all the named freedoms, in the right order. It fails if there is no such freedom, or if two change the
// same place.
func Unite(names []string) (Variant, error) {
	all, layers := Freedoms(), places()
	var chosen []Freedom
	taken := map[string]string{}
	for _, name := range names {
		i := slices.IndexFunc(all, func(f Freedom) bool { return f.Name == name })
		switch {
		case i < 0:
			return Variant{}, fmt.Errorf("no freedom is called %q", name)
		case len(names) > 1 && all[i].Places == nil:
			return Variant{}, fmt.Errorf("the freedom %s hides others", name)
		}
		for _, what := range all[i].Places {
			if other := taken[what]; other != "" {
				return Variant{}, fmt.Errorf("the freedoms %s and %s change the same place: %s", other, name, what)
			}
			taken[what] = name
		}
		chosen = append(chosen, all[i])
	}
	layer := func(f Freedom) int {
		return slices.IndexFunc(layers, func(p place) bool { return slices.Contains(p.freedoms, f.Name) })
	}
	slices.SortStableFunc(chosen, func(a, b Freedom) int { return cmp.Compare(layer(a), layer(b)) })
	var variants []Variant
	for _, f := range chosen {
		variants = append(variants, f.Variant)
	}
	return Join(variants...), nil
}
