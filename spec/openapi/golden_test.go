package openapi_test

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"hash"
	"hash/fnv"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pb33f/go-yaml"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/source"
)

var (
	goldenUpdate    = flag.Bool("golden.update", false, "write the golden summaries anew")
	goldenFolder    = flag.String("golden.folder", "", "summarize the documents of this folder, too, and compare with -golden.file")
	goldenFile      = flag.String("golden.file", "", "the summaries of -golden.folder, written with -golden.update")
	goldenVerbose   = flag.String("golden.verbose", "", "print what is read of each mutation of documents with this end of the name")
	goldenMutations = flag.Int("golden.mutations", 0, "read this many mutations of each document as well")
)

// TestGolden compares what is read of each document of the repository with a summary that was kept: hashes of operations, schemas, servers,
// omissions and defects. A change of the reader that is meant to change nothing is compared over the documents of a folder, with the rules and
// features that follow from them, and over mutations of them:
//
//	go test ./spec/openapi -run TestGolden -golden.folder DIR -golden.file FILE -golden.mutations 100 -golden.update
//
// before the change, and without -golden.update after it.
func TestGolden(t *testing.T) {
	own := documents(t, "../..")
	if len(own) < 10 {
		t.Fatalf("the repository holds %d documents", len(own))
	}
	compareGolden(t, "testdata/golden.txt", summaries("../..", own, 0, false))
	if *goldenFolder == "" {
		return
	}
	compareGolden(t, *goldenFile, summaries(*goldenFolder, documents(t, *goldenFolder), *goldenMutations, true))
}

func compareGolden(t *testing.T, file, got string) {
	t.Helper()
	if *goldenUpdate {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	now := map[string]string{}
	for line := range strings.Lines(got) {
		name, summary, _ := strings.Cut(line, " ")
		now[name] += summary
	}
	for line := range strings.Lines(string(text)) {
		name, summary, _ := strings.Cut(line, " ")
		if now[name] != summary {
			t.Errorf("%s is not read as before; if that is intended, run the test with -golden.update\nbefore %snow    %s", name, summary, now[name])
		}
	}
}

// isOpenAPI finds the field by which a document says that it is OpenAPI.
var isOpenAPI = regexp.MustCompile(`(?m)^[\s{]*["']?(openapi|swagger)["']?\s*:`)

// documents returns the files below a folder that look like OpenAPI documents.
func documents(t *testing.T, folder string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (strings.HasPrefix(entry.Name(), ".") && len(entry.Name()) > 2 || entry.Name() == "node_modules"):
			return filepath.SkipDir
		case !slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(name)) || !entry.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if isOpenAPI.Match(text) {
			all = append(all, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// summaries returns a line for each document, and one for its mutations. With rules it holds what follows from the documents, too.
func summaries(folder string, files []string, mutations int, rules bool) string {
	const most = 150 // operations; rules of more take minutes
	var b strings.Builder
	for _, file := range files {
		name, err := filepath.Rel(folder, file)
		if err != nil {
			name = file
		}
		name = filepath.ToSlash(name)
		c, err := openapi.LoadFile(file, source.Options{})
		line := summary(c, err)
		if rules && err == nil && len(c.Operations()) <= most {
			line += derived(c)
		}
		_, _ = fmt.Fprintln(&b, name, line)
		if mutations > 0 {
			_, _ = fmt.Fprintln(&b, name+":mutations", mutated(file, mutations))
		}
	}
	return b.String()
}

// derived returns the hash of the rules and features that follow from a contract.
func derived(c *spec.Contract) string {
	p := promise.Of(c, 1, 0)
	catalogue, err := p.Catalogue()
	if err != nil {
		return " " + err.Error()
	}
	d := &dump{w: sha256.New(), schemas: map[string]*spec.Schema{}}
	d.value(reflect.ValueOf([]any{catalogue.Rules, p.Features(catalogue)}))
	return " rules=" + d.sum()
}

// summary returns the hashes of what was read.
func summary(c *spec.Contract, err error) string {
	if err != nil {
		return "error " + err.Error()
	}
	d := &dump{w: sha256.New(), schemas: map[string]*spec.Schema{}}
	line := fmt.Sprintf("operations=%d", len(c.Operations()))
	part := func(name string, value any) {
		d.value(reflect.ValueOf(value))
		line += " " + name + "=" + d.sum()
	}
	part("read", c.Operations())
	part("servers", []any{c.OpenAPI(), c.Servers()})
	written := map[string]bool{}
	for len(written) < len(d.schemas) {
		for _, pointer := range slices.Sorted(maps.Keys(d.schemas)) {
			if !written[pointer] {
				written[pointer] = true
				d.value(reflect.ValueOf(*d.schemas[pointer]))
			}
		}
	}
	line += fmt.Sprintf(" schemas=%d:%s", len(written), d.sum())
	part(fmt.Sprintf("omissions=%d", len(c.Omissions())), c.Omissions())
	part(fmt.Sprintf("defects=%d", len(c.Defects())), c.Defects())
	return line
}

// dump writes values into a hash. Schemas, which may lead to themselves, are written as their pointers, and collected.
type dump struct {
	w       hash.Hash
	schemas map[string]*spec.Schema
}

// sum returns the hash of what was written since the last time.
func (d *dump) sum() string {
	sum := fmt.Sprintf("%.6x", d.w.Sum(nil))
	d.w.Reset()
	return sum
}

func (d *dump) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			_, _ = io.WriteString(d.w, "nil;")
			return
		}
		if s, ok := reflect.TypeAssert[*spec.Schema](v); ok {
			d.schemas[s.Pointer] = s
			_, _ = fmt.Fprintf(d.w, "schema %s;", s.Pointer)
			return
		}
		d.value(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				_, _ = io.WriteString(d.w, v.Type().Field(i).Name+":")
				d.value(v.Field(i))
			}
		}
		if s, ok := reflect.TypeAssert[fmt.Stringer](v); ok {
			_, _ = io.WriteString(d.w, s.String())
		}
	case reflect.Slice, reflect.Array:
		_, _ = fmt.Fprintf(d.w, "%d[", v.Len())
		for i := range v.Len() {
			d.value(v.Index(i))
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		_, _ = fmt.Fprintf(d.w, "%d{", len(keys))
		for _, key := range keys {
			d.value(key)
			d.value(v.MapIndex(key))
		}
	default:
		_, _ = fmt.Fprintf(d.w, "%#v;", v)
	}
}

