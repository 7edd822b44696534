package junit_test

import (
	"bytes"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/junit"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

// junitCases is as much of a JUnit report as these tests read.
type junitCases struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Suites   []struct {
		Name  string `xml:"name,attr"`
		Cases []struct {
			Name    string `xml:"name,attr"`
			Class   string `xml:"classname,attr"`
			Failure *struct {
				Message string `xml:"message,attr"`
				Text    string `xml:",chardata"`
			} `xml:"failure"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

func casesBy(t *testing.T, form string, v *view.View) junitCases {
	t.Helper()
	var out bytes.Buffer
	if err := junit.Format().Variants[form](&out, v); err != nil {
		t.Fatal(err)
	}
	var all junitCases
	if err := xml.Unmarshal(out.Bytes(), &all); err != nil {
		t.Fatalf("%s: %v", form, err)
	}
	return all
}

// The first failure of every form is the leading example of the first cause, and names no test twice.
func TestJUnitBeginsWithTheCause(t *testing.T) {
	all := sample.EdgeCases(t)
	all["broken"] = sample.Broken(t)
	seen := 0
	for name, v := range all {
		failing, _ := v.Causes()
		for form := range junit.Format().Variants {
			report := casesBy(t, form, v)
			failures, first := 0, ""
			names := map[string]bool{}
			for _, s := range report.Suites {
				for _, c := range s.Cases {
					if key := c.Class + " " + c.Name; names[key] {
						t.Errorf("%s, %s: the name %q is there twice", name, form, key)
					} else {
						names[key] = true
					}
					if c.Failure == nil {
						continue
					}
					if failures++; failures == 1 {
						first = c.Failure.Text
					}
				}
			}
			if failures != report.Failures || len(names) != report.Tests {
				t.Errorf("%s, %s: %d tests and %d failures are told of, and there are %d and %d", name, form, report.Tests, report.Failures, len(names), failures)
			}
			if len(failing) == 0 {
				continue
			}
			seen++
			lead := failing[0].Lead
			if !strings.Contains(first, lead.Rule) || !lead.Where.IsZero() && !strings.Contains(first, strings.Fields(lead.Where.String())[0]) {
				t.Errorf("%s, %s: the first failure is not about %s:\n%.600s", name, form, lead.Rule, first)
			}
			if form == "by=cause" && failures < len(failing) {
				t.Errorf("%s: %d causes fail the run, and %d cases do", name, len(failing), failures)
			}
		}
	}
	if seen == 0 {
		t.Error("no sample fails")
	}
}

// Each rule of the catalogue is a case, and those fail that are violated.
func TestJUnitByRule(t *testing.T) {
	v := sample.Broken(t)
	report := casesBy(t, "by=rule", v)
	if report.Tests != len(v.Result.Rules) || report.Failures != v.Result.Count(verdict.Violated, "") || report.Failures == 0 {
		t.Errorf("%d tests and %d failures; there are %d rules, and %d are violated", report.Tests, report.Failures, len(v.Result.Rules), v.Result.Count(verdict.Violated, ""))
	}
}

// What no repetition showed again is marked in every form.
func TestJUnitMarksWhatIsIntermittent(t *testing.T) {
	v := sample.Named(t, "intermittent")
	for form := range junit.Format().Variants {
		for _, s := range casesBy(t, form, v).Suites {
			for _, c := range s.Cases {
				if c.Failure != nil && s.Name != "known violations" && !strings.HasPrefix(c.Failure.Message, "INTERMITTENT: ") {
					t.Errorf("%s: %s: %s", form, c.Name, c.Failure.Message)
				}
			}
		}
	}
}
