package record

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"

	"hallmark/spec"
)

// spill keeps ended scenarios and their exchanges in a file instead of in memory, as a sequence of entries.
type spill struct {
	file *os.File
	// written is the size of the entries in the file, in bytes. The entries in pending follow them.
	written int64
	pending []byte
	// exchanges counts the spilled exchanges.
	exchanges int
	// err is the first error of writing. Nothing is spilled after it.
	err error
}

// spillBufferSize is how much is written to the file at a time, and read from it, in bytes.
const spillBufferSize = 64 << 10

// addExchange spills an exchange and reports whether it did.
func (s *spill) addExchange(ex *spec.Exchange) bool {
	if s.err != nil {
		return false
	}
	s.pending = appendExchange(s.pending, ex)
	s.exchanges++
	s.flush()
	return true
}

// addScenario spills the scenario with index i, which has no findings, and reports whether it did.
func (s *spill) addScenario(i int, sc *Scenario) bool {
	if s.err != nil {
		return false
	}
	s.pending = appendScenario(s.pending, i, sc)
	s.flush()
	return true
}

// flush writes the pending entries once they fill the buffer. If that fails they stay in memory.
func (s *spill) flush() {
	if len(s.pending) < spillBufferSize {
		return
	}
	if _, s.err = s.file.WriteAt(s.pending, s.written); s.err == nil {
		s.written += int64(len(s.pending))
		s.pending = s.pending[:0]
	}
}

// restore stores each spilled scenario at its index of scenarios, and appends the spilled exchanges to exchanges. Unless whole is true,
// it reads scenarios without their steps, and exchanges without their headers and bodies.
func (s *spill) restore(scenarios []Scenario, exchanges []spec.Exchange, whole bool) ([]spec.Exchange, error) {
	in := bufio.NewReaderSize(io.MultiReader(io.NewSectionReader(s.file, 0, s.written), bytes.NewReader(s.pending)), spillBufferSize)
	left := s.written + int64(len(s.pending))
	d := newSpillDecoder()
	var sizes [spillSizes]byte
	for left > 0 {
		if _, err := io.ReadFull(in, sizes[:]); err != nil {
			return exchanges, err
		}
		head, rest := int64(binary.BigEndian.Uint32(sizes[:])), int64(binary.BigEndian.Uint32(sizes[4:]))
		if left -= spillSizes + head + rest; left < 0 {
			return exchanges, errors.New("the file was changed")
		}
		if err := d.read(in, head); err != nil {
			return exchanges, err
		}
		var readRest func()
		if d.flag() {
			sc := d.scenario(scenarios)
			readRest = func() { d.steps(sc) }
		} else {
			exchanges = append(exchanges, d.exchange())
			readRest = func() { d.content(&exchanges[len(exchanges)-1]) }
		}
		if !whole {
			if _, err := in.Discard(int(rest)); err != nil {
				return exchanges, err
			}
			continue
		}
		if err := d.read(in, rest); err != nil {
			return exchanges, err
		}
		readRest()
	}
	return exchanges, d.end()
}

// SpillTo lets the recorder move ended scenarios and their exchanges to a file of its own until the run finds something. It is called
// before anything else but Keep and DropSources, and the file may be closed after Finish. If the run is complete and found nothing, the
// record that Finish returns has exchanges without headers and bodies, and scenarios without steps: no report that shows them can be
// made of it.
func (r *Recorder) SpillTo(file *os.File) { r.spill = &spill{file: file} }

// DropSources removes the sources from the records that the recorder returns. A journal that was passed to Keep before still gets them.
func (r *Recorder) DropSources() { r.head.Sources = nil }

// spillScenario moves the scenario with index i and its exchanges to the spill file, if there is one. The lock is held.
func (r *Recorder) spillScenario(i int) {
	if r.spill == nil || r.found {
		return
	}
	sc := r.scenarios[i]
	for _, seq := range sc.Exchanges {
		if ex := r.exchanges[seq]; ex != nil && !r.open[seq] && r.spill.addExchange(ex) {
			delete(r.exchanges, seq)
		}
	}
	if r.spill.addScenario(i, sc) {
		r.scenarios[i] = nil
	}
}
