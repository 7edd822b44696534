package pattern

// naturalFormats are formats for which people write patterns. A pattern of digits and dashes also matches 9992-63-05, but a service
// that expects a date rejects it.
var naturalFormats = []string{"date", "date-time", "time", "uuid", "ipv4", "ipv6", "email", "uri", "duration"}

// plainTexts match patterns that are not meant for such a format.
var plainTexts = []string{"abc", "ABC", "a1", "12", "a-b", "a b"}

// natural tries texts of formats, unless the pattern accepts any text.
func (s *search) natural(seed uint64, count int) {
	for _, text := range plainTexts {
		if matches, err := s.p.Matches(text); err != nil || matches {
			return
		}
	}
	for _, format := range naturalFormats {
		texts, _ := Format(format, seed, 2*count, s.min, s.max)
		for _, text := range texts {
			if len(s.found) < count && s.try(text, true) && len(s.found) == count {
				return
			}
		}
	}
}
