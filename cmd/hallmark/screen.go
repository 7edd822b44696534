package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// screen is where text for people goes: a terminal, or something that only keeps it.
type screen struct {
	io.Writer
	fd       int
	terminal bool
	colour   bool
	// steered tells that a line can be drawn again and again.
	steered bool
}

func (a *app) screen(w io.Writer) screen {
	s := screen{Writer: w}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		s.fd, s.terminal = int(f.Fd()), true
		s.steered = a.env("TERM") != "dumb"
		s.colour = s.steered && a.env("NO_COLOR") == ""
	}
	return s
}

// width is that of the terminal in columns, as it is now; 0 when there is none.
func (s screen) width() int {
	if !s.terminal {
		return 0
	}
	width, _, err := term.GetSize(s.fd)
	if err != nil {
		return 0
	}
	return width
}
