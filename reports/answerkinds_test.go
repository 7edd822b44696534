package reports

import "testing"

func TestAnswerKinds(t *testing.T) {
	r := newRun(t)
	media := func(operation string, status int) {
		seq := r.ask(operation, status, status)
		f := r.finding("answer.media-type", seq, "", "application/json", "text/html")
		r.scenario("list.array", Failed, f, f) // twice in one exchange is one response
	}
	media("getPet", 404)
	if got := kindsText(Judge(&r.rec, catalogue(t)).Causes[0].Answers); got != "" {
		t.Errorf("one kind, which the example shows: %q", got)
	}
	for range 3 {
		media("listPets", 200)
	}
	media("listPets", 401)
	media("getPet", 200)
	causes := Judge(&r.rec, catalogue(t)).Causes
	if len(causes) != 1 {
		t.Fatalf("%d causes", len(causes))
	}
	const want = "listPets 200 (3), 401 (1); getPet 200 (1), 404 (1)"
	if got := kindsText(causes[0].Answers); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
