package prose

import (
	"regexp"
	"sync"
)

// mostExamples is how many examples of a description are read.
const mostExamples = 3

var exampleForms = sync.OnceValue(func() [2]*regexp.Regexp {
	const marks = "[\"“‘'`]([^\"”’'`\n]{1,100})[\"”’'`]"
	return [2]*regexp.Regexp{
		regexp.MustCompile(`(?i)(?:\be\.g\.|\bfor example|\bsuch as|\bexamples?\s*:)[,:]?\s*(?:is\s+)?(` + marks + `(?:\s*(?:,|or|and)\s*` + marks + `)*)`),
		regexp.MustCompile(marks),
	}
})

// Examples returns the texts in quotation marks that a description gives as examples: "example.com." in "Name of the zone (e.g. “example.com.”)".
// They are hints: the document does not say that they are valid.
func Examples(description string) []string {
	var all []string
	forms := exampleForms()
	for _, list := range forms[0].FindAllStringSubmatch(description, mostExamples) {
		for _, one := range forms[1].FindAllStringSubmatch(list[1], mostExamples) {
			if len(all) < mostExamples {
				all = append(all, one[1])
			}
		}
	}
	return all
}
