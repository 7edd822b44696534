package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
)

// unpack adds a file to all, by its name, and whatever is packed in it.
func unpack(all map[string]string, name string, data []byte) error {
	all[name] = string(data)
	switch {
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return unzip(all, name, data)
	case bytes.HasPrefix(data, []byte("\x1f\x8b")):
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return err
		}
		inside, err := io.ReadAll(z)
		if err != nil {
			return err
		}
		return unpack(all, name+"/", inside)
	case len(data) > 262 && string(data[257:262]) == "ustar":
		return untar(all, name, data)
	}
	return nil
}

func unzip(all map[string]string, name string, data []byte) error {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err
	}
	for _, entry := range archive.File {
		file, err := entry.Open()
		if err != nil {
			return err
		}
		inside, err := io.ReadAll(file)
		if err = errors.Join(err, file.Close()); err != nil {
			return err
		}
		if err := unpack(all, name+"/"+entry.Name, inside); err != nil {
			return err
		}
	}
	return nil
}

func untar(all map[string]string, name string, data []byte) error {
	archive := tar.NewReader(bytes.NewReader(data))
	for {
		entry, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		inside, err := io.ReadAll(archive)
		if err != nil {
			return err
		}
		if err := unpack(all, name+"/"+entry.Name, inside); err != nil {
			return err
		}
	}
}

// isPacked reports whether what a file holds is told by its parts.
func isPacked(text string) bool {
	return strings.HasPrefix(text, "PK\x03\x04") || strings.HasPrefix(text, "\x1f\x8b") || len(text) > 262 && text[257:262] == "ustar"
}
