package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Options say what may be read.
type Options struct {
	// AllowRemote follows references that lead out of the document's folder or to the network.
	AllowRemote bool
}

// Open reads the document in a file, and every file that references lead to from there. Its error is an *Error unless the
// file itself cannot be read; it names the first reference that leads where nothing may be read. A file that a reference names
// and that cannot be read is no error: the reference leads nowhere.
func Open(file string, o Options) (*Document, error) {
	data, err := readLimited(func() (io.ReadCloser, error) { return os.Open(file) })
	if err != nil {
		return nil, err
	}
	d := newDocument()
	d.own = filepath.Base(file)
	r := &reader{doc: d, options: o, dir: filepath.Dir(file), bytes: len(data)}
	d.external = r.note
	if err := d.read("", data); err != nil {
		return nil, err
	}
	if r.root, err = os.OpenRoot(r.dir); err != nil {
		return nil, err
	}
	defer func() { _ = r.root.Close() }()
	if err := r.all(); err != nil {
		return nil, err
	}
	d.external = nil
	d.finish()
	return d, nil
}

// reader reads the files that references lead to.
type reader struct {
	doc     *Document
	options Options
	dir     string
	// root is the folder of the document; nothing read through it lies outside, symbolic links included.
	root  *os.Root
	left  []wanted
	bytes int
	// kept are the texts of files that were read before; nil where files are read.
	kept map[string]string
}

// wanted is a file that is to be read, and the first reference that names it.
type wanted struct {
	name, by string
	reference
}

// note puts the files that a file refers to on the list.
func (r *reader) note(s *scan) {
	for _, ref := range s.outside {
		address, _, _ := strings.Cut(ref.to, "#")
		name := r.doc.fileName(s.file.name, address)
		_, failed := r.doc.unread[name]
		if _, known := r.doc.ids[address]; known || failed || name == "" || r.doc.files[name] != nil {
			continue
		}
		r.doc.unread[name] = "it was not read"
		r.left = append(r.left, wanted{name, s.file.name, ref})
	}
}

// all reads what is wanted, and what that wants. Its error names the first reference that leads where nothing may be read.
func (r *reader) all() error {
	var refused []wanted
	for len(r.left) > 0 {
		next := r.left[0]
		r.left = r.left[1:]
		delete(r.doc.unread, next.name)
		if err := r.one(next); err != nil {
			r.doc.unread[next.name] = OneLine(err.Error())
			if errors.Is(err, errOutside) || errors.Is(err, errNetwork) || errors.Is(err, errFileURL) {
				refused = append(refused, next)
			}
		}
	}
	for _, w := range refused {
		address, _, _ := strings.Cut(w.to, "#")
		if _, known := r.doc.ids[address]; !known && !w.data && !isName(address) {
			return &Error{w.by, w.line, "the reference " + shown(w.to) + " cannot be followed: " + r.doc.unread[w.name]}
		}
	}
	return nil
}

// isName reports whether an address is a name that says of no place where something can be read.
func isName(address string) bool {
	scheme, _, _ := strings.Cut(strings.ToLower(address), ":")
	return scheme == "urn" || scheme == "tag"
}

var (
	errOutside  = errors.New("it leads out of the folder of the document; --allow-remote follows it")
	errNetwork  = errors.New("it leads to the network; --allow-remote follows it")
	errFileURL  = errors.New("it is the URL of a file, which may lie outside of the folder of the document; --allow-remote follows it")
	errTooMany  = fmt.Errorf("the document is made of more than %d files", maxFiles)
	errTooLarge = fmt.Errorf("the files of the document hold more than %d MiB", maxBytes>>20)
)

func (r *reader) one(w wanted) error {
	data, err := r.open(w)
	if err != nil {
		return bare(err)
	}
	r.bytes += len(data)
	switch {
	case len(r.doc.names) >= maxFiles:
		return errTooMany
	case r.bytes > maxBytes:
		return errTooLarge
	}
	return r.doc.read(w.name, data)
}

