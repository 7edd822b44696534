package schema

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pb33f/go-yaml"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// TestSuite runs the suite of json-schema.org if it is available, as schemas of OpenAPI 3.1.
func TestSuite(t *testing.T) {
	folder := os.Getenv("JSON_SCHEMA_TEST_SUITE")
	files, _ := filepath.Glob(filepath.Join(folder, "tests/draft2020-12/*.json"))
	if folder == "" || len(files) == 0 {
		t.Skip("set JSON_SCHEMA_TEST_SUITE to the folder of the suite")
	}
	for _, optional := range []string{"ecmascript-regex", "non-bmp-regex", "bignum", "format/date", "format/date-time", "format/uuid", "format/ipv4", "format/ipv6"} {
		files = append(files, filepath.Join(folder, "tests/draft2020-12/optional", optional+".json"))
	}
	files = slices.DeleteFunc(files, func(f string) bool {
		// Formats are asserted here, and documents do not choose vocabularies.
		return strings.HasSuffix(f, "draft2020-12/format.json") || strings.HasSuffix(f, "/vocabulary.json")
	})
	right, wrong, unclear := 0, 0, 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var groups []struct {
			Description string
			Schema      json.RawMessage
			Tests       []struct {
				Description string
				Data        json.RawMessage
				Valid       bool
			}
		}
		if err := json.Unmarshal(text, &groups); err != nil {
			t.Fatal(err)
		}
		for _, g := range groups {
			var node yaml.Node
			if err := yaml.Unmarshal(g.Schema, &node); err != nil {
				t.Logf("%s: %s: %v", filepath.Base(file), g.Description, err)
				continue
			}
			d := &testDocument{root: source.NodeOf(node.Content[0]), keys: map[*source.Node]map[string]*source.Node{}}
			s, _ := New(d, OpenAPI31).At("")
			for _, test := range g.Tests {
				d, err := exactjson.Decode(test.Data)
				if err != nil {
					t.Logf("%s: %v", test.Data, err)
					continue
				}
				agree(t, s, d.Tree)
				r := s.Validate(d.Tree, Response)
				switch valid := len(r.Violations) == 0; {
				case valid == test.Valid:
					right++
				case len(r.Unjudged) > 0:
					unclear++
					t.Logf("unjudged: %s: %s: %s: %v", filepath.Base(file), g.Description, test.Description, r.Unjudged)
				default:
					wrong++
					t.Errorf("%s: %s: %s: valid %v, found %v", filepath.Base(file), g.Description, test.Description, test.Valid, r.Violations)
				}
			}
		}
	}
	t.Logf("%d right, %d wrong, %d could not be judged", right, wrong, unclear)
}

// Formats that bind values on request refuse no text that the suite calls valid; some that it calls invalid are in use and pass.
func TestFormatSuite(t *testing.T) {
	folder := os.Getenv("JSON_SCHEMA_TEST_SUITE")
	if folder == "" {
		t.Skip("set JSON_SCHEMA_TEST_SUITE to the folder of the suite")
	}
	for format := range lenient {
		text, err := os.ReadFile(filepath.Join(folder, "tests/draft2020-12/optional/format", format+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var groups []struct {
			Tests []struct {
				Data  any
				Valid bool
			}
		}
		if err := json.Unmarshal(text, &groups); err != nil {
			t.Fatal(err)
		}
		for _, g := range groups {
			for _, test := range g.Tests {
				if !holds(format, test.Data) && test.Valid {
					t.Errorf("%q is refused as %s", test.Data, format)
				}
			}
		}
	}
}
