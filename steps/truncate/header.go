package truncate

import (
	"slices"

	"hallmark/internal/text"
	"hallmark/spec"
)

// maxHeaders is how much of a response's headers a record keeps, in bytes; maxValues is how many of one name.
const maxHeaders, maxValues = 8 << 10, 20

// Headers returns r without the headers, or parts of them, that a record has no room for.
func Headers(r spec.Response) spec.Response {
	size := 0
	for name, values := range r.Header {
		for _, v := range values {
			size += len(name) + len(v)
		}
	}
	if size <= maxHeaders {
		return r
	}
	kept := r.Header.Clone()
	names := make([]string, 0, len(kept))
	for name := range kept {
		names = append(names, name)
	}
	slices.Sort(names)
	size = 0
	for _, name := range names {
		kept[name] = slices.Clone(kept[name][:min(len(kept[name]), maxValues)]) // the others let go of their memory
		for i, v := range kept[name] {
			kept[name][i] = text.TruncateBytes(v, maxHeaders/8)
			size += len(name) + len(kept[name][i])
		}
		if size > maxHeaders && !slices.Contains([]string{"Content-Type", "Location", "Retry-After", "Www-Authenticate"}, name) {
			delete(kept, name)
		}
	}
	r.HeadersLeftOut += len(r.Header) - len(kept)
	r.Header = kept
	return r
}
