package petstore

import (
	"strings"
	"testing"
	"time"

	"hallmark/spec"
)

// at makes an event of the id 7, from one millisecond to another.
func at(begun, ended int, d EventKind, name string) Event {
	return Event{
		Client: begun % 3, Kind: d, ID: "7", Animal: Animal{ID: "7", Name: name, Category: "1"},
		Begun: time.Duration(begun) * time.Millisecond, Ended: time.Duration(ended) * time.Millisecond,
		Exchange: &spec.Exchange{Seq: begun + 1, Request: spec.Request{Method: "GET", URL: "http://x/v1/pets/7"}},
	}
}

func TestHistories(t *testing.T) {
	for _, test := range []struct {
		name   string
		events []Event
		rule   string // "" for a history that the interface allows
		length int    // of the smallest history
	}{
		{"read and listed after creation", []Event{at(0, 5, Created, "a"), at(6, 7, Read, "a"), at(8, 9, Listed, "a")}, "", 0},
		{"not there while it is created", []Event{at(0, 5, Created, "a"), at(1, 9, NotRead, ""), at(2, 3, NotListed, "")}, "", 0},
		{"seen before the response, then not, still before it", []Event{at(0, 9, Created, "a"), at(1, 2, Listed, "a"), at(3, 4, NotRead, "")}, "", 0},
		{"asked for before the response, answered after it", []Event{at(0, 5, Created, "a"), at(4, 9, NotRead, "")}, "", 0},
		{"never created here", []Event{at(0, 1, NotRead, ""), at(2, 3, Read, "b"), at(4, 5, NotRead, "")}, "", 0},
		{"not found after the response", []Event{at(0, 5, Created, "a"), at(6, 7, Read, "a"), at(8, 9, NotRead, ""), at(10, 11, Read, "a")}, "get.created", 2},
		{"not listed after the response", []Event{at(0, 5, Created, "a"), at(6, 7, NotListed, ""), at(8, 9, Listed, "a")}, "list.complete", 2},
		{"created twice", []Event{at(0, 5, Created, "a"), at(3, 4, Created, "b"), at(6, 7, Read, "b")}, "create.id.unique", 2},
		{"there before it was created", []Event{at(0, 1, Listed, "b"), at(2, 5, Created, "a")}, "create.id.unique", 2},
		{"read under another name", []Event{at(0, 5, Created, "a"), at(6, 7, Read, "a"), at(8, 9, Read, "b")}, "get.created", 2},
		{"listed under another name while it is created", []Event{at(0, 5, Created, "a"), at(1, 7, Listed, "b")}, "pet.identity", 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			findings := JudgeHistories(test.events, "history 1")
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
			if f.Rule != test.rule || len(f.Exchanges) != test.length || len(f.Story) != test.length+1 || f.Expected.IsZero() || f.Actual.IsZero() {
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
	other := at(0, 5, Created, "a")
	other.ID = "8"
	gone := at(8, 9, NotRead, "")
	gone.ID = "8"
	findings := JudgeHistories([]Event{at(0, 5, Created, "a"), at(8, 9, NotRead, ""), other, gone}, "history 1")
	if len(findings) != 1 {
		t.Errorf("one cause is told %d times", len(findings))
	}
}

// A check that tried all orders of so many operations would never end.
func TestLongHistoryIsJudged(t *testing.T) {
	events := []Event{at(0, 5, Created, "a")}
	for i := range 200 {
		events = append(events, at(6+i, 20+i, Read, "a"), at(6+i, 12+i, Listed, "a"))
	}
	if f := JudgeHistories(events, ""); len(f) > 0 {
		t.Errorf("it is held against the service: %+v", f)
	}
}
