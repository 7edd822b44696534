package petstore_test

import (
	"net/http"
	"testing"

	"github.com/hallmark-kit/hallmark/reference/petstore"
)

func TestGet(t *testing.T) {
	s := serve(t, nil)
	want := s.call(http.MethodPost, "/pets", `{"name":"Rex","categoryId":9007199254740993,"status":"sold"}`)
	want.wantPet(t, http.StatusCreated)
	for range 2 {
		if got := s.call(http.MethodGet, "/pets/1", ""); got.body != want.body {
			t.Errorf("read %s, created %s", got.body, want.body)
		}
	}
	for _, id := range []string{"0", "-1", "2", "4294967297", "9223372036854775807", "-9223372036854775808",
		"-9223372036854775807"} {
		s.call(http.MethodGet, "/pets/"+id, "").wantError(t, http.StatusNotFound)
	}
	for _, id := range []string{"x", "1x", "1.0", "1e0", "+1", "%2B1", "%201", "1%20", "-", "--1", "0x1", "1_0", "null",
		"9223372036854775808", "-9223372036854775809", "18446744073709551617", "%D9%A1", "1%00", "'1'", "1;x", "%F0%9F"} {
		t.Run(id, func(t *testing.T) {
			s.call(http.MethodGet, "/pets/"+id, "").wantError(t, http.StatusBadRequest)
		})
	}
}

func TestListOfNothing(t *testing.T) {
	s := serve(t, nil)
	for _, query := range []string{"", "?limit=1", "?limit=100", "?status=available", "?status=sold&limit=3"} {
		if got := s.call(http.MethodGet, "/pets"+query, ""); got.body != "[]" || got.status != http.StatusOK {
			t.Errorf("%q: %d %s", query, got.status, got.body)
		}
	}
}

func TestList(t *testing.T) {
	store := petstore.NewMemory()
	if err := petstore.Preload(t.Context(), store, 330); err != nil {
		t.Fatal(err)
	}
	s := serve(t, func(o *petstore.Options) { o.Store = store })
	cases := []struct {
		query  string
		count  int
		status string
	}{
		{"", 20, ""},
		{"?", 20, ""},
		{"?limit=1", 1, ""},
		{"?limit=20", 20, ""},
		{"?limit=99", 99, ""},
		{"?limit=100", 100, ""},
		{"?limit=007", 7, ""},
		{"?%6Cimit=%31", 1, ""},
		{"?status=available", 20, "available"},
		{"?status=pending&limit=100", 100, "pending"},
		{"?limit=3&status=sold", 3, "sold"},
		{"?other=1&other=2&offset=5&Limit=3&STATUS=x", 20, ""},
		{"?&&", 20, ""},
	}
	for _, c := range cases {
		t.Run(c.query, func(t *testing.T) {
			pets := s.call(http.MethodGet, "/pets"+c.query, "").wantPets(t)
			if len(pets) != c.count {
				t.Errorf("%d animals, want %d", len(pets), c.count)
			}
			last := int64(331)
			for _, p := range pets {
				if id, _ := p.ID.Int64(); id >= last {
					t.Errorf("%d comes after %d", id, last)
				} else {
					last = id
				}
				if c.status != "" && *p.Status != c.status {
					t.Errorf("animal %s is %s", p.ID, *p.Status)
				}
			}
		})
	}
}

func TestListRefuses(t *testing.T) {
	s := serve(t, nil)
	for _, query := range []string{
		"limit=", "limit", "limit=0", "limit=-1", "limit=101", "limit=1.0", "limit=1e1", "limit=+5", "limit=%2B5",
		"limit=%205", "limit=5%20", "limit=x", "limit=0x10", "limit=1_0", "limit=%D9%A5", "limit=18446744073709551617",
		"limit=1&limit=1", "limit=1&limit=x", "limit=5&%6Cimit=5", "limit=%zz", "other=%zz", "limit=5;status=sold",
		"status=", "status", "status=x", "status=Sold", "status=sold%20", "status=sold&status=sold", "status=sold,pending",
		"status=%00", "limit=5&status=lost",
	} {
		t.Run(query, func(t *testing.T) {
			s.call(http.MethodGet, "/pets?"+query, "").wantError(t, http.StatusBadRequest)
		})
	}
}
