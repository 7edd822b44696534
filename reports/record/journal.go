package record

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/internal/text/syntax"
	"github.com/hallmark-kit/hallmark/reports/jsonout"
	"github.com/hallmark-kit/hallmark/spec"
)

// JournalSchema names the format of a journal with its version, which is that of the record. JournalSchema1 can still be read.
const (
	JournalSchema  = "hallmark.journal/v2"
	JournalSchema1 = "hallmark.journal/v1"
)

// JournalName is the prefix of a journal's schema in any version.
const JournalName = "hallmark.journal/"

// Journal is the record of a run as it grows: one JSON object per line, written as soon as it is known. A run that is killed at any moment
// leaves all of its finished scenarios, and everything that it created or may have created. ReadJournal reads it back.
//
// A journal that reaches its limit says so in a line and from then on holds only creations: they are few and short, and the journal may be
// their only list.
//
// It is safe for concurrent use.
type Journal struct {
	mu  sync.Mutex
	to  io.Writer
	err error
	// size is the number of bytes written, limit the maximum, or 0 for no limit.
	size, limit int64
	full        bool
	// lines holds buffers for lines to be reused. New ones would make up a tenth of the allocations of a large run.
	lines sync.Pool
}

// entry is one line of a journal.
type entry struct {
	Schema string `json:"schema,omitempty"`
	// Head, in the first line, is what is known beforehand.
	Head *Record `json:"head,omitempty"`
	// Creation is written before a request that may create something, and again when its fate is known.
	Creation *Creation `json:"creation,omitempty"`
	// Scenario is a finished scenario with its exchanges. Exercised counts the rules judged since the previous line.
	Scenario     *Scenario       `json:"scenario,omitempty"`
	Exchanges    []spec.Exchange `json:"exchanges,omitempty"`
	Exercised    map[string]int  `json:"exercised,omitempty"`
	Confirmation *Confirmation   `json:"confirmation,omitempty"`
	Opinion      *Opinion        `json:"opinion,omitempty"`
	// End is in the last line of a run that ended in any way.
	End *Ending `json:"end,omitempty"`
	// Full is the limit, in bytes, of a journal that reached it. Only creations follow.
	Full int64 `json:"full,omitempty"`
}

// NewJournal starts a journal of at most limit bytes, not counting creations; 0 means no limit. It writes whole lines without buffering, so
// nothing is lost with the process.
func NewJournal(to io.Writer, limit int64) *Journal { return &Journal{to: to, limit: limit} }

