package vocabulary_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"hallmark/spec"
	"hallmark/steps/generate"
	"hallmark/steps/scenario"
	"hallmark/tests/rehearse"
)

const (
	stepValid     = "generated valid bodies are sent to createPet"
	stepInvalid   = "generated bodies that each break one constraint are sent to createPet"
	stepSequences = "generated sequences of operations are performed"
	stepHistories = "generated operations of several clients are performed at once"
)

func manyExamples(c *scenario.Options) { c.Examples = 60 }

// plainlyTold reports whether every finding has a story with the requests that it cites, and the seed.
func plainlyTold(t *testing.T, findings []spec.Finding) {
	t.Helper()
	for _, f := range findings {
		if len(f.Story) < 2 || !strings.Contains(f.Story[0], "--seed 1") || !strings.HasPrefix(f.Story[1], "1. ") {
			t.Errorf("%s is told as %q", f.Rule, f.Story)
		}
	}
}

// TestStatusesThatMoveOn: transitions are open, and others may act. So an animal may have another status some
// requests after its creation, but not at once, and not another one every time.
func TestStatusesThatMoveOn(t *testing.T) {
	for name, test := range map[string]struct {
		// status returns the status of an animal after since requests since its creation, when it is read for the
		// reads-th time.
		status func(since, reads int) string
		legal  bool
	}{
		"sold some requests later":    {func(since, _ int) string { return map[bool]string{since > 2: "sold"}[true] }, true},
		"sold at once":                {func(int, int) string { return "sold" }, false},
		"another one at each reading": {func(_, reads int) string { return []string{"pending", "sold"}[reads%2] }, false},
	} {
		t.Run(name, func(t *testing.T) {
			service := rehearse.NewShop()
			requests, created, reads := 0, map[string]int{}, map[string]int{}
			service.Change = func(r *http.Request, a *rehearse.Reply) {
				requests++
				fields, ok := a.Body.(rehearse.Row)
				if !ok || a.Status >= 400 {
					return
				}
				id := fields["id"].(json.Number).String()
				if r.Method == http.MethodPost {
					created[id] = requests
					return
				}
				reads[id]++
				if status := test.status(requests-created[id], reads[id]); status != "" {
					a.Body = rehearse.Altered(fields, rehearse.Row{"status": status})
				}
			}
			if test.legal { // in sequence: concurrent ones count each other's requests
				st := rehearse.New(t, "get.created", service)
				st.Do(stepSequences)
				st.Finds()
				return
			}
			st := rehearse.New(t, "get.created", service, manyExamples)
			st.Do(stepSequences)
			if len(st.Broken()) == 0 {
				t.Error("nothing was found")
			}
			plainlyTold(t, st.Scenario.Findings())
		})
	}
}

// TestNamesOfLongRunsArePlain: after ten thousand names a fresh one is longer, and leaves less room for the text
// around it.
func TestNamesOfLongRunsArePlain(t *testing.T) {
	service := rehearse.NewShop()
	service.Instead = func(r *http.Request, body []byte) *rehearse.Reply {
		var sent struct{ Name string }
		if r.Method == http.MethodPost && json.Unmarshal(body, &sent) == nil && utf8.RuneCountInString(sent.Name) > 40 {
			return rehearse.ErrorReply(http.StatusBadRequest)
		}
		return nil
	}
	st := rehearse.New(t, "create.accepted", service, func(c *scenario.Options) { c.Examples, c.Target.MaxCreated = 300, 1000 })
	for range 99_000 {
		st.Scenario.Run.FreshName()
	}
	st.Do(stepValid)
	st.Finds()
}

// TestNumbersAreTriedBesidePlainNames: otherwise a service that refuses every unusual name would never be tested
// with numbers.
func TestNumbersAreTriedBesidePlainNames(t *testing.T) {
	service := rehearse.NewShop()
	service.Instead = func(r *http.Request, body []byte) *rehearse.Reply {
		var sent struct{ Name string }
		if r.Method == http.MethodPost && json.Unmarshal(body, &sent) == nil && !generate.IsPlainName(sent.Name) {
			return rehearse.ErrorReply(http.StatusBadRequest)
		}
		return nil
	}
	service.Change = func(r *http.Request, a *rehearse.Reply) {
		fields, ok := a.Body.(rehearse.Row)
		if !ok || a.Status >= 400 || r.Method != http.MethodPost {
			return
		}
		n, _ := strconv.ParseInt(fields["categoryId"].(json.Number).String(), 10, 64)
		a.Body = rehearse.Altered(fields, rehearse.Row{"categoryId": json.Number(strconv.FormatFloat(float64(n), 'f', -1, 64))})
	}
	st := rehearse.New(t, "create.accepted", service)
	st.Do(stepValid)
	st.Judged("create.categoryId.unusual")
	if !strings.Contains(strings.Join(st.Broken(), " "), "create.echo.categoryId") {
		t.Errorf("found is %q", st.Broken())
	}
	plainlyTold(t, st.Scenario.Findings())
}

