package reports

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
)

// replace writes a file as a whole or not at all: into a file beside it, which then takes its place. Who reads the path
// finds the old content or the new one, also when the process is killed meanwhile.
func replace(path string, content func(io.Writer) error) (err error) {
	mode := os.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = file.Close()
			_ = os.Remove(file.Name())
		}
	}()
	if err := write(file, content); err != nil {
		return err
	}
	if err := file.Chmod(mode); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

// Replace writes a file as a whole or not at all.
func Replace(path string, text []byte) error {
	return replace(path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// overwrite writes to what is no plain file: a device or a pipe.
func overwrite(path string, content func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if err := write(file, content); err != nil {
		_ = file.Close()
		return err
	}
	return file.Close()
}

func write(w io.Writer, content func(io.Writer) error) error {
	out := bufio.NewWriterSize(w, 64<<10)
	if err := content(out); err != nil {
		return err
	}
	return out.Flush()
}
