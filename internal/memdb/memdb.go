// Package memdb stands in for github.com/hashicorp/go-memdb in the program: it has what godog calls of that, and keeps nothing.
//
// godog puts each pickle, step, match and result into a database in memory, of immutable trees with several indexes, from which its formats draw
// what they print. It cannot be told not to. hallmark has one format, which prints nothing: the record of a run says what happened. With the
// database a run by a contract of 50 operations, or of 1,000, takes half as much processor time again as with this package in its place, and
// one of the Petstore a quarter.
//
// It stands in by go.work, not by go.mod, so that go install and modules that import hallmark work as well: they get the database.
//
// A format of godog's own that looks something up finds nothing, and panics. To have one, build with GOWORK=off.
package memdb

// DBSchema, TableSchema and IndexSchema say what a database would hold.
type (
	DBSchema    struct{ Tables map[string]*TableSchema }
	TableSchema struct {
		Name    string
		Indexes map[string]*IndexSchema
	}
	IndexSchema struct {
		Name    string
		Unique  bool
		Indexer any
	}
)

// StringFieldIndex and IntFieldIndex say by what a table would be indexed.
type (
	StringFieldIndex struct{ Field string }
	IntFieldIndex    struct{ Field string }
)

// MemDB holds nothing.
type MemDB struct{}

// NewMemDB returns a database without a look at its schema.
func NewMemDB(*DBSchema) (*MemDB, error) { return &MemDB{}, nil }

// Txn returns a transaction.
func (*MemDB) Txn(bool) *Txn { return &Txn{} }

// Txn is a transaction that does nothing.
type Txn struct{}

// Insert keeps nothing.
func (*Txn) Insert(string, any) error { return nil }

// Commit ends the transaction.
func (*Txn) Commit() {}

// Abort ends the transaction.
func (*Txn) Abort() {}

// First finds nothing.
func (*Txn) First(string, string, ...any) (any, error) { return nil, nil }

// Get finds nothing.
func (*Txn) Get(string, string, ...any) (ResultIterator, error) { return none{}, nil }

// ResultIterator goes through what was found.
type ResultIterator interface{ Next() any }

type none struct{}

// Next returns nil: there is nothing more.
func (none) Next() any { return nil }
