package wholerun_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// parcels is a contract with a number that has to be new and a form of its own, identifiers of a form, actions that a state allows once,
// and a picture that is there when it was put there.
const parcels = `openapi: 3.0.3
info: {title: Parcels, version: 1.0.0}
paths:
  /carriers:
    post:
      operationId: createCarrier
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {$ref: '#/components/schemas/Carrier'}}}}, '422': {description: No}}
  /carriers/{carrier_id}:
    get:
      operationId: getCarrier
      parameters: [{name: carrier_id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Carrier'}}}}, '404': {description: None}}
  /parcels:
    get:
      operationId: listParcels
      parameters:
        - {name: state, in: query, explode: false, schema: {type: array, items: {$ref: '#/components/schemas/State'}}}
        - {name: carrier_id, in: query, schema: {type: string}}
      responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Parcel'}}}}}}
    post:
      operationId: createParcel
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [barcode]
              properties:
                barcode: {type: string, pattern: '^[A-Z]{2}-[0-9]{8}$'}
                note: {type: string, maxLength: 40}
                parent_id: {type: string, description: A parcel that holds it}
                carrier_id: {type: string}
                tags: {type: array, items: {type: string, maxLength: 30}}
      responses: {'201': {description: Made, content: {application/json: {schema: {$ref: '#/components/schemas/Parcel'}}}}, '409': {description: The barcode is taken}, '422': {description: No}}
  /parcels/{parcel_id}:
    parameters: [{$ref: '#/components/parameters/Id'}]
    get:
      operationId: getParcel
      responses: {'200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Parcel'}}}}, '404': {description: None}}
  /parcels/{parcel_id}/seal:
    parameters: [{$ref: '#/components/parameters/Id'}]
    post:
      operationId: sealParcel
      responses: {'200': {description: Sealed, content: {application/json: {schema: {$ref: '#/components/schemas/Parcel'}}}}, '404': {description: None}, '409': {description: Not open}}
  /parcels/{parcel_id}/drop:
    parameters: [{$ref: '#/components/parameters/Id'}]
    post:
      operationId: dropParcel
      responses: {'200': {description: Dropped, content: {application/json: {schema: {$ref: '#/components/schemas/Parcel'}}}}, '404': {description: None}, '409': {description: Not open}}
  /parcels/{parcel_id}/picture:
    parameters: [{$ref: '#/components/parameters/Id'}]
    get:
      operationId: getPicture
      responses: {'200': {description: The picture, content: {image/png: {}}}, '404': {description: None}}
    put:
      operationId: putPicture
      requestBody: {required: true, content: {image/png: {}}}
      responses: {'204': {description: Done}, '404': {description: None}}
components:
  parameters:
    Id: {name: parcel_id, in: path, required: true, schema: {type: string, pattern: '^par_[a-z0-9]{12}$'}}
  schemas:
    State: {type: string, enum: [open, sealed, dropped]}
    Carrier: {type: object, required: [id, name], properties: {id: {type: string}, name: {type: string}}}
    Parcel:
      type: object
      required: [id, barcode, state]
      properties: {id: {type: string, pattern: '^par_[a-z0-9]{12}$'}, barcode: {type: string}, note: {type: string}, parent_id: {type: string}, carrier_id: {type: string}, tags: {type: array, items: {type: string}}, state: {$ref: '#/components/schemas/State'}}
`

// depot is a service that keeps it, but for its variant.
type depot struct {
	variant  string
	mu       sync.Mutex
	parcels  map[string]map[string]any
	pictures map[string]bool
	carriers []any
}

var (
	aBarcode = regexp.MustCompile(`^[A-Z]{2}-[0-9]{8}$`)
	aParcel  = regexp.MustCompile(`^/parcels(?:/([^/]+))?(?:/([^/]+))?$`)
)

func (d *depot) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body == nil {
		r.Body = http.NoBody
	}
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	return w.Result(), nil
}

func (d *depot) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	reply := func(status int, body any) {
		if body != nil {
			w.Header().Set("Content-Type", "application/json")
		}
		w.WriteHeader(status)
		if body != nil {
			_ = json.NewEncoder(w).Encode(body)
		}
	}
	if rest, is := strings.CutPrefix(r.URL.Path, "/carriers"); is {
		d.carrier(r, rest, reply)
		return
	}
	path := aParcel.FindStringSubmatch(r.URL.Path)
	if path == nil {
		reply(http.StatusNotFound, nil)
		return
	}
	one, known := d.parcels[path[1]]
	switch what := r.Method + " " + path[2]; {
	case path[1] == "" && r.Method == http.MethodPost:
		d.create(r, reply)
	case path[1] == "" && r.Method == http.MethodGet:
		d.list(r, reply)
	case !known && d.variant == "any" && what == "GET ":
		reply(http.StatusOK, map[string]any{"id": path[1], "barcode": "AA-00000000", "state": "open"})
	case !known:
		reply(http.StatusNotFound, nil)
	case what == "GET ":
		reply(http.StatusOK, d.shown(one))
	case what == "POST seal", what == "POST drop":
		if one["state"] != "open" {
			reply(http.StatusConflict, nil)
			return
		}
		one["state"] = map[string]string{"seal": "sealed", "drop": "dropped"}[path[2]]
		reply(http.StatusOK, one)
	case what == "PUT picture":
		d.pictures[path[1]] = true
		reply(http.StatusNoContent, nil)
	case what == "GET picture" && d.pictures[path[1]]:
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write([]byte("\x89PNG"))
	default:
		reply(http.StatusNotFound, nil)
	}
}

