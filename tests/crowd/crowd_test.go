package crowd_test

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hallmark-kit/hallmark/tests/crowd"
)

// Requests that come a while apart, as on a busy machine, meet.
func TestRequestsMeet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := crowd.New(crowd.Patience)
		met := make([]crowd.Company, 2)
		var all sync.WaitGroup
		for i := range met {
			all.Go(func() {
				<-time.After(time.Duration(i) * 80 * time.Millisecond)
				var leave func()
				met[i], leave = c.Enter(httptest.NewRequest(http.MethodPut, "/books/1", nil))
				defer leave()
			})
		}
		all.Wait()
		for i, with := range met {
			if with.Most != 2 || with.Place != i+1 {
				t.Errorf("request %d met %d and has place %d, want 2 and its own", i+1, with.Most, with.Place)
			}
		}
	})
}

// What changes something meets those who read it, and none who read something else.
func TestReadersAreMet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := crowd.New(crowd.Patience)
		var reading, deleting, other crowd.Company
		enter := func(with *crowd.Company, method, path string) func() {
			return func() {
				var leave func()
				*with, leave = c.Enter(httptest.NewRequest(method, path, nil))
				<-time.After(time.Second)
				leave()
			}
		}
		var all sync.WaitGroup
		all.Go(enter(&reading, http.MethodGet, "/books/1"))
		all.Go(enter(&deleting, http.MethodDelete, "/books/1"))
		all.Go(enter(&other, http.MethodDelete, "/books/2"))
		all.Wait()
		if reading.Readers != 1 || deleting.Readers != 1 || other.Readers != 0 {
			t.Errorf("readers are %d, %d and %d, want 1, 1 and 0", reading.Readers, deleting.Readers, other.Readers)
		}
	})
}
