package record

import (
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// Implementation says what was judged, and who made it.
type Implementation struct {
	Organization string `json:"organization,omitempty"`
	Project      string `json:"project,omitempty"`
	URL          string `json:"url,omitempty"`
	Version      string `json:"version,omitempty"`
	Contact      string `json:"contact,omitempty"`
}

// Words returns the implementation on one line: "Pets 1.4.2 by Example Ltd (https://pets.example.com, pets@example.com)". Unknown parts are
// left out. The result is safe to display.
func (i Implementation) Words() string {
	what := strings.TrimSpace(i.Project + " " + i.Version)
	if what != "" && i.Organization != "" {
		what += " by "
	}
	what += i.Organization
	about := i.URL
	if about != "" && i.Contact != "" {
		about += ", "
	}
	about += i.Contact
	if what != "" && about != "" {
		about = " (" + about + ")"
	}
	return text.Short(what + about)
}
