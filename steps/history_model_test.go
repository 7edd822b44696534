package steps

import (
	"strings"
	"testing"
	"time"

	"hallmark/spec"
)

// at makes an event of the id 7, from one millisecond to another.
func at(begun, ended int, d deed, name string) event {
	return event{
		client: begun % 3, deed: d, id: "7", animal: animal{id: "7", name: name, category: "1"},
		begun: time.Duration(begun) * time.Millisecond, ended: time.Duration(ended) * time.Millisecond,
		ex: &spec.Exchange{Seq: begun + 1, Request: spec.Request{Method: "GET", URL: "http://x/v1/pets/7"}},
	}
}

func TestHistories(t *testing.T) {
	for _, test := range []struct {
		name   string
		events []event
		rule   string // "" for a history that the interface allows
		length int    // of the smallest history
	}{
		{"read and listed after creation", []event{at(0, 5, deedCreated, "a"), at(6, 7, deedRead, "a"), at(8, 9, deedListed, "a")}, "", 0},
		{"not there while it is created", []event{at(0, 5, deedCreated, "a"), at(1, 9, deedNotRead, ""), at(2, 3, deedNotListed, "")}, "", 0},
		{"seen before the response, then not, still before it", []event{at(0, 9, deedCreated, "a"), at(1, 2, deedListed, "a"), at(3, 4, deedNotRead, "")}, "", 0},
		{"asked for before the response, answered after it", []event{at(0, 5, deedCreated, "a"), at(4, 9, deedNotRead, "")}, "", 0},
		{"never created here", []event{at(0, 1, deedNotRead, ""), at(2, 3, deedRead, "b"), at(4, 5, deedNotRead, "")}, "", 0},
		{"not found after the response", []event{at(0, 5, deedCreated, "a"), at(6, 7, deedRead, "a"), at(8, 9, deedNotRead, ""), at(10, 11, deedRead, "a")}, "get.created", 2},
		{"not listed after the response", []event{at(0, 5, deedCreated, "a"), at(6, 7, deedNotListed, ""), at(8, 9, deedListed, "a")}, "list.complete", 2},
		{"created twice", []event{at(0, 5, deedCreated, "a"), at(3, 4, deedCreated, "b"), at(6, 7, deedRead, "b")}, "create.id.unique", 2},
		{"there before it was created", []event{at(0, 1, deedListed, "b"), at(2, 5, deedCreated, "a")}, "create.id.unique", 2},
		{"read under another name", []event{at(0, 5, deedCreated, "a"), at(6, 7, deedRead, "a"), at(8, 9, deedRead, "b")}, "get.created", 2},
		{"listed under another name while it is created", []event{at(0, 5, deedCreated, "a"), at(1, 7, deedListed, "b")}, "pet.identity", 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			findings := judgeHistories(test.events, "history 1")
			if test.rule == "" {
				if len(findings) > 0 {
					t.Errorf("it is held against the service: %+v", findings)
				}
				return
			}
			if len(findings) != 1 {
				t.Fatalf("there are %d findings", len(findings))
			}
			f := findings[0]
			if f.Rule != test.rule || len(f.Exchanges) != test.length || len(f.Story) != test.length+1 || f.Expected == "" || f.Actual == "" {
				t.Errorf("the finding is %+v", f)
			}
			if !strings.Contains(f.Story[1], "client ") || !strings.Contains(f.Story[1], " ms: GET /pets/7") {
				t.Errorf("the story is %q", f.Story)
			}
		})
	}
}

// TestHistoriesOfOneCause are told once, by the shortest.
func TestHistoriesOfOneCause(t *testing.T) {
	other := at(0, 5, deedCreated, "a")
	other.id = "8"
	gone := at(8, 9, deedNotRead, "")
	gone.id = "8"
	findings := judgeHistories([]event{at(0, 5, deedCreated, "a"), at(8, 9, deedNotRead, ""), other, gone}, "history 1")
	if len(findings) != 1 {
		t.Errorf("one cause is told %d times", len(findings))
	}
}

// A check that tried all orders of so many operations would never end.
func TestLongHistoryIsJudged(t *testing.T) {
	events := []event{at(0, 5, deedCreated, "a")}
	for i := range 200 {
		events = append(events, at(6+i, 20+i, deedRead, "a"), at(6+i, 12+i, deedListed, "a"))
	}
	if f := judgeHistories(events, ""); len(f) > 0 {
		t.Errorf("it is held against the service: %+v", f)
	}
}
