package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Name is the name of a file of targets.
const Name = "hallmark.yaml"

// Find looks for hallmark.yaml in a folder and its parents. The path is empty if there is none.
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
