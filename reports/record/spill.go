package record

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"os"

	"github.com/hallmark-kit/hallmark/spec"
)

// spill keeps finished scenarios and their exchanges in a file instead of in memory, in lines like those of a journal. Without it, a run by
// a contract of 1,000 operations needs 1.52 times the memory (379 MiB instead of 249 MiB).
type spill struct {
	file *os.File
	// written is the size of the lines in the file, in bytes. The lines in pending follow them.
	written int64
	pending bytes.Buffer
	// indexes holds the index of each line's scenario. The first inFile lines are in the file.
	indexes []int
	inFile  int
	// exchanges is the number of spilled exchanges.
	exchanges int
	// err is the first write error. Nothing is spilled after it.
	err error
}

// spillBufferSize is the size of the read and write buffers in bytes.
const spillBufferSize = 64 << 10

// write spills the scenario with index i and exchanges, and reports whether it did.
func (s *spill) write(i int, e entry) bool {
	if s.err != nil {
		return false
	}
	before := s.pending.Len()
	if encodeParts(&s.pending, e, func() bool { return true }) != nil {
		s.pending.Truncate(before)
		return false
	}
	s.indexes = append(s.indexes, i)
	s.exchanges += len(e.Exchanges)
	if s.pending.Len() < spillBufferSize {
		return true
	}
	if _, s.err = s.file.WriteAt(s.pending.Bytes(), s.written); s.err == nil { // otherwise the lines stay in memory
		s.written += int64(s.pending.Len())
		s.inFile = len(s.indexes)
		s.pending.Reset()
	}
	return true
}

// errSpillChanged reports that a spill file was modified.
var errSpillChanged = errors.New("the file was changed")

// spilled is what was read back from a spill.
type spilled struct {
	// scenarios holds each scenario at its index; missing reports which are absent.
	scenarios []Scenario
	missing   []bool
	exchanges []spec.Exchange
}

// dropMissing removes the missing scenarios.
func (s *spilled) dropMissing() {
	left := s.scenarios[:0]
	for i, sc := range s.scenarios {
		if !s.missing[i] {
			left = append(left, sc)
		}
	}
	s.scenarios, s.missing = left, nil
}

// restore adds the spilled scenarios and exchanges to to. Unless whole is set, it adds scenarios without steps, and exchanges without
// headers and bodies. If it fails, it has added the lines that it could read.
func (s *spill) restore(to *spilled, whole bool) error {
	inFile := to.lines(io.NewSectionReader(s.file, 0, s.written), s.indexes[:s.inFile], whole)
	inMemory := to.lines(bytes.NewReader(s.pending.Bytes()), s.indexes[s.inFile:], whole)
	return cmp.Or(inFile, inMemory)
}

// lines adds the scenarios of lines, which have the given indexes, with their exchanges.
func (s *spilled) lines(from io.Reader, indexes []int, whole bool) error {
	in := bufio.NewReaderSize(from, spillBufferSize)
	for _, i := range indexes {
		line, err := readLine(in)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		var e entry
		if json.Unmarshal(line, &e) != nil || e.Scenario == nil {
			return errSpillChanged
		}
		if !whole {
			e.Scenario.Steps = nil
			for k := range e.Exchanges {
				ex := &e.Exchanges[k]
				ex.Request.Header, ex.Request.Body = nil, nil
				if ex.Response != nil {
					ex.Response.Header, ex.Response.Body = nil, nil
				}
			}
		}
		s.scenarios[i], s.missing[i] = *e.Scenario, false
		s.exchanges = append(s.exchanges, e.Exchanges...)
	}
	return nil
}

// SpillTo lets the recorder move finished scenarios and their exchanges to file until the run finds something. Call it before any methods
// but Keep and DropSources. The file may be closed after Finish. If the run is complete and found nothing, the record that Finish returns
// has exchanges without headers and bodies, and scenarios without steps, so it is not suitable for reports that show them.
func (r *Recorder) SpillTo(file *os.File) { r.spill = &spill{file: file} }

// DropSources removes the sources from the records that the recorder returns. A journal passed to Keep before still gets them.
func (r *Recorder) DropSources() { r.head.Sources = nil }

// spillScenario moves the scenario with index i and its exchanges to the spill file, if there is one. The caller holds the lock.
func (r *Recorder) spillScenario(i int) {
	if r.spill == nil || r.found {
		return
	}
	e := entry{Scenario: r.scenarios[i]}
	for _, seq := range e.Scenario.Exchanges {
		if ex := r.exchanges[seq]; ex != nil && !r.open[seq] {
			e.Exchanges = append(e.Exchanges, *ex)
			delete(r.exchanges, seq)
		}
	}
	if r.spill.write(i, e) {
		r.scenarios[i] = nil
		return
	}
	for k := range e.Exchanges {
		r.exchanges[e.Exchanges[k].Seq] = &e.Exchanges[k]
	}
}