func (r *reader) open(w wanted) ([]byte, error) {
	name := w.name
	switch {
	case isInline(name):
		address, _, _ := strings.Cut(w.to, "#")
		return readInline(address)
	case r.kept != nil:
		return r.reopened(name)
	case isFileURL(name):
		return r.byURL(name)
	case isRemote(name):
		if !r.options.AllowRemote {
			return nil, errNetwork
		}
		if !strings.HasPrefix(name, "http://") && !strings.HasPrefix(name, "https://") {
			return nil, errors.New("only http and https are followed")
		}
		return fetch(name)
	case filepath.IsLocal(filepath.FromSlash(name)):
		data, err := readRegular(filepath.FromSlash(name), r.root.Stat, r.root.OpenFile)
		switch {
		case err == nil || errors.Is(err, fs.ErrNotExist):
			return data, err
		case !r.options.AllowRemote && r.leadsOut(name):
			return nil, errOutside
		case !r.options.AllowRemote:
			return nil, err
		}
	case !r.options.AllowRemote:
		return nil, errOutside
	}
	file := filepath.FromSlash(name)
	if !filepath.IsAbs(file) {
		file = filepath.Join(r.dir, file)
	}
	return readRegular(file, os.Stat, os.OpenFile)
}

// byURL reads the file that a URL names.
func (r *reader) byURL(address string) ([]byte, error) {
	if !r.options.AllowRemote {
		return nil, errFileURL
	}
	u, err := url.Parse(address)
	if err != nil || u.Opaque != "" || u.Host != "" && u.Host != "localhost" {
		return nil, errors.New("it is no URL of a file on this machine (file:///folder/name)")
	}
	return readRegular(filepath.FromSlash(u.Path), os.Stat, os.OpenFile)
}

// leadsOut reports whether symbolic links lead out of the folder of the document.
func (r *reader) leadsOut(name string) bool {
	folder, err := filepath.EvalSymlinks(r.dir)
	if err != nil {
		return false
	}
	file, err := filepath.EvalSymlinks(filepath.Join(r.dir, filepath.FromSlash(name)))
	if err != nil {
		return false
	}
	within, err := filepath.Rel(folder, file)
	return err != nil || !filepath.IsLocal(within)
}

// errIrregular says that a reference leads to what may have no end, or keep waiting whoever reads it.
var errIrregular = errors.New("it is not a regular file")

// readRegular reads a file that a reference names, up to a byte more than a document may have. What is no regular file is not even opened; where
// it becomes one meanwhile, opening it waits for nobody.
func readRegular(name string, stat func(string) (fs.FileInfo, error), open func(string, int, fs.FileMode) (*os.File, error)) ([]byte, error) {
	info, err := stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errIrregular
	}
	return readLimited(func() (io.ReadCloser, error) {
		f, err := open(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if err != nil {
			return nil, err
		}
		if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
			_ = f.Close()
			return nil, errIrregular
		}
		return f, nil
	})
}

// readLimited reads a regular file or a pipe up to a byte more than a document may have.
func readLimited(open func() (io.ReadCloser, error)) (data []byte, err error) {
	f, err := open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return io.ReadAll(io.LimitReader(f, maxBytes+1))
}

// fetch reads a document from the network.
func fetch(address string) ([]byte, error) {
	const patience = 30 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return nil, err
	}
	client := &http.Client{}
	defer client.CloseIdleConnections()
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		_ = response.Body.Close()
		return nil, fmt.Errorf("%s is answered with %s", address, response.Status)
	}
	return readLimited(func() (io.ReadCloser, error) { return response.Body, nil })
}

// bare returns an error of the file system without the path, which the reference names.
func bare(err error) error {
	if wrong := (*fs.PathError)(nil); errors.As(err, &wrong) {
		return wrong.Err
	}
	return err
}
