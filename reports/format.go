package reports

import (
	"io"

	"github.com/hallmark-kit/hallmark/reports/view"
)

// Format is a report format.
type Format struct {
	// Name is its name in --report, Says a phrase that describes its purpose.
	Name, Says string
	// Write writes the report of a view, which other formats may read concurrently.
	Write func(w io.Writer, v *view.View) error
	// Scripts reports whether the scripts of failures are written beside it, which it mentions.
	Scripts bool
	// Ending maps endings of the path (".json") to variants; most formats have none.
	Ending map[string]func(w io.Writer, v *view.View) error
	// Variants maps beginnings of the path to variants ("by=rule", as in junit:by=rule:report.xml).
	Variants map[string]func(w io.Writer, v *view.View) error
}

// JSON is the record itself, from which all other formats can be generated later.
func JSON() Format {
	return Format{Name: "json", Says: "the record itself, of which every other format can be made later", Write: func(w io.Writer, v *view.View) error {
		return WriteJSON(w, v.Record, v.Result)
	}}
}
