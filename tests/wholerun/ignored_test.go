package wholerun_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// cards is the contract of things with several members, which can all be changed.
const cards = `openapi: 3.1.0
info: {title: Cards, version: "1"}
paths:
  /cards:
    post:
      operationId: addCard
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewCard'}}}}
      responses:
        '201': {description: Added, content: {application/json: {schema: {$ref: '#/components/schemas/Card'}}}}
        '400': {description: No card}
  /cards/{cardId}:
    parameters: [{name: cardId, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: readCard
      responses:
        '200': {description: The card, content: {application/json: {schema: {$ref: '#/components/schemas/Card'}}}}
        '404': {description: There is none}
    put:
      operationId: replaceCard
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewCard'}}}}
      responses:
        '204': {description: Changed}
        '400': {description: No card}
        '404': {description: There is none}
components:
  schemas:
    NewCard:
      type: object
      required: [front]
      properties: {front: &free {type: string}, back: &one {type: string, enum: [red, green, blue, black]}, deck: *one, hint: *one, source: *one, box: *one}
    Card: {type: object, required: [id, front], properties: {id: {type: integer}, front: *free, back: *one, deck: *one, hint: *one, source: *one, box: *one}}
`

// cardService serves cards. A change sets the members of changed, and shows once the card was read late times.
type cardService struct {
	changed []string
	late    int

	mu      sync.Mutex
	all     map[int]map[string]any
	pending map[int][]map[string]any
	reads   map[int]int
}

func (c *cardService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all == nil {
		c.all, c.pending, c.reads = map[int]map[string]any{}, map[int][]map[string]any{}, map[int]int{}
	}
	var sent map[string]any
	if r.Body != nil {
		_ = json.NewDecoder(r.Body).Decode(&sent)
	}
	id, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/cards/"))
	card := c.all[id]
	show := func(status int) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(card)
	}
	switch {
	case r.Method != http.MethodGet && !isCard(sent):
		w.WriteHeader(http.StatusBadRequest)
	case r.Method == http.MethodPost:
		card = map[string]any{"id": len(c.all) + 1}
		maps.Copy(card, sent)
		c.all[len(c.all)+1] = card
		show(http.StatusCreated)
	case err != nil || card == nil:
		w.WriteHeader(http.StatusNotFound)
	case r.Method == http.MethodPut:
		c.reads[id] = 0
		c.pending[id] = append(c.pending[id], sent)
		w.WriteHeader(http.StatusNoContent)
	default:
		if c.reads[id]++; c.reads[id] > c.late {
			for _, change := range c.pending[id] {
				for _, name := range c.changed {
					if value, ok := change[name]; ok {
						card[name] = value
					} else {
						delete(card, name)
					}
				}
			}
			c.pending[id] = nil
		}
		show(http.StatusOK)
	}
}

// isCard reports whether the contract allows a body.
func isCard(sent map[string]any) bool {
	for name, value := range sent {
		text, is := value.(string)
		if one := slices.Contains([]string{"back", "deck", "hint", "source", "box"}, name); !is || one && !slices.Contains([]string{"red", "green", "blue", "black"}, text) {
			return false
		}
	}
	return sent["front"] != nil
}

// A service that leaves some members as they are is not accused, and one whose changes show late is waited for, though a run does not try
// and wait for long. One that does no change is found.
func TestMembersThatAreNotChanged(t *testing.T) {
	t.Parallel()
	all := []string{"front", "back", "deck", "hint", "source", "box"}
	for name, c := range map[string]struct {
		service *cardService
		broken  bool
	}{
		"all are changed":        {service: &cardService{changed: all}},
		"changes show late":      {service: &cardService{changed: all, late: 2}},
		"one is changed":         {service: &cardService{changed: all[:1]}},
		"one is changed late":    {service: &cardService{changed: all[:1], late: 2}},
		"no change is ever kept": {service: &cardService{}, broken: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rec, catalogue := trial{contract: []byte(cards), service: inMemory{c.service}, patience: atOnce}.judge(t)
			found := failing(rec, catalogue)
			if _, is := found["replaceCard.updated.kept"]; is != c.broken {
				t.Errorf("broken is %v, want %v", is, c.broken)
			}
			delete(found, "replaceCard.updated.kept")
			accuse(t, found)
		})
	}
}
