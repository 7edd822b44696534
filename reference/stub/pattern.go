package stub

import (
	"hallmark/spec"
	"hallmark/spec/pattern"
)

// patterned returns texts that the pattern or the format of a schema wants; those of another n are others, where there are many.
func patterned(a *api, s *spec.Schema, n int) []string {
	if s = core(s); s == nil {
		return nil
	}
	low, high := 0, -1
	if s.MinLength != nil {
		low = int(min(*s.MinLength, 1000))
	}
	if s.MaxLength != nil {
		high = int(min(*s.MaxLength, 1000))
	}
	seed := a.maker.seed + uint64(max(0, n))*7919
	var all []string
	if s.Pattern != "" {
		if p, err := pattern.Compile(s.Pattern); err == nil {
			all = p.Strings(seed, 4, low, high)
		}
	}
	if s.Format != "" {
		if texts, ok := pattern.Format(s.Format, seed, 4, low, high); ok {
			all = append(all, texts...)
		}
	}
	return all
}
