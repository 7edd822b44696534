package impostor

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"unicode/utf8"
)

// exchange describes itself only where there is something to object to.
type exchange struct {
	request
	status int
	text   []byte
}

func (x exchange) String() string {
	return fmt.Sprintf("%s %s %.60q (%s) -> %d %.120q", x.op, x.path, x.body, x.auth, x.status, x.text)
}

// judge applies what holds for every response.
func (w *witness) judge(q request, resp *http.Response, text []byte) reply {
	what := exchange{q, resp.StatusCode, text}
	if q.expect != nil && !slices.Contains(q.expect, resp.StatusCode) {
		w.object("%s: expected %v", what, q.expect)
		return reply{status: resp.StatusCode}
	}
	if w.noGet && q.op == getPet {
		return reply{status: resp.StatusCode}
	}
	media, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err != nil || media != "application/json" {
		w.object("%s: Content-Type %q", what, resp.Header.Get("Content-Type"))
	}
	var value any
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&value); err != nil || !utf8.Valid(text) || len(bytes.TrimSpace(text[dec.InputOffset():])) > 0 {
		w.object("%s: no JSON: %v", what, err)
		return reply{status: resp.StatusCode}
	}
	out := reply{status: resp.StatusCode}
	switch {
	case resp.StatusCode >= 400:
		w.judgeError(what, value, resp.StatusCode)
	case q.op == listPets:
		items, ok := value.([]any)
		if !ok {
			w.object("%s: no list", what)
			return out
		}
		if len(items) > 100 {
			w.object("%s: %d animals", what, len(items))
		}
		seen := map[int64]bool{}
		for _, item := range items {
			p, ok := w.judgePet(what, item)
			if ok && seen[p.id] {
				w.object("%s: id %d twice", what, p.id)
			}
			seen[p.id] = true
			out.pets = append(out.pets, p)
		}
	default:
		if p, ok := w.judgePet(what, value); ok {
			out.pets = append(out.pets, p)
		}
	}
	return out
}

func (w *witness) judgeError(what exchange, value any, status int) {
	o, ok := value.(map[string]any)
	if !ok {
		w.object("%s: no Error", what)
		return
	}
	_, code := o["code"].(string)
	_, message := o["message"].(string)
	n, isInt := integer(o["status"])
	if !code || !message || !isInt || n != int64(status) {
		w.object("%s: no right Error", what)
	}
}

// integer reads a JSON number that is an int64.
func integer(v any) (int64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	if i, err := strconv.ParseInt(n.String(), 10, 64); err == nil {
		return i, true
	}
	exact, ok := new(big.Rat).SetString(n.String())
	if !ok || !exact.IsInt() || !exact.Num().IsInt64() {
		return 0, false
	}
	return exact.Num().Int64(), true
}

func (w *witness) judgePet(what exchange, value any) (petShown, bool) {
	o, isObject := value.(map[string]any)
	id, hasID := integer(o["id"])
	name, hasName := o["name"].(string)
	category, hasCategory := integer(o["categoryId"])
	if !isObject || !hasID || !hasName || !hasCategory {
		w.object("%s: no Pet", what)
		return petShown{}, false
	}
	p := petShown{id: id, name: name, category: category}
	if status, ok := o["status"]; ok {
		p.status, p.present = status.(string)
		if !slices.Contains([]string{"available", "pending", "sold"}, p.status) {
			w.object("%s: status %v", what, status)
			return petShown{}, false
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if before, ok := w.known[id]; ok && (before.name != name || before.category != category) {
		w.faults = append(w.faults, fmt.Sprintf("%s: id %d was %.40q in %d before", what, id, before.name, before.category))
	}
	w.known[id] = p
	if mine, ok := w.own[id]; ok && mine != p {
		w.faults = append(w.faults, fmt.Sprintf("%s: created as %+v", what, mine))
	}
	if w.banned[name] {
		w.faults = append(w.faults, fmt.Sprintf("%s: was refused before", what))
	}
	return p, true
}
