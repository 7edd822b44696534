package pattern

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/pb33f/go-yaml"

	"github.com/hallmark-kit/hallmark/spec/schema"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// bounded is a pattern with the lengths that stand beside it; high is negative where there is none.
type bounded struct {
	pattern   string
	low, high int
}

// corpus returns the patterns of the corpus, and a file of each; tests about it are skipped where it is not.
func corpus(t testing.TB) map[bounded]string {
	t.Helper()
	patterns := readCorpus()
	if len(patterns) == 0 {
		t.Skip("the corpus is not here; set HALLMARK_CORPUS to its folder")
	}
	return patterns
}

var readCorpus = sync.OnceValue(func() map[bounded]string {
	patterns := map[bounded]string{}
	files, _ := filepath.Glob(filepath.Join(cmp.Or(os.Getenv("HALLMARK_CORPUS"), "../../../../shared/corpus"), "*.*"))
	for _, file := range files {
		data, err := os.ReadFile(file)
		read := yaml.Unmarshal
		if filepath.Ext(file) == ".json" {
			read = json.Unmarshal // in a tenth of the time
		}
		var tree any
		if err == nil && bytes.Contains(data, []byte("pattern")) && read(data, &tree) == nil {
			notePatterns(patterns, filepath.Base(file), tree)
		}
	}
	return patterns
})

func notePatterns(patterns map[bounded]string, file string, tree any) {
	switch tree := tree.(type) {
	case map[string]any:
		if text, ok := tree["pattern"].(string); ok {
			b := bounded{pattern: text, high: -1}
			if low, ok := number(tree["minLength"]); ok {
				b.low = low
			}
			if high, ok := number(tree["maxLength"]); ok {
				b.high = high
			}
			patterns[b] = file
		}
		for _, member := range tree {
			notePatterns(patterns, file, member)
		}
	case map[any]any:
		for _, member := range tree {
			notePatterns(patterns, file, member)
		}
	case []any:
		for _, item := range tree {
			notePatterns(patterns, file, item)
		}
	}
}

// number returns an integer as the decoders of JSON and YAML give it.
func number(value any) (int, bool) {
	switch n := value.(type) {
	case float64:
		return int(n), true
	case int:
		return n, true
	}
	return 0, false
}

// TestCorpus makes texts for every pattern of the corpus.
func TestCorpus(t *testing.T) {
	// These match nothing at all: something stands before their "^".
	impossible := []string{`.^`, `/^\+(?:[0-9]-?){6,14}[0-9]$/`}
	patterns := corpus(t)
	made, missed := 0, 0
	for b, file := range patterns {
		p, err := Compile(b.pattern)
		if err != nil {
			t.Errorf("%s (%s): %v", b.pattern, file, err)
			continue
		}
		texts := p.Strings(1, 3, b.low, b.high)
		check(t, p, texts, b.low, b.high, true)
		misses := p.NearMisses(1, 3, b.low, b.high)
		check(t, p, misses, b.low, b.high, false)
		_, ok := p.Shortest(b.low, b.high)
		if ok && len(texts) > 0 {
			made++
		} else if !slices.Contains(impossible, b.pattern) {
			t.Errorf("%s (%s): nothing was made", b.pattern, file)
		}
		if len(misses) > 0 {
			missed++
		} else {
			t.Logf("%s (%s): no near miss was found", b.pattern, file)
		}
	}
	t.Logf("of %d patterns with their bounds texts were made for %d, near misses for %d", len(patterns), made, missed)
}

// schemas is a document of schemas that have a pattern each.
type schemas struct{ root *source.Node }

func (d schemas) Node(pointer string) *source.Node {
	n := d.root
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		i := 0
		for i < len(n.Content) && n.Content[i].Value != token {
			i += 2
		}
		if i+1 >= len(n.Content) {
			return nil
		}
		n = n.Content[i+1]
	}
	return n
}

func (d schemas) Line(string) int { return 0 }

func (d schemas) Target(string, string) (string, error) {
	return "", errors.New("there are no references")
}

// TestSchemasAgree has spec/schema, which reads patterns by itself, judge what was made.
func TestSchemasAgree(t *testing.T) {
	texts := slices.Collect(maps.Values(wellKnown))
	for b := range corpus(t) {
		texts = append(texts, b.pattern)
	}
	slices.Sort(texts)
	root := &source.Node{Kind: source.MappingNode}
	scalar := func(value string) *source.Node {
		return &source.Node{Kind: source.ScalarNode, Tag: source.StringTag, Value: value}
	}
	for i, text := range texts {
		root.Content = append(root.Content, scalar(strconv.Itoa(i)), &source.Node{Kind: source.MappingNode, Tag: source.MapTag, Content: []*source.Node{scalar("pattern"), scalar(text)}})
	}
	set := schema.New(schemas{root}, schema.OpenAPI31)
	differ := 0
	for i, text := range texts {
		p := compile(t, text)
		s, ok := set.At("/" + strconv.Itoa(i))
		if !ok {
			t.Fatal(text)
		}
		made, misses := p.Strings(2, 5, 0, -1), p.NearMisses(2, 5, 0, -1)
		for _, value := range slices.Concat(made, misses) {
			result := s.Validate(value, schema.Request)
			want := slices.Contains(made, value)
			if len(result.Unjudged) > 0 {
				t.Logf("%s is not judged: %v", text, result.Unjudged)
				break
			}
			if len(result.Violations) == 0 != want {
				differ++
				t.Errorf("%s and %q: made to match is %v", text, value, want)
			}
		}
	}
	t.Logf("%d patterns, %d differences", len(texts), differ)
}
