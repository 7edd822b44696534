package acceptance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/verdict"

	"github.com/google/go-cmp/cmp"
	"github.com/pb33f/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/hallmark-kit/hallmark/internal/config"
	"github.com/hallmark-kit/hallmark/internal/files"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/reports/conformance"
	"github.com/hallmark-kit/hallmark/tests/pages"
	"github.com/hallmark-kit/hallmark/tests/petstoretest"
)

// The schema of hallmark.yaml is made from the flags. It is checked here from both sides: what hallmark reads it allows, and
// what it forbids hallmark does not read.

// TestDocsSchema compares docs/hallmark.schema.json with the flags; "make docs" writes it.
func TestDocsSchema(t *testing.T) {
	want, err := options.TargetShape().Schema()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(docsRoot, "docs", config.SchemaName)
	if os.Getenv("UPDATE_DOCS") != "" {
		if err := files.Replace(name, string(want)); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(have)); diff != "" {
		t.Errorf("docs/%s is not what the flags say; run \"make docs\":\n%s", config.SchemaName, diff)
	}
}

// TestDocsConformanceSchema compares docs/conformance.schema.json with the schema that hallmark verify checks reports by;
// "make docs" writes it.
func TestDocsConformanceSchema(t *testing.T) {
	name := filepath.Join(docsRoot, "docs", conformance.SchemaName)
	want, err := os.ReadFile(filepath.Join(docsRoot, "reports", "conformance", "schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("UPDATE_DOCS") != "" {
		if err := files.Replace(name, string(want)); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(have)); diff != "" {
		t.Errorf("docs/%s is not the schema of reports/conformance; run \"make docs\":\n%s", conformance.SchemaName, diff)
	}
}

func compileSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := options.TargetShape().Schema()
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(config.SchemaName, document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile(config.SchemaName)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// asJSON is a text of YAML as an editor sees it: dates are texts, and numbers are exact.
func asJSON(t *testing.T, text string) any {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	if len(doc.Content) == 0 {
		return map[string]any{}
	}
	var convert func(n *yaml.Node) any
	convert = func(n *yaml.Node) any {
		switch n.Kind {
		case yaml.MappingNode:
			all := map[string]any{}
			for i := 0; i < len(n.Content); i += 2 {
				all[n.Content[i].Value] = convert(n.Content[i+1])
			}
			return all
		case yaml.SequenceNode:
			all := []any{}
			for _, item := range n.Content {
				all = append(all, convert(item))
			}
			return all
		default:
		}
		switch n.ShortTag() {
		case "!!null":
			return nil
		case "!!bool":
			return strings.EqualFold(n.Value, "true")
		case "!!int", "!!float":
			return json.Number(n.Value)
		}
		return n.Value
	}
	return convert(doc.Content[0])
}

// tryTargets reads a text as hallmark does, whichever target is asked.
func tryTargets(t *testing.T, text string) error {
	t.Helper()
	lookup := func(string) (string, bool) { return "12", true }
	file, err := options.TargetShape().Read([]byte(text), config.Name, ".", lookup)
	if err != nil {
		return err
	}
	return file.Err()
}

// commentedOut are the settings that stand in comments.
var commentedOut = regexp.MustCompile(`(?m)^( +)# ([a-z-]+: [^ ].*)$`)

func TestSchemaAllowsWhatIsRead(t *testing.T) {
	schema := compileSchema(t)
	uncommented := commentedOut.ReplaceAllString(config.Example(), "$1$2")
	if uncommented == config.Example() {
		t.Error("the example has no settings in comments any more")
	}
	texts := map[string]string{
		"what init writes":                   config.Example(),
		"what init writes, without comments": uncommented,
		"nothing":                            "",
		"no targets":                         "targets:",
		"a target without anything":          "targets: {a: }",
		"the most of int64":                  "targets: {a: {seed: 0}, b: {seed: 9223372036854775807}}",
		"variables":                          `targets: {a: {seed: "${ID}", concurrency: "${N:-8}", base-url: "https://${HOST}/v1"}}`,
		"a word for a number":                "targets: {a: {concurrency: auto}}",
		"a rate":                             `targets: {a: {rate: 0.5}, b: {rate: 5}, c: {rate: "${N}"}}`,
		"one of a list":                      "targets: {a: {rule: list, report: [json:a, junit:b]}}",
		"a moment":                           "targets: {a: {now: 2027-01-31T12:00:00Z}, b: {now: 2027-01-31}}",
		"lengths of time":                    "targets: {a: {timeout: 1m30s}, b: {timeout: 500ms}, c: {timeout: 1.5s}}",
		"headers":                            "targets: {a: {headers: {X-A: a, X-B: {env: B}, X-C: {file: c}, X-D: {value: d, secret: true}}}}",
		"an implementation":                  "targets: {a: {implementation: {organization: a, project: b, url: c, version: 1.10, contact: d}}}",
		"a key of a file, in what all share": "defaults: {api-key: {file: key}, production: true}",
		"a version that is text":             "targets: {a: {implementation: {version: v1}}}",
	}
	for _, p := range pages.Read(t, docsRoot) {
		for _, f := range p.Fences() {
			if f.Language == "yaml" && f.Kind() == "hallmark" {
				texts[fmt.Sprintf("%s, line %d", p.Name, f.From)] = strings.Join(p.Lines[f.From:f.To], "\n")
			}
		}
	}
	for name, text := range texts {
		if err := schema.Validate(asJSON(t, text)); err != nil {
			t.Errorf("%s: by the schema: %v", name, err)
		}
		if err := tryTargets(t, text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSchemaForbidsWhatIsNotRead(t *testing.T) {
	schema := compileSchema(t)
	for name, text := range map[string]string{
		"an unknown key of the file":        "targts: {}",
		"a flag at the top":                 "base-url: https://pets.example.com/v1",
		"an unknown key of a target":        "targets: {a: {base-ur: x}}",
		"a list of targets":                 "targets: [{base-url: https://pets.example.com/v1}]",
		"a name with a blank":               "targets: {a b: }",
		"a key that stands there":           "targets: {a: {api-key: secret}}",
		"a key in two places":               "targets: {a: {api-key: {env: A, file: b}}}",
		"a key in no place":                 "targets: {a: {api-key: {}}}",
		"no name of a variable":             "targets: {a: {api-key: {env: $A}}}",
		"another word than auto":            "targets: {a: {concurrency: all}}",
		"a number as text":                  `targets: {a: {concurrency: "8"}}`,
		"a number that is too small":        "targets: {a: {concurrency: 0}}",
		"a number that is too large":        "targets: {a: {seed: 9223372036854775808}}",
		"a fraction":                        "targets: {a: {seed: 1.5}}",
		"a rate as text":                    "targets: {a: {rate: '5'}}",
		"yes":                               "targets: {a: {strict: yes}}",
		"a default for a secret":            `targets: {a: {headers: {X-A: "Token ${NOT_THERE:-abc}"}}}`,
		"a time without a unit":             "targets: {a: {timeout: 10}}",
		"no time":                           "targets: {a: {timeout: soon}}",
		"no date":                           "targets: {a: {now: tomorrow}}",
		"a map for a list":                  "targets: {a: {rule: {list: true}}}",
		"a list in a list":                  "targets: {a: {rule: [[list]]}}",
		"a number for a text":               "targets: {a: {tags: 5}}",
		"nothing for a text":                "targets: {a: {tags: }}",
		"writing allowed by the file":       "targets: {a: {production: true, allow-writes: true}}",
		"the file of the key by its flag":   "targets: {a: {api-key-file: key}}",
		"headers by their flag":             "targets: {a: {header: ['A: b']}}",
		"production by a variable":          `targets: {a: {production: "${PRODUCTION}"}}`,
		"a header's name with a blank":      "targets: {a: {headers: {'X Y': z}}}",
		"a header without a value":          "targets: {a: {headers: {X-Y: {secret: true}}}}",
		"a header with two values":          "targets: {a: {headers: {X-Y: {value: a, env: B}}}}",
		"an unknown key of a header":        "targets: {a: {headers: {X-Y: {value: a, hidden: true}}}}",
		"an unknown part of implementation": "targets: {a: {implementation: {company: x}}}",
		"a default target of another kind":  "target: [a]\ntargets: {a: }",
	} {
		if err := schema.Validate(asJSON(t, text)); err == nil {
			t.Errorf("%s: the schema allows it", name)
		}
		if err := tryTargets(t, text); err == nil {
			t.Errorf("%s: hallmark reads it", name)
		}
	}
}

// TestDocsKeys compares the table of all keys in docs/configuration.md with the flags.
func TestDocsKeys(t *testing.T) {
	const heading = "## All keys\n"
	name := filepath.Join(docsRoot, "docs", "configuration.md")
	have, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	before, section, found := strings.Cut(string(have), heading)
	section, after, more := strings.Cut(section, "\n## ")
	if !found || !more {
		t.Fatalf("%s has no section %q with another behind it", name, strings.TrimSpace(heading))
	}
	prose, _, _ := strings.Cut(section, "\n|")
	want := before + heading + strings.TrimRight(prose, "\n") + "\n\n" + keysTable() + "\n## " + after
	if os.Getenv("UPDATE_DOCS") != "" {
		if err := files.Replace(name, want); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, string(have)); diff != "" {
		t.Errorf("docs/configuration.md does not list the keys as they are; run \"make docs\":\n%s", diff)
	}
}

// keysTable lists the keys of a target that are flags.
func keysTable() string {
	var text strings.Builder
	text.WriteString("| Key | Value | Default | What it does |\n|---|---|---|---|\n")
	for _, k := range options.TargetShape().Keys {
		fallback := k.Default
		if fallback != "" {
			fallback = "`" + fallback + "`"
		}
		help := strings.ReplaceAll(k.Help, "|", "\\|")
		text.WriteString("| `" + k.Name + "` | " + valueWords(k) + " | " + fallback + " | " + help + " |\n")
	}
	return text.String()
}

// valueWords say what a key takes.
func valueWords(k config.Key) string {
	words := map[config.ValueKind]string{
		config.Text: "text", config.Path: "a file", config.Number: "a whole number", config.Decimal: "a number",
		config.Switch: "true or false", config.Duration: "a time", config.Date: "a date", config.Choice: "one of " + strings.Join(k.Choices, ", "),
		config.Hook: "[a command or a request](#preparing-data)",
	}[k.Kind]
	if k.Word != "" {
		words += ", or `" + k.Word + "`"
	}
	if k.List {
		words += ", or a list"
	}
	return words
}

// published compiles a JSON Schema of docs.
func published(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	file, err := os.Open(filepath.Join(docsRoot, "docs", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	doc, err := jsonschema.UnmarshalJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource(name, doc); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// plainValue is a YAML text as editors see it: dates are text.
func plainValue(t *testing.T, text string) any {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	var plain func(n *yaml.Node)
	plain = func(n *yaml.Node) {
		if n.Tag == "!!timestamp" {
			n.Tag = "!!str"
		}
		for _, c := range n.Content {
			plain(c)
		}
	}
	plain(&doc)
	var value any
	if err := doc.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

// TestDeviationsSchema holds the published schema against the reader: what an editor accepts is what hallmark takes, but
// for what only the catalogue knows.
func TestDeviationsSchema(t *testing.T) {
	const good = `- rule: list.limit.honoured
  message: expected at most 2 items, actual
  reason: The gateway drops it.
  link: https://issues.example.com/1
  expires: 2027-01-31
`
	catalogue := petstoretest.Catalogue(t)
	schema := published(t, "deviations.schema.json")
	for _, c := range []struct {
		name, from, to string
		ok             bool
	}{
		{"as it should be", "", "", true},
		{"a rule of a field in capitals", "rule: list.limit.honoured", "rule: create.categoryId.type", true},
		{"http", "https:", "http:", true},
		{"a quoted date", "2027-01-31", `"2027-01-31"`, true},
		{"another key", "reason:", "because:", false},
		{"a key too much", "  link:", "  level: must\n  link:", false},
		{"no link", "  link: https://issues.example.com/1\n", "", false},
		{"no reason", "The gateway drops it.", `""`, false},
		{"a blank reason", "The gateway drops it.", `"  "`, false},
		{"a reason to come", "The gateway drops it.", "TODO, say why", false},
		{"a link to come", "https://issues.example.com/1", "TODO", false},
		{"a message of its own", "expected at most", "at most", false},
		{"a kind", "  message: expected at most 2 items, actual\n", "  kind: too-large\n", true},
		{"a kind, and all else", "  message: expected", "  operation: listPets\n  kind: too-large\n  place: body\n  detail: array\n  message: at", true},
		{"an unknown kind", "  message:", "  kind: large\n  message:", false},
		{"a place without a kind", "  message:", "  place: body\n  message:", false},
		{"an empty place", "  message:", "  kind: too-large\n  place: \"\"\n  message:", false},
		{"neither a kind nor a message", "  message: expected at most 2 items, actual\n", "", false},
		{"no date", "2027-01-31", "soon", false},
		{"no such date", "2027-01-31", "2027-02-30", false},
		{"an entry that is none", good, "- list.array\n", false},
		{"no list", good, "rule: list.array\n", false},
		{"no entries", good, "[]\n", true},
		{"nothing", good, "# nothing yet\n", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(good, c.from, c.to, 1)
			_, reading := verdict.ReadDeviations([]byte(text), catalogue.Rules)
			var value any
			if c.to != "# nothing yet\n" {
				value = plainValue(t, text)
			}
			validating := schema.Validate(value)
			if (reading == nil) != c.ok || (validating == nil) != c.ok {
				t.Errorf("hallmark says %v, the schema says %v", reading, validating)
			}
		})
	}
}
