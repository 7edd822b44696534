package behaviour_test

import (
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/hallmark-kit/hallmark/spec/behaviour"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

func tree(t testing.TB, text string) any {
	t.Helper()
	d, err := exactjson.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return d.Tree
}

func TestAlike(t *testing.T) {
	for _, c := range []struct {
		sent, shown string
		want        behaviour.Likeness
	}{
		{`"a"`, `"a"`, behaviour.Equal},
		{`1`, `1.0`, behaviour.Equal},
		{`"  Ada Lovelace "`, `"ada lovelace"`, behaviour.Normal},
		{`"Zoe\u0308"`, `"Zoë"`, behaviour.Normal},
		{`"<b>bold</b> & so"`, `"bold &amp; so"`, behaviour.Normal},
		{`"two words"`, `"two-words"`, behaviour.Normal},
		{`"2026-01-02T03:04:05.6789+01:00"`, `"2026-01-02T02:04:05Z"`, behaviour.Normal},
		{`"7"`, `7`, behaviour.Normal},
		{`7`, `"7"`, behaviour.Normal},
		{`1.239`, `1.24`, behaviour.Normal},
		{`true`, `"true"`, behaviour.Normal},
		{`["b","a","a"]`, `["a","b"]`, behaviour.Normal},
		{`{"a":"x"}`, `{"a":"X","b":1}`, behaviour.Normal},
		{`null`, `"default"`, behaviour.Normal},
		{`""`, `"default"`, behaviour.Normal},
		{`"secret"`, `"s****t"`, behaviour.Hidden},
		{`"secret"`, `null`, behaviour.Hidden},
		{`"secret"`, `""`, behaviour.Hidden},
		{`{"a":1}`, `{}`, behaviour.Hidden},
		{`"Zoë"`, `"Zo?"`, behaviour.Another},
		{`"long text"`, `"long"`, behaviour.Another},
		{`"textxxxxxxxxxxxx"`, `"textxxxx"`, behaviour.Another},
		{`"account"`, `"xxxxxnt"`, behaviour.Hidden},
		{`9007199254740993`, `9007199254740992`, behaviour.Another},
		{`4294967296`, `0`, behaviour.Another},
		{`1.5`, `3`, behaviour.Another},
		{`true`, `false`, behaviour.Another},
		{`["a"]`, `["b"]`, behaviour.Another},
		{`"O'Neill"`, `"O''Neill"`, behaviour.Another},
	} {
		if got := behaviour.Alike(tree(t, c.sent), tree(t, c.shown), true); got != c.want {
			t.Errorf("%s shown as %s: %d, want %d", c.sent, c.shown, got, c.want)
		}
	}
	if got := behaviour.Alike("a", nil, false); got != behaviour.Hidden {
		t.Errorf("a member that is not there: %d", got)
	}
}

// Members are compared in objects, and in the only object of a list.
func TestCompareInside(t *testing.T) {
	sent := tree(t, `{"lines":[{"title":"a","copies":30}],"tags":["x","y"],"more":[{"n":1},{"n":2}]}`).(map[string]any)
	shown := tree(t, `{"lines":[{"title":"a","copies":20,"price":1}],"tags":["x"],"more":[{"n":2},{"n":1}]}`).(map[string]any)
	same, others := behaviour.Compare(sent, shown)
	if len(same) != 1 || same["/lines/0/title"] != "a" || len(others) != 2 || others[0].Pointer != "/lines/0/copies" || others[1].Pointer != "/tags" {
		t.Errorf("%v %v", same, others)
	}
}

// A member follows what is sent only after two values of it came back.
func TestLearned(t *testing.T) {
	var l behaviour.Learned
	sent := tree(t, `{"name":"a","inner":{"size":1},"state":"new"}`).(map[string]any)
	shown := tree(t, `{"name":"a","inner":{"size":1,"more":true},"state":"old","id":7}`).(map[string]any)
	same, others := behaviour.Compare(sent, shown)
	if len(same) != 2 || len(others) != 1 || others[0].Pointer != "/state" {
		t.Fatalf("%v %v", same, others)
	}
	for range 2 {
		l.Note("create", same)
	}
	if l.Follows("create", "/name") {
		t.Error("one value came back")
	}
	l.Note("create", map[string]any{"/name": "b"})
	if !l.Follows("create", "/name") || l.Follows("other", "/name") || l.Follows("create", "/inner/size") {
		t.Error("only the name of what create makes follows")
	}
}

// What is not known of a member is tried twice in vain, however many callers ask. Attempts that told nothing do not count.
func TestLearnTriesABoundedNumberOfTimes(t *testing.T) {
	var l behaviour.Learned
	known, silent := false, true
	var tries atomic.Int64
	ask := func(what string) bool {
		is, err := l.Learn(what, func() bool { return known }, func() (bool, error) {
			tries.Add(1)
			return !silent, nil
		})
		if err != nil {
			t.Error(err)
		}
		return is
	}
	for range 5 {
		ask("/name")
	}
	if tries.Load() != 5 {
		t.Errorf("%d attempts that told nothing, want 5", tries.Load())
	}
	silent = false
	var all sync.WaitGroup
	for range 9 {
		all.Go(func() { ask("/name") })
	}
	if all.Wait(); tries.Load() != 7 {
		t.Errorf("%d attempts, want 2 that were in vain", tries.Load()-5)
	}
	if ask("/size"); tries.Load() != 8 {
		t.Error("another member was not tried")
	}
	if known = true; !ask("/name") || tries.Load() != 8 {
		t.Error("what came to be known elsewhere is not told")
	}
	if _, err := l.Learn("/other", func() bool { return false }, func() (bool, error) { return true, io.EOF }); !errors.Is(err, io.EOF) {
		t.Errorf("the error is %v", err)
	}
}

// Changes are waited for until that was in vain several times; always where one came late.
func TestLateness(t *testing.T) {
	var l behaviour.Learned
	for range 2 {
		l.Lateness("a").Note(false)
		l.Lateness("b").Note(false)
	}
	if l.Lateness("a").Hopeless() {
		t.Error("twice in vain is too few")
	}
	l.Lateness("b").Note(true)
	for range 2 {
		l.Lateness("a").Note(false)
		l.Lateness("b").Note(false)
	}
	if !l.Lateness("a").Hopeless() || l.Lateness("b").Hopeless() {
		t.Error("only those of a were waited for in vain alone")
	}
}

// Whatever is compared, nothing panics, and a value is equal to itself.
func FuzzAlike(f *testing.F) {
	f.Add(`{"a":[1,"x",null]}`, `{"a":["1"]}`)
	f.Add(`1e400`, `"1e-400"`)
	f.Fuzz(func(t *testing.T, a, b string) {
		x, err := exactjson.Decode([]byte(a))
		if err != nil {
			return
		}
		if y, err := exactjson.Decode([]byte(b)); err == nil {
			behaviour.Alike(x.Tree, y.Tree, true)
		}
		if got := behaviour.Alike(x.Tree, x.Tree, true); got != behaviour.Equal {
			t.Errorf("%s is %d to itself", a, got)
		}
	})
}

func TestOrder(t *testing.T) {
	for _, c := range []struct {
		a, b string
		sign int
		ok   bool
	}{
		{`2`, `10`, -1, true},
		{`10`, `10.0`, 0, true},
		{`12.5`, `12.25`, 1, true},
		{`9007199254740993`, `9007199254740992`, 1, true},
		{`"2026-01-02T00:00:00Z"`, `"2026-01-02T01:00:00+02:00"`, 1, true},
		{`"2026-01-02"`, `"2026-01-03"`, -1, true},
		{`"2026-01-02"`, `"2026-01-03T10:00:00Z"`, 0, false}, // of another time zone
		{`"2026-01-02"`, `"2026-01-05T10:00:00Z"`, -1, true},
		{`"a"`, `"b"`, 0, false},
		{`1`, `"2"`, 0, false},
		{`1`, `1e99`, 0, false},
		{`true`, `false`, 0, false},
	} {
		if sign, ok := behaviour.Order(tree(t, c.a), tree(t, c.b)); sign != c.sign || ok != c.ok {
			t.Errorf("%s and %s: %d, %t", c.a, c.b, sign, ok)
		}
	}
}

func TestRenewed(t *testing.T) {
	for _, c := range []struct {
		was, is string
		renewed bool
	}{
		{`"2026-01-02T03:04:05Z"`, `"2026-01-02T03:04:05Z"`, false},
		{`"2026-01-02T03:04:05Z"`, `"2026-01-02T05:04:05+02:00"`, false},
		{`"2026-01-02T03:04:05.123456Z"`, `"2026-01-02T03:04:05Z"`, false},  // another precision
		{`"2026-01-02T03:04:05.123Z"`, `"2026-01-02T03:04:05.124Z"`, false}, // rounded
		{`"2026-01-02T03:04:05.123Z"`, `"2026-01-02T03:04:05.163Z"`, true},
		{`"2026-01-02T03:04:05Z"`, `"2026-01-02T03:04:06Z"`, true},
		{`1700000000`, `1700000001`, true},
		{`"a"`, `"A"`, false},
		{`7`, `"7"`, false},
		{`7`, `8`, true},
	} {
		if behaviour.Renewed(tree(t, c.was), tree(t, c.is)) != c.renewed {
			t.Errorf("%s and %s: %t", c.was, c.is, !c.renewed)
		}
	}
}
