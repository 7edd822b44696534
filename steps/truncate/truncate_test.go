package truncate_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/steps/truncate"
)

func TestText(t *testing.T) {
	if got := truncate.Text("short"); got != "short" {
		t.Errorf("a short text becomes %q", got)
	}
	long := strings.Repeat("ä", 5000)
	got := truncate.Text(long)
	if len(got) > 512 || truncate.Characters(got) != 5000 || truncate.Text(long+"x") == got || truncate.Text(got) != got {
		t.Errorf("a long text becomes %q, of %d characters", got, truncate.Characters(got))
	}
}

func TestNumber(t *testing.T) {
	for _, test := range []struct {
		text     string
		isWhole  bool
		isLonger bool
	}{
		{"12", true, false}, {"1.5", false, false},
		{"0." + strings.Repeat("3", 500), false, true}, {strings.Repeat("3", 500) + ".5", false, true},
	} {
		got := truncate.Number(json.Number(test.text))
		if _, whole := exactjson.CanonicalInt(got); whole != test.isWhole || (string(got) != test.text) != test.isLonger || len(got) > 400 {
			t.Errorf("%.20s… becomes %s", test.text, got)
		}
	}
}

func TestPrune(t *testing.T) {
	tree := make([]any, 1500)
	for i := range tree {
		tree[i] = map[string]any{"id": json.Number("1"), "more": strings.Repeat("x", 100)}
	}
	pruned, _ := truncate.Prune(tree, map[string]bool{"id": true}).([]any)
	if len(pruned) != 1000 || len(pruned[0].(map[string]any)) != 1 {
		t.Errorf("%d items are left, the first is %v", len(pruned), pruned[0])
	}
	if before, after := truncate.Size(tree, 1<<30), truncate.Size(pruned, 1<<30); after >= before {
		t.Errorf("%d bytes become %d", before, after)
	}
}

func TestHeaders(t *testing.T) {
	few := spec.Response{Header: http.Header{"X": {"1"}}}
	if got := truncate.Headers(few); got.HeadersLeftOut != 0 || len(got.Header) != 1 {
		t.Errorf("a few headers become %v", got.Header)
	}
	many := spec.Response{Header: http.Header{"Location": {strings.Repeat("y", 20000)}}}
	for name := range strings.SplitSeq("abcdefghijklmnopqrstuvwxyz", "") {
		many.Header["X-"+strings.ToUpper(name)] = []string{strings.Repeat(name, 5000)}
	}
	got := truncate.Headers(many)
	if got.HeadersLeftOut == 0 || got.Header.Get("Location") == "" || len(got.Header)+got.HeadersLeftOut != 27 {
		t.Errorf("%d headers are kept, %d are left out", len(got.Header), got.HeadersLeftOut)
	}
}

// A text that was cut is the beginning of the whole one, however long that is.
func TestBegins(t *testing.T) {
	long := strings.Repeat("ab", 400)
	for _, test := range []struct {
		text, with string
		want       bool
	}{
		{"abc", "ab", true},
		{"abc", "b", false},
		{"abc", "abcd", false},
		{long, long[:300], true},
		{long, long[:100], true},
		{long, long[:700], true},
		{long, long + "a", false},
		{long, "b" + long[:300], false},
		{long, strings.Repeat("ba", 350), false},
		{long, long[:798] + "ba", false},
		{"", "", true},
	} {
		if got := truncate.Begins(truncate.Text(test.text), truncate.Text(test.with)); got != test.want {
			t.Errorf("%d characters begin with %d: %v", len(test.text), len(test.with), got)
		}
	}
}
