package resource_test

import (
	"testing"

	"hallmark/internal/shop"
	"hallmark/spec"
	"hallmark/spec/openapi"
	"hallmark/spec/resource"
)

// The header that a change has to have is found by whatever case and by 428, and what its state is read by.
func TestConditions(t *testing.T) {
	c, err := openapi.Load(shop.SignsContract())
	if err != nil {
		t.Fatal(err)
	}
	m := resource.Of(c)
	for _, want := range []struct {
		operation, demands, reading string
		tagged                      bool
	}{
		{"readSign", "", "readSign", true},
		{"replaceSign", "If-Match", "readSign", true},
		{"changeSign", "if-match", "readSign", true},
		{"removeSign", "If-Match", "readSign", false},
		{"switchLamp", "If-Unmodified-Since", "readLamp", false},
		{"addSign", "", "", true},
	} {
		op, ok := c.Operation(want.operation)
		if !ok {
			t.Fatalf("there is no operation %s", want.operation)
		}
		demands, reading := "", ""
		if p := resource.Demands(op); p != nil {
			demands = p.Name
		}
		if by := resource.Reading(m, op); by != nil {
			reading = by.ID
		}
		if demands != want.demands || reading != want.reading || resource.Tagged(op) != want.tagged {
			t.Errorf("%s demands %q, is read by %q and tagged: %v", op.ID, demands, reading, resource.Tagged(op))
		}
	}
	for name, is := range map[string]bool{"if-none-match": true, "If-Range": true, "IF-MODIFIED-SINCE": true, "If-Else": false} {
		if resource.IsCondition(spec.Parameter{Name: name, In: "header"}) != is || resource.IsCondition(spec.Parameter{Name: name, In: "query"}) {
			t.Errorf("%s is a condition: %v", name, !is)
		}
	}
}

// A representation may show its entity tag in its body.
func TestTagMember(t *testing.T) {
	for want, body := range map[string]any{
		"a": map[string]any{"etag": "a"}, `W/"b"`: map[string]any{"@odata.etag": `W/"b"`}, "c": map[string]any{"_eTag": "c"}, "": map[string]any{"tag": "d", "etag": 3},
	} {
		if got := resource.TagMember(body); got != want {
			t.Errorf("%v shows %q, want %q", body, got, want)
		}
	}
	if got := resource.TagMember([]any{"etag"}); got != "" {
		t.Errorf("a list shows %q", got)
	}
}
