package feature

// File is a feature file that was derived.
type File struct {
	// Name is the file's name ("createPet.feature"), with a folder where it stands in one.
	Name    string
	Content string
}

// CoveredTag begins the tag of a scenario that names the derived rule which it tries, where a rule of a file covers that one.
const CoveredTag = "@covered:"