// Full reports whether the journal reached its limit and so holds only a part of its run.
func (j *Journal) Full() bool {
	if j == nil {
		return false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.full
}

// partBytes is the number of bytes of a long line that are held in memory at a time.
const partBytes = 256 << 10

// write adds a line. After the first error it writes nothing more: half a line would hide everything after it.
func (j *Journal) write(e entry) {
	if j == nil {
		return
	}
	bodies := 0
	for _, ex := range e.Exchanges {
		if ex.Response != nil {
			bodies += len(ex.Response.Body)
		}
	}
	line, _ := j.lines.Get().(*bytes.Buffer)
	if line == nil {
		line = new(bytes.Buffer)
	}
	line.Reset()
	defer func() {
		if line.Cap() <= partBytes {
			j.lines.Put(line)
		}
	}()
	if bodies > partBytes { // encoded, they may take six times as much
		j.mu.Lock()
		defer j.mu.Unlock()
		if j.room(e, int64(bodies)) {
			j.fail(encodeParts(line, e, func() bool {
				j.out(line.Bytes())
				line.Reset()
				return j.err == nil
			}))
		}
		return
	}
	err := encodeParts(line, e, func() bool { return true })
	j.mu.Lock()
	defer j.mu.Unlock()
	if err != nil {
		j.fail(err)
	} else if e.Creation != nil || j.fits(int64(line.Len())) {
		j.out(line.Bytes())
	}
}

// fits reports whether a line of n bytes may be written. The first one that may not ends the journal with a line that says so.
func (j *Journal) fits(n int64) bool {
	if j.full {
		return false
	}
	if j.limit == 0 || j.size+n <= j.limit {
		return true
	}
	j.full = true
	var line bytes.Buffer
	j.fail(encodeLine(&line, entry{Full: j.limit}))
	j.out(line.Bytes())
	return false
}

// room is fits for a line with long bodies. The line is encoded to determine its length only near the limit: half a line could not be taken
// back.
func (j *Journal) room(e entry, bodies int64) bool {
	const escaping = 6 // maximum encoded bytes for each byte of a body
	n := bodies
	if j.limit > 0 && j.size+bodies*escaping > j.limit {
		n = 0
		var part bytes.Buffer
		_ = encodeParts(&part, e, func() bool {
			n += int64(part.Len())
			part.Reset()
			return true
		})
	}
	return j.fits(n)
}

// encodeParts appends the encoded line of an entry to a buffer. It calls flush, which may empty the buffer, after each exchange and at the
// end, to avoid holding long bodies encoded all at once. It stops if flush returns false.
func encodeParts(to *bytes.Buffer, e entry, flush func() bool) error {
	exchanges := e.Exchanges
	e.Exchanges = nil
	begun := to.Len()
	if err := encodeEntry(to, e); err != nil {
		return err
	}
	if len(exchanges) == 0 {
		flush()
		return nil
	}
	to.Truncate(to.Len() - len("}\n"))
	if to.Len() > begun+len("{") {
		to.WriteByte(',')
	}
	to.WriteString(`"exchanges":[`)
	for i := range exchanges {
		if i > 0 {
			to.WriteByte(',')
		}
		if err := encodeLine(to, &exchanges[i]); err != nil {
			return err
		}
		to.Truncate(to.Len() - len("\n"))
		if !flush() {
			return nil
		}
	}
	to.WriteString("]}\n")
	flush()
	return nil
}

// encodeEntry encodes a line. The sources of a head come last and bypass encoding/json, which would retain their memory.
func encodeEntry(to *bytes.Buffer, e entry) error {
	if e.Head == nil || e.Head.Sources == nil {
		return encodeLine(to, e)
	}
	head := *e.Head
	sources := head.Sources
	head.Sources, e.Head = nil, &head
	err := encodeLine(to, e)
	to.Truncate(max(to.Len()-len("}}\n"), 0))
	to.WriteString(`,"sources":"`)
	to.Grow(base64.StdEncoding.EncodedLen(len(sources)) + bytes.MinRead)
	to.Write(base64.StdEncoding.AppendEncode(to.AvailableBuffer(), sources))
	to.WriteString("\"}}\n")
	return err
}

func encodeLine(to *bytes.Buffer, what any) error {
	enc := json.NewEncoder(jsonout.NewEscaper(to)) // somebody may read it in a terminal
	enc.SetEscapeHTML(false)
	return enc.Encode(what)
}

// out writes bytes unless an earlier write failed.
func (j *Journal) out(text []byte) {
	if j.err == nil {
		_, j.err = j.to.Write(text)
		j.size += int64(len(text))
	}
}

// fail keeps the first error.
func (j *Journal) fail(err error) { j.err = cmp.Or(j.err, err) }

// Err returns the first write error.
func (j *Journal) Err() error {
	if j == nil {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.err
}

// ReadJournal returns the record of a journal, as far as it goes: the record of a killed run is incomplete. A partial last line, as a
// killed process leaves it, is ignored.
func ReadJournal(r io.Reader) (*Record, error) {
	in := bufio.NewReaderSize(Bounded(r), 64<<10)
	var rec *Record
	var created ledger
	old := false
	for n := 1; ; n++ {
		line, err := readLine(in)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("the journal cannot be read: %w", err)
		}
		whole := err == nil
		if !whole && (n > 1 || len(line) == 0) {
			break
		}
		if n == 1 {
			old = isVersion1(line)
		}
		var e entry
		if wrong := decodeLine(line, old, &e); wrong != nil {
			if n == 1 {
				return nil, fmt.Errorf("this is not the journal of a run: %s", text.Short(syntax.Decoding(wrong)))
			}
			return nil, fmt.Errorf("the journal is damaged in line %d: %s", n, text.Short(syntax.Decoding(wrong)))
		}
		if n == 1 {
			if rec, err = openJournal(e); err != nil {
				return nil, err
			}
		}
		rec.addEntry(e)
		if e.Creation != nil {
			created.note(*e.Creation)
		}
	}
	if rec == nil {
		return nil, errors.New("the journal is empty: its run was killed before it began")
	}
	rec.Created = created.list()
	slices.SortStableFunc(rec.Exchanges, func(x, y spec.Exchange) int { return cmp.Compare(x.Seq, y.Seq) })
	// Several confirmations may share one repetition.
	rec.Exchanges = slices.CompactFunc(rec.Exchanges, func(x, y spec.Exchange) bool { return x.Seq == y.Seq })
	return rec, nil
}

// longestLine is the maximum length of a line, a scenario with its exchanges, in bytes.
const longestLine = 192 << 20

// readLine reads up to the end of a line.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > longestLine:
			return nil, fmt.Errorf("it holds a line of more than %d MiB", longestLine>>20)
		case !errors.Is(err, bufio.ErrBufferFull):
			return line, err
		}
	}
}

