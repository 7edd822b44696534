package petstore

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"go.etcd.io/bbolt"
)

// File is a [Store] in a file on disk. An animal that Create has returned is on disk: it survives an abrupt end of the process, and of the
// machine if the disk is reliable.
//
// Only one File at a time may use the file.
type File struct {
	db *bbolt.DB

	mu      sync.Mutex  // guards waiting
	waiting []*creation // animals waiting for the next commit

	commit chan struct{} // a lock, held by the writer: full when taken
}

// creation is an animal being written. The id and the error are set before done is closed.
type creation struct {
	pet     NewPet
	encoded []byte
	id      int64
	err     error
	done    chan struct{}
}

// Create implements [Store]. Concurrent creations share one commit, since waiting for the disk is nearly all of the cost.
func (f *File) Create(ctx context.Context, pet NewPet) (Pet, error) {
	if err := ctx.Err(); err != nil {
		return Pet{}, err
	}
	pet = pet.WithDefaults()
	encoded, err := encodeStored(pet)
	if err != nil {
		return Pet{}, fmt.Errorf("the animal cannot be stored: %w", err)
	}

	c := &creation{pet: pet, encoded: encoded, done: make(chan struct{})}
	f.mu.Lock()
	f.waiting = append(f.waiting, c)
	f.mu.Unlock()

	// While one goroutine writes, others queue here. The next to get the lock writes for all of them.
	select {
	case <-c.done:
	case f.commit <- struct{}{}:
		f.writeWaiting()
	}
	if c.err != nil {
		return Pet{}, fmt.Errorf("the animal could not be stored: %w", c.err)
	}
	return Pet{ID: c.id, NewPet: pet}, nil
}

// writeWaiting writes all waiting animals to the file, or none of them. The caller holds commit, which it releases.
func (f *File) writeWaiting() {
	defer func() { <-f.commit }()
	f.mu.Lock()
	batch := f.waiting
	f.waiting = nil
	f.mu.Unlock()

	if len(batch) == 0 {
		return // another goroutine has just written them
	}

	err := errors.New("the write was not finished") // kept if the database panics
	defer func() {
		for _, c := range batch {
			c.err = err
			close(c.done)
		}
	}()
	err = f.db.Update(func(tx *bbolt.Tx) error {
		for _, c := range batch {
			if err := c.put(tx); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c *creation) put(tx *bbolt.Tx) error {
	pets := bucket(tx, bucketPets)
	n, err := pets.NextSequence()
	if err != nil {
		return err
	}
	c.id = int64(n)
	key := keyOf(c.id)
	if err := pets.Put(key, c.encoded); err != nil {
		return err
	}
	return bucket(tx, bucketStatus+string(c.pet.Status)).Put(key, nil)
}

// Get implements [Store].
func (f *File) Get(ctx context.Context, id int64) (Pet, error) {
	if err := ctx.Err(); err != nil {
		return Pet{}, err
	}
	var pet Pet
	err := f.db.View(func(tx *bbolt.Tx) error {
		encoded := bucket(tx, bucketPets).Get(keyOf(id))
		if encoded == nil {
			return ErrNotFound
		}
		var err error
		pet, err = decodeStored(id, encoded)
		return err
	})
	return pet, err
}

// List implements [Store].
func (f *File) List(ctx context.Context, filter Filter, limit int) ([]Pet, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	index := bucketPets
	if filter.Status != "" {
		index = bucketStatus + string(filter.Status)
	}
	var page []Pet
	err := f.db.View(func(tx *bbolt.Tx) error {
		ids, pets := bucket(tx, index), bucket(tx, bucketPets)
		if ids == nil {
			return nil // animals have one of the three statuses
		}
		cursor := ids.Cursor()
		for key, _ := cursor.Last(); key != nil && len(page) < limit; key, _ = cursor.Prev() {
			pet, err := decodeStored(idOf(key), pets.Get(key))
			if err != nil {
				return err
			}
			page = append(page, pet)
		}
		return nil
	})
	return page, err
}

// Close waits for writes in progress and closes the file. The File must not be used afterwards.
func (f *File) Close() error {
	return f.db.Close()
}

// keyOf returns a key that sorts like the ids, from 0 up; the store assigns no others.
func keyOf(id int64) []byte {
	return binary.BigEndian.AppendUint64(nil, uint64(id))
}

func idOf(key []byte) int64 {
	return int64(binary.BigEndian.Uint64(key))
}

// encodeStored rejects animals that could not be read back, before they fail the rest of their commit.
func encodeStored(pet NewPet) ([]byte, error) {
	encoded, err := appendNewPet(nil, pet)
	if err != nil {
		return nil, err
	}
	_, err = decodeNewPet(encoded)
	return encoded, err
}

// decodeStored decodes an animal. The stored form is the interface's NewPet, so its decoder is used.
func decodeStored(id int64, encoded []byte) (Pet, error) {
	pet, err := decodeNewPet(encoded)
	if err == nil && pet.Status == "" {
		err = errors.New("it has no status")
	}
	if err != nil {
		return Pet{}, fmt.Errorf("the file is damaged: animal %d cannot be read: %w", id, err)
	}
	return Pet{ID: id, NewPet: pet}, nil
}
