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

// shelf keeps scenarios that ended, and their exchanges, in a file, one entry behind the other.
type shelf struct {
	file *os.File
	// written is how much the file holds, in bytes, pending what comes next.
	written int64
	pending []byte
	// exchanges is how many of them are here.
	exchanges int
	// err is why no more can be put here.
	err error
}

// shelfBytes is how much is written at a time, in bytes.
const shelfBytes = 64 << 10

// putExchange takes an exchange, and reports whether it did.
func (s *shelf) putExchange(ex *spec.Exchange) bool {
	if s.err != nil {
		return false
	}
	s.pending = appendExchange(s.pending, ex)
	s.exchanges++
	s.flush()
	return true
}

// putScenario takes a scenario without findings, the one of that index, and reports whether it did.
func (s *shelf) putScenario(i int, sc *Scenario) bool {
	if s.err != nil {
		return false
	}
	s.pending = appendScenario(s.pending, i, sc)
	s.flush()
	return true
}

// flush writes what is pending when it is enough. Where it cannot be written it stays in memory.
func (s *shelf) flush() {
	if len(s.pending) < shelfBytes {
		return
	}
	if _, s.err = s.file.WriteAt(s.pending, s.written); s.err == nil {
		s.written += int64(len(s.pending))
		s.pending = s.pending[:0]
	}
}

// restore puts the scenarios that are here in their places, and adds the exchanges to those that are not. Where whole is false scenarios
// come without steps, and exchanges without headers and bodies.
func (s *shelf) restore(scenarios []Scenario, exchanges []spec.Exchange, whole bool) ([]spec.Exchange, error) {
	in := bufio.NewReaderSize(io.MultiReader(io.NewSectionReader(s.file, 0, s.written), bytes.NewReader(s.pending)), shelfBytes)
	left := s.written + int64(len(s.pending))
	p := newParcel()
	var sizes [entrySizes]byte
	for left > 0 {
		if _, err := io.ReadFull(in, sizes[:]); err != nil {
			return exchanges, err
		}
		head, rest := int64(binary.BigEndian.Uint32(sizes[:])), int64(binary.BigEndian.Uint32(sizes[4:]))
		if left -= entrySizes + head + rest; left < 0 {
			return exchanges, errors.New("the file was changed")
		}
		if err := p.read(in, head); err != nil {
			return exchanges, err
		}
		var readRest func()
		if p.flag() {
			sc := p.scenario(scenarios)
			readRest = func() { p.steps(sc) }
		} else {
			exchanges = append(exchanges, p.exchange())
			readRest = func() { p.content(&exchanges[len(exchanges)-1]) }
		}
		if !whole {
			if _, err := in.Discard(int(rest)); err != nil {
				return exchanges, err
			}
			continue
		}
		if err := p.read(in, rest); err != nil {
			return exchanges, err
		}
		readRest()
	}
	return exchanges, p.end()
}

// Shelve lets the recorder keep scenarios and exchanges in a file of its own as long as the run finds nothing, since nobody looks at them
// then. It is called before anything else but Keep, and the file may be closed after Finish. If the run is complete and found nothing, the
// exchanges of the record that Finish returns are without headers and bodies, and its scenarios without steps, so no report may be made of
// it that shows them. The record is without its sources, too, which the journal has.
func (r *Recorder) Shelve(file *os.File) { r.shelf, r.head.Sources = &shelf{file: file}, nil }

// putAway moves the scenario of that index and its exchanges to the shelf. The lock is held.
func (r *Recorder) putAway(i int) {
	if r.shelf == nil || r.found {
		return
	}
	sc := r.scenarios[i]
	for _, seq := range sc.Exchanges {
		if ex := r.exchanges[seq]; ex != nil && !r.open[seq] && r.shelf.putExchange(ex) {
			delete(r.exchanges, seq)
		}
	}
	if r.shelf.putScenario(i, sc) {
		r.scenarios[i] = nil
	}
}
