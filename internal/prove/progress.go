package prove

import (
	"fmt"
	"io"
	"slices"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// Progress immediately reports outcomes that are not as expected and, if lines can be redrawn, how far a proof is.
type Progress struct {
	out     io.Writer
	redraws bool
}

// NewProgress returns a progress that writes to out; redraws reports whether out is a terminal that draws lines again.
func NewProgress(out io.Writer, redraws bool) *Progress { return &Progress{out, redraws} }

// Of returns a function to be called with each of total outcomes.
func (p *Progress) Of(total int) func(Outcome) {
	done, bad := 0, 0
	erase := ""
	if p.redraws {
		erase = "\r\x1b[K"
	}
	return func(o Outcome) {
		done++
		if !o.OK {
			bad++
			fmt.Fprintf(p.out, "%s%s %s: %s\n", erase, o.Kind, o.Name, o.wrong())
		}
		if erase == "" {
			return
		}
		fmt.Fprintf(p.out, "%s%d of %d judged", erase, done, total)
		if bad > 0 {
			fmt.Fprintf(p.out, ", %d not as expected", bad)
		}
		if done == total {
			fmt.Fprint(p.out, erase)
		}
	}
}

// wrong says in a few words what is not as expected.
func (o *Outcome) wrong() string {
	switch {
	case o.Failure != "":
		return "could not be judged: " + text.Visible(o.Failure)
	case o.Kind != Fault:
		return "accused" + o.togetherWith() + ": " + text.Visible(o.Example)
	case !o.Killed:
		return "survives; it breaks " + o.Rule
	case o.Diagnosed:
		return fmt.Sprintf("found %d times of %d", o.Hits, o.Tries)
	}
	return "breaks " + o.Rule + ", diagnosed as " + o.Lead
}

// togetherWith names the other freedoms together with which a freedom has findings, if it is accepted alone.
func (o *Outcome) togetherWith() string {
	others := slices.DeleteFunc(slices.Clone(o.Together), func(name string) bool { return name == o.Name })
	if len(others) == 0 {
		return ""
	}
	return " together with " + text.Enumerate(others, "and")
}
