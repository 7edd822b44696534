package petstore_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/hallmark-kit/hallmark/reference/petstore"
)

func TestFileIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pets.db")
	var want []petstore.Pet
	for range 3 {
		file, err := petstore.OpenFile(path)
		if err != nil {
			t.Fatal(err)
		}
		created, err := file.Create(t.Context(), petstore.NewPet{Name: "Rex", CategoryID: 1, Status: petstore.Sold})
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, created)
		for i, p := range want {
			if got, err := file.Get(t.Context(), p.ID); err != nil || got != p || p.ID != int64(i)+1 {
				t.Errorf("%+v is read as %+v, %v", p, got, err)
			}
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFileAfterClose(t *testing.T) {
	file, err := petstore.OpenFile(filepath.Join(t.TempDir(), "pets.db"))
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	_, err1 := file.Create(t.Context(), petstore.NewPet{Name: "Rex"})
	_, err2 := file.Get(t.Context(), 1)
	_, err3 := file.List(t.Context(), petstore.Filter{}, 1)
	for _, err := range []error{err1, err2, err3} {
		if err == nil {
			t.Error("a closed file still serves")
		}
	}
}

// What could not be read back is refused, and does not stay behind.
func TestFileRefuses(t *testing.T) {
	file := openFile(t, filepath.Join(t.TempDir(), "pets.db"))
	for _, n := range []petstore.NewPet{
		{Name: "\xff"},
		{Name: "Rex", Status: "lost"},
		{Name: strings.Repeat("x", petstore.MaxName+1)},
	} {
		if p, err := file.Create(t.Context(), n); err == nil {
			t.Errorf("stored as %d", p.ID)
		}
	}
	if pets, err := file.List(t.Context(), petstore.Filter{}, 10); err != nil || len(pets) != 0 {
		t.Errorf("holds %v, %v", pets, err)
	}
}

func TestFileInUse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pets.db")
	openFile(t, path)
	_, err := petstore.OpenFile(path)
	if err == nil || !strings.Contains(err.Error(), "in use") || !strings.Contains(err.Error(), path) {
		t.Errorf("opened twice: %v", err)
	}
}

func TestNotOurFile(t *testing.T) {
	whole := wholeFile(t)
	cases := []struct {
		name    string
		content []byte
		says    string
	}{
		{"a short text", []byte("hello"), "not a file of this service"},
		{"a long text", bytes.Repeat([]byte("hello\n"), 20000), "not a file of this service"},
		{"zeros", make([]byte, 1<<16), "not a file of this service"},
		{"another database", database(t, func(tx *bbolt.Tx) error {
			_, err := tx.CreateBucket([]byte("theirs"))
			return err
		}), "not one of this service"},
		{"another version", database(t, func(tx *bbolt.Tx) error {
			return putMeta(tx, "hallmark reference pets", "2")
		}), `version "2"`},
		{"another format", database(t, func(tx *bbolt.Tx) error {
			return putMeta(tx, "cats", "1")
		}), "not one of this service"},
		{"a part missing", database(t, func(tx *bbolt.Tx) error {
			return putMeta(tx, "hallmark reference pets", "1")
		}), `"pets" is missing`},
		{"cut off", whole[:len(whole)/4], "should have"},
		{"only its beginning", whole[:4096], "cannot be opened"},
		{"overwritten", append(bytes.Clone(whole[:8192]), bytes.Repeat([]byte{0xaa}, len(whole)-8192)...), "damaged"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "pets.db")
			if err := os.WriteFile(path, c.content, 0o600); err != nil {
				t.Fatal(err)
			}
			file, err := petstore.OpenFile(path)
			if err == nil {
				file.Close()
				t.Fatal("opened")
			}
			if !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), path) {
				t.Errorf("says %q, want %q and the path", err, c.says)
			}
			if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, c.content) {
				t.Errorf("the file was changed, %v", err)
			}
		})
	}
	t.Run("a directory", func(t *testing.T) {
		if _, err := petstore.OpenFile(t.TempDir()); err == nil {
			t.Error("opened")
		}
	})
	t.Run("in no directory", func(t *testing.T) {
		if _, err := petstore.OpenFile(filepath.Join(t.TempDir(), "no", "pets.db")); err == nil {
			t.Error("opened")
		}
	})
}

// A first start that was cut short leaves an empty file, or a database without anything in it.
func TestBeginningIsTakenUpAgain(t *testing.T) {
	for name, content := range map[string][]byte{
		"an empty file":     {},
		"an empty database": database(t, func(*bbolt.Tx) error { return nil }),
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "pets.db")
			if err := os.WriteFile(path, content, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := openFile(t, path).Create(t.Context(), petstore.NewPet{Name: "Rex"}); err != nil {
				t.Error(err)
			}
		})
	}
}

// wholeFile is the content of a store with some animals in it.
func wholeFile(t *testing.T) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "whole.db")
	file, err := petstore.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := petstore.Preload(t.Context(), file, 300); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return read(t, path)
}

// database is the content of a database that has been filled by others.
func database(t *testing.T, fill func(*bbolt.Tx) error) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "other.db")
	db, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Update(fill); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return read(t, path)
}

func putMeta(tx *bbolt.Tx, format, version string) error {
	meta, err := tx.CreateBucket([]byte("meta"))
	if err != nil {
		return err
	}
	if err := meta.Put([]byte("format"), []byte(format)); err != nil {
		return err
	}
	return meta.Put([]byte("version"), []byte(version))
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}
