package slab

import (
	"strings"
	"unsafe"
)

const (
	// least and most are how many bytes a piece has. The first is small, and each next one twice as large: few values waste little.
	least, most = 512, 16 << 10
)

// Of makes values of a type. A piece is kept for as long as any value in it. The zero one is ready; it is for one goroutine.
type Of[T any] struct {
	free []T
	next int // how many the next piece has
}

// New returns a new zero value.
func (s *Of[T]) New() *T { return &s.Slice(1)[0] }

// Slice returns n new zero values. Appending to them takes other memory.
func (s *Of[T]) Slice(n int) []T {
	if n > len(s.free) {
		size := max(1, int(unsafe.Sizeof(*new(T))))
		if s.next = max(s.next, least/size, 1); n > s.next {
			return make([]T, n)
		}
		s.free = make([]T, s.next)
		s.next = min(2*s.next, max(most/size, 1))
	}
	taken := s.free[:n:n]
	s.free = s.free[n:]
	return taken
}

// Copy returns a copy of values; nil of none.
func (s *Of[T]) Copy(values ...T) []T {
	if len(values) == 0 {
		return nil
	}
	out := s.Slice(len(values))
	copy(out, values)
	return out
}

// Texts makes texts. The zero one is ready; it is for one goroutine.
type Texts struct {
	piece strings.Builder
	next  int
}

// Join returns the parts as one text. None of them is kept in memory by it.
func (t *Texts) Join(parts ...string) string {
	length := 0
	for _, part := range parts {
		length += len(part)
	}
	if length > t.piece.Cap()-t.piece.Len() {
		if t.next = max(t.next, least); length > t.next {
			return strings.Clone(strings.Join(parts, ""))
		}
		t.piece = strings.Builder{}
		t.piece.Grow(t.next)
		t.next = min(2*t.next, most)
	}
	begin := t.piece.Len()
	for _, part := range parts {
		t.piece.WriteString(part)
	}
	return t.piece.String()[begin:]
}
