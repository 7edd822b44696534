package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"hallmark/internal/text"
	"hallmark/spec"
)

// Script writes the shell lines that repeat exchanges in their order. What a later request takes from an earlier response,
// the id of a resource, is carried in a shell variable, so that the script works although the service gives other ids now.
// It needs curl, tr and sed, besides what a POSIX shell has. A single exchange is one line; see Target.Curl.
func (t Target) Script(exchanges []*spec.Exchange) string {
	return strings.Join(t.ScriptLines(exchanges), "\n")
}

// ScriptLines are the lines of the script, a text for each exchange.
func (t Target) ScriptLines(exchanges []*spec.Exchange) []string {
	carried := t.carry(exchanges)
	all := make([]string, 0, len(exchanges))
	for i, ex := range exchanges {
		line := t.Curl(*ex)
		var takes []string
		response := "response" + strconv.Itoa(i+1)
		for _, c := range carried {
			if c.to == i {
				line = c.into(line)
			}
			if take := c.take(response); c.from == i && !slices.Contains(takes, take) {
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

// carried is an id that a request takes from an earlier response.
type carried struct {
	from, to int // indexes of the exchanges
	name     string
	nth      int    // which of the ids in the response, from 1
	of       int    // how many there are
	text     string // the id as the request named it
	sum      string // what the shell computes from the id, as a format with one %s; empty for the id itself
	body     bool   // the id stands in the body
}

// take sets the variable.
func (c carried) take(response string) string {
	line := strconv.Itoa(c.nth)
	if c.nth == c.of && c.of > 1 {
		line = "$" // the last one, however many there are now
	}
	return c.name + `=$(printf '%s' "$` + response + `" | tr '{,}' '\n\n\n' | ` +
		`sed -n 's/^[[:space:]]*"id"[[:space:]]*:[[:space:]]*"\{0,1\}\(-\{0,1\}[0-9]\{1,\}\)"\{0,1\}[[:space:]]*$/\1/p' | sed -n '` + line + `p')`
}

// into puts the variable into the line that named the id as text: at the end of the address's path, or in the body. Where the
// earlier response showed no id this time, the shell says so in place of asking for another one.
func (c carried) into(line string) string {
	value := "${" + c.name + ":?no id in response" + strconv.Itoa(c.from+1) + "}"
	if c.sum != "" {
		value = "$((" + fmt.Sprintf(c.sum, value) + "))"
	}
	value = `"` + value + `"`
	if c.body {
		member := `"id": ` + c.text
		return strings.Replace(line, member, `"id": '`+value+"'", 1)
	}
	end := "/" + c.text + "'"
	if !strings.HasSuffix(line, end) {
		return line
	}
	return strings.TrimSuffix(line, end) + "/'" + value
}

// carry finds the ids that requests take from earlier responses.
func (t Target) carry(exchanges []*spec.Exchange) []carried {
	var all []carried
	for to, ex := range exchanges {
		asked, ok := lastID(ex.Request.URL)
		inBody := false
		if !ok {
			asked, ok = idSent(ex)
			inBody = ok
		}
		if !ok {
			continue
		}
		var found []carried
		for from := to - 1; from >= 0; from-- {
			ids := idsIn(exchanges[from])
			nth := slices.Index(ids, asked)
			sum := ""
			name := "id" + strconv.Itoa(from+1)
			if nth < 0 && len(ids) == 1 && from == 0 && !inBody {
				nth, sum = 0, computed(ids[0], asked)
				if sum == "" {
					continue
				}
			}
			if nth < 0 {
				continue
			}
			if nth > 0 {
				name += "_" + strconv.Itoa(nth+1)
			}
			found = append(found, carried{from, to, name, nth + 1, len(ids), asked, sum, inBody})
		}
		if len(found) > 0 {
			// The response to a creation shows one resource; of a list nobody knows how long it is next time.
			all = append(all, slices.MinFunc(found, func(x, y carried) int { return x.of - y.of }))
		}
	}
	return all
}

// near is how far from a known id another one is at most that was made from it. What lies farther away was chosen by itself.
var near = big.NewInt(1_000_000)

// computed is what a shell computes to get one id from another, as a format with one %s: of those that are made from it the
// request names one that is its negative, ten times it, a tenth, or as near as the other one was. Empty for an id that was not made
// from it.
func computed(known, asked string) string {
	k, okKnown := new(big.Int).SetString(known, 10)
	a, okAsked := new(big.Int).SetString(asked, 10)
	if !okKnown || !okAsked || !k.IsInt64() || !a.IsInt64() {
		return ""
	}
	ten := big.NewInt(10)
	switch {
	case a.Cmp(new(big.Int).Neg(k)) == 0:
		return "0 - %s"
	case a.Cmp(new(big.Int).Mul(k, ten)) == 0:
		return "%s * 10"
	case a.Cmp(new(big.Int).Quo(k, ten)) == 0:
		return "%s / 10"
	}
	d := new(big.Int).Sub(a, k)
	if d.CmpAbs(near) > 0 {
		return ""
	}
	if d.Sign() < 0 {
		return "%s - " + new(big.Int).Neg(d).String()
	}
	return "%s + " + d.String()
}

// lastID is the integer at the end of an address's path.
func lastID(address string) (string, bool) {
	u, err := url.Parse(address)
	if err != nil || u.RawQuery != "" {
		return "", false
	}
	text := u.Path[strings.LastIndexByte(u.Path, '/')+1:]
	n, err := strconv.ParseInt(text, 10, 64)
	return text, err == nil && strconv.FormatInt(n, 10) == text
}

// idSent is the id that a request's body holds.
func idSent(ex *spec.Exchange) (string, bool) {
	var sent struct {
		ID json.Number `json:"id"`
	}
	if json.Unmarshal(ex.Request.Body, &sent) != nil || !bytes.Contains(ex.Request.Body, []byte(`"id": `+sent.ID.String())) {
		return "", false
	}
	return sent.ID.String(), sent.ID != ""
}

// idsIn are the ids of the resources that a response shows, in their order.
func idsIn(ex *spec.Exchange) []string {
	if ex.Response == nil {
		return nil
	}
	type resource struct {
		ID json.Number `json:"id"`
	}
	var one resource
	if json.Unmarshal(ex.Response.Body, &one) == nil && one.ID != "" {
		return []string{one.ID.String()}
	}
	var many []resource
	if json.Unmarshal(ex.Response.Body, &many) != nil {
		return nil
	}
	ids := make([]string, 0, len(many))
	for _, a := range many {
		ids = append(ids, a.ID.String())
	}
	return ids
}
