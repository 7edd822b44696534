package terminal

import (
	"io"
	"strings"
	"sync"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/layout"
	"github.com/hallmark-kit/hallmark/reports/record"
)

// redraw is the interval between updates of the progress line.
const redraw = 100 * time.Millisecond

// ProgressLook configures the progress line.
type ProgressLook struct {
	// Total is the number of selected scenarios, or 0 if unknown.
	Total int
	// Width returns the current width of the terminal in columns, since windows are resized. nil means 80.
	Width func() int
	// Colour allows colours.
	Colour bool
}

// Progress shows the progress of a run on one line of a terminal. It updates the line at most ten times a second.
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

// StartProgress starts showing progress on a terminal. With a nil writer (output is piped) it shows nothing.
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

// Stop stops and clears the line. It may be called more than once.
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

// Write writes text in place of the progress line, which reappears below it. The text should end with a line feed.
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

// clearLine moves to the beginning of the line and erases it.
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

// progressPart is one item of the progress line.
type progressPart struct {
	text string
	st   layout.Style
}

// progressLine returns the progress in less than width columns, so that it never wraps. If the words do not fit, it shows only the
// figures, and drops those at the right that still do not fit.
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

// progressParts returns the items, the most important first.
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

// areaWords counts the scenarios of each area of rules. The short form begins with areas that have failures.
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

// remaining estimates the remaining time from the elapsed time, or returns "".
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
