package record_test

import (
	"strings"
	"testing"
	"time"

	"hallmark/reports/record"
	"hallmark/reports/verdict"
)

func TestInterruptionsInSentences(t *testing.T) {
	p := record.Patience{Interrupted: &record.Interruptions{Allowed: 10 * time.Second, Refused: 8, Longest: 2 * time.Second, Lost: 3, Replayed: 2}}
	const want = "8 requests waited for a connection, for 2.0 s at most (--patience 10s).\n" +
		"3 exchanges were lost on the way; what they belong to was played again, 2 times."
	if got := strings.Join(p.Sentences(), "\n"); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if p.Hangs() || len(record.Patience{}.Sentences()) != 0 {
		t.Error("something hangs, or is said of nothing")
	}
}

func TestInterruptionsOfShards(t *testing.T) {
	var none *record.Interruptions
	one := &record.Interruptions{Lost: 1, Longest: time.Second, Hanging: []string{"getPet"}}
	if none.Plus(none) != nil || none.Plus(one) != one || one.Plus(nil) != one {
		t.Error("nothing changes what there is")
	}
	both := one.Plus(&record.Interruptions{Lost: 2, Refused: 4, Longest: 3 * time.Second, Hanging: []string{"createPet", "getPet"}})
	if both.Lost != 3 || both.Refused != 4 || both.Longest != 3*time.Second || strings.Join(both.Hanging, " ") != "createPet getPet" || one.Lost != 1 {
		t.Errorf("%+v", both)
	}
}

func TestAnOperationThatHangsIsInTheVerdict(t *testing.T) {
	rec := record.Record{Lost: "getPet hangs: no whole response within 10s (--timeout)", Patience: record.Patience{Interrupted: &record.Interruptions{Hanging: []string{"getPet"}}}}
	res := verdict.Draw(&rec, nil)
	if res.Because != "the target could not be judged to the end: "+rec.Lost || res.ExitCode != verdict.ExitUnjudged {
		t.Errorf("%s, exit code %d", res.Because, res.ExitCode)
	}
}
