package record_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
)

func TestBodySearchSentence(t *testing.T) {
	for want, one := range map[string]record.BodySearch{
		"a was refused with each plain body, and accepted with /x, without /y and /z, with another value of /n; other values of these members are not judged": {
			Sent: 3, Accepted: true, With: []string{"/x"}, Without: []string{"/y", "/z"}, Other: []string{"/n"},
		},
		"a was refused with each plain body, and accepted with another one":                                             {Sent: 1, Accepted: true},
		"a never succeeded, not even with the other body that the contract allows":                                      {Sent: 1},
		"a never succeeded, not even with one of 12 other bodies that the contract allows; the refusals name /x and /y": {Sent: 12, Named: []string{"/x", "/y"}},
		"a never succeeded; the refusals name /x":                                                                       {Named: []string{"/x"}},
		"a never succeeded, and no other bodies are tried, because each call matters":                                   {Withheld: true},
	} {
		one.Operation = "a"
		if got := one.Sentence(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestPlusBodySearches(t *testing.T) {
	refused, accepted := record.BodySearch{Operation: "a", Sent: 12, Named: []string{"/x"}}, record.BodySearch{Operation: "a", Sent: 2, Accepted: true, With: []string{"/x"}}
	other, more := record.BodySearch{Operation: "b", Withheld: true}, record.BodySearch{Operation: "a", Sent: 4, Named: []string{"/y"}}
	for _, test := range []struct{ all, plus, want []record.BodySearch }{
		{nil, []record.BodySearch{refused}, []record.BodySearch{refused}},
		{[]record.BodySearch{refused}, []record.BodySearch{accepted, other}, []record.BodySearch{accepted, other}},
		{[]record.BodySearch{accepted}, []record.BodySearch{refused}, []record.BodySearch{accepted}},
		{[]record.BodySearch{refused}, []record.BodySearch{more}, []record.BodySearch{{Operation: "a", Sent: 12, Named: []string{"/x", "/y"}}}},
	} {
		if got := record.PlusBodySearches(test.all, test.plus); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%+v and %+v: got %+v, want %+v", test.all, test.plus, got, test.want)
		}
	}
}

// The searches outlive the journal.
func TestBodySearchesAreKept(t *testing.T) {
	bodies := []record.BodySearch{{Operation: "a", Sent: 2, Accepted: true, Without: []string{"/x"}}}
	var file bytes.Buffer
	r := record.NewRecorder(record.Record{})
	r.Keep(record.NewJournal(&file, 0))
	kept := r.Finish(record.Ending{Complete: true, Bodies: bodies})
	read, err := record.ReadJournal(&file)
	if err != nil || !reflect.DeepEqual(read.Bodies, bodies) || !reflect.DeepEqual(kept.Bodies, bodies) {
		t.Errorf("%v: %+v and %+v of %+v", err, kept.Bodies, read, bodies)
	}
}
