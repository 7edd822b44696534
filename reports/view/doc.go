// Package view combines what formats read: a record, its conclusions, the texts that they refer to, and common wording. It knows no
// format.
package view
