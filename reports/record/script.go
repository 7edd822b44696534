package record

import (
	"slices"
	"strconv"
	"strings"

	"hallmark/internal/text"
	"hallmark/spec"
)

// Script writes the shell lines that repeat exchanges in their order. What a later request takes from an earlier response,
// the id of a resource, is carried in a shell variable (see carry), so that the script works although the service gives other ids now.
// It needs curl, tr and sed, besides what a POSIX shell has. A single exchange is one line; see Target.Curl.
func (t Target) Script(exchanges []*spec.Exchange) string {
	return strings.Join(t.ScriptLines(exchanges), "\n")
}

// ScriptLines are the lines of the script, a text for each exchange.
func (t Target) ScriptLines(exchanges []*spec.Exchange) []string {
	carried := t.carry(exchanges)
	all := make([]string, 0, len(exchanges))
	for i, ex := range exchanges {
		line := t.carriedInto(t.Curl(*ex), ex, i, carried)
		var takes []string
		response := "response" + strconv.Itoa(i+1)
		for _, c := range carried {
			if c.from != i {
				continue
			}
			if c.value.member == location {
				line = strings.Replace(line, "curl -sS ", "curl -sSi ", 1)
			}
			if take := c.take(response); !slices.Contains(takes, take) {
				takes = append(takes, take)
			}
		}
		switch {
		case len(takes) > 0:
			line = response + "=$(" + line + `); printf '%s\n' "$` + response + "\"\n" + strings.Join(takes, "\n")
		case i < len(exchanges)-1:
			line += "; echo"
		case len(exchanges) > 1:
			line += ` -w '\n%{http_code}\n'`
		}
		all = append(all, line)
	}
	return all
}

// NeedsBash reports whether the lines of exchanges hold what not every sh knows: values that do not show (written as $'…'), and
// credentials that are a part of the key, or are made of it.
func NeedsBash(exchanges []*spec.Exchange) bool {
	for _, ex := range exchanges {
		if !text.IsVisible(ex.Request.URL) || !text.IsVisible(string(ex.Request.Body)) || isExpression(ex.Request.URL) {
			return true
		}
		for _, values := range ex.Request.Header {
			if slices.ContainsFunc(values, func(v string) bool { return !text.IsVisible(v) || isExpression(v) }) {
				return true
			}
		}
	}
	return false
}

// isExpression reports whether a value holds more of the shell than a variable.
func isExpression(value string) bool {
	for rest := value; ; {
		_, tail, found := strings.Cut(rest, "${HALLMARK_")
		if !found {
			return strings.Contains(value, "$(") && strings.Contains(value, "HALLMARK_")
		}
		if end := strings.TrimLeft(tail, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"); !strings.HasPrefix(end, "}") {
			return true
		}
		rest = tail
	}
}
