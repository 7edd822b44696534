package stub

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

// lockPatience is how long to wait for another process that has the file open.
const lockPatience = 2 * time.Second

// The buckets of a file: resources by their keys, collections that have been seeded, and the contract that all
// this belongs to.
var resourceBucket, seededBucket, aboutBucket = []byte("resources"), []byte("seeded"), []byte("about")

// File stores the resources of a service, so that they survive the process.
type File struct{ db *bbolt.DB }

// Open opens a file, and creates it if it does not exist. It must be closed.
func Open(name string) (*File, error) {
	db, err := bbolt.Open(name, 0o600, &bbolt.Options{Timeout: lockPatience})
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, errors.New("another process has this file open")
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrVersionMismatch), errors.Is(err, bolterrors.ErrChecksum):
		return nil, errors.New("this is no file that a service was kept in")
	case err != nil:
		if path := new(os.PathError); errors.As(err, &path) {
			err = path.Err
		}
		return nil, err
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		for _, name := range [][]byte{resourceBucket, seededBucket, aboutBucket} {
			if _, err := tx.CreateBucketIfNotExists(name); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &File{db}, nil
}

// Close closes the file.
func (f *File) Close() error { return f.db.Close() }

// stored is a resource as the file has it.
type stored struct {
	Kind    string            `json:"kind,omitempty"`
	Members json.RawMessage   `json:"members"`
	Bytes   []byte            `json:"bytes,omitempty"`
	At      map[string]string `json:"at"`
	Seq     int               `json:"seq"`
	Version int               `json:"version"`
	Gone    bool              `json:"gone,omitempty"`
}

// load fills a store from the file, and makes the store write changes to the file.
func (f *File) load(s *store, a *api) error {
	var all []stored
	err := f.db.Update(func(tx *bbolt.Tx) error {
		about, digest := tx.Bucket(aboutBucket), []byte(a.contract.Digest())
		if known := about.Get([]byte("contract")); known != nil && string(known) != string(digest) {
			return errors.New("the file holds resources of another contract")
		}
		if err := about.Put([]byte("contract"), digest); err != nil {
			return err
		}
		if err := tx.Bucket(seededBucket).ForEach(func(key, _ []byte) error {
			s.seeded[string(key)] = true
			return nil
		}); err != nil {
			return err
		}
		return tx.Bucket(resourceBucket).ForEach(func(_, text []byte) error {
			var one stored
			if err := json.Unmarshal(text, &one); err != nil {
				return fmt.Errorf("what the file holds cannot be read: %w", err)
			}
			all = append(all, one)
			return nil
		})
	})
	if err != nil {
		return err
	}
	s.restore(a, all)
	s.onChange, s.onSeed = f.keep, f.born
	return nil
}

// restore puts resources back into a store.
func (s *store) restore(a *api, all []stored) {
	for _, one := range all {
		members, _ := decode(string(one.Members))
		object, _ := members.(map[string]any)
		r := &resource{members: object, bytes: one.Bytes, at: one.At, seq: one.Seq, version: one.Version}
		s.seq = max(s.seq, one.Seq)
		if one.Kind == "" {
			key := one.At[""]
			r.kind = aloneKind(key)
			if s.alone[key] = r; one.Gone {
				s.alone[key] = nil
			}
			continue
		}
		if r.kind = a.kinds[one.Kind]; r.kind == nil {
			continue
		}
		t := s.table(r.kind.family)
		t.all = append(t.all, r)
		for _, key := range keysOf(r) {
			t.by[key] = append(t.by[key], r)
		}
		s.count[r.kind.family]++
	}
	for _, t := range s.tables {
		t.order()
	}
}

// keep writes a resource, or deletes it if it is nil.
func (f *File) keep(key string, r *resource) error {
	return f.db.Update(func(tx *bbolt.Tx) error {
		b := tx.Bucket(resourceBucket)
		if r == nil && !strings.HasPrefix(key, aloneKey) {
			return b.Delete([]byte(key))
		}
		one := stored{Members: json.RawMessage("{}"), At: map[string]string{"": strings.TrimPrefix(key, aloneKey)}, Gone: r == nil}
		if r != nil {
			one = stored{Members: encode(r.members), Bytes: r.bytes, At: r.at, Seq: r.seq, Version: r.version}
			if !strings.HasPrefix(key, aloneKey) {
				one.Kind = r.kind.key
			}
		}
		text, err := json.Marshal(one)
		if err != nil {
			return err
		}
		return b.Put([]byte(key), text)
	})
}

// born records that a collection has been seeded.
func (f *File) born(key string) error {
	return f.db.Update(func(tx *bbolt.Tx) error {
		return tx.Bucket(seededBucket).Put([]byte(key), []byte(strconv.Itoa(1)))
	})
}

// decode reads a JSON text of a document.
func decode(text string) (any, bool) {
	d, err := exactjson.Decode([]byte(text))
	return d.Tree, err == nil
}
