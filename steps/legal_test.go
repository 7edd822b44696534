package steps

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"hallmark/spec"
	"hallmark/steps/generate"
)

const (
	stepValid     = "generated valid bodies are sent to createPet"
	stepInvalid   = "generated bodies that each break one constraint are sent to createPet"
	stepSequences = "generated sequences of operations are performed"
	stepHistories = "generated operations of several clients are performed at once"
)

func manyExamples(c *Config) { c.Examples = 60 }

// plainlyTold reports whether every finding comes with a story of the requests that it cites, and the seed.
func plainlyTold(t *testing.T, findings []spec.Finding) {
	t.Helper()
	for _, f := range findings {
		if len(f.Story) < 2 || !strings.Contains(f.Story[0], "--seed 1") || !strings.HasPrefix(f.Story[1], "1. ") {
			t.Errorf("%s is told as %q", f.Rule, f.Story)
		}
	}
}

// TestStatusesThatMoveOn: transitions are open, and others may act. So an animal may be found with another status some
// requests after its creation; but not at once, and not with another one every time.
func TestStatusesThatMoveOn(t *testing.T) {
	for name, test := range map[string]struct {
		// status is what an animal shows that so many requests have passed by since its creation, when it is read again.
		status func(since, reads int) string
		legal  bool
	}{
		"sold some requests later":    {func(since, _ int) string { return map[bool]string{since > 2: "sold"}[true] }, true},
		"sold at once":                {func(int, int) string { return "sold" }, false},
		"another one at each reading": {func(_, reads int) string { return []string{"pending", "sold"}[reads%2] }, false},
	} {
		t.Run(name, func(t *testing.T) {
			service := newShop()
			requests, created, reads := 0, map[string]int{}, map[string]int{}
			service.change = func(r *http.Request, a *reply) {
				requests++
				fields, ok := a.body.(row)
				if !ok || a.status >= 400 {
					return
				}
				id := fields["id"].(json.Number).String()
				if r.Method == http.MethodPost {
					created[id] = requests
					return
				}
				reads[id]++
				if status := test.status(requests-created[id], reads[id]); status != "" {
					a.body = altered(fields, row{"status": status})
				}
			}
			st := rehearse(t, "get.created", service, manyExamples)
			st.do(stepSequences)
			if test.legal {
				st.finds()
				return
			}
			if len(st.broken()) == 0 {
				t.Error("nothing was found")
			}
			plainlyTold(t, st.s.findings)
		})
	}
}

// TestNamesOfLongRunsArePlain: after ten thousand names a fresh one is longer, and what stands around it may no longer.
func TestNamesOfLongRunsArePlain(t *testing.T) {
	service := newShop()
	service.instead = func(r *http.Request, body []byte) *reply {
		var sent struct{ Name string }
		if r.Method == http.MethodPost && json.Unmarshal(body, &sent) == nil && utf8.RuneCountInString(sent.Name) > 40 {
			return errorReply(http.StatusBadRequest)
		}
		return nil
	}
	st := rehearse(t, "create.accepted", service, func(c *Config) { c.Examples, c.Target.MaxAnimals = 300, 1000 })
	st.s.run.names.Store(99_000)
	st.do(stepValid)
	st.finds()
}

// TestNumbersAreTriedBesidePlainNames: else a service that refuses every unusual name would never be asked about them.
func TestNumbersAreTriedBesidePlainNames(t *testing.T) {
	service := newShop()
	service.instead = func(r *http.Request, body []byte) *reply {
		var sent struct{ Name string }
		if r.Method == http.MethodPost && json.Unmarshal(body, &sent) == nil && !generate.IsPlainName(sent.Name) {
			return errorReply(http.StatusBadRequest)
		}
		return nil
	}
	service.change = func(r *http.Request, a *reply) {
		fields, ok := a.body.(row)
		if !ok || a.status >= 400 || r.Method != http.MethodPost {
			return
		}
		n, _ := strconv.ParseInt(fields["categoryId"].(json.Number).String(), 10, 64)
		a.body = altered(fields, row{"categoryId": json.Number(strconv.FormatFloat(float64(n), 'f', -1, 64))})
	}
	st := rehearse(t, "create.accepted", service)
	st.do(stepValid)
	st.judged("create.categoryId.unusual")
	if !strings.Contains(strings.Join(st.broken(), " "), "create.echo.categoryId") {
		t.Errorf("found is %q", st.broken())
	}
	plainlyTold(t, st.s.findings)
}

