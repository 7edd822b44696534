package wholerun_test

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// inOrder serves lots in an order, or in two turns if it is "shuffled". With coarse times, all lots were added in the same second; with one at
// a time, all but those of the run.
func inOrder(order string, coarse bool) http.Handler {
	lots := auctioning("")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		inner := httptest.NewRecorder()
		lots.ServeHTTP(inner, r)
		body := inner.Body.Bytes()
		var page struct {
			Lots []lot          `json:"lots"`
			Meta map[string]any `json:"meta"`
		}
		if r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/lots") && inner.Code == http.StatusOK && json.Unmarshal(body, &page) == nil {
			slices.SortStableFunc(page.Lots, func(a, b lot) int {
				switch order {
				case "newest":
					return b.ID - a.ID
				case "cheapest":
					return cmp.Compare(a.Price, b.Price)
				case "shuffled":
					return cmp.Or(b.ID%2-a.ID%2, a.ID-b.ID)
				}
				return a.ID - b.ID
			})
			if coarse {
				for i := range page.Lots {
					page.Lots[i].Added = "2026-03-01T09:00:00Z"
				}
			}
			body, _ = json.Marshal(page)
		}
		maps.Copy(w.Header(), inner.Header())
		w.WriteHeader(inner.Code)
		_, _ = w.Write(body)
	})
}

// A list is in the order that the document names in a sentence, or by the default of a parameter, as long as no other one is requested. A
// service that names none may list as it likes.
func TestOrderOfLists(t *testing.T) {
	t.Parallel()
	const (
		rule    = "listLots.list.order"
		newest  = "summary: List lots, the newest first"
		price   = "description: The lots are sorted by price in ascending order."
		nothing = "summary: List lots"
		grouped = "summary: List lots grouped by room, the newest first"
		sort    = "- {name: sort, in: query, schema: {type: string, enum: [price, -price], default: price}}"
	)
	for name, c := range map[string]struct {
		says, parameter, order string
		coarse, broken         bool
	}{
		"newest first":                         {says: newest, order: "newest"},
		"newest first, all of the same second": {says: newest, order: "oldest", coarse: true},
		"newest first, and oldest first":       {says: newest, order: "oldest", broken: true},
		"newest first, and shuffled":           {says: newest, order: "shuffled", broken: true},
		"by price":                             {says: price, order: "cheapest"},
		"by price, and newest first":           {says: price, order: "newest", broken: true},
		"by price by default":                  {says: nothing, parameter: sort, order: "cheapest"},
		"by price by default, and shuffled":    {says: nothing, parameter: sort, order: "shuffled", broken: true},
		"no order":                             {says: nothing, order: "shuffled"},
		"of groups":                            {says: grouped, order: "shuffled"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			document := strings.Replace(lots, "operationId: listLots", "operationId: listLots\n      "+c.says, 1)
			document = strings.Replace(document, "- {name: limit,", strings.TrimSpace(c.parameter+"\n        - {name: limit,"), 1)
			rec, catalogue := trial{contract: []byte(document), service: inMemory{inOrder(c.order, c.coarse)}, patience: atOnce}.judge(t)
			broken := failing(rec, catalogue)
			if _, is := broken[rule]; is != c.broken {
				t.Errorf("broken: %v", broken)
			}
			for id := range broken {
				if id != rule && id != "listLots.list.sorted" {
					t.Errorf("accused of %s", id)
				}
			}
		})
	}
}
