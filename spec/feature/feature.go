package feature

// File is a feature file that was derived.
type File struct {
	// Name is the file's name ("createPet.feature"), with a folder where it stands in one.
	Name    string
	Content string
	// Title is that of the feature, and Outlines are its scenarios in their order, as they are read from the content. Without outlines
	// they have to be read from there.
	Title    string
	Outlines []Outline
}

// Outline is a scenario, or several that differ in a value.
type Outline struct {
	// Tags are all that apply, those of the feature first.
	Tags []string
	// Rule is the title of the Gherkin Rule around it.
	Rule  string
	Steps []Step
	// Rows are one for each scenario. Only where there are several has a step the [Placeholder] of their values.
	Rows []Row
}

// Placeholder stands in a step for the value of a row, and NamePlaceholder in the title of an outline for the name.
const (
	Placeholder     = "<value>"
	NamePlaceholder = "<case>"
)

// Step is a step of an outline, and the line where it stands.
type Step struct {
	Keyword, Text string
	Line          int
}

// Row is a scenario of an outline, and the line where it begins or, where there are several, its row of the table stands.
type Row struct {
	Line        int
	Name, Value string
}
