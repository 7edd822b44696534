package feature

// File is a derived feature file.
type File struct {
	// Name is the file's name ("createPet.feature"), possibly with a folder.
	Name    string
	Content string
}

// CoveredTag is the prefix of the tag that names the derived rule that a scenario tests, if a rule of a file covers that one.
const CoveredTag = "@covered:"
