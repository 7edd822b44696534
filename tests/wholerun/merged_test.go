package wholerun_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// profiles is the contract of a resource that merge patches change: a text that may be null, and an object.
const profiles = `openapi: 3.1.0
info: {title: Profiles, version: "1"}
security: [{key: []}]
paths:
  /profiles:
    post:
      operationId: addProfile
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewProfile'}}}}
      responses:
        '201': {description: Added, content: {application/json: {schema: {$ref: '#/components/schemas/Profile'}}}}
        '400': {description: It is none}
  /profiles/{profileId}:
    parameters: [{name: profileId, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: readProfile
      responses:
        '200': {description: The profile, content: {application/json: {schema: {$ref: '#/components/schemas/Profile'}}}}
        '404': {description: There is none}
    patch:
      operationId: changeProfile
      requestBody:
        required: true
        content:
          application/merge-patch+json:
            schema: {type: object, properties: {motto: {type: [string, 'null'], maxLength: 80}, contact: {$ref: '#/components/schemas/Contact'}, tags: {type: array, items: {type: string, maxLength: 60}}}}
      responses:
        '200': {description: The profile, content: {application/json: {schema: {$ref: '#/components/schemas/Profile'}}}}
        '400': {description: It is none}
        '404': {description: There is none}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
  schemas:
    Contact: {type: object, properties: {street: {type: string, maxLength: 80}, city: {type: string, maxLength: 80}}}
    NewProfile: {type: object, required: [title], properties: {title: {type: string, minLength: 1, maxLength: 80}, motto: {type: [string, 'null'], maxLength: 80}, contact: {$ref: '#/components/schemas/Contact'}, tags: {type: array, items: {type: string, maxLength: 60}}}}
    Profile: {type: object, required: [id, title], properties: {id: {type: integer}, title: {type: string}, motto: {type: [string, 'null']}, contact: {$ref: '#/components/schemas/Contact'}, tags: {type: array, items: {type: string}}, createdAt: {type: string, format: date-time}}}
`

// profiling serves profiles in a variant.
func profiling(variant string) http.Handler {
	var all []map[string]any
	late := map[string]time.Time{}
	before := map[string]map[string]any{}
	sent := func(r *http.Request) (map[string]any, bool) {
		var o map[string]any
		body, _ := io.ReadAll(r.Body)
		if json.Unmarshal(body, &o) != nil || o == nil {
			return nil, false
		}
		short := func(v any, most int) bool { text, is := v.(string); return is && utf8.RuneCountInString(text) <= most }
		for name, v := range o {
			_, object := v.(map[string]any)
			_, list := v.([]any)
			if name == "title" && (!short(v, 80) || v == "") || name == "motto" && !short(v, 80) && v != nil || name == "contact" && !object || name == "tags" && !list {
				return nil, false
			}
			for inner, one := range mapOf(v) {
				if name == "contact" && (inner == "street" || inner == "city") && !short(one, 80) {
					return nil, false
				}
			}
			for _, one := range listIn(v) {
				if name == "tags" && !short(one, 60) {
					return nil, false
				}
			}
		}
		return o, true
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /profiles", func(w http.ResponseWriter, r *http.Request) {
		o, ok := sent(r)
		if !ok || o["title"] == nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		delete(o, "id")
		if variant == "motto-forgotten" {
			delete(o, "motto")
		}
		o = partly(variant, o)
		o["id"], o["createdAt"] = len(all)+1, "2026-03-01T09:00:00Z"
		all = append(all, o)
		show(w, http.StatusCreated, o)
	})
	one := func(w http.ResponseWriter, r *http.Request) (map[string]any, bool) {
		for _, o := range all {
			if fmt.Sprint(o["id"]) == r.PathValue("id") {
				return o, true
			}
		}
		w.WriteHeader(http.StatusNotFound)
		return nil, false
	}
	mux.HandleFunc("GET /profiles/{id}", func(w http.ResponseWriter, r *http.Request) {
		if o, ok := one(w, r); ok {
			if earlier := before[r.PathValue("id")]; earlier != nil && time.Since(late[r.PathValue("id")]) < 40*time.Millisecond {
				o = earlier
			}
			show(w, http.StatusOK, o)
		}
	})
	mux.HandleFunc("PATCH /profiles/{id}", func(w http.ResponseWriter, r *http.Request) {
		o, ok := one(w, r)
		if !ok {
			return
		}
		patch, ok := sent(r)
		if !ok {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		if variant == "late" {
			before[r.PathValue("id")], late[r.PathValue("id")] = maps.Clone(o), time.Now()
		}
		for name, v := range patch {
			inner, object := v.(map[string]any)
			switch {
			case name == "id" || name == "createdAt":
			case v == nil && variant == "null-ignored":
			case v == nil && variant == "null-is-empty":
				o[name] = ""
			case v == nil:
				delete(o, name)
			case object && variant != "objects-replaced":
				merged := maps.Clone(mapOf(o[name]))
				if merged == nil {
					merged = map[string]any{}
				}
				maps.Copy(merged, inner)
				o[name] = merged
			case name == "tags" && variant == "tags-appended":
				o[name] = append(v.([]any), listIn(o[name])...)
			default:
				o[name] = v
			}
		}
		if variant == "created-again" {
			o["createdAt"] = "2026-03-02T09:00:00Z"
		}
		show(w, http.StatusOK, o)
	})
	return behindKey(mux)
}