// shown is what a read shows of a parcel.
func (d *depot) shown(one map[string]any) map[string]any {
	one = maps.Clone(one)
	tags, _ := one["tags"].([]any)
	switch {
	case d.variant == "last" && len(tags) > 1:
		one["tags"] = tags[:len(tags)-1]
	case d.variant == "sorted" && len(tags) > 0:
		one["tags"] = slices.CompactFunc(slices.SortedFunc(slices.Values(tags), func(a, b any) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) }), func(a, b any) bool { return a == b })
	}
	return one
}

func (d *depot) carrier(r *http.Request, rest string, reply func(int, any)) {
	var asked struct{ Name *string }
	body, _ := io.ReadAll(r.Body)
	switch err := json.Unmarshal(body, &asked); {
	case r.Method == http.MethodGet:
		for _, one := range d.carriers {
			if carrier, _ := one.(map[string]any); "/"+fmt.Sprint(carrier["id"]) == rest {
				reply(http.StatusOK, carrier)
				return
			}
		}
		reply(http.StatusNotFound, nil)
	case err != nil || asked.Name == nil:
		reply(http.StatusUnprocessableEntity, nil)
	default:
		made := map[string]any{"id": fmt.Sprintf("c%d", len(d.carriers)), "name": *asked.Name}
		d.carriers = append(d.carriers, made)
		reply(http.StatusCreated, made)
	}
}

func (d *depot) list(r *http.Request, reply func(int, any)) {
	asked := r.URL.Query()
	all := []any{}
	for _, id := range slices.Sorted(maps.Keys(d.parcels)) {
		one := d.parcels[id]
		states := asked.Get("state")
		if states != "" && !slices.Contains(strings.Split(states, ","), fmt.Sprint(one["state"])) && d.variant != "any state" ||
			asked.Has("carrier_id") && one["carrier_id"] != asked.Get("carrier_id") && d.variant != "any carrier" {
			continue
		}
		all = append(all, d.shown(one))
	}
	reply(http.StatusOK, all)
}

func (d *depot) create(r *http.Request, reply func(int, any)) {
	var asked map[string]any
	body, _ := io.ReadAll(r.Body)
	if err := json.Unmarshal(body, &asked); err != nil {
		reply(http.StatusUnprocessableEntity, nil)
		return
	}
	made := map[string]any{"state": "open", "id": fmt.Sprintf("par_%012d", len(d.parcels))}
	for _, name := range []string{"barcode", "note", "parent_id", "carrier_id"} {
		value, there := asked[name]
		text, is := value.(string)
		if there && (!is || len([]rune(text)) > 40 || name == "parent_id" && d.parcels[text] == nil ||
			name == "carrier_id" && !slices.ContainsFunc(d.carriers, func(c any) bool { carrier, _ := c.(map[string]any); return carrier["id"] == text })) {
			reply(http.StatusUnprocessableEntity, nil)
			return
		}
		if there {
			made[name] = text
		}
	}
	if tags, there := asked["tags"]; there {
		all, is := tags.([]any)
		if !is || slices.ContainsFunc(all, func(one any) bool { text, is := one.(string); return !is || len([]rune(text)) > 30 }) {
			reply(http.StatusUnprocessableEntity, nil)
			return
		}
		made["tags"] = all
	}
	if barcode, _ := made["barcode"].(string); !aBarcode.MatchString(barcode) {
		reply(http.StatusUnprocessableEntity, nil)
		return
	}
	for _, other := range d.parcels {
		if other["barcode"] == made["barcode"] {
			reply(map[bool]int{false: http.StatusConflict, true: http.StatusInternalServerError}[d.variant == "twice"], nil)
			return
		}
	}
	d.parcels[fmt.Sprint(made["id"])] = made
	reply(http.StatusCreated, made)
}

// What is unique in a form of its own, what a state allows once and what has to be put there first is reached; an identifier of a form
// that names nothing is not found, what is there twice brings nothing down, and lists come back.
func TestStatesAndNumbersAreReached(t *testing.T) {
	t.Parallel()
	for variant, want := range map[string]string{
		"": "", "sorted": "", "any": "getParcel.not-found", "twice": "createParcel.no-server-error", "last": "createParcel.created.kept",
		"any state": "listParcels.list.filter", "any carrier": "listParcels.list.filter-value",
	} {
		t.Run(variant, func(t *testing.T) {
			rec := confirmed(t, []byte(parcels), &depot{variant: variant, parcels: map[string]map[string]any{}, pictures: map[string]bool{}}, 0)
			if got := strings.Join(reached(rec), " "); got != "createCarrier createParcel dropParcel getCarrier getParcel getPicture listParcels putPicture sealParcel" {
				t.Errorf("reached are %s", got)
			}
			found := map[string]bool{}
			for _, s := range rec.Scenarios {
				for _, f := range s.Findings {
					if found[f.Rule] = true; want == "" && !strings.HasSuffix(f.Rule, ".location") && !strings.HasSuffix(f.Rule, ".method-not-allowed") {
						t.Errorf("%s: %s, expected %s, actual %s", f.Rule, f.Where, f.Expected, f.Actual)
					}
				}
			}
			if want != "" && !found[want] {
				t.Errorf("found are %v, want %q", found, want)
			}
			for _, ex := range rec.Exchanges {
				if ex.Operation == "createParcel" && ex.Response.Status/100 > 2 && ex.About == "a plain request" {
					t.Errorf("%s is refused", ex.About)
				}
			}
		})
	}
}
