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
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Options limit which files may be read.
type Options struct {
	// AllowRemote permits references out of the document's folder and to the network.
	AllowRemote bool
}

// Open reads the document in a file or at an http or https address, and every file that it refers to, directly or not. Its error is an
// *Error unless the document itself cannot be read; it names the first reference that is not permitted. A referenced file that cannot be
// read is no error here: the reference cannot be resolved.
func Open(file string, o Options) (*Document, error) {
	d := newDocument()
	r := &reader{doc: d, options: o, dir: filepath.Dir(file)}
	var data []byte
	var err error
	if isHTTP(file) {
		if r.base, err = url.Parse(file); err != nil {
			return nil, err
		}
		d.own = path.Base(r.base.Path)
		data, err = fetch(file)
	} else {
		d.own = filepath.Base(file)
		data, err = readLimited(func() (io.ReadCloser, error) { return os.Open(file) })
	}
	if err != nil {
		return nil, err
	}
	r.bytes = len(data)
	d.external = r.note
	if err := d.read("", data); err != nil {
		return nil, err
	}
	if r.base == nil {
		if r.root, err = os.OpenRoot(r.dir); err != nil {
			return nil, err
		}
		defer func() { _ = r.root.Close() }()
	}
	if err := r.all(); err != nil {
		return nil, err
	}
	d.external = nil
	d.finish()
	return d, nil
}

// reader reads the referenced files.
type reader struct {
	doc     *Document
	options Options
	dir     string
	// base is the address of a document from the network; nil for a file.
	base *url.URL
	// root is the folder of the document; reads through it cannot leave the folder, not even by symbolic links.
	root  *os.Root
	left  []wanted
	bytes int
	// kept are the texts of files that were read before; nil if files are read.
	kept map[string]string
}

// wanted is a file to be read and the first reference to it.
type wanted struct {
	name, by string
	reference
}

// note queues the files that a file refers to.
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

// all reads the queued files and those that they refer to. Its error names the first reference that is not permitted.
func (r *reader) all() error {
	var refused []wanted
	for len(r.left) > 0 {
		next := r.left[0]
		r.left = r.left[1:]
		delete(r.doc.unread, next.name)
		if err := r.one(next); err != nil {
			r.doc.unread[next.name] = OneLine(err.Error())
			if errors.Is(err, errOutside) || errors.Is(err, errNetwork) || errors.Is(err, errFileURL) || errors.Is(err, errNoFiles) {
				refused = append(refused, next)
			}
		}
	}
	for _, w := range refused {
		address, _, _ := strings.Cut(w.to, "#")
		if _, known := r.doc.ids[address]; !known && !w.data && !isName(address) {
			return &Error{w.by, w.line, "the reference " + shortened(w.to) + " cannot be followed: " + r.doc.unread[w.name]}
		}
	}
	return nil
}

// isName reports whether an address is a mere name, such as a URN, from which nothing can be read.
func isName(address string) bool {
	scheme, _, _ := strings.Cut(strings.ToLower(address), ":")
	return scheme == "urn" || scheme == "tag"
}

var (
	errOutside  = errors.New("it refers to a file outside the folder of the document; use --allow-remote to allow this")
	errNetwork  = errors.New("it refers to the network; use --allow-remote to allow this")
	errFileURL  = errors.New("it is the URL of a file, possibly outside the folder of the document; use --allow-remote to allow this")
	errNoFiles  = errors.New("it is the URL of a file, and a document from the network must not name files of this machine")
	errTooMany  = fmt.Errorf("the document has more than %d files", maxFiles)
	errTooLarge = fmt.Errorf("the files of the document are larger than %d MiB in total", maxBytes>>20)
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
	case isFileURL(name) && r.base != nil:
		return nil, errNoFiles
	case isFileURL(name):
		return r.byURL(name)
	case isRemote(name):
		if !r.options.AllowRemote {
			return nil, errNetwork
		}
		if !isHTTP(name) {
			return nil, errors.New("only http and https are supported")
		}
		return fetch(name)
	case r.base != nil:
		if !r.options.AllowRemote {
			return nil, errNetwork
		}
		to, err := r.base.Parse(name)
		if err != nil {
			return nil, err
		}
		return fetch(to.String())
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

// isHTTP reports whether a name is an http or https address.
func isHTTP(name string) bool {
	return strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://")
}

// byURL reads the file that a file: URL names.
func (r *reader) byURL(address string) ([]byte, error) {
	if !r.options.AllowRemote {
		return nil, errFileURL
	}
	u, err := url.Parse(address)
	if err != nil || u.Opaque != "" || u.Host != "" && u.Host != "localhost" {
		return nil, errors.New("it is not the URL of a local file (file:///folder/name)")
	}
	return readRegular(filepath.FromSlash(u.Path), os.Stat, os.OpenFile)
}

// leadsOut reports whether symbolic links lead out of the document's folder.
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

// errIrregular is returned for files such as pipes and devices, which may have no end or block the reader.
var errIrregular = errors.New("it is not a regular file")

// readRegular reads a referenced file, up to a byte more than a document may have. It does not open other than regular files; if
// the file becomes one after the check, opening it does not block.
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

// readLimited reads a regular file or a pipe, up to a byte more than a document may have.
func readLimited(open func() (io.ReadCloser, error)) (data []byte, err error) {
	f, err := open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return io.ReadAll(io.LimitReader(f, maxBytes+1))
}

// fetch downloads a document.
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
		return nil, fmt.Errorf("it responds with %s", response.Status)
	}
	return readLimited(func() (io.ReadCloser, error) { return response.Body, nil })
}

// bare returns a file system error without the path, which the reference names already.
func bare(err error) error {
	if wrong := (*fs.PathError)(nil); errors.As(err, &wrong) {
		return wrong.Err
	}
	return err
}
