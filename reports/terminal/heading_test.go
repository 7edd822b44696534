package terminal_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/junit"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/terminal"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/tests/fixture"
)

func TestImplementationInWords(t *testing.T) {
	for want, i := range map[string]record.Implementation{
		"": {},
		"Pets 1.4.2 by Example Ltd (https://pets.example.com, pets@example.com)": {
			Organization: "Example Ltd", Project: "Pets", URL: "https://pets.example.com", Version: "1.4.2", Contact: "pets@example.com",
		},
		"Example Ltd":              {Organization: "Example Ltd"},
		"1.4.2":                    {Version: "1.4.2"},
		"Pets (pets@example.com)":  {Project: "Pets", Contact: "pets@example.com"},
		"https://pets.example.com": {URL: "https://pets.example.com"},
		`Pets\x1b[2J`:              {Project: "Pets\x1b[2J"},
	} {
		if got := i.Words(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// What hallmark.yaml says of the implementation stands in the reports.
func TestImplementationInReports(t *testing.T) {
	rec := record.Record{Started: fixture.Started, Complete: true, Target: record.Target{
		BaseURL: "https://pets.example.com/v1", Implementation: record.Implementation{Project: "Pets & Co", Version: "1.4.2"},
	}, Scenarios: []record.Scenario{{ID: "a", Feature: "A", Outcome: record.Passed}}}
	v := view.New(&rec, view.Sources{})
	var text, xml bytes.Buffer
	if err := terminal.Write(&text, v, terminal.Look{}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "/v1\nPets & Co 1.4.2\n\n") {
		t.Errorf("the text does not begin with it:\n%s", text.String())
	}
	if err := junit.Write(&xml, v); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<property name="hallmark.implementation.project" value="Pets &amp; Co">`, `<property name="hallmark.implementation.version" value="1.4.2">`,
	} {
		if !strings.Contains(xml.String(), want) {
			t.Errorf("JUnit has no %s:\n%s", want, xml.String())
		}
	}
	if strings.Contains(xml.String(), "implementation.contact") {
		t.Error("JUnit tells what nobody said")
	}
}
