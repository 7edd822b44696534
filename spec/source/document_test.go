package source

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/tests/skip"
)

func mustParse(t testing.TB, text string) *Document {
	t.Helper()
	d, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestPointersLeadThroughAliasesAndMergeKeys(t *testing.T) {
	d := mustParse(t, `
base: &base {type: object, title: Base}
more: &more
  <<: *base
  description: More
a: {<<: [*more, {title: Never, x-first: 1}], title: Own}
list: [*base, &text hello, *text]
`)
	for pointer, want := range map[string]string{
		"/more/type": "object", "/more/title": "Base", "/a/type": "object", "/a/title": "Own", "/a/description": "More", "/a/x-first": "1",
		"/list/0/type": "object", "/list/2": "hello",
	} {
		if got := d.Text(pointer); got != want {
			t.Errorf("%s is %q, want %q", pointer, got, want)
		}
	}
	for pointer, want := range map[string]int{"/a": 6, "/a/title": 6, "/a/type": 2, "/more/description": 5, "/list/0/title": 2} {
		if got := d.Line(pointer); got != want {
			t.Errorf("%s is in line %d, want %d", pointer, got, want)
		}
	}
	if got := fmt.Sprint(keys(d, "/a")); got != "[title type description x-first]" && got != "[title description type x-first]" {
		t.Errorf("keys of /a: %s", got)
	}
}

func TestPointersOfJSON(t *testing.T) {
	text := "{\n\t\"a\": {\n\t\t\"b~/c\": [1, {\"d\": \"\\u00e9\"}, 1.50],\n\"<<\": {\"x\": null}},\n\"a\": {\"b~/c\": [2, {\"d\": \"\\u00e9\"}, 1e500]}\n}"
	d := mustParse(t, text)
	if got := d.Text("/a/b~0~1c/1/d"); got != "é" {
		t.Errorf("d is %q", got)
	}
	if got := d.Line("/a/b~0~1c"); got != 5 {
		t.Errorf("the key that counts is in line %d", got)
	}
	if len(d.Remarks()) != 1 || !strings.Contains(d.Remarks()[0].Text, "already used in line 2") {
		t.Errorf("remarks: %+v", d.Remarks())
	}
	for _, nowhere := range []string{"/a/b", "/a/b~0~1c/01", "/a/b~0~1c/-1", "/a/b~0~1c/3", "/a/b~0~1c/0/x", "a", "other.yaml#/a"} {
		if d.Exists(nowhere) || d.Line(nowhere) != 0 {
			t.Errorf("%s exists", nowhere)
		}
	}
	if _, ok := JSON(d.Node("/a")); ok {
		t.Error("a number of any size is written")
	}
}

// A mapping with many keys is looked up by an index, with the same result.
func TestLargeMappings(t *testing.T) {
	var b strings.Builder
	for i := range 500 {
		fmt.Fprintf(&b, "k%d: v%d\n", i, i)
	}
	b.WriteString("k7: again\n")
	d := mustParse(t, b.String())
	if d.Text("/k499") != "v499" || d.Text("/k7") != "again" || d.Exists("/k500") || len(keys(d, "")) != 500 || d.Line("/k7") != 501 {
		t.Errorf("%s, %s, %d keys", d.Text("/k499"), d.Text("/k7"), len(keys(d, "")))
	}
}

func TestNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"1": "1", "-0": "-0", "1.50": "1.50", "1e3": "1e3", "9223372036854775808": "9223372036854775808", "0x1F": "31", "0o17": "15", "1_000": "1000",
		"+1": "1", ".5": "0.5", ".inf": "", ".nan": "", "1e500": "", "'1'": "", "true": "", "[]": "",
	} {
		got, ok := Number(mustParse(t, "n: "+text).Node("/n"))
		if !ok {
			got = ""
		}
		if got != want {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
	text, ok := JSON(mustParse(t, "v: {a: [1.0, yes, null, ~, 2020-01-01, '<\"'], b: TRUE}").Node("/v"))
	if want := `{"a":[1.0,"yes",null,null,"2020-01-01","<\""],"b":true}`; !ok || text != want {
		t.Errorf("%s, want %s", text, want)
	}
}

// write puts files into a folder.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		name = filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func TestReferencesLeadThroughReferences(t *testing.T) {
	d := mustParse(t, `
a: {$ref: '#/b/x/0/y'}
b: {x: [{$ref: '#/c'}]}
c: {$ref: '#/d'}
d: {y: 1}
e: {$ref: '#/e/x'}
f: {$ref: '#/g/x'}
g: {$ref: '#/f/x'}
h: {$ref: '#/b/x/0/z'}
`)
	for pointer, want := range map[string]string{"/a": "/d/y", "/e": "", "/f": "", "/h": ""} {
		got, err := follow(d, pointer)
		if err != nil {
			got = ""
		}
		if got != want || err != nil && !strings.Contains(err.Error(), "has no target") {
			t.Errorf("%s leads to %q (%v), want %q", pointer, got, err, want)
		}
	}
}