// TestWhatIsReadBackWithoutGetPet is looked for in the list, where that can prove it.
func TestWhatIsReadBackWithoutGetPet(t *testing.T) {
	gone := func(c *Config) { c.Now = removalDay }
	forgets := lists(func(*http.Request, []row) []row { return []row{} })
	service := newShop()
	service.change = forgets
	st := rehearse(t, "create.accepted", service, gone)
	st.do(stepValid)
	st.finds("list.complete")
	plainlyTold(t, st.s.findings)

	full := newShop().stock(120)
	full.change = func(r *http.Request, a *reply) {
		if strings.Contains(r.URL.Path, "/pets/") {
			t.Errorf("%s %s is sent, which was removed", r.Method, r.URL.Path)
		}
	}
	st = rehearse(t, "create.accepted", full, gone)
	st.do(stepValid, stepSequences, stepHistories)
	st.finds()
	st.unjudged("get.created")
	st.unjudged("list.complete")
}

// TestHistoriesJudgeWhatHappened: without an animal nothing is proved of animals.
func TestHistoriesJudgeWhatHappened(t *testing.T) {
	service := newShop()
	service.instead = func(r *http.Request, _ []byte) *reply {
		if r.Method == http.MethodPost {
			return errorReply(http.StatusInternalServerError)
		}
		return nil
	}
	st := rehearse(t, "create.id.unique", service)
	st.do(stepHistories)
	st.finds("create.accepted")
	plainlyTold(t, st.s.findings)
	for _, rule := range []string{"get.created", "pet.identity", "list.complete"} {
		st.unjudged(rule)
	}
	st = rehearse(t, "create.id.unique", newShop())
	st.do(stepHistories)
	st.finds()
	st.judged("get.created", "pet.identity", "list.complete", "create.id.unique")
}

// TestTracesAreToldByRequests: the refused creation, and the list that holds it.
func TestTracesAreToldByRequests(t *testing.T) {
	service := newShop()
	service.change = func(r *http.Request, a *reply) {
		if r.Method == http.MethodPost && a.status == http.StatusBadRequest {
			last := service.latest()
			var sent map[string]any
			if json.Unmarshal(last.body, &sent) == nil && sent["name"] != nil && sent["categoryId"] == nil {
				if name, ok := sent["name"].(string); ok {
					service.add(row{"name": name, "categoryId": json.Number("1")})
				}
			}
		}
	}
	st := rehearse(t, "create.no-trace", service)
	st.do(stepInvalid, "no list holds an animal of theirs")
	st.finds("create.no-trace")
	plainlyTold(t, st.s.findings)
	if story := st.s.findings[0].Story; len(story) != 3 || !strings.Contains(story[1], "POST /pets") || !strings.Contains(story[2], "GET /pets") {
		t.Errorf("the story is %q", story)
	}
}

// TestTooManyExamplesAreCut: never more animals than the run may create, and a word about it.
func TestTooManyExamplesAreCut(t *testing.T) {
	for step, words := range map[string]string{
		stepValid:     "generated valid bodies were tried: the run may create no more animals (--max-animals)",
		stepSequences: "of 6 generated sequences were tried",
		stepHistories: "of 6 generated histories were tried",
	} {
		service := newShop()
		st := rehearse(t, "create.accepted", service, func(c *Config) { c.Examples, c.Target.MaxAnimals = 60, 30 })
		st.stops(step, words)
		if n := len(service.requests(http.MethodPost)); n > 30 || n == 0 {
			t.Errorf("%s: %d animals were created", step, n)
		}
	}
}
