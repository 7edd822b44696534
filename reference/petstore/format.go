package petstore

import (
	"errors"
	"fmt"
	"os"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// The stored format. Any change must increase formatVersion.
const (
	formatName    = "hallmark reference pets"
	formatVersion = "1"

	bucketMeta   = "meta"    // identifies the file: the keys format and version
	bucketPets   = "pets"    // key: id, 8 bytes big-endian; value: a NewPet as JSON
	bucketStatus = "status/" // and a status: the ids that have it, as keys like above; the values are empty
)

func bucket(tx *bbolt.Tx, name string) *bbolt.Bucket {
	return tx.Bucket([]byte(name))
}

// lockWait is how long to wait for another process to close the file.
const lockWait = time.Second

// OpenFile opens the store in the file at path, and creates the file if it does not exist. It fails, and leaves the file unchanged, if
// another process has it open for longer than a second, if it is not a file of this service, if its format has another version, or if a
// part of it is missing.
func OpenFile(path string) (file *File, err error) {
	defer func() {
		// The database trusts the pages it reads; an overwritten page makes it panic.
		if p := recover(); p != nil {
			file, err = nil, fmt.Errorf("%s is damaged: %v", path, p)
		}
	}()

	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("the store cannot be opened: %w", err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("the store cannot be opened: %s is not a regular file", path)
	case info.Size() > 0:
		if err := inspect(path); err != nil {
			return nil, err
		}
	}

	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: lockWait, FreelistType: bbolt.FreelistMapType})
	if err != nil {
		return nil, openError(path, err)
	}
	if err := db.Update(prepare); err != nil {
		return nil, errors.Join(fmt.Errorf("%s cannot be prepared: %w", path, err), db.Close())
	}
	return &File{db: db, commit: make(chan struct{}, 1)}, nil
}

// inspect checks an existing file without writing to it.
func inspect(path string) (err error) {
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: lockWait, ReadOnly: true})
	if err != nil {
		return openError(path, err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()

	return db.View(func(tx *bbolt.Tx) error {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		// Pages are memory-mapped: touching one beyond the file's end would crash the process.
		if info.Size() < tx.Size() {
			return fmt.Errorf("%s is damaged: it has %d bytes and should have %d", path, info.Size(), tx.Size())
		}
		return checkFormat(path, tx)
	})
}

// checkFormat checks that the file is one of ours. A file without buckets is: its first writer was interrupted.
func checkFormat(path string, tx *bbolt.Tx) error {
	if first, _ := tx.Cursor().First(); first == nil {
		return nil
	}
	meta := bucket(tx, bucketMeta)
	if meta == nil || string(meta.Get([]byte("format"))) != formatName {
		return fmt.Errorf("%s is a database, but not one of this service", path)
	}
	if version := string(meta.Get([]byte("version"))); version != formatVersion {
		return fmt.Errorf("%s has the stored format of version %q, but this program supports only version %s", path, version,
			formatVersion)
	}
	for _, name := range dataBuckets() {
		if bucket(tx, name) == nil {
			return fmt.Errorf("%s is damaged: its part %q is missing", path, name)
		}
	}
	return nil
}

// prepare creates the buckets of a new file.
func prepare(tx *bbolt.Tx) error {
	if bucket(tx, bucketMeta) != nil {
		return nil
	}
	for _, name := range dataBuckets() {
		if _, err := tx.CreateBucket([]byte(name)); err != nil {
			return err
		}
	}
	meta, err := tx.CreateBucket([]byte(bucketMeta))
	if err != nil {
		return err
	}
	return errors.Join(
		meta.Put([]byte("format"), []byte(formatName)),
		meta.Put([]byte("version"), []byte(formatVersion)))
}

// dataBuckets names all buckets but meta.
func dataBuckets() []string {
	names := []string{bucketPets}
	for _, status := range Statuses() {
		names = append(names, bucketStatus+string(status))
	}
	return names
}

func openError(path string, err error) error {
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return fmt.Errorf("%s is in use: another process has had it open for more than %v", path, lockWait)
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrVersionMismatch),
		errors.Is(err, bolterrors.ErrChecksum):
		return fmt.Errorf("%s is not a file of this service: %w", path, err)
	default:
		return fmt.Errorf("the store %s cannot be opened: %w", path, err)
	}
}
