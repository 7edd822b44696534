package html

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"hallmark/reports/prose"
)

// text is what came from outside. It is written so that invisible characters show; html/template escapes it.
type text string

// String is what a reader sees.
func (t text) String() string { return prose.Visible(string(t)) }

// web returns an address that a link may lead to, of the web only; empty for any other.
func web(address string) string {
	if strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://") {
		return address
	}
	return ""
}

func texts(all []string) []text {
	out := make([]text, len(all))
	for i, one := range all {
		out[i] = text(one)
	}
	return out
}

// size writes a number of bytes as a person says it: 512 bytes, 8.2 kB, 1.3 MB.
func size(n int) string {
	switch {
	case n == 1:
		return "1 byte"
	case n < 1000:
		return strconv.Itoa(n) + " bytes"
	case n < 1_000_000:
		return strconv.FormatFloat(float64(n)/1e3, 'f', 1, 64) + " kB"
	}
	return strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64) + " MB"
}

// span writes how long an exchange took: 0.24 ms, 3.1 ms, 120 ms, 2.3 s.
func span(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	switch {
	case d <= 0:
		return "0 ms"
	case ms < 1:
		return strconv.FormatFloat(ms, 'f', 2, 64) + " ms"
	case ms < 10:
		return strconv.FormatFloat(ms, 'f', 1, 64) + " ms"
	case ms < 1000:
		return strconv.FormatFloat(ms, 'f', 0, 64) + " ms"
	}
	return prose.Duration(d)
}

// moment is a time for a person, and for the machine.
type moment struct{ Says, Machine string }

func momentOf(t time.Time) moment {
	if t.IsZero() {
		return moment{}
	}
	t = t.UTC()
	return moment{Says: t.Format("2 January 2006, 15:04:05") + " UTC", Machine: t.Format(time.RFC3339)}
}

// statusWords is a status as it is spoken: 404 Not Found.
func statusWords(status int) string {
	if words := http.StatusText(status); words != "" {
		return strconv.Itoa(status) + " " + words
	}
	return strconv.Itoa(status)
}

// statuses lists statuses: 200, 400 or 404.
func statuses(all []int) string {
	words := make([]string, len(all))
	for i, s := range all {
		words[i] = strconv.Itoa(s)
	}
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

// slug makes the name of an anchor of an id that may hold anything.
func slug(id string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-':
			return r
		}
		return '-'
	}, id)
}
