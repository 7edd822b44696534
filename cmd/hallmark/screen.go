package main

import (
	"io"
	"os"

	"golang.org/x/term"

	"hallmark/reports"
)

// screen is where text for people goes: a terminal, or something that only keeps it.
type screen struct {
	io.Writer
	fd       int
	terminal bool
	colour   bool
	// steered reports whether a line can be drawn again and again.
	steered bool
}

func (a *app) screen(w io.Writer) screen {
	s := screen{Writer: w, colour: a.forcedColour()}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		s.fd, s.terminal = int(f.Fd()), true
		s.steered = a.env("TERM") != "dumb"
		s.colour = s.colour || s.steered
	}
	s.colour = s.colour && a.env("NO_COLOR") == ""
	s.Writer = a.guarded(w)
	return s
}

// forcedColour reports whether colours are wanted also where there is no terminal, as in the logs of most CI systems.
func (a *app) forcedColour() bool {
	for _, name := range []string{"FORCE_COLOR", "CLICOLOR_FORCE"} {
		if v := a.env(name); v != "" && v != "0" && v != "false" {
			return true
		}
	}
	return false
}

// look is how the text of a run is laid out here.
func (s screen) look(d reports.Detail) reports.Look {
	return reports.Look{Width: s.width(), Colour: s.colour, Detail: d}
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
