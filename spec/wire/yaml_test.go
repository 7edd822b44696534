package wire

import (
	"strings"
	"testing"
)

func TestParseYAML(t *testing.T) {
	for _, test := range []struct {
		text, want string // the values, or why there are none, after "! "
		whole      bool
	}{
		{"a: 1\nb: [x, 'y', \"z\"]\nc:\n  d: true\n", `[{"a":1,"b":["x","y","z"],"c":{"d":true}}]`, true},
		{`{"a":9007199254740993,"b":1.50}`, `[{"a":9007199254740993,"b":1.50}]`, true},
		{"a: '1'", `[{"a":"1"}]`, true}, {"a:", `[{"a":null}]`, true}, {"a: ~", `[{"a":null}]`, true}, {"a: |\n  x\n", `[{"a":"x\n"}]`, true},
		{"a: yes", `[{"a":true},{"a":"yes"}]`, true}, {"a: 007", `[{"a":7},{"a":"007"}]`, true}, {"a: 1e3", `[{"a":1e3},{"a":"1e3"}]`, true},
		{"a: 0x1F", `[{"a":"0x1F"}]`, false}, {"a: 2026-11-25", `[{"a":"2026-11-25"}]`, false}, {"a: hello", `[{"a":"hello"}]`, true},
		{"a: &x [1]\nb: *x", `[{"a":[1],"b":[1]}]`, true},
		{"a: !!str 1", "! a value has a tag", true}, {"[a]: 1", "! a key is not a string", true}, {"a: 1\n---\nb: 2", "! hallmark supports only a single document", true},
		{"a: [", "! hallmark cannot parse it", true}, {"", "! hallmark cannot parse it", true}, {"<<: {a: 1}", "! a key is not a string", true},
	} {
		r, err := ParseBody("application/yaml", []byte(test.text), BodyOptions{})
		if why, ok := strings.CutPrefix(test.want, "! "); ok {
			if reason, _ := ReasonOf(err); err == nil || reason != Unsupported || !strings.Contains(err.Error(), why) {
				t.Errorf("%q: %v, want %q", test.text, err, why)
			}
			continue
		}
		got, _ := JSON(r.Values)
		if err != nil || string(got) != test.want || r.Truncated == test.whole {
			t.Errorf("%q: %s, truncated %v, %v, want %s", test.text, got, r.Truncated, err, test.want)
		}
	}
}

// FuzzTrees passes arbitrary texts to the readers of XML and YAML, and reads back what they write.
func FuzzTrees(f *testing.F) {
	for _, text := range []string{"<a/>", "<a b='1'><c>2</c><c/></a>", "<s:a xmlns:s='u'>x</s:a>", "<a><a><a/></a></a>", "a: &x [*x]", "a: {b: 1}", "- 1\n- yes", "&a [*a, *a]", "--- \n...", "? a"} {
		f.Add(text)
	}
	leaf := &Hint{Types: []string{"integer", "null"}}
	tree := &Hint{Types: []string{"object", "array", "string"}, XML: XML{Component: "a"}, Properties: map[string]*Hint{"b": {Types: []string{"string"}, XML: XML{Node: NodeAttribute}}, "c": leaf}}
	tree.Items, tree.Additional = tree, tree
	f.Fuzz(func(t *testing.T, text string) {
		for _, media := range []string{"application/xml", "application/yaml"} {
			for _, m := range []manner{strict, lenient} {
				r, err := parseBody(media, []byte(text), BodyOptions{Hint: tree}, m)
				if err != nil {
					if _, ok := ReasonOf(err); !ok {
						t.Fatalf("an error of another kind: %v", err)
					}
					continue
				}
				for _, v := range r.Values {
					_ = SurvivesBody(media, v, BodyOptions{Hint: tree})
				}
			}
		}
	})
}
