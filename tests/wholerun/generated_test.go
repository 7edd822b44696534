package wholerun_test

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"hallmark/reference/petstore"
	"hallmark/reports/record"
	"hallmark/reports/verdict"
	"hallmark/spec"
	"hallmark/steps"
	"hallmark/steps/client"
	"hallmark/tests/impostor"
	"hallmark/tests/runtest"
	"hallmark/tests/skip"
)

// onlyGenerated selects the scenarios on what is generated.
func onlyGenerated(c *steps.Config) { c.Selection.Tags = "@any" }

const anyKey = "Generated-Key-4711-abcXYZ"

// judgeVariant runs the generated scenarios against a variant.
func judgeVariant(t *testing.T, k runtest.Kit, v impostor.Variant, change func(*steps.Config)) (record.Record, verdict.Result) {
	t.Helper()
	r := v.Launch(anyKey)
	defer r.Stop()
	return k.Run(t, r.BaseURL, anyKey, func(c *steps.Config) {
		onlyGenerated(c)
		if v.Now != "" {
			c.Now, _ = time.Parse(time.DateOnly, v.Now)
		}
		if v.TLS {
			tr := client.NewTransport(8)
			tr.TLSClientConfig = &tls.Config{InsecureSkipVerify: true}
			c.Transport = tr
		}
		if change != nil {
			change(c)
		}
	})
}

// TestGeneratedAccuseNobody lets what is generated loose on services that keep the interface, each in its own way.
func TestGeneratedAccuseNobody(t *testing.T) {
	t.Parallel()
	k := runtest.New(t)
	for i, v := range impostor.Legal() {
		if i%8 > 0 && (v.Family != "creating" || i%2 > 0) {
			continue
		}
		t.Run(v.Name, func(t *testing.T) {
			skip.Sampled(t, i/8, 3)
			t.Parallel()
			rec, res := judgeVariant(t, k, v, func(c *steps.Config) { c.Seed = int64(i) + 1 })
			for _, c := range res.Causes {
				if c.Level == spec.Must {
					t.Errorf("%s is accused: expected %s, actual %s\n%s", c.Rule, c.Lead.Expected, c.Lead.Actual, strings.Join(c.Lead.Story, "\n"))
				}
			}
			for _, s := range rec.Scenarios {
				if s.Outcome == record.Errored {
					t.Errorf("%s: %s", s.ID, s.Reason)
				}
			}
		})
	}
}

// TestGeneratedFind holds each check against a service that breaks what it looks for: a variant of tests/impostor, or the
// reference service with a fault. The finding has to name the rule,
// and to come with a story of requests.
func TestGeneratedFind(t *testing.T) {
	t.Parallel()
	const valid, invalid, sequence, history = "For any valid NewPet", "For any invalid NewPet", "For any sequence of operations", "For any operations of several clients"
	const seed = 5 // one by which a plain run finds all of these
	k := runtest.New(t)
	broken := variantsByName(impostor.Broken())
	for i, test := range []struct{ variant, scenario, rule string }{
		{"name-capitalised", valid, "create.echo.name"},
		{"name-decomposed", valid, "create.echo.name"},
		{"name-trimmed-on-get", valid, "get.created"},
		{"category-float", valid, "create.echo.categoryId"},
		{"category-int32", valid, "create.echo.categoryId"},
		{"fails-on-other-category-500", valid, "create.categoryId.unusual"},
		{"fails-on-names-over-100", valid, "create.name.unusual"},
		{"refuses-names-over-16", valid, "create.accepted"},
		{"accepts-relaxed-json", invalid, "create.body.json"},
		{"accepts-trailing-text", invalid, "create.body.json"},
		{"accepts-no-object", invalid, "create.body.object"},
		{"accepts-no-name", invalid, "create.name.required"},
		{"accepts-object-name", invalid, "create.name.type"},
		{"accepts-null-category", invalid, "create.categoryId.required"},
		{"accepts-quoted-category", invalid, "create.categoryId.type"},
		{"accepts-fraction-rounded", invalid, "create.categoryId.type"},
		{"accepts-wrapped-category", invalid, "create.categoryId.int64"},
		{"accepts-padded-status", invalid, "create.status.values"},
		{"accepts-null-status", invalid, "create.status.type"},
		{"refused-bad-status-stored", invalid, "create.no-trace"},
		{"listed-never", sequence, "list.complete"},
		{"listed-stale-with-filter", sequence, "list.status.complete"},
		{"get-first-time-not-found", sequence, "get.created"},
		{"listed-never", history, "list.complete"},
		{"get-first-time-not-found", history, "get.created"},
		{"id-always-1", history, "create.id.unique"},
		{"name-html-on-list", valid, "pet.identity"},
	} {
		examples := 0
		if test.scenario == sequence || test.rule == "create.accepted" {
			examples = 20 // the second ten valid bodies begin with a plain one
		}
		t.Run(test.variant+", "+test.scenario, func(t *testing.T) {
			skip.Sampled(t, i, 3)
			t.Parallel()
			change := func(c *steps.Config) {
				c.Seed, c.Examples = seed, examples
				if test.scenario == sequence {
					c.Concurrency = 1 // what several sequences find together hangs on the order in which they meet
				}
			}
			var rec record.Record
			if v, ok := broken[test.variant]; ok {
				rec, _ = judgeVariant(t, k, v, change)
			} else {
				rec, _ = k.Run(t, serving(t, brokenService(t, test.variant)), referenceKey, func(c *steps.Config) {
					onlyGenerated(c)
					change(c)
				})
			}
			found, told := "", []string(nil)
			for _, s := range rec.Scenarios {
				for _, f := range s.Findings {
					found += "\n" + s.Name + ": " + f.Rule
					if s.Name == test.scenario && f.Rule == test.rule {
						told = f.Story
					}
				}
			}
			if len(told) < 2 && test.rule != "create.no-trace" && test.rule != "pet.identity" || !strings.Contains(found, test.rule) {
				t.Fatalf("%s breaks %s , and found is: %s", test.variant, test.rule, found)
			}
			for i, line := range told {
				if i > 0 && !strings.HasPrefix(line, fmt.Sprintf("%d. ", i)) || i == 0 && !strings.Contains(line, fmt.Sprintf("--seed %d", seed)) {
					t.Errorf("the story's line %d is %q", i, line)
				}
			}
		})
	}
}

