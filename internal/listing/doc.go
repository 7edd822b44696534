// Package listing writes the lists of rules, of faults and of freedoms: as a table, as Markdown and as JSON. It knows no
// service, and chooses nothing.
package listing