func TestReferencesLeadFromFileToFile(t *testing.T) {
	folder := write(t, map[string]string{
		"api/openapi.yaml": `
a: {$ref: 'schemas/pet.yaml#/Pet'}
b: {$ref: ./schemas/whole.json}
x-c: {$ref: ../secret.yaml}
d: {$ref: '#here'}
e: {$ref: 'urn:things:pet'}
f: {$ref: 'schemas/gone.yaml#/x'}
g: {$ref: 'schemas/broken.yaml#/x'}
h: {$ref: '#/paths/~1a%7Bb%7D'}
i: {$ref: 'schemas%2Fpet.yaml#/Pet'}
x-j: {$ref: 'schemas/link.yaml'}
paths: {'/a{b}': 1}
`,
		"api/schemas/pet.yaml":      "Pet: {x: {$ref: '../openapi.yaml#/paths'}, y: {$ref: 'more/tag.yaml#/Tag'}}\nnamed: {$anchor: here}\nother: {$id: 'urn:things:pet'}\n",
		"api/schemas/more/tag.yaml": "# a comment\nTag: {$ref: '../pet.yaml#here'}\n",
		"api/schemas/whole.json":    `{"type": "object"}`,
		"api/schemas/broken.yaml":   "a: [",
		"secret.yaml":               "x: 1",
	})
	if err := os.Symlink("../../secret.yaml", filepath.Join(folder, "api/schemas/link.yaml")); err != nil {
		t.Fatal(err)
	}
	d, err := Open(filepath.Join(folder, "api/openapi.yaml"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for pointer, want := range map[string]string{
		"/a":                         "schemas/pet.yaml#/Pet",
		"/b":                         "schemas/whole.json#",
		"/x-c":                       "line 4: the reference ../secret.yaml cannot be followed: it refers to a file outside the folder of the document; use --allow-remote to allow this",
		"/d":                         "line 5: the reference #here has no target",
		"/e":                         "schemas/pet.yaml#/other",
		"/f":                         "line 7: the reference schemas/gone.yaml#/x cannot be followed: no such file or directory",
		"/g":                         "line 8: the reference schemas/broken.yaml#/x cannot be followed: contract, schemas/broken.yaml, line 1: it is not YAML",
		"/h":                         "/paths/~1a{b}",
		"/i":                         "schemas/pet.yaml#/Pet",
		"/x-j":                       "line 11: the reference schemas/link.yaml cannot be followed: it refers to a file outside the folder of the document; use --allow-remote to allow this",
		"schemas/pet.yaml#/Pet/x":    "/paths",
		"schemas/pet.yaml#/Pet/y":    "schemas/pet.yaml#/named",
		"schemas/more/tag.yaml#/Tag": "schemas/pet.yaml#/named",
	} {
		got, err := follow(d, pointer)
		if err != nil {
			got = err.Error()
		}
		if got != want && (err == nil || !strings.Contains(got, want)) {
			t.Errorf("%s leads to %q, want %q", pointer, got, want)
		}
	}
	if line := d.Line("schemas/more/tag.yaml#/Tag"); line != 2 {
		t.Errorf("the line in another file is %d", line)
	}
	if e, ok := d.Excerpt("schemas/more/tag.yaml#/Tag"); !ok || e.Line != 2 || !strings.HasPrefix(e.Lines[0], "Tag:") {
		t.Errorf("excerpt: %+v", e)
	}
	if d.Text("schemas/whole.json#/type") != "object" || len(d.Files()) != 3 {
		t.Errorf("files: %q", d.Files())
	}
	allowed, err := Open(filepath.Join(folder, "api/openapi.yaml"), Options{AllowRemote: true})
	if err != nil {
		t.Fatal(err)
	}
	for pointer, want := range map[string]string{"/x-c": "../secret.yaml#", "/x-j": "schemas/link.yaml#"} {
		if got, err := follow(allowed, pointer); got != want || allowed.Text(got+"/x") != "1" {
			t.Errorf("%s leads to %s when that is allowed: %v", pointer, got, err)
		}
	}
	if allowed.Digest() == d.Digest() {
		t.Error("the digest does not depend on the files")
	}
}

func TestReferencesToTheNetworkAreFollowedWhenAllowed(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		switch r.URL.Path {
		case "/a.yaml":
			_, _ = w.Write([]byte("x: {$ref: 'b/c.yaml#/y'}"))
		case "/b/c.yaml":
			_, _ = w.Write([]byte("y: 7"))
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	folder := write(t, map[string]string{"openapi.yaml": "a: {$ref: '" + server.URL + "/a.yaml#/x'}\nb: {$ref: '" + server.URL + "/none.yaml'}\nc: {$ref: 'ftp://h/x'}\n"})
	file := filepath.Join(folder, "openapi.yaml")
	if _, err := Open(file, Options{}); err == nil || !strings.Contains(err.Error(), "line 1") || !strings.Contains(err.Error(), "--allow-remote") || asked != 0 {
		t.Errorf("%v after %d requests", err, asked)
	}
	d, err := Open(file, Options{AllowRemote: true})
	if err != nil {
		t.Fatal(err)
	}
	if at, err := follow(d, "/a"); err != nil || d.Text(at) != "7" {
		t.Errorf("%s: %v", at, err)
	}
	for pointer, want := range map[string]string{"/b": "404 Not Found", "/c": "only http and https are supported"} {
		if _, err := follow(d, pointer); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", pointer, err)
		}
	}
}

// What a document refers to outside of its folder is read only when that is allowed; the refusal names the first such reference.
func TestReferencesOutOfTheFolderAreRefused(t *testing.T) {
	folder := write(t, map[string]string{
		"api/in.yaml":     "a: {$ref: ../secret.yaml}\n",
		"api/id.yaml":     "$id: https://example.com/pet\n",
		"secret.yaml":     "x: 1",
		"secret/key.yaml": "x: 1",
	})
	for link, to := range map[string]string{"link.yaml": "../secret.yaml", "folder": "../secret"} {
		if err := os.Symlink(to, filepath.Join(folder, "api", link)); err != nil {
			t.Fatal(err)
		}
	}
	const outside, network = "refers to a file outside the folder of the document; use --allow-remote to allow this", "refers to the network; use --allow-remote to allow this"
	for text, want := range map[string]string{
		"a: 1\nb: {$ref: '../secret.yaml#/x'}":                               "contract, line 2: the reference ../secret.yaml#/x cannot be followed: it " + outside,
		"a: {$ref: /etc/passwd}":                                             "line 1: the reference /etc/passwd cannot be followed: it " + outside,
		"a: {$ref: 'x/../../secret.yaml'}":                                   "it " + outside,
		"a: {$ref: '%2e%2e/secret.yaml'}":                                    "it " + outside,
		"a: {$ref: '..\\secret.yaml'}":                                       "it " + outside,
		"a: {$ref: link.yaml}":                                               "it " + outside,
		"a: {$ref: 'folder/key.yaml'}":                                       "it " + outside,
		"a: {$ref: in.yaml}":                                                 "contract, in.yaml, line 1: the reference ../secret.yaml cannot be followed: it " + outside,
		"a: {$ref: 'http://127.0.0.1:1/x'}":                                  "it " + network,
		"a: {$ref: 'file:///etc/passwd'}":                                    "it is the URL of a file, possibly outside the folder of the document; use --allow-remote to allow this",
		"paths: {/a: {get: {responses: {default: {$ref: ../secret.yaml}}}}}": "it " + outside,
		"a: {properties: {example: {$ref: ../secret.yaml}}}":                 "it " + outside,
		"a: {example: {$ref: ../secret.yaml}, x-a: {$ref: ../b}, default: {$ref: ../c}, examples: {a: {value: {$ref: ../d}}}}": "",
		"a: {$ref: 'urn:a:b'}": "",
		"a: {$ref: 'https://example.com/pet'}\nb: {$ref: id.yaml}": "",
		"a: {$ref: gone.yaml}": "",
	} {
		file := filepath.Join(folder, "api/openapi.yaml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Open(file, Options{})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want) || !errors.As(err, new(*Error))) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// What is made to exhaust whoever reads it is refused in one line, soon and in little memory.
func TestHostileDocumentsAreRefused(t *testing.T) {
	many := func(n int, item func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(item(i))
		}
		return b.String()
	}
	bomb := "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + many(30, func(i int) string {
		return fmt.Sprintf("a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n", i+1, i+1, i, i, i, i, i, i, i, i, i)
	})
	merges := "a0: &a0 {x0: {y: 1}}\n" + many(40, func(i int) string {
		return fmt.Sprintf("a%d: &a%d {<<: [*a%d, *a%d], l: {<<: *a%d}, r: {<<: *a%d}}\n", i+1, i+1, i, i, i, i)
	})
	for name, test := range map[string]struct{ text, want string }{
		"a YAML bomb":           {bomb, "it has more than 3000000 values, counting those repeated by aliases"},
		"merge keys":            {merges, "it has more than 3000000 values"},
		"10^6 schemas":          {"{\"s\": {\n" + many(1_200_000, func(i int) string { return fmt.Sprintf("\"S%d\": {\"type\": \"object\"},\n", i) }) + "\"x\": 1}}", "line 60"},
		"10^6 schemas in YAML":  {"s:\n" + many(1_000_000, func(i int) string { return fmt.Sprintf(" S%d: {type: object}\n", i) }), "line 75"},
		"nothing but brackets":  {strings.Repeat("[", 1_000_000), "line 1: it is nested deeper than 200 levels"},
		"brackets in YAML":      {"a: " + strings.Repeat("[", 100_000), "line 1"},
		"indentation":           {many(3000, func(i int) string { return strings.Repeat(" ", i) + "a:\n" }), "line 202: it is nested deeper than 200 levels"},
		"an anchor in itself":   {"a: &a\n  b: *a\n", "line 1: the alias *a refers to the value that contains it"},
		"a merge key in itself": {"a: &a\n  <<: *a\n", "the alias *a refers to the value that contains it"},
		"more than is read":     {"a: " + strings.Repeat("x", maxBytes), "line 1: it is larger than 48 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			if skip.RaceDetector && len(test.text) > 1<<20 {
				t.Skip("the race detector makes it ten times as slow")
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			_, err := Parse([]byte(test.text))
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			if err == nil || !errors.As(err, new(*Error)) || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "line ") || strings.Contains(err.Error(), "\n") {
				t.Errorf("the error is %v, want %q in it", err, test.want)
			}
			if allocated := (after.TotalAlloc - before.TotalAlloc) >> 20; took > time.Minute || allocated > 1500 {
				t.Errorf("it takes %v and %d MiB", took, allocated)
			}
			t.Logf("%v, %d MiB", took, (after.TotalAlloc-before.TotalAlloc)>>20)
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"a: &a {b: 1}\nc: {<<: *a}\nd: [*a, 0x1F, .inf]\n", `{"a": [1, 2.5e3, null, true, "\u00e9"], "$ref": "#/a"}`, "a: {$ref: '#/b'}\nb: {$ref: '#/a'}\n",
		"? [a]\n: 1\n? &x y\n: *x\n", "a: &a [*a]\n", "\xef\xbb\xbfa: 1\n---\nb: 2\n", "a: !!binary aGk=\nb: 2020-01-01\nc: |\n  text\n\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := Parse(data)
		if err != nil {
			if !errors.As(err, new(*Error)) || strings.Contains(err.Error(), "\n") {
				t.Errorf("not one clear line: %v", err)
			}
			return
		}
		var walk func(pointer string, depth int)
		left := 2000
		walk = func(pointer string, depth int) {
			if left--; left < 0 {
				return
			}
			if !d.Exists(pointer) || d.Line(pointer) < 1 {
				t.Errorf("%q has no target, or has no line", pointer)
			}
			_, _ = d.Excerpt(pointer)
			if len(data) < 200 {
				_, _ = JSON(d.Node(pointer))
			}
			_, _ = follow(d, pointer)
			for _, key := range keys(d, pointer) {
				_, child := d.child(pointer, key)
				walk(child, depth+1)
			}
			for i := range d.Size(pointer) {
				walk(fmt.Sprintf("%s/%d", pointer, i), depth+1)
			}
		}
		walk("", 0)
	})
}

// The URL of a file is followed where references may lead anywhere.
func TestURLsOfFiles(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"far/part.yaml": "x: {$ref: other.yaml#/y}\n", "far/other.yaml": "y: 1\n",
		"api/openapi.yaml": "a: {$ref: 'file://" + filepath.ToSlash(folder) + "/far/part.yaml#/x'}\nb: {$ref: 'file://elsewhere/part.yaml'}\n",
	} {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d, err := Open(filepath.Join(folder, "api/openapi.yaml"), Options{AllowRemote: true})
	if err != nil {
		t.Fatal(err)
	}
	if at, err := follow(d, "/a"); err != nil || d.Text(at) != "1" {
		t.Errorf("it leads to %q (%q), %v", at, d.Text(at), err)
	}
	if _, err := follow(d, "/b"); err == nil || !strings.Contains(err.Error(), "it is not the URL of a local file") {
		t.Errorf("a URL of another machine: %v", err)
	}
}

// follow follows the references at a pointer and returns the pointer of their final target.
func follow(d *Document, pointer string) (string, error) {
	via, err := d.references(pointer)
	if err != nil || len(via) == 0 {
		return pointer, err
	}
	return via[len(via)-1], nil
}

// keys returns the keys of the mapping at a pointer in order; none for other nodes.
func keys(d *Document, pointer string) []string {
	n := d.Node(pointer)
	if n == nil || n.Kind != MappingNode {
		return nil
	}
	all := make([]string, 0, len(n.Content)/2)
	for i := 0; i < len(n.Content); i += 2 {
		all = append(all, n.Content[i].Value)
	}
	return all
}
