package record_test

import (
	"testing"

	"hallmark/reports/record"
)

func TestUnjudgedWords(t *testing.T) {
	at := func(line, values int) record.Unjudged {
		return record.Unjudged{Remark: record.Remark{Line: line, Pointer: "/a", Text: "why", Operations: []string{"op"}}, Values: values}
	}
	for _, test := range []struct {
		unjudged []record.Unjudged
		want     string
	}{
		{nil, ""},
		{[]record.Unjudged{at(0, 1)}, "1 value in responses could not be judged, by the contract at /a (why)"},
		{[]record.Unjudged{at(1, 1), at(2, 5), at(3, 1), at(4, 1), at(5, 1)}, "9 values in responses could not be judged, by the contract at line 2 (why); line 1 (why); line 3 (why); 2 more places"},
	} {
		rec := record.Record{Unjudged: test.unjudged}
		if got := rec.UnjudgedWords(); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

func TestPlusUnjudged(t *testing.T) {
	a := []record.Unjudged{{Remark: record.Remark{Pointer: "/a", Text: "x", Operations: []string{"one"}}, Values: 2}}
	b := []record.Unjudged{{Remark: record.Remark{Pointer: "/a", Text: "x", Operations: []string{"two"}}, Values: 1}, {Remark: record.Remark{Pointer: "/b", Text: "x"}, Values: 1}}
	all := record.PlusUnjudged(a, b)
	if len(all) != 2 || all[0].Values != 3 || len(all[0].Operations) != 2 || a[0].Values != 2 {
		t.Errorf("%+v of %+v", all, a)
	}
}
