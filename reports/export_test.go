package reports

// What the tests outside of the package look at.

const (
	Bold       = bold
	Dim        = dim
	Green      = green
	Red        = red
	WriteEvery = writeEvery
	Yellow     = yellow
)

var ReplaceWith = replace
