package main

import (
	"archive/tar"
	"archive/zip"
	"compress/flate"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// entry is a file of an archive.
type entry struct {
	// name is its path in the archive, with the folder.
	name       string
	executable bool
	text       []byte
}

// mode returns the permissions of the file in the archive, whatever the umask was.
func (e entry) mode() fs.FileMode {
	if e.executable {
		return 0o755
	}
	return 0o644
}

// writeArchive writes a folder with its files to a .zip or .tar.gz file. Its bytes depend on the names and contents of the files, on which of
// them can be executed, and on moment.
func writeArchive(file string, moment time.Time, folder string) error {
	entries, err := entriesOf(folder)
	if err != nil {
		return err
	}
	write := writeTar
	if strings.HasSuffix(file, ".zip") {
		write = writeZip
	}
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	return errors.Join(write(out, moment, entries), out.Close())
}

// entriesOf reads the files below a folder in the order of their names.
func entriesOf(folder string) ([]entry, error) {
	var all []entry
	root := os.DirFS(folder)
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		executable := info.Mode()&0o100 != 0 || strings.HasSuffix(name, ".exe")
		all = append(all, entry{path.Join(filepath.Base(folder), name), executable, text})
		return nil
	})
	return all, err
}

func writeTar(out io.Writer, moment time.Time, entries []entry) error {
	zipped, err := gzip.NewWriterLevel(out, gzip.BestCompression)
	if err != nil {
		return err
	}
	tape := tar.NewWriter(zipped)
	for _, e := range entries {
		header := &tar.Header{Name: e.name, Mode: int64(e.mode()), Size: int64(len(e.text)), ModTime: moment, Typeflag: tar.TypeReg, Format: tar.FormatUSTAR}
		if err := tape.WriteHeader(header); err != nil {
			return err
		}
		if _, err := tape.Write(e.text); err != nil {
			return err
		}
	}
	return errors.Join(tape.Close(), zipped.Close())
}

func writeZip(out io.Writer, moment time.Time, entries []entry) error {
	z := zip.NewWriter(out)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, e := range entries {
		header := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: moment}
		header.SetMode(e.mode())
		w, err := z.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := w.Write(e.text); err != nil {
			return err
		}
	}
	return z.Close()
}

// writeSums writes the SHA-256 of each file of a folder, as sha256sum and shasum -a 256 write and check them.
func writeSums(out io.Writer, folder string) error {
	files, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, f := range files {
		sum, err := sumOf(filepath.Join(folder, f.Name()))
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, "%x  %s\n", sum, f.Name()); err != nil {
			return err
		}
	}
	return nil
}

func sumOf(file string) ([]byte, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	_, err = io.Copy(sum, in)
	return sum.Sum(nil), errors.Join(err, in.Close())
}
