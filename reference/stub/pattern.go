package stub

import (
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/pattern"
)

// patterned returns texts that match the pattern or the format of a schema; another n gives other texts, if there
// are many.
func patterned(a *api, s *spec.Schema, n int) []string {
	if s == nil {
		return nil
	}
	low, high := leastLength(s), -1
	for _, p := range certainBases(s) {
		if p.MaxLength != nil && (high < 0 || int(*p.MaxLength) < high) {
			high = int(min(*p.MaxLength, 1000))
		}
	}
	seed := a.maker.seed + uint64(max(0, n))*7919
	var all []string
	for _, p := range certainBases(s) {
		if p.Pattern != "" {
			if compiled, err := pattern.Compile(p.Pattern); err == nil {
				all = append(all, compiled.Strings(seed, 4, low, high)...)
			}
		}
		if p.Format != "" {
			if texts, ok := pattern.Format(p.Format, seed, 4, low, high); ok {
				all = append(all, texts...)
			}
		}
	}
	return all
}