// partly returns what a variant keeps of a profile that is created.
func partly(variant string, o map[string]any) map[string]any {
	contact, tags := map[string]any{}, listIn(o["tags"])
	maps.Copy(contact, mapOf(o["contact"]))
	text, _ := contact["street"].(string)
	switch variant {
	case "street-forgotten":
		delete(contact, "street")
	case "street-cut":
		contact["street"] = string([]rune(text)[:min(utf8.RuneCountInString(text), 8)])
	case "street-trimmed":
		contact["street"] = strings.ToUpper(strings.TrimSpace(text))
	case "street-and-more":
		contact["country"] = "FR"
	case "tag-forgotten":
		tags = tags[:min(len(tags), 1)]
	case "tags-sorted":
		tags = slices.Clone(tags)
		slices.SortFunc(tags, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	case "motto-of-its-own":
		if o["motto"] != nil {
			o["motto"] = "Onwards"
		}
	}
	if o["contact"] != nil {
		o["contact"] = contact
	}
	if o["tags"] != nil {
		o["tags"] = tags
	}
	return o
}

func mapOf(v any) map[string]any {
	o, _ := v.(map[string]any)
	return o
}

func listIn(v any) []any {
	list, _ := v.([]any)
	return list
}

// A merge patch removes what is null in it, merges objects and replaces lists; a creation keeps what a change can set, and a change leaves the
// time of the creation alone.
func TestMergePatches(t *testing.T) {
	t.Parallel()
	for variant, rule := range map[string]string{
		"": "", "late": "", "null-is-empty": "", "street-trimmed": "", "street-and-more": "", "tags-sorted": "",
		"null-ignored": "changeProfile.updated.merged", "objects-replaced": "changeProfile.updated.merged", "tags-appended": "changeProfile.updated.kept",
		"motto-forgotten": "addProfile.created.kept", "created-again": "changeProfile.updated.read-only",
		"street-forgotten": "addProfile.created.kept", "street-cut": "addProfile.created.kept", "tag-forgotten": "addProfile.created.kept", "motto-of-its-own": "addProfile.created.kept",
	} {
		t.Run(variant, func(t *testing.T) {
			t.Parallel()
			rec, catalogue := trial{contract: []byte(profiles), service: inMemory{profiling(variant)}}.judge(t)
			broken := failing(rec, catalogue)
			if _, found := broken[rule]; found != (rule != "") {
				t.Errorf("%q is not found broken", rule)
			}
			if delete(broken, rule); len(broken) > 0 {
				t.Errorf("accused: %v", broken)
			}
			if rule == "" && !strings.Contains(fmt.Sprint(rec.Exercised), "changeProfile.updated.merged") {
				t.Error("the merge patch is not judged")
			}
		})
	}
}
