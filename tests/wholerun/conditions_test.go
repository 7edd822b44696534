package wholerun_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/tests/shop"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

// What asks for the state that a change means is reached: the resource is read first, and its ETag or date sent as it came. Nothing that
// the run created is left behind.
func TestChangesThatNameAState(t *testing.T) {
	t.Parallel()
	contract, err := openapi.Load(shop.SignsContract())
	if err != nil {
		t.Fatal(err)
	}
	for i, variant := range []string{"", "tag-in-body", "weak", "unquoted", "states-first", "tags-seldom", "weak-strictly"} {
		t.Run(variant, func(t *testing.T) {
			skip.Sampled(t, i, 7)
			t.Parallel()
			service := shop.NewSigns(variant)
			spy := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				service.ServeHTTP(w, r)
				tag := r.Header.Get("If-Match")
				if strings.Contains(tag, "hallmark") {
					t.Errorf("%s %s is sent by the ETag %s, which was made up", r.Method, r.URL, tag)
				}
			})
			rec, catalogue := trial{contract: shop.SignsContract(), service: inMemory{spy}, seed: 3, created: 1000}.judge(t)
			accuse(t, failing(rec, catalogue))
			got := reached(rec)
			for _, op := range contract.Operations() {
				if !slices.Contains(got, op.ID) {
					t.Errorf("%s was not reached", op.ID)
				}
			}
			nothingLeft(t, rec)
		})
	}
}

// Features that people write keep the ETag of a response, and send it.
func TestWrittenFeaturesNameStates(t *testing.T) {
	t.Parallel()
	feature, err := os.ReadFile("testdata/written/signs.feature")
	if err != nil {
		t.Fatal(err)
	}
	const rules = `
- {id: signs.lost-update, section: Signs, level: must, says: No change of a sign is lost.}
- {id: signs.not-modified, section: Signs, level: must, says: A sign that is known is not sent again.}
`
	for variant, broken := range map[string]string{"": "", "stale-taken": "signs.lost-update", "unconditional-taken": "signs.lost-update", "never-304": "signs.not-modified"} {
		t.Run(variant, func(t *testing.T) {
			t.Parallel()
			one := trial{
				contract: shop.SignsContract(), service: inMemory{shop.NewSigns(variant)}, features: fstest.MapFS{"signs.feature": {Data: feature}}, rules: rules,
			}
			rec, catalogue := one.judge(t)
			for _, s := range rec.Scenarios {
				if s.Outcome == record.Errored || s.Outcome == record.Skipped {
					t.Errorf("%s: %s: %s", s.Name, s.Outcome, s.Reason)
				}
			}
			all := failing(rec, catalogue)
			if _, is := all[broken]; broken != "" && !is || broken == "" && len(all) > 0 {
				t.Errorf("broken are %v, want %q", all, broken)
			}
		})
	}
}

// What a service does not let go while others are there is deleted once they are gone.
func TestNothingIsLeftBehindInWhateverOrder(t *testing.T) {
	t.Parallel()
	service := shop.NewSigns("")
	var underWay, refused atomic.Int64
	busy := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if agent := r.UserAgent(); r.Method != http.MethodDelete || strings.Contains(agent, ".feature") {
			service.ServeHTTP(w, r)
			return
		}
		defer underWay.Add(-1)
		if underWay.Add(1) > 1 {
			refused.Add(1)
			w.WriteHeader(http.StatusConflict)
			return
		}
		<-time.After(5 * time.Millisecond)
		service.ServeHTTP(w, r)
	})
	rec, catalogue := trial{contract: shop.SignsContract(), service: inMemory{busy}, seed: 3}.judge(t)
	accuse(t, failing(rec, catalogue))
	nothingLeft(t, rec)
	if refused.Load() == 0 {
		t.Error("no two were deleted at the same time")
	}
}

// nothingLeft reports the signs that a run left behind. Its plates, whose names clients choose, cannot be deleted.
func nothingLeft(t *testing.T, rec record.Record) {
	t.Helper()
	for _, one := range rec.Created {
		if plate := strings.HasPrefix(one.ID, "hallmark-"); !plate && one.Fate != record.Removed && one.Fate != record.Refused {
			t.Errorf("%s is left behind: %s", one.ID, one.Fate)
		}
	}
}

// crashing carries requests to a service that ends the connection without a response where a brace follows a body.
type crashing struct{ inMemory }

// RoundTrip implements [http.RoundTripper].
func (c crashing) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		if r.Method == http.MethodPost && bytes.HasSuffix(body, []byte("}}")) && !json.Valid(body) {
			return nil, io.EOF
		}
		r = r.Clone(r.Context())
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	return c.inMemory.RoundTrip(r)
}

// What a run created is removed also where the service gave no response to some requests, as long as it answers others.
func TestCleanUpAfterLostResponses(t *testing.T) {
	t.Parallel()
	rec, _, err := trial{contract: shop.SignsContract(), service: crashing{inMemory{shop.NewSigns("")}}, seed: 3}.run(t)
	if err != nil {
		t.Fatal(err)
	}
	lost := 0
	for _, ex := range rec.Exchanges {
		if ex.Lost != "" {
			lost++
		}
	}
	if lost == 0 {
		t.Error("no response was lost")
	}
	known := rec
	known.Created = slices.DeleteFunc(slices.Clone(rec.Created), func(one record.Creation) bool { return one.ID == "" })
	nothingLeft(t, known)
}