// mutated returns the hash of what is read of mutations of a document, which are the same each time. Of large documents there are none.
func mutated(file string, count int) string {
	const most = 400 << 10
	text, err := os.ReadFile(file)
	if err != nil || len(text) > most {
		return "none"
	}
	name := fnv.New64()
	_, _ = name.Write([]byte(filepath.Base(file)))
	random := rand.New(rand.NewPCG(name.Sum64(), 1))
	all := sha256.New()
	for i := range count {
		c, err := openapi.Load(mutation(text, random))
		line := summary(c, err)
		_, _ = fmt.Fprintln(all, line)
		if *goldenVerbose != "" && strings.HasSuffix(filepath.ToSlash(file), *goldenVerbose) {
			fmt.Println(i, line)
			if err == nil {
				fmt.Printf("%d omissions %+v\n%d defects %+v\n", i, c.Omissions(), i, c.Defects())
			}
		}
	}
	return fmt.Sprintf("%.6x", all.Sum(nil))
}

// mutation changes a document in one to three places: of a value, a key or the order.
func mutation(text []byte, random *rand.Rand) []byte {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return text
	}
	var holders []*yaml.Node
	var pointers []string
	var collect func(n *yaml.Node, pointer string, depth int)
	collect = func(n *yaml.Node, pointer string, depth int) {
		if len(n.Content) > 0 && n.Kind != yaml.DocumentNode {
			holders = append(holders, n)
			for range max(0, 8-2*depth) { // what is wrong high up changes more
				holders = append(holders, n)
			}
		}
		pointers = append(pointers, pointer)
		for i, item := range n.Content {
			switch n.Kind {
			case yaml.MappingNode:
				if i%2 == 1 {
					collect(item, pointer+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(n.Content[i-1].Value), depth+1)
				}
			case yaml.DocumentNode:
				collect(item, pointer, depth)
			default:
				collect(item, fmt.Sprint(pointer, "/", i), depth+1)
			}
		}
	}
	collect(&document, "", 0)
	for range 1 + random.IntN(3) {
		mutate(holders[random.IntN(len(holders))], pointers, random)
	}
	out, err := yaml.Marshal(&document)
	if err != nil {
		return text
	}
	return out
}

func mutate(n *yaml.Node, pointers []string, random *rand.Rand) {
	if len(n.Content) == 0 {
		return
	}
	step := 1
	if n.Kind == yaml.MappingNode {
		step = 2
	}
	at := random.IntN(len(n.Content)/step) * step
	value := at + step - 1
	scalar := func(tag, text string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: text} }
	ref := func(to string) *yaml.Node {
		return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{scalar("!!str", "$ref"), scalar("!!str", to)}}
	}
	pointer := "#" + pointers[random.IntN(len(pointers))]
	replacements := []func() *yaml.Node{
		func() *yaml.Node { return scalar("!!null", "null") }, func() *yaml.Node { return scalar("!!str", "x-text") },
		func() *yaml.Node { return scalar("!!int", "-7") }, func() *yaml.Node { return scalar("!!bool", "false") },
		func() *yaml.Node { return scalar("!!str", "true") }, func() *yaml.Node { return scalar("!!float", ".inf") },
		func() *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"} },
		func() *yaml.Node { return &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"} },
		func() *yaml.Node { return ref("#/nowhere") }, func() *yaml.Node { return ref("other.yaml#/a") },
		func() *yaml.Node { return ref(pointer) }, func() *yaml.Node { return ref(pointer) }, func() *yaml.Node { return ref(pointer) },
	}
	names := []string{
		"$ref", "parameters", "responses", "content", "schema", "headers", "x-key", "Required", "in", "name", "security", "servers", "links", "default", "2XX",
		"default", "additionalOperations", "post", "examples", "example", "encoding", "style", "explode", "deprecated", "query", "required", "requestBody",
	}
	switch random.IntN(6) {
	case 0: // leave something out
		n.Content = slices.Delete(slices.Clone(n.Content), at, value+1)
	case 1: // name something otherwise
		if step == 2 {
			n.Content[at] = scalar("!!str", names[random.IntN(len(names))])
		}
	case 2: // add a member that refers somewhere, or is something
		if step == 2 {
			n.Content = append(slices.Clone(n.Content), scalar("!!str", names[random.IntN(len(names))]), replacements[random.IntN(len(replacements))]())
			if random.IntN(3) == 0 {
				n.Content[len(n.Content)-2].Value, n.Content[len(n.Content)-1] = "$ref", scalar("!!str", pointer)
			}
		} else {
			n.Content = append(slices.Clone(n.Content), replacements[random.IntN(len(replacements))]())
		}
	case 3: // swap two values
		other := random.IntN(len(n.Content)/step)*step + step - 1
		n.Content[value], n.Content[other] = n.Content[other], n.Content[value]
	default:
		n.Content[value] = replacements[random.IntN(len(replacements))]()
	}
}
