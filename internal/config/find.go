package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Name is what a file of targets is called.
const Name = "hallmark.yaml"

// Find looks for hallmark.yaml in a folder and in those above it. Without one, the path is empty.
func Find(folder string) (string, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	for {
		path := filepath.Join(folder, Name)
		info, err := os.Stat(path)
		switch {
		case err == nil && !info.IsDir():
			return path, nil
		case err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission):
			return "", err
		}
		above := filepath.Dir(folder)
		if above == folder {
			return "", nil
		}
		folder = above
	}
}
