package github

import (
	"io"
	"sync"
)

// Guard passes text on so that the runner interprets no part of it as a command: neither "::" at the beginning of a line, possibly after
// spaces, nor "##[" anywhere. Both are broken by a space. Other text is unchanged.
//
// These are what actions/runner looks for in every line of both outputs (ActionCommand.cs).
func Guard(to io.Writer) io.Writer { return &guard{to: to, fresh: true} }

type guard struct {
	mu sync.Mutex
	to io.Writer
	// fresh reports whether the line has only spaces so far.
	fresh bool
	// colon reports whether the line begins with a colon, hashes counts the preceding hash signs.
	colon  bool
	hashes int
	// escape reports whether a terminal escape sequence is in progress.
	escape bool
}

func (g *guard) Write(text []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	out := make([]byte, 0, len(text)+8)
	for _, c := range text {
		switch {
		case c == '\n' || c == '\r':
			g.fresh, g.colon, g.escape = true, false, false
		case g.escape:
			g.escape = c == '[' || c == ';' || c >= '0' && c <= '9'
		case c == 0x1b:
			g.escape = true
		case g.fresh && c == ':' && g.colon:
			out = append(out, ' ')
			g.fresh = false
		case g.fresh && c == ':':
			g.colon = true
		case c == ' ' || c == '\t' || c == '\v' || c == '\f' || c >= 0x80: // other scripts have their own spaces
			g.colon = false
		default:
			g.fresh = false
		}
		if c == '[' && g.hashes >= 2 {
			out = append(out, ' ')
		}
		if c == '#' {
			g.hashes++
		} else {
			g.hashes = 0
		}
		out = append(out, c)
	}
	if _, err := g.to.Write(out); err != nil {
		return 0, err
	}
	return len(text), nil
}
