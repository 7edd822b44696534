package source

import (
	"io"
	"io/fs"
	"strings"
)

// Reopen returns the document of texts that [Document.Texts] and [Document.Own] returned. It reads no file. Its error is an *Error.
func Reopen(own string, texts map[string]string) (*Document, error) {
	d := newDocument()
	d.own = own
	r := &reader{doc: d, bytes: len(texts[""]), kept: texts}
	d.external = r.note
	if err := d.read("", []byte(texts[""])); err != nil {
		return nil, err
	}
	if err := r.all(); err != nil {
		return nil, err
	}
	d.external = nil
	d.finish()
	return d, nil
}

// reopened returns the text of a file that was read before.
func (r *reader) reopened(name string) ([]byte, error) {
	text, ok := r.kept[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return readLimited(func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil })
}
