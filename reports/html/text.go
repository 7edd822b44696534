package html

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// visible is text from outside. It is written with its invisible characters shown, and html/template escapes it.
type visible string

// String returns the displayed form.
func (t visible) String() string { return text.Visible(string(t)) }

// web returns an address if it is safe to link to, an http or https address, and "" otherwise.
func web(address string) string {
	if strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://") {
		return address
	}
	return ""
}

func allVisible(all []string) []visible {
	out := make([]visible, len(all))
	for i, one := range all {
		out[i] = visible(one)
	}
	return out
}

// moment is a time in a form for readers and one for machines.
type moment struct{ Says, Machine string }

func momentOf(t time.Time) moment {
	if t.IsZero() {
		return moment{}
	}
	t = t.UTC()
	return moment{Says: t.Format("2 January 2006, 15:04:05") + " UTC", Machine: t.Format(time.RFC3339)}
}

// statusWords returns a status with its name: 404 Not Found.
func statusWords(status int) string {
	if words := http.StatusText(status); words != "" {
		return strconv.Itoa(status) + " " + words
	}
	return strconv.Itoa(status)
}

// statuses formats statuses: 200, 400 or 404.
func statuses(all []int) string {
	words := make([]string, len(all))
	for i, s := range all {
		words[i] = strconv.Itoa(s)
	}
	return text.Enumerate(words, "or")
}

// slug turns an id into an anchor name.
func slug(id string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-':
			return r
		}
		return '-'
	}, id)
}
