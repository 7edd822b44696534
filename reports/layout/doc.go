// Package layout lays text out in lines, for a terminal, a pipe or a file: widths, indents, colours. It knows no run.
package layout
