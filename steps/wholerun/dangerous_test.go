package wholerun_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"hallmark/spec"
	"hallmark/spec/resource"
)

const dangerous = `openapi: 3.1.0
info: {title: Dangers, version: 1.0.0}
paths:
  /things: {get: {operationId: listThings, responses: {'200': {description: ok}}}}
  /users/logout: {get: {operationId: leave, responses: {'200': {description: ok}}}}
  /admin: {post: {operationId: shutDown, responses: {'200': {description: ok}}}}
  /me/key: {post: {operationId: rotateKey, responses: {'200': {description: ok}}}}
  /purge: {post: {operationId: cleanUp, responses: {'200': {description: ok}}}}
  /payments: {post: {operationId: createPayment, responses: {'200': {description: ok}}}}
  /shutdowns: {get: {operationId: listShutdowns, responses: {'200': {description: ok}}}}
`

// counting answers everything with 200, and keeps what was asked.
type counting struct {
	mu    sync.Mutex
	asked []string
}

func (c *counting) RoundTrip(req *http.Request) (*http.Response, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Contains(c.asked, req.URL.Path) {
		c.asked = append(c.asked, req.URL.Path)
	}
	w := httptest.NewRecorder()
	if req.Method != http.MethodGet && req.Method != http.MethodPost {
		w.Header().Set("Allow", "GET")
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
	return w.Result(), nil
}

// What may end the run or harm others is called only where that is allowed.
func TestDangerousOperationsAreCalledOnlyWhenAllowed(t *testing.T) {
	for allowed, want := range map[string][]string{
		"":         {"createPayment", "listShutdowns", "listThings"},
		"leave":    {"createPayment", "leave", "listShutdowns", "listThings"},
		"shutDown": {"createPayment", "listShutdowns", "listThings", "shutDown"},
	} {
		t.Run(allowed, func(t *testing.T) {
			service := &counting{}
			rec, _ := trial{contract: []byte(dangerous), service: service, created: 100, allowed: []string{allowed}}.judge(t)
			var reached []string
			for _, ex := range rec.Exchanges {
				if ex.Response != nil && ex.Response.Status == http.StatusOK && ex.Operation != "" && !slices.Contains(reached, ex.Operation) {
					reached = append(reached, ex.Operation)
				}
			}
			if slices.Sort(reached); !slices.Equal(reached, want) {
				t.Errorf("called are %q, want %q", reached, want)
			}
			pays, ends := slices.Index(service.asked, "/payments"), slices.Index(service.asked, map[string]string{"leave": "/users/logout", "shutDown": "/admin"}[allowed])
			if allowed == "" && pays != len(service.asked)-1 || allowed != "" && (ends != len(service.asked)-1 || pays != ends-1) {
				t.Errorf("what may move money comes last, and what may end the run after it; called in turn are %q", service.asked)
			}
		})
	}
}

func TestPaymentsAreKnownByTheirNames(t *testing.T) {
	for _, c := range []struct {
		method, id, path string
		want             bool
	}{
		{"POST", "createPayment", "/bookings/{id}/payment", true}, {"POST", "x", "/orders/{id}/pay", true}, {"GET", "listPayments", "/payments", false},
		{"POST", "createPaymaster", "/paymasters", false}, {"PUT", "refundOrder", "/orders/{id}", true},
	} {
		if got := resource.Pays(&spec.Operation{ID: c.id, Method: c.method, Path: c.path}); got != c.want {
			t.Errorf("%s %s %s: %v", c.id, c.method, c.path, got)
		}
	}
}
