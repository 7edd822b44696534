// Package layout lays out lines of text for a terminal, a pipe or a file: widths, indents, colours. It knows nothing of runs.
package layout
