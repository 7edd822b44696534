package petstore

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"go.etcd.io/bbolt"
)

// File is a [Store] in a file on disk. An animal that Create has returned is on the disk: it survives the end of the
// process, however abrupt, and of the machine as far as the disk keeps its word.
//
// The file belongs to one File at a time.
type File struct {
	db *bbolt.DB

	mu      sync.Mutex  // guards waiting
	waiting []*creation // animals that wait for the next commit

	commit chan struct{} // a lock, held by the one who writes: full when taken
}

// creation is an animal on its way to the disk. The id and the error are set before done is closed.
type creation struct {
	pet     NewPet
	encoded []byte
	id      int64
	err     error
	done    chan struct{}
}

// Create implements [Store]. Animals that are created at the same time share one commit, since the commit's wait for
// the disk is nearly all of the cost.
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

	// While one writes, the others gather here. The next to get the lock writes for all of them.
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

// writeWaiting puts all waiting animals into the file, or none of them. The caller holds commit, which is let go.
func (f *File) writeWaiting() {
	defer func() { <-f.commit }()
	f.mu.Lock()
	batch := f.waiting
	f.waiting = nil
	f.mu.Unlock()

	if len(batch) == 0 {
		return // another has written them just before
	}

	err := errors.New("the write was not finished") // as it stays if the database panics
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
			return nil // no animal can have a status that is none of the three
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

// Close waits for what is being written and lets go of the file. The File is of no use afterwards.
func (f *File) Close() error {
	return f.db.Close()
}

// keyOf orders as the ids do, for those from 0 up; the store gives out no others.
func keyOf(id int64) []byte {
	return binary.BigEndian.AppendUint64(nil, uint64(id))
}

func idOf(key []byte) int64 {
	return int64(binary.BigEndian.Uint64(key))
}

// encodeStored refuses what could not be read back, before it fails the others of its commit.
func encodeStored(pet NewPet) ([]byte, error) {
	encoded, err := appendNewPet(nil, pet)
	if err != nil {
		return nil, err
	}
	_, err = decodeNewPet(encoded)
	return encoded, err
}

// decodeStored reads an animal back. The stored form is the interface's NewPet, so its decoder serves here too.
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
