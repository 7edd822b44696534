package html

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"runtime"
	"sync"
)

const (
	// exchangesSize is the number of exchanges that are packed together, unitsSize that of pages of units, partsSize that of parts of the
	// overview. Smaller blocks make the page larger; larger ones take longer to open.
	exchangesSize, unitsSize, partsSize = 100, 4, 50
	// betweenParts separates the exchanges or parts of a block. It is invisible, so none of them contains it.
	betweenParts = '\x1e'
	// mostPackers is the maximum number of blocks made concurrently.
	mostPackers = 4
)

// packer makes blocks one by one. It is reused, which saves memory.
type packer struct {
	content    markup
	compressor *gzip.Writer
	compressed bytes.Buffer
	packed     []byte
	err        error
}

// writeBlocks writes all that script.js shows on request: the parts of the overview, a page for each unit, the exchanges, the lines of their
// lists, and the index. Few blocks are held at a time.
func writeBlocks(out *printer, p *page) {
	packers := make([]packer, min(runtime.GOMAXPROCS(0), mostPackers))
	out.blocks(packers, "parts", len(p.parts), partsSize, func(b *packer, i int) { b.template(out, p.parts[i].template, p.parts[i].data) })
	out.blocks(packers, "units", len(p.units), unitsSize, func(b *packer, i int) { b.template(out, "unit", p.pageOf(i)) })
	sorted := p.exchangeOrder()
	out.blocks(packers, "exchanges", len(sorted), exchangesSize, func(b *packer, i int) {
		p.exchange(&p.view.Record.Exchanges[sorted[i]], whole).inside(&b.content)
	})
	out.blocks(packers, "rows", 1, 1, func(b *packer, _ int) {
		b.content.put("[")
		for i, at := range sorted {
			row, err := p.row(at)
			b.fail(err)
			if i > 0 {
				b.content.put(",")
			}
			b.content.made(row)
		}
		b.content.put("]")
	})
	out.blocks(packers, "index", 1, 1, func(b *packer, _ int) {
		all, err := json.Marshal(indexOf(p))
		b.fail(err)
		b.content.made(all)
	})
}

// blocks writes n parts of a kind, size of them in a block. Some blocks are made concurrently.
func (out *printer) blocks(packers []packer, kind trusted, n, size int, fill func(b *packer, i int)) {
	count := (n + size - 1) / size
	for from := 0; from < count && out.err == nil; from += len(packers) {
		now := packers[:min(len(packers), count-from)]
		var wg sync.WaitGroup
		for i := range now {
			wg.Go(func() {
				b := &now[i]
				b.content.buf = b.content.buf[:0]
				first := (from + i) * size
				for part := first; part < min(first+size, n); part++ {
					if part > first {
						b.content.buf = append(b.content.buf, betweenParts)
					}
					fill(b, part)
				}
				b.pack()
			})
		}
		wg.Wait()
		for i := range now {
			now[i].write(out, kind)
		}
	}
}

func (b *packer) fail(err error) {
	if b.err == nil {
		b.err = err
	}
}

func (b *packer) template(out *printer, name string, data any) {
	b.fail(out.pieces.ExecuteTemplate(&b.content, name, data))
}

// pack compresses the content and encodes it as base64.
func (b *packer) pack() {
	b.compressed.Reset()
	if b.compressor == nil {
		b.compressor = gzip.NewWriter(&b.compressed)
	} else {
		b.compressor.Reset(&b.compressed)
	}
	if b.err == nil {
		_, b.err = b.compressor.Write(b.content.buf)
	}
	if b.err == nil {
		b.err = b.compressor.Close()
	}
	b.packed = base64.StdEncoding.AppendEncode(b.packed[:0], b.compressed.Bytes())
}

// write writes the block for script.js to unpack: base64 contains nothing that could end the element.
func (b *packer) write(out *printer, kind trusted) {
	if b.err != nil && out.err == nil {
		out.err = fmt.Errorf("a part of the page cannot be packed: %w", b.err)
	}
	out.raw("<script type=\"text/plain\" class=\"")
	out.raw(kind)
	out.raw("\">")
	out.bytes(b.packed)
	out.raw("</script>\n")
}
