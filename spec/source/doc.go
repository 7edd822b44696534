// Package source holds the text of a contract: every node of the YAML or JSON under its JSON Pointer, with its line, and
// where references lead, also from file to file. It knows nothing of OpenAPI.
//
// Texts are parsed by libopenapi. Files and references are found here, because its rolodex and index (0.42.4) lose some of them:
//
//   - They cannot follow a data: URL, or a reference with a percent-encoded file name.
//   - They require a $ref in an example, which is data, to lead somewhere.
//   - They know the lines of nodes, but not their pointers, and do not know $anchor.
//   - They read files of any size and kind, and follow symbolic links out of the folder. A file system passed to them could enforce the limits, but
//     that file system would be all of open.go.
package source
