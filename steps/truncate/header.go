package truncate

import (
	"slices"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
)

// maxHeaders is the size of a response's headers that a record keeps, in bytes; maxValues is the number of values of one name.
const maxHeaders, maxValues = 8 << 10, 20

// Headers returns r without headers, or parts of them, that exceed the limits of records.
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
		kept[name] = slices.Clone(kept[name][:min(len(kept[name]), maxValues)]) // the clone releases the memory of the other values
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
