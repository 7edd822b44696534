package files

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
)

// bufferSize is how much is gathered, in bytes, before it is written.
const bufferSize = 64 << 10

// Replace writes content to a file, whole or not at all; see ReplaceWith.
func Replace(path, content string) error {
	return ReplaceWith(path, func(w io.Writer) error {
		_, err := io.WriteString(w, content)
		return err
	})
}

// ReplaceWith writes a file whole or not at all: what content writes goes into a file beside it, which then takes its place.
// Readers find the old content or the new one, also when the process is killed meanwhile. The permissions of the old file
// stay.
func ReplaceWith(path string, content func(io.Writer) error) (err error) {
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
	if err := writeBuffered(file, content); err != nil {
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

// Overwrite writes to what is no plain file, such as a device or a pipe, and cannot be replaced.
func Overwrite(path string, content func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if err := writeBuffered(file, content); err != nil {
		_ = file.Close()
		return err
	}
	return file.Close()
}

// writeBuffered writes content in large pieces.
func writeBuffered(w io.Writer, content func(io.Writer) error) error {
	out := bufio.NewWriterSize(w, bufferSize)
	if err := content(out); err != nil {
		return err
	}
	return out.Flush()
}
