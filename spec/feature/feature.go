package feature

// File is a feature file that was derived.
type File struct {
	// Name is the file's name ("createPet.feature"), with a folder where it stands in one.
	Name    string
	Content string
}
