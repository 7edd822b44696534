// Package examples holds services that hallmark judges by their own documents: one of ours, and two of others.
package examples
