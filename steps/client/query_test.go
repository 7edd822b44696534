package client_test

import (
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/steps/client"
)

func TestQueryParameters(t *testing.T) {
	t.Parallel()
	lookup := func(name string) (string, bool) { return "hidden value", name == "KEY" }
	q, err := client.ParseQueryParameter("key=${KEY}&1", lookup)
	if err != nil || q.Name != "key" || q.Value != "hidden value&1" {
		t.Fatalf("%+v, %v", q, err)
	}
	if s := q.Secrets(); len(s) != 2 || s[0].Text != q.Value || s[1].Text != "hidden value" {
		t.Errorf("the secrets are %v", s)
	}
	for text, want := range map[string]string{
		"no value": "'name=value'", "=x": "'name=value'", "key=": "no value", "key=${KEY:-x}": "names no variable", "key=${OTHER}": "OTHER",
	} {
		if _, err := client.ParseQueryParameter(text, lookup); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for text, want := range map[string]string{"key=${KEY}": "key=${KEY}", "key=plain": "key=${HALLMARK_QUERY_KEY}", "key=plain${KEY}": "key=${HALLMARK_QUERY_KEY}", "plain": "…"} {
		if shown := client.ShowQueryParameter(text); shown != want {
			t.Errorf("%s is shown as %s", text, shown)
		}
	}
}
