// Package config reads hallmark.yaml: targets by their names, each with the values of flags, the place of its key, and
// what else belongs to a target and to no command line.
//
// A [Shape] says which keys there are; the command line makes it from its flags, so that a flag is a key without another
// line of code. [Shape.Read] reads a file and finds all its mistakes, each with its line; [File.Target] gives what a
// target has, with the defaults under it and the variables of the environment put in; [Shape.Schema] describes the same
// file to editors. The values stay texts: what they mean is the flags' affair.
package config
