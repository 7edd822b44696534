package spec_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

func TestValue(t *testing.T) {
	v := spec.Decode(&spec.Response{Body: spec.Bytes(`{"a/b":[{"~":1.0},null],"n":9007199254740993,"s":"x"}`)})
	for pointer, want := range map[string]any{
		"/a~1b/0/~0": json.Number("1.0"), "/a~1b/1": nil, "/n": json.Number("9007199254740993"), "/s": "x",
	} {
		if got, ok := v.At(pointer); !ok || got.Tree != want {
			t.Errorf("at %s: %v", pointer, got)
		}
	}
	for _, pointer := range []string{"/a", "/a~1b/2", "/a~1b/-1", "/a~1b/00", "/a~1b/+0", "/n/0", "/a~1b/1/x"} {
		if got, ok := v.At(pointer); ok {
			t.Errorf("at %s: %v", pointer, got)
		}
	}
	if whole, ok := v.At(""); !ok || !whole.Equal(v) {
		t.Error("the empty pointer is not the whole")
	}
	one, _ := v.At("/a~1b/0/~0")
	if n, ok := one.Int(); !ok || n != "1" || one.String() != "the number 1.0" {
		t.Errorf("%q, %q", n, one)
	}
	if !one.Equal(exactjson.Value{Tree: json.Number("1"), Valid: true}) || one.Equal(exactjson.Value{Tree: "1", Valid: true}) {
		t.Error("1.0 must equal 1 and nothing else")
	}
	if _, ok := (exactjson.Value{}).At(""); ok || (exactjson.Value{}).String() != "nothing" || (exactjson.Value{}).Equal(exactjson.Value{Valid: true}) {
		t.Error("no value is taken for null")
	}
	if deep := spec.Decode(&spec.Response{Body: spec.Bytes(strings.Repeat("[", 20000))}); !exactjson.ExceedsLimit(deep.Err) {
		t.Error(deep.Err)
	}
}
