package session

import (
	"regexp"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/feature"
	"github.com/hallmark-kit/hallmark/spec/promise"
)

// mostInFolder is how many operations a contract may have for its features to be in a single folder.
const mostInFolder = 40

// Folders returns the derived features as they are written: for a large contract in one folder for each tag, or,
// for operations without tags, for each first word of a path. In a run they have the same ids, wherever they are
// written.
func (b *Basis) Folders() []feature.File {
	files, operations := b.Features(), b.Contract.Operations()
	if len(operations) <= mostInFolder {
		return files
	}
	folders := map[string]string{}
	for i := range operations {
		folders[b.promises.Names[operations[i].ID]] = folderOf(&operations[i])
	}
	for i, f := range files {
		files[i].Name = folders[strings.TrimSuffix(f.Name, ".feature")] + "/" + f.Name
	}
	return files
}

// folderOf returns the name of an operation's folder, in lower case: file systems may not distinguish case.
func folderOf(op *spec.Operation) string {
	var name string
	if len(op.Tags) > 0 {
		name = op.Tags[0]
	} else {
		name = firstWord(op.Path)
	}
	name = strings.ToLower(promise.NamesOf([]spec.Operation{{ID: name}})[name])
	if name == "" {
		return "other"
	}
	return name
}

// version matches a segment that all paths have in common.
var version = regexp.MustCompile(`^(api|v[0-9][0-9.]*)$`)

// firstWord returns the first segment of a path that says what it is about.
func firstWord(path string) string {
	for segment := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
		if !version.MatchString(segment) && !strings.HasPrefix(segment, "{") {
			return segment
		}
	}
	return ""
}
