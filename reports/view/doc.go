// Package view is what formats read: a record, what follows from it, the texts that the two speak of, and what every format says in
// the same words. It knows no format.
package view