// tampered is the reference service with a hand in its responses.
func tampered(t *testing.T, change func(r *http.Request, rec *httptest.ResponseRecorder) bool) *httptest.Server {
	t.Helper()
	service, err := petstore.New(petstore.Options{Keys: []string{anyKey}, BasePath: "/v1", Store: petstore.NewMemory()})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := httptest.NewRecorder()
		service.Handler().ServeHTTP(rec, r)
		if change(r, rec) {
			rec.Body = bytes.NewBufferString(`{"code":"gone","message":"it was there","status":404}`)
			rec.Code = http.StatusNotFound
		}
		for name, values := range rec.Header() {
			if name != "Content-Length" {
				w.Header()[name] = values
			}
		}
		w.WriteHeader(rec.Code)
		_, _ = io.Copy(w, rec.Body)
	}))
	t.Cleanup(server.Close)
	return server
}

// TestSequencesRemember holds the model of sequences against a service that forgets, and one that changes its mind.
func TestSequencesRemember(t *testing.T) {
	t.Parallel()
	k := runtest.New(t)
	for _, test := range []struct {
		rule   string
		change func(reads int, rec *httptest.ResponseRecorder) bool
	}{
		{"get.kept", func(reads int, _ *httptest.ResponseRecorder) bool { return reads > 1 }},
		{"get.stable", func(reads int, rec *httptest.ResponseRecorder) bool {
			var pet map[string]any
			if reads%2 == 0 && json.Unmarshal(rec.Body.Bytes(), &pet) == nil && rec.Code == http.StatusOK {
				pet["status"] = map[any]string{"sold": "pending", "pending": "sold"}[pet["status"]]
				if pet["status"] == "" {
					pet["status"] = "sold"
				}
				text, _ := json.Marshal(pet)
				rec.Body = bytes.NewBuffer(text)
			}
			return false
		}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			var mu sync.Mutex
			reads := map[string]int{}
			server := tampered(t, func(r *http.Request, rec *httptest.ResponseRecorder) bool {
				mu.Lock()
				defer mu.Unlock()
				if !strings.Contains(r.URL.Path, "/pets/") || rec.Code != http.StatusOK {
					return false
				}
				reads[r.URL.Path]++
				return test.change(reads[r.URL.Path], rec)
			})
			rec, _ := k.Run(t, server.URL+"/v1", anyKey, func(c *steps.Config) {
				onlyGenerated(c)
				c.Examples, c.Concurrency = 30, 1
			})
			var story []string
			for _, s := range rec.Scenarios {
				for _, f := range s.Findings {
					if f.Rule == test.rule && strings.Contains(s.Name, "sequence") {
						story = f.Story
					}
				}
			}
			// Created, read, and read again: nothing else belongs to it.
			if len(story) != 4 {
				t.Errorf("the smallest story is %q", story)
			}
		})
	}
}
