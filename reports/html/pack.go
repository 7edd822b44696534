package html

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"runtime"
	"sync"
)

const (
	// blockSize is the number of exchanges that are packed together and laid out by the browser at a time. Smaller blocks make the page
	// larger; larger ones take longer to open.
	blockSize = 100
	// betweenExchanges separates the exchanges of a block. It is invisible, so none of them contains it.
	betweenExchanges = '\x1e'
	// mostPackers is the maximum number of blocks made concurrently.
	mostPackers = 4
)

// packer makes the blocks of the list of exchanges one by one: their lines, and their packed details.
type packer struct {
	lines, insides markup
	compressor     *gzip.Writer
	compressed     bytes.Buffer
	packed         []byte
	err            error
}

// writeExchanges writes the list of exchanges. Some blocks are made concurrently, but few are held at a time.
func writeExchanges(out *printer, p *page) {
	all := p.view.Record.Exchanges
	packers := make([]packer, min(runtime.GOMAXPROCS(0), mostPackers))
	for from := 0; from < len(all) && out.err == nil; {
		var wg sync.WaitGroup
		n := 0
		for ; n < len(packers) && from < len(all); n++ {
			b, first, last := &packers[n], from, min(from+blockSize, len(all))
			wg.Go(func() { b.fill(p, first, last) })
			from = last
		}
		wg.Wait()
		for i := range n {
			packers[i].write(out)
		}
	}
}

// fill makes the block of the exchanges in the range [first, last).
func (b *packer) fill(p *page, first, last int) {
	b.lines.buf, b.insides.buf = b.lines.buf[:0], b.insides.buf[:0]
	for i := first; i < last; i++ {
		x := p.exchange(&p.view.Record.Exchanges[i], whole)
		x.row(&b.lines)
		if i > first {
			b.insides.buf = append(b.insides.buf, betweenExchanges)
		}
		x.inside(&b.insides)
	}
	b.pack()
}

// pack compresses the details and encodes them as base64.
func (b *packer) pack() {
	b.compressed.Reset()
	if b.compressor == nil {
		b.compressor = gzip.NewWriter(&b.compressed)
	} else {
		b.compressor.Reset(&b.compressed)
	}
	if _, b.err = b.compressor.Write(b.insides.buf); b.err == nil {
		b.err = b.compressor.Close()
	}
	b.packed = base64.StdEncoding.AppendEncode(b.packed[:0], b.compressed.Bytes())
}

// write writes the lines, followed by the details for script.js to unpack: base64 contains nothing that could end the element.
func (b *packer) write(out *printer) {
	if b.err != nil && out.err == nil {
		out.err = fmt.Errorf("exchanges cannot be packed: %w", b.err)
	}
	out.raw(`<div class="chunk">`)
	out.bytes(b.lines.buf)
	out.raw("</div>\n<script type=\"text/plain\">")
	out.bytes(b.packed)
	out.raw("</script>\n")
}
