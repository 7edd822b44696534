// Package listing writes the lists of rules, faults and freedoms: as a table, as Markdown and as JSON. It does not select them and does not
// contact a service.
package listing
