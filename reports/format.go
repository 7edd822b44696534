package reports

import (
	"io"

	"hallmark/reports/view"
)

// Format is one kind of report.
type Format struct {
	// Name is what --report calls it, Says what it is for, as a phrase.
	Name, Says string
	// Write writes the report of a view, which other formats read at the same time.
	Write func(w io.Writer, v *view.View) error
	// Ending writes it in another way where the path ends so (".json"); mostly there is none.
	Ending map[string]func(w io.Writer, v *view.View) error
	// Variants write it in another way where the path begins so ("by=rule", as in junit:by=rule:report.xml).
	Variants map[string]func(w io.Writer, v *view.View) error
}

// JSON is the record itself, of which every other format can be made later.
func JSON() Format {
	return Format{Name: "json", Says: "the record itself, of which every other format can be made later", Write: func(w io.Writer, v *view.View) error {
		return WriteJSON(w, v.Record, v.Result)
	}}
}
