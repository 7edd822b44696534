package wholerun_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

// stays is the contract of stays, with a place for a sentence about their last day, and one about a refusal.
const stays = `openapi: 3.1.0
info: {title: Stays, version: "1"}
paths:
  /stays:
    post:
      operationId: addStay
      summary: Add a stay
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewStay'}}}}
      responses:
        '201': {description: Added, content: {application/json: {schema: {$ref: '#/components/schemas/Stay'}}}}
        '422': {description: REFUSED}
  /stays/{stayId}:
    parameters: [{name: stayId, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: readStay
      responses:
        '200': {description: The stay, content: {application/json: {schema: {$ref: '#/components/schemas/Stay'}}}}
        '404': {description: There is none}
components:
  schemas:
    NewStay: {type: object, required: [guest, from, to], properties: {guest: {type: string, minLength: 1, maxLength: 80}, from: {type: string, format: date}, to: {type: string, format: date, description: LAST}}}
    Stay: {allOf: [{$ref: '#/components/schemas/NewStay'}, {type: object, required: [id], properties: {id: {type: integer, readOnly: true}}}]}
`

// lodging serves stays: those that end before they begin are refused, unless they are taken ("any"), and those of no day, too, if it is "strict".
func lodging(variant string) http.Handler {
	type stay struct {
		ID    int    `json:"id"`
		Guest string `json:"guest"`
		From  string `json:"from"`
		To    string `json:"to"`
	}
	var all []stay
	mux := http.NewServeMux()
	mux.HandleFunc("POST /stays", func(w http.ResponseWriter, r *http.Request) {
		var one stay
		decoder := json.NewDecoder(r.Body)
		err := decoder.Decode(&one)
		from, no := time.Parse(time.DateOnly, one.From)
		to, neither := time.Parse(time.DateOnly, one.To)
		switch {
		case err != nil, decoder.More(), no != nil, neither != nil, one.Guest == "", len([]rune(one.Guest)) > 80,
			to.Before(from) && variant != "any", to.Equal(from) && variant == "strict":
			w.WriteHeader(http.StatusUnprocessableEntity)
			return
		}
		one.ID = len(all) + 1
		all = append(all, one)
		w.Header().Set("Location", "/stays/"+strconv.Itoa(one.ID))
		show(w, http.StatusCreated, one)
	})
	mux.HandleFunc("GET /stays/{id}", func(w http.ResponseWriter, r *http.Request) {
		if n, ok := byNumber(w, r, len(all)); ok {
			show(w, http.StatusOK, all[n])
		}
	})
	return oneAtATime(mux)
}

// Where a sentence says that one value lies above another, a body in which it does not is refused. Whether both may be the same is not tried.
func TestOrderOfTwoValues(t *testing.T) {
	t.Parallel()
	const rule = "addStay.refused.range"
	for name, c := range map[string]struct {
		refused, last, variant string
		broken                 bool
	}{
		"a member":                       {last: "Must be later than `from`."},
		"a member, strictly":             {last: "Must be later than `from`.", variant: "strict"},
		"a member, not enforced":         {last: "Must not be before `from`.", variant: "any", broken: true},
		"a refusal":                      {refused: "Returned if `to` is before `from`."},
		"a refusal that is not returned": {refused: "Returned if `to` is before `from`.", variant: "any", broken: true},
		"no word of it":                  {variant: "any"},
		"another one":                    {last: "Must be later than the arrival.", variant: "any"},
		"in general":                     {last: "Should be later than `from`.", variant: "any"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			document := strings.NewReplacer("REFUSED", quoted(c.refused), "LAST", quoted(c.last)).Replace(stays)
			rec, catalogue := trial{contract: []byte(document), service: inMemory{lodging(c.variant)}, patience: atOnce}.judge(t)
			broken := failing(rec, catalogue)
			if _, is := broken[rule]; is != c.broken {
				t.Errorf("broken: %v", broken)
			}
			delete(broken, rule)
			accuse(t, broken)
		})
	}
}
