// Package wire serializes values for HTTP (parameters by style, paths by template, bodies by media type), and
// parses them. It knows no contract: callers pass what their document states in small structs.
package wire