// isVersion1 reports whether the first line of a journal is of version 1.
func isVersion1(line []byte) bool {
	var first struct {
		Schema string `json:"schema"`
	}
	return json.Unmarshal(line, &first) == nil && first.Schema == JournalSchema1
}

// decodeLine reads a line, from version 1 if old is set.
func decodeLine(line []byte, old bool, e *entry) error {
	if old {
		var err error
		if line, err = upgradeLine(line); err != nil {
			return err
		}
	}
	return json.Unmarshal(line, e)
}

// openJournal reads the first line.
func openJournal(e entry) (*Record, error) {
	switch {
	case (e.Schema == JournalSchema || e.Schema == JournalSchema1) && e.Head != nil:
	case strings.HasPrefix(e.Schema, JournalName) && e.Schema != JournalSchema && e.Schema != JournalSchema1:
		return nil, fmt.Errorf("this journal has the schema %s, and this version of hallmark reads %s; use the version that wrote it", text.Visible(e.Schema), JournalSchema)
	default:
		return nil, errors.New("this is not the journal of a run: its first line names no journal schema")
	}
	rec := *e.Head
	rec.Schema, rec.Complete, rec.Exercised = Schema, false, map[string]int{}
	return &rec, nil
}

func (rec *Record) addEntry(e entry) {
	if e.Scenario != nil {
		rec.Scenarios = append(rec.Scenarios, *e.Scenario)
	}
	if e.Confirmation != nil {
		rec.Confirmations = append(rec.Confirmations, *e.Confirmation)
	}
	if e.Opinion != nil {
		rec.Opinions = append(rec.Opinions, *e.Opinion)
	}
	rec.Exchanges = append(rec.Exchanges, e.Exchanges...)
	for rule, n := range e.Exercised {
		rec.Exercised[rule] += n
	}
	if e.Full > 0 {
		rec.Cut = "the journal of the run reached its limit (--journal-space), so a part of the run is missing here"
	}
	if e.End != nil {
		rec.Complete, rec.Lost, rec.Suspects, rec.Stopped = e.End.Complete, e.End.Lost, e.End.Suspects, e.End.Stopped
		rec.Failure, rec.Ended, rec.Patience, rec.Width, rec.Unjudged = e.End.Failure, e.End.At, e.End.Patience, e.End.Width, e.End.Unjudged
		rec.Bodies, rec.Coverage, rec.Suggestions, rec.Roles = e.End.Bodies, e.End.Coverage, e.End.Suggestions, e.End.Roles
	}
}
