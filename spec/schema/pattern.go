package schema

import (
	"errors"
	"fmt"
	"regexp"
	"sync/atomic"
	"time"

	"github.com/dlclark/regexp2"
)

const (
	// maxPattern is the maximum length of a pattern that is compiled, in bytes.
	maxPattern = 20_000
	// matchTimeout bounds one match.
	matchTimeout = 500 * time.Millisecond
	// mostSlow is how often a pattern may time out before it is not tried any more.
	mostSlow = 3
)

// errSlow is returned when a match takes longer than matchTimeout.
var errSlow = errors.New("the pattern takes too long to match")

// pattern is a compiled pattern of ECMA-262.
type pattern struct {
	// linear is set if the pattern is a regular expression in the strict sense, which matches in linear time.
	linear *regexp.Regexp
	// full supports assertions and back references as well, and may take exponential time.
	full *regexp2.Regexp
	slow atomic.Int32
}

// patternOf returns a pattern, compiled once.
func patternOf(s *Set, text string) (*pattern, error) {
	s.mu.Lock()
	p, ok := s.patterns[text]
	s.mu.Unlock()
	if !ok {
		var err error
		if p, err = newPattern(text); err != nil {
			return nil, err
		}
		s.mu.Lock()
		s.patterns[text] = p
		s.mu.Unlock()
	}
	return p, nil
}

func newPattern(text string) (*pattern, error) {
	if len(text) > maxPattern {
		return nil, fmt.Errorf("it is longer than %d characters", maxPattern)
	}
	plain, err := rewrite(text)
	if err != nil {
		return nil, err
	}
	if linear, err := regexp.Compile(plain); err == nil {
		return &pattern{linear: linear}, nil
	}
	full, err := regexp2.Compile(plain, regexp2.ECMAScript|regexp2.Unicode)
	if err != nil {
		return nil, errNoMeaning
	}
	full.MatchTimeout = matchTimeout
	return &pattern{full: full}, nil
}

// match reports whether the pattern matches anywhere in a text. Its error is errSlow.
func (p *pattern) match(text string) (bool, error) {
	if p.linear != nil {
		return p.linear.MatchString(text), nil
	}
	if p.slow.Load() >= mostSlow {
		return false, errSlow
	}
	matches, err := p.full.MatchString(text)
	if err != nil {
		p.slow.Add(1)
		return false, errSlow
	}
	return matches, nil
}