// TestWhatIsReadBackWithoutGetPet: without getPet the created resource is searched for in the list, where that
// proves something.
func TestWhatIsReadBackWithoutGetPet(t *testing.T) {
	gone := func(c *scenario.Options) { c.Now = rehearse.RemovalDay }
	forgets := rehearse.Lists(func(*http.Request, []rehearse.Row) []rehearse.Row { return []rehearse.Row{} })
	service := rehearse.NewShop()
	service.Change = forgets
	st := rehearse.New(t, "create.accepted", service, gone)
	st.Do(stepValid)
	st.Finds("list.complete")
	plainlyTold(t, st.Scenario.Findings())

	full := rehearse.NewShop().Stock(120)
	full.Change = func(r *http.Request, a *rehearse.Reply) {
		if strings.Contains(r.URL.Path, "/pets/") {
			t.Errorf("%s %s is sent, which was removed", r.Method, r.URL.Path)
		}
	}
	st = rehearse.New(t, "create.accepted", full, gone)
	st.Do(stepValid, stepSequences, stepHistories)
	st.Finds()
	st.Unjudged("get.created")
	st.Unjudged("list.complete")
}

// TestHistoriesJudgeWhatHappened: without an animal nothing is proved about animals.
func TestHistoriesJudgeWhatHappened(t *testing.T) {
	service := rehearse.NewShop()
	service.Instead = func(r *http.Request, _ []byte) *rehearse.Reply {
		if r.Method == http.MethodPost {
			return rehearse.ErrorReply(http.StatusInternalServerError)
		}
		return nil
	}
	st := rehearse.New(t, "create.id.unique", service)
	st.Do(stepHistories)
	st.Finds("create.accepted")
	plainlyTold(t, st.Scenario.Findings())
	for _, rule := range []string{"get.created", "pet.identity", "list.complete"} {
		st.Unjudged(rule)
	}
	st = rehearse.New(t, "create.id.unique", rehearse.NewShop())
	st.Do(stepHistories)
	st.Finds()
	st.Judged("get.created", "pet.identity", "list.complete", "create.id.unique")
}

// TestTracesAreToldByRequests: the story shows the refused creation, and the list that holds it.
func TestTracesAreToldByRequests(t *testing.T) {
	service := rehearse.NewShop()
	service.Change = func(r *http.Request, a *rehearse.Reply) {
		if r.Method == http.MethodPost && a.Status == http.StatusBadRequest {
			last := service.Latest()
			var sent map[string]any
			if json.Unmarshal(last.Body, &sent) == nil && sent["name"] != nil && sent["categoryId"] == nil {
				if name, ok := sent["name"].(string); ok {
					service.Add(rehearse.Row{"name": name, "categoryId": json.Number("1")})
				}
			}
		}
	}
	st := rehearse.New(t, "create.no-trace", service)
	st.Do(stepInvalid, "no list holds an animal of theirs")
	st.Finds("create.no-trace")
	plainlyTold(t, st.Scenario.Findings())
	if story := st.Scenario.Findings()[0].Story; len(story) != 3 || !strings.Contains(story[1], "POST /pets") || !strings.Contains(story[2], "GET /pets") {
		t.Errorf("the story is %q", story)
	}
}

// TestTooManyExamplesAreCut: no more animals are created than the run may create, and a message says so.
func TestTooManyExamplesAreCut(t *testing.T) {
	for step, words := range map[string]string{
		stepValid:     "generated valid bodies were tried: the run may create no more animals (--max-created)",
		stepSequences: "of 30 generated sequences were tried",
		stepHistories: "of 6 generated histories were tried",
	} {
		service := rehearse.NewShop()
		st := rehearse.New(t, "create.accepted", service, func(c *scenario.Options) { c.Examples, c.Target.MaxCreated = 60, 30 })
		st.Stops(step, words)
		if n := len(service.Requests(http.MethodPost)); n > 30 || n == 0 {
			t.Errorf("%s: %d animals were created", step, n)
		}
	}
}
