package cli

import (
	"io"
	"os"

	"golang.org/x/term"

	"github.com/hallmark-kit/hallmark/reports/terminal"
)

// Output is a destination for text: a terminal or anything else.
type Output struct {
	io.Writer
	fd       int
	Terminal bool
	Colour   bool
	// Redraws reports whether a line can be redrawn.
	Redraws bool
}

// Output returns w as an output, and determines whether it is a terminal and supports colours.
func (e *Env) Output(w io.Writer) Output {
	s := Output{Writer: w, Colour: e.forcedColour()}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		s.fd, s.Terminal = int(f.Fd()), true
		s.Redraws = e.Getenv("TERM") != "dumb"
		s.Colour = s.Colour || s.Redraws
	}
	s.Colour = s.Colour && e.Getenv("NO_COLOR") == ""
	s.Writer = e.Guarded(w)
	return s
}

// forcedColour reports whether colours are wanted even without a terminal, as in the logs of most CI systems.
func (e *Env) forcedColour() bool {
	for _, name := range []string{"FORCE_COLOR", "CLICOLOR_FORCE"} {
		if v := e.Getenv(name); v != "" && v != "0" && v != "false" {
			return true
		}
	}
	return false
}

// Look returns how the text of a run is laid out on this output.
func (s Output) Look(d terminal.Detail) terminal.Look {
	return terminal.Look{Width: s.Width(), Colour: s.Colour, Detail: d}
}

// Width returns the current width of the terminal in columns, or 0 if there is none.
func (s Output) Width() int {
	if !s.Terminal {
		return 0
	}
	width, _, err := term.GetSize(s.fd)
	if err != nil {
		return 0
	}
	return width
}
