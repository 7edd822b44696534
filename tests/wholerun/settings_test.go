package wholerun_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

const siteDocument = `openapi: 3.0.3
info: {title: Site, version: '1'}
components:
  schemas: {Site: {type: object, required: [title], properties: {title: {type: string, maxLength: 80}, open: {type: boolean}, seen: {type: integer, readOnly: true}}}}
paths:
  /pulse: {get: {operationId: pulse, responses: {'204': {description: there}}}}
  /site:
    get: {operationId: showSite, responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Site'}}}}, '404': {description: none}}}
    put:
      operationId: putSite
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Site'}}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Site'}}}}, '400': {description: bad}}
`

// siteService has one object that all share.
type siteService struct {
	mu     sync.Mutex
	now    map[string]any
	writes int
	// blind does not show it.
	blind bool
}

func (s *siteService) RoundTrip(req *http.Request) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := httptest.NewRecorder()
	switch {
	case req.URL.Path == "/pulse":
		w.WriteHeader(http.StatusNoContent)
	case req.URL.Path != "/site":
		w.WriteHeader(http.StatusNotFound)
	case req.Method == http.MethodPut:
		s.writes++
		text, _ := io.ReadAll(req.Body)
		var sent map[string]any
		title, is := "", false
		if json.Unmarshal(text, &sent) == nil {
			title, is = sent["title"].(string)
		}
		if open, has := sent["open"]; has {
			_, right := open.(bool)
			is = is && right
		}
		if !is || len([]rune(title)) > 80 {
			w.WriteHeader(http.StatusBadRequest)
			break
		}
		s.now = sent
		fallthrough
	default:
		w.Header().Set("Content-Type", "application/json")
		if s.blind && req.Method != http.MethodPut {
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, "{}")
			break
		}
		_ = json.NewEncoder(w).Encode(s.now)
	}
	return w.Result(), nil
}

// What all share is changed only where that is allowed, and put back.
func TestSettingsArePutBack(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		allowed []string
		blind   bool
		writes  bool
	}{
		{name: "not allowed"},
		{name: "allowed", allowed: []string{"putSite"}, writes: true},
		{name: "allowed, and not shown", allowed: []string{"putSite"}, blind: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			service := &siteService{now: map[string]any{"title": "Before", "open": true}, blind: c.blind}
			rec, _ := trial{contract: []byte(siteDocument), service: service, created: 100, allowed: c.allowed}.judge(t)
			if (service.writes > 0) != c.writes {
				t.Errorf("it was written %d times", service.writes)
			}
			if service.now["title"] != "Before" || service.now["open"] != true {
				t.Errorf("left is %v", service.now)
			}
			said := false
			for _, s := range rec.Scenarios {
				said = said || strings.Contains(s.Reason, "--allow putSite calls it") || strings.Contains(s.Reason, "cannot be read before")
			}
			if said == c.writes {
				t.Errorf("the reason is told: %v", said)
			}
		})
	}
}

const areasDocument = `openapi: 3.0.3
info: {title: Areas, version: '1'}
components:
  schemas: {Area: {type: object, required: [level], properties: {level: {type: string, maxLength: 80}}}}
paths:
  /areas/{area}:
    parameters: [{name: area, in: path, required: true, schema: {type: string, enum: [mail, web]}}]
    get: {operationId: showArea, responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Area'}}}}, '404': {description: none}}}
    put:
      operationId: putArea
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Area'}}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Area'}}}}, '400': {description: bad}, '404': {description: none}}
`

// Each value that the path may have names a setting of its own.
func TestSettingsThatThePathNamesArePutBack(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	now, writes := map[string]string{"mail": "one", "web": "two"}, map[string]int{}
	service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		area := strings.TrimPrefix(r.URL.Path, "/areas/")
		if _, is := now[area]; !is {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		if r.Method == http.MethodPut {
			var sent struct{ Level *string }
			if json.NewDecoder(r.Body).Decode(&sent) != nil || sent.Level == nil || len([]rune(*sent.Level)) > 80 {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			now[area] = *sent.Level
			writes[area]++
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]string{"level": now[area]})
	})
	trial{contract: []byte(areasDocument), service: inMemory{service}, created: 100, allowed: []string{"putArea"}}.judge(t)
	if writes["mail"] == 0 || writes["web"] == 0 {
		t.Errorf("they were written %v times", writes)
	}
	if now["mail"] != "one" || now["web"] != "two" {
		t.Errorf("left is %v", now)
	}
}

// A service may take a value of the path that the document does not list for one that it lists.
func TestSettingsOfAnotherCaseArePutBack(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	now, unread := map[string]string{"mail": "one", "web": "two"}, map[string]bool{"mail": true, "web": true}
	folded := 0
	service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		said := strings.TrimPrefix(r.URL.Path, "/areas/")
		area := strings.ToLower(strings.TrimSpace(said))
		if _, is := now[area]; !is {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		if r.Method == http.MethodGet {
			delete(unread, area)
		}
		if r.Method == http.MethodPut {
			if unread[area] {
				t.Errorf("%q was written before it was read", said)
			}
			if said != area {
				folded++
			}
			var sent struct{ Level *string }
			if json.NewDecoder(r.Body).Decode(&sent) != nil || sent.Level == nil || len([]rune(*sent.Level)) > 80 {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			now[area] = *sent.Level
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]string{"level": now[area]})
	})
	trial{contract: []byte(areasDocument), service: inMemory{service}, created: 100, allowed: []string{"putArea"}}.judge(t)
	if folded == 0 {
		t.Error("no value of another case was sent")
	}
	if now["mail"] != "one" || now["web"] != "two" {
		t.Errorf("left is %v", now)
	}
}
