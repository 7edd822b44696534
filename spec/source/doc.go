// Package source holds the text of a contract: each node of the YAML or JSON by its JSON Pointer, its line, and the targets of
// references within a file and between files. It knows nothing of OpenAPI.
//
// libopenapi parses the texts. This package resolves files and references itself, because libopenapi's rolodex and index (0.42.4) have
// these limits:
//
//   - They cannot follow a data: URL, or a reference with a percent-encoded file name.
//   - They require that a $ref in an example, which is data, can be resolved.
//   - They know the lines of nodes but not their pointers, and do not support $anchor.
//   - They read files of any size and kind, and follow symbolic links out of the folder. A file system passed to them could enforce the limits, but
//     it would have to contain all of open.go.
//     that file system would be all of open.go.
package source
