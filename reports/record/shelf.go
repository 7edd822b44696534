package record

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"hallmark/spec"
)

// shelf keeps exchanges, and the steps of scenarios, in a file, one entry behind the other.
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

// put takes an exchange, and reports whether it did.
func (s *shelf) put(ex *spec.Exchange) bool {
	if s.err != nil {
		return false
	}
	s.pending = appendExchange(s.pending, ex)
	s.exchanges++
	s.flush()
	return true
}

// putSteps takes the steps of the scenario of that index, and reports whether it did.
func (s *shelf) putSteps(scenario int, steps []Step) bool {
	if s.err != nil {
		return false
	}
	s.pending = appendSteps(s.pending, scenario, steps)
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

// restore adds the exchanges that are here to all, and gives scenarios their steps back. Where whole is false exchanges come without headers
// and bodies, and scenarios without steps.
func (s *shelf) restore(all []spec.Exchange, scenarios []Scenario, whole bool) ([]spec.Exchange, error) {
	in := bufio.NewReaderSize(io.MultiReader(io.NewSectionReader(s.file, 0, s.written), bytes.NewReader(s.pending)), shelfBytes)
	left := s.written + int64(len(s.pending))
	p := parcel{texts: map[string]string{}, statuses: map[string][]int{}}
	var sizes [entrySizes]byte
	for left > 0 {
		if _, err := io.ReadFull(in, sizes[:]); err != nil {
			return all, err
		}
		head, rest := int64(binary.BigEndian.Uint32(sizes[:])), int64(binary.BigEndian.Uint32(sizes[4:]))
		if left -= entrySizes + head + rest; left < 0 {
			return all, errors.New("the file was changed")
		}
		isExchange := head > 0
		if isExchange {
			if err := p.read(in, head); err != nil {
				return all, err
			}
			all = append(all, p.exchange())
		}
		if !whole {
			if _, err := in.Discard(int(rest)); err != nil {
				return all, err
			}
			continue
		}
		if err := p.read(in, rest); err != nil {
			return all, err
		}
		if isExchange {
			p.content(&all[len(all)-1])
		} else {
			p.steps(scenarios)
		}
	}
	return all, p.end()
}

// Shelve lets the recorder keep exchanges, and the steps of scenarios, in a file of its own as long as the run finds nothing, since nobody
// looks at them then. It is called before anything else but Keep, and the file may be closed after Finish. If the run is complete and found
// nothing, the exchanges of the record that Finish returns are without headers and bodies, and its scenarios without steps, so no report may
// be made of it that shows them. The record is without its sources, too, which the journal has.
func (r *Recorder) Shelve(file *os.File) { r.shelf, r.head.Sources = &shelf{file: file}, nil }

// putAway moves the exchanges and the steps of the scenario of that index to the shelf. The lock is held.
func (r *Recorder) putAway(scenario int) {
	if r.shelf == nil || r.found {
		return
	}
	s := &r.scenarios[scenario]
	for _, seq := range s.Exchanges {
		if ex := r.exchanges[seq]; ex != nil && !r.open[seq] && r.shelf.put(ex) {
			delete(r.exchanges, seq)
		}
	}
	if len(s.Steps) > 0 && r.shelf.putSteps(scenario, s.Steps) {
		s.Steps = nil
	}
}

// takeBack adds the exchanges that were put away to all, and gives scenarios their steps back; see [shelf.restore]. The lock is held.
func (r *Recorder) takeBack(all []spec.Exchange, scenarios []Scenario, whole bool) ([]spec.Exchange, error) {
	if r.shelf == nil {
		return all, nil
	}
	all, err := r.shelf.restore(all, scenarios, whole)
	if err != nil {
		return all, fmt.Errorf("exchanges, which were kept in a temporary file, cannot be read: %w", err)
	}
	return all, nil
}
