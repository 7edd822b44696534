package wholerun_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// lots is the contract of a list that is filtered by bounds, by several values, by identifiers and by a member of an object, and shows a total.
const lots = `openapi: 3.1.0
info: {title: Lots, version: "1"}
security: [{key: []}]
paths:
  /lots:
    get:
      operationId: listLots
      parameters:
        - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 500, default: 100}}
        - {name: offset, in: query, schema: {type: integer, minimum: 0, default: 0}}
        - {name: minPrice, in: query, schema: {type: integer, minimum: 0}}
        - {name: price_lte, in: query, schema: {type: number, minimum: 0}}
        - {name: addedSince, in: query, schema: {type: string, format: date}}
        - {name: ids, in: query, explode: false, schema: {type: array, minItems: 1, items: {type: integer}}}
        - {name: grade, in: query, schema: {type: array, minItems: 1, items: {type: integer}}}
        - {name: filter, in: query, style: deepObject, explode: true, schema: {type: object, properties: {room: {type: string, enum: [north, south]}}}}
      responses:
        '200':
          description: Lots
          content:
            application/json:
              schema: {type: object, required: [lots, meta], properties: {lots: {type: array, items: {$ref: '#/components/schemas/Lot'}}, meta: {type: object, properties: {totalItems: {type: integer}}}}}
    post:
      operationId: addLot
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewLot'}}}}
      responses:
        '201': {description: Added, content: {application/json: {schema: {$ref: '#/components/schemas/Lot'}}}}
        '400': {description: It is none}
  /lots/{lotId}:
    parameters: [{name: lotId, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: readLot
      responses:
        '200': {description: The lot, content: {application/json: {schema: {$ref: '#/components/schemas/Lot'}}}}
        '404': {description: There is none}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
  schemas:
    NewLot: {type: object, required: [price, grade, room], properties: {price: {type: integer, minimum: 0, maximum: 9000}, grade: {type: integer, minimum: 1, maximum: 9}, room: {type: string, enum: [north, south]}}}
    Lot: {type: object, required: [id, price, grade, room, added], properties: {id: {type: integer}, price: {type: integer}, grade: {type: integer}, room: {type: string, enum: [north, south]}, added: {type: string, format: date-time, readOnly: true}}}
`

// lot is what the contract calls so.
type lot struct {
	ID    int    `json:"id"`
	Price int    `json:"price"`
	Grade int    `json:"grade"`
	Room  string `json:"room"`
	Added string `json:"added"`
}

// auctioning serves lots in a variant.
func auctioning(variant string) http.Handler {
	day := func(n int) string {
		return time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC).AddDate(0, 0, n).Format(time.RFC3339)
	}
	all := []lot{{1, 20, 2, "north", day(0)}, {2, 300, 5, "south", day(9)}, {3, 4000, 8, "north", day(20)}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /lots", func(w http.ResponseWriter, r *http.Request) {
		one := lot{Price: -1}
		body, _ := io.ReadAll(r.Body)
		if json.Unmarshal(body, &one) != nil || one.Price < 0 || one.Price > 9000 || one.Grade < 1 || one.Grade > 9 || one.Room != "north" && one.Room != "south" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		one.ID, one.Added = len(all)+1, day(30+len(all))
		all = append(all, one)
		w.Header().Set("Location", fmt.Sprintf("/lots/%d", one.ID))
		show(w, http.StatusCreated, one)
	})
	mux.HandleFunc("GET /lots/{id}", func(w http.ResponseWriter, r *http.Request) {
		if n, ok := byNumber(w, r, len(all)); ok {
			show(w, http.StatusOK, all[n])
		}
	})
	mux.HandleFunc("GET /lots", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		number := func(name string) (int, bool) {
			n, err := strconv.ParseFloat(q.Get(name), 64)
			return int(n), err == nil && variant != name+"-ignored"
		}
		among := func(given []string, is int) bool { return len(given) == 0 || slices.Contains(given, strconv.Itoa(is)) }
		var ids []string
		if text := q.Get("ids"); text != "" && variant != "ids-ignored" {
			ids = strings.Split(text, ",")
		}
		grades := q["grade"]
		if variant == "last-grade-only" && len(grades) > 1 {
			grades = grades[len(grades)-1:]
		}
		shown := []lot{}
		for _, one := range all {
			least, lower := number("minPrice")
			most, upper := number("price_lte")
			since := q.Get("addedSince")
			switch {
			case lower && (one.Price < least || variant == "bounds-excluded" && one.Price == least):
			case upper && (one.Price > most || variant == "bounds-excluded" && one.Price == most):
			case variant == "dear-lost" && lower && one.Price > least && one.ID%2 == 0:
			case since != "" && variant != "addedSince-ignored" && one.Added[:10] < since:
			case variant == "days-excluded" && since != "" && one.Added[:10] == since:
			case !among(ids, one.ID), !among(grades, one.Grade):
			case q.Has("filter[room]") && variant != "filter-ignored" && one.Room != q.Get("filter[room]"):
			default:
				shown = append(shown, one)
			}
		}
		total := len(shown)
		limit, offset := 100, 0
		if n, err := strconv.Atoi(q.Get("limit")); err == nil {
			limit = n
		}
		if n, err := strconv.Atoi(q.Get("offset")); err == nil {
			offset = n
		}
		page := shown[min(offset, len(shown)):min(offset+limit, len(shown))]
		meta := map[string]any{"totalItems": total}
		switch variant {
		case "total-of-the-page":
			meta["totalItems"] = len(page)
		case "total-by-limit":
			meta["totalItems"] = min(total, limit+2)
		case "total-with-hidden":
			meta["totalItems"] = total + 3
		case "total-unknown":
			meta["totalItems"] = -1
		case "no-total":
			delete(meta, "totalItems")
		}
		show(w, http.StatusOK, map[string]any{"lots": page, "meta": meta})
	})
	return behindKey(mux)
}

// A list shows just what bounds, several values, identifiers and members of objects ask for, and a total that holds for all pages. Whether a
// bound is part of what it bounds, and what else a total counts, is up to the service.
func TestChoicesAndTotals(t *testing.T) {
	t.Parallel()
	const choice, total = "listLots.list.filter-choice", "listLots.list.total"
	for variant, rule := range map[string]string{
		"": "", "bounds-excluded": "", "days-excluded": "", "total-with-hidden": "", "total-unknown": "", "no-total": "",
		"minPrice-ignored": choice, "price_lte-ignored": choice, "dear-lost": choice, "addedSince-ignored": choice, "ids-ignored": choice, "last-grade-only": choice,
		"filter-ignored": choice, "total-of-the-page": total, "total-by-limit": total,
	} {
		t.Run(variant, func(t *testing.T) {
			t.Parallel()
			rec, catalogue := trial{contract: []byte(lots), service: inMemory{auctioning(variant)}, patience: atOnce}.judge(t)
			broken := failing(rec, catalogue)
			if _, found := broken[rule]; found != (rule != "") {
				t.Errorf("%q is not found broken", rule)
			}
			if delete(broken, rule); len(broken) > 0 {
				t.Errorf("accused: %v", broken)
			}
		})
	}
}
