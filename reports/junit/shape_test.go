package junit

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/tests/fixture"
)

// shape is what the schema of Jenkins' xUnit plugin (junit-10.xsd) allows of an element.
type shape struct {
	required, allowed, children []string
}

// shapes are those of the elements that hallmark writes. Two attributes are not of that schema: the file of a case, which
// GitLab links to, and the skipped of the whole, which people read. The JUnit plugin of Jenkins ignores both.
var shapes = map[string]shape{
	"testsuites": {nil, []string{"name", "time", "tests", "failures", "errors", "skipped"}, []string{"testsuite"}},
	"testsuite": {
		[]string{"name", "tests", "failures", "errors"}, []string{"skipped", "time", "timestamp"},
		[]string{"properties", "testcase"},
	},
	"properties": {nil, nil, []string{"property"}},
	"property":   {[]string{"name", "value"}, nil, nil},
	"testcase":   {[]string{"name"}, []string{"time", "classname", "file"}, []string{"skipped", "error", "failure", "system-out"}},
	"skipped":    {nil, []string{"message"}, nil},
	"error":      {nil, []string{"message", "type"}, nil},
	"failure":    {nil, []string{"message", "type"}, nil},
	"system-out": {nil, nil, nil},
}

func TestJUnitShape(t *testing.T) {
	seconds := regexp.MustCompile(`^\d+\.\d{3}$`)
	for name, r := range map[string]*fixture.Run{"good": fixture.GoodRun(t), "bad": fixture.BadRun(t), "broken": fixture.BrokenRun(t), "part": fixture.PartRun(t)} {
		t.Run(name, func(t *testing.T) {
			text, _ := reportOf(t, r)
			dec := xml.NewDecoder(strings.NewReader(text))
			open := []string{}
			seen := map[string]int{}
			for {
				token, err := dec.Token()
				if errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatal(err)
				}
				switch e := token.(type) {
				case xml.EndElement:
					open = open[:len(open)-1]
				case xml.StartElement:
					is, known := shapes[e.Name.Local]
					if !known {
						t.Fatalf("there is no element %s", e.Name.Local)
					}
					if len(open) == 0 && e.Name.Local != "testsuites" || len(open) > 0 && !slices.Contains(shapes[open[len(open)-1]].children, e.Name.Local) {
						t.Errorf("%s stands in %v", e.Name.Local, open)
					}
					var names []string
					for _, a := range e.Attr {
						names = append(names, a.Name.Local)
						if !slices.Contains(is.required, a.Name.Local) && !slices.Contains(is.allowed, a.Name.Local) {
							t.Errorf("%s has the attribute %s", e.Name.Local, a.Name.Local)
						}
						if a.Name.Local == "time" && !seconds.MatchString(a.Value) {
							t.Errorf("%s takes %q seconds", e.Name.Local, a.Value)
						}
					}
					for _, want := range is.required {
						if !slices.Contains(names, want) {
							t.Errorf("%s lacks the attribute %s", e.Name.Local, want)
						}
					}
					open = append(open, e.Name.Local)
					seen[e.Name.Local]++
				}
			}
			if seen["testcase"] == 0 || seen["properties"] != seen["testsuite"] {
				t.Errorf("%v", seen)
			}
		})
	}
}

// Readers list failures by their messages and group them by their types; what was only observed is no failure.
func TestJUnitFailures(t *testing.T) {
	strict := fixture.BadRun(t)
	strict.Rec.Options.Strict = true
	for _, r := range []*fixture.Run{fixture.BadRun(t), strict} {
		_, all := reportOf(t, r)
		levels := map[string]int{}
		for _, s := range all.Suites {
			for _, c := range s.Cases {
				if c.Failure == nil {
					continue
				}
				levels[c.Failure.Type]++
				rule, _, _ := strings.Cut(c.Failure.Message, ": ")
				if !strings.HasPrefix(c.Failure.Text, "FAIL  "+rule+" ") {
					t.Errorf("%q is told as %.60q", c.Failure.Message, c.Failure.Text)
				}
				if strings.Contains(c.Failure.Text, "observed:") {
					t.Errorf("an observation is told as a failure: %s", c.Failure.Text)
				}
			}
		}
		if levels["must"] == 0 || (levels["should"] > 0) != r.Rec.Options.Strict || len(levels) > 2 {
			t.Errorf("strict %v: %v", r.Rec.Options.Strict, levels)
		}
	}
}
