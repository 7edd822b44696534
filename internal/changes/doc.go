// Package changes compares two versions of a contract: the documents, and the rules and scenarios derived from them.
package changes
