package files

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
)

// bufferSize is the size of the write buffer in bytes.
const bufferSize = 64 << 10

// Replace writes content to a file atomically; see ReplaceWith.
func Replace(path, content string) error {
	return ReplaceWith(path, func(w io.Writer) error {
		_, err := io.WriteString(w, content)
		return err
	})
}

// ReplaceWith writes a file atomically: content writes to a temporary file in the same folder, which then replaces the file. Readers find
// either the old or the new content, even if the process is killed. The permissions of the old file are kept.
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

// Overwrite writes to a special file, such as a device or a pipe, which cannot be replaced.
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

// writeBuffered writes content in large chunks.
func writeBuffered(w io.Writer, content func(io.Writer) error) error {
	out := bufio.NewWriterSize(w, bufferSize)
	if err := content(out); err != nil {
		return err
	}
	return out.Flush()
}
