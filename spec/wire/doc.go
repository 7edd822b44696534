// Package wire writes values as HTTP carries them (parameters by style, paths by template, bodies by media type), and reads
// them back. It knows no contract: callers say in small structs what their document states.
package wire
