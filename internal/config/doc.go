// Package config reads hallmark.yaml: targets by name, each with the values of flags, the place of its key, and
// what else belongs to a target but to no command line.
//
// A [Shape] says which keys exist; the command line makes it from its flags, so that each flag is a key without
// further code. [Shape.Read] reads a file and finds all its mistakes, each with its line; [File.Target] returns a
// target with the defaults applied and environment variables inserted; [Shape.Schema] describes the file format to
// editors. Values stay texts: interpreting them is left to the flags.
package config
