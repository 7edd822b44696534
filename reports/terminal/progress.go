package terminal

import (
	"io"
	"strings"
	"sync"
	"time"

	"hallmark/internal/text"
	"hallmark/reports/layout"
	"hallmark/reports/record"
)

// redraw is the time between two drawings of the progress line.
const redraw = 100 * time.Millisecond

// ProgressLook is how progress is shown.
type ProgressLook struct {
	// Total is the number of scenarios that were selected; 0 when it is not known.
	Total int
	// Width asks for the terminal's width in columns, as it is now: windows are resized. nil stands for 80.
	Width func() int
	// Colour allows colours.
	Colour bool
}

// Progress shows on one line of a terminal how far a run is. It draws at most ten times a second.
type Progress struct {
	w     io.Writer
	rec   *record.Recorder
	look  ProgressLook
	began time.Time
	mu    sync.Mutex // guards the line on the terminal
	stop  chan struct{}
	done  chan struct{}
	once  sync.Once
}

// StartProgress begins to show progress on a terminal. With a nil writer (output is piped) nothing is ever shown.
func StartProgress(w io.Writer, rec *record.Recorder, look ProgressLook) *Progress {
	p := &Progress{w: w, rec: rec, look: look, began: time.Now(), stop: make(chan struct{}), done: make(chan struct{})}
	if w == nil {
		close(p.done)
		return p
	}
	go func() {
		defer close(p.done)
		tick := time.NewTicker(redraw)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				p.draw()
			case <-p.stop:
				return
			}
		}
	}()
	return p
}

// Stop ends it and clears the line. It may be called more than once.
func (p *Progress) Stop() {
	p.once.Do(func() { close(p.stop) })
	<-p.done
	if p.w == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	io.WriteString(p.w, clearLine)
}

// Write puts text on the terminal in place of the progress line, which comes back below it. The text should end with a
// line feed.
func (p *Progress) Write(text []byte) (int, error) {
	if p.w == nil {
		return len(text), nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, err := p.w.Write(append([]byte(clearLine), text...)); err != nil {
		return 0, err
	}
	return len(text), nil
}

// clearLine goes to the beginning of the line and erases it.
const clearLine = "\r\x1b[K"

func (p *Progress) draw() {
	width := 0
	if p.look.Width != nil {
		width = p.look.Width()
	}
	line := progressLine(p.rec.Tally(), p.look.Total, time.Since(p.began), width, p.look.Colour)
	p.mu.Lock()
	defer p.mu.Unlock()
	io.WriteString(p.w, clearLine+line)
}

// progressPart is one fact of the progress line.
type progressPart struct {
	text string
	st   layout.Style
}

// progressLine says how far a run is, in less than width columns, so that it never wraps. Where the words do not fit, the
// figures stand alone; what has no room even so is left out at the right.
func progressLine(t record.Tally, total int, elapsed time.Duration, width int, colour bool) string {
	if width <= 0 {
		width = 80
	}
	parts := progressParts(t, total, elapsed, false)
	if !fit(parts, width) {
		parts = progressParts(t, total, elapsed, true)
	}
	page := layout.New(width, colour)
	var line strings.Builder
	used := 0
	for i, p := range parts {
		gap := ""
		if i > 0 {
			gap = progressGap
		}
		room := width - 1 - used - text.Columns(gap)
		if text.Columns(p.text) > room {
			if i == 0 || i == len(parts)-1 && room > 12 {
				line.WriteString(gap + page.Paint(p.st, text.TruncateColumns(p.text, room)))
			}
			break
		}
		line.WriteString(gap + page.Paint(p.st, p.text))
		used += text.Columns(gap) + text.Columns(p.text)
	}
	return line.String()
}

const progressGap = " · "

func fit(parts []progressPart, width int) bool {
	used := -text.Columns(progressGap)
	for _, p := range parts {
		used += text.Columns(progressGap) + text.Columns(p.text)
	}
	return used < width
}

// progressParts are the facts, what matters most first.
func progressParts(t record.Tally, total int, elapsed time.Duration, short bool) []progressPart {
	done := text.Count(t.Scenarios, "scenario")
	switch {
	case total > 0 && short:
		done = text.Number(t.Scenarios) + "/" + text.Number(total)
	case total > 0:
		done = text.Number(t.Scenarios) + "/" + text.Count(total, "scenario")
	}
	parts := []progressPart{{done, layout.Bold}}
	if t.Failed > 0 {
		parts = append(parts, progressPart{text.Number(t.Failed) + " failed", layout.Red})
	}
	if t.Errors > 0 {
		parts = append(parts, progressPart{text.Count(t.Errors, "error"), layout.Red})
	}
	if left := remaining(t.Scenarios, total, elapsed); left != "" {
		if short {
			left = strings.TrimPrefix(left, "about ")
		}
		parts = append(parts, progressPart{left, layout.Plain})
	}
	if !short {
		parts = append(parts, progressPart{text.Count(t.Exchanges, "exchange"), layout.Plain})
	}
	if elapsed >= redraw {
		parts = append(parts, progressPart{text.Number(int(float64(t.Exchanges)/elapsed.Seconds())) + "/s", layout.Plain})
	}
	if len(t.Areas) > 0 {
		parts = append(parts, progressPart{areaWords(t.Areas, short), layout.Dim})
	}
	return parts
}

// areaWords counts the scenarios of each area of rules. Short, those with failures come first.
func areaWords(areas []record.AreaTally, short bool) string {
	var words, failing []string
	for _, a := range areas {
		word := a.Area + " " + text.Number(a.Done)
		switch {
		case a.Failed > 0 && short:
			failing = append(failing, word+" ("+text.Number(a.Failed)+" failed)")
			continue
		case a.Failed > 0:
			word += " (" + text.Number(a.Failed) + " failed)"
		}
		words = append(words, word)
	}
	return strings.Join(append(failing, words...), " ")
}

// remaining guesses how long a run still takes, from how long it took so far; empty when there is nothing to go by.
func remaining(done, total int, elapsed time.Duration) string {
	if done == 0 || done >= total || elapsed < time.Second {
		return ""
	}
	left := time.Duration(float64(elapsed) / float64(done) * float64(total-done))
	if left < time.Minute {
		return "about " + text.Number(int(left/time.Second)+1) + " s left"
	}
	return "about " + text.Duration(left) + " left"
}
