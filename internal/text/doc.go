// Package text shapes words for people: counts, enumerations, truncation, wrapping and quoting. It knows no other room, and
// nothing of what the words say.
package text
