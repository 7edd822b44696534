package record

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
)

// Script returns a shell script that repeats exchanges in order. Values that a later request takes from an earlier response, such as the id
// of a resource or its ETag, are passed in shell variables (see carry), so the script works although the service now assigns others. It needs
// curl and jq besides a POSIX shell. A single exchange is one command; see Target.Curl. The last command shows what f is about: the headers
// of the response, or its status. An exchange that is repeated in a row becomes a loop.
func (t Target) Script(exchanges []*spec.Exchange, f spec.Finding) string {
	return strings.Join(slices.DeleteFunc(t.ScriptLines(exchanges, f), func(line string) bool { return line == "" }), "\n")
}

// StandsAlone reports whether the last of some exchanges takes nothing from the responses of those before it.
func (Target) StandsAlone(exchanges []*spec.Exchange) bool {
	return !slices.ContainsFunc(carry(exchanges), func(c carried) bool { return c.to == len(exchanges)-1 })
}

// ScriptLines returns the lines of the script, one string for each exchange. The string is empty for an exchange covered by the loop before
// it.
func (t Target) ScriptLines(exchanges []*spec.Exchange, f spec.Finding) []string {
	values := carry(exchanges)
	all := make([]string, 0, len(exchanges))
	for i, ex := range exchanges {
		line := carriedInto(t.Curl(*ex), ex, i, values)
		var takes []string
		response := "response" + strconv.Itoa(i+1)
		if i == len(exchanges)-1 && inHead(f) {
			line = strings.Replace(line, "curl -sS ", "curl -sSi ", 1)
		}
		headers := slices.ContainsFunc(values, func(c carried) bool { return c.from == i && c.value.isHeader() })
		if headers {
			line = strings.Replace(line, "curl -sS ", "curl -sSi ", 1)
		}
		for _, c := range values {
			if c.from != i {
				continue
			}
			if take := c.take(response, headers); !slices.Contains(takes, take) {
				takes = append(takes, take)
			}
		}
		switch {
		case len(takes) > 0:
			line = response + "=$(" + line + `); printf '%s\n' "$` + response + "\"\n" + strings.Join(takes, "\n")
		case i < len(exchanges)-1:
			line += "; echo"
		case !inHead(f) && (len(exchanges) > 1 || f.Status != 0):
			line += ` -w '\n%{http_code}\n'`
		}
		all = append(all, line)
	}
	loop(all, exchanges)
	return all
}

// shortestLoop is the minimum number of repetitions that become a loop.
const shortestLoop = 3

// loop replaces repeated lines: the first becomes a loop, the others become empty.
func loop(lines []string, exchanges []*spec.Exchange) {
	for i := 0; i < len(lines); {
		end := i + 1
		for end < len(lines)-1 && exchanges[end] == exchanges[i] && lines[end] == lines[i] {
			end++
		}
		if end-i >= shortestLoop {
			lines[i] = "n=" + strconv.Itoa(end-i) + `; while [ "$n" -gt 0 ]; do ` + lines[i] + "; n=$((n-1)); done"
			clear(lines[i+1 : end])
		}
		i = end
	}
}

// inHead reports whether a finding is about a header or anything else before the body of a response.
func inHead(f spec.Finding) bool {
	return f.Header != "" || f.Kind == spec.KindMediaType
}

// NeedsBash reports whether the commands for exchanges contain something that not every sh supports: invisible values (written as $'…'),
// and credentials that are part of the key or made from it.
func NeedsBash(exchanges []*spec.Exchange) bool {
	for _, ex := range exchanges {
		if !text.IsVisible(ex.Request.URL) || !text.IsVisible(string(ex.Request.Body)) || isExpression(ex.Request.URL) || holdsKey(string(ex.Request.Body)) && isExpression(string(ex.Request.Body)) {
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

// isExpression reports whether a value contains shell syntax other than a variable.
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
