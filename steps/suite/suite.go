package suite

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"iter"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/feature"
)

// Suite holds the parsed features.
type Suite struct {
	// Features holds the files in the order of their names.
	Features []File
	digest   string
}

// File is a feature file.
type File struct {
	Name      string
	Content   string
	Scenarios []*Scenario

	blocks []block
}

// Scenario is a scenario, or a row of an outline, before it is run.
type Scenario struct {
	// URI is the file's path, the first part of ids.
	URI     string
	Line    int
	Name    string
	Feature string
	// Sentence is the title of the Gherkin Rule around it.
	Sentence string
	Tags     []string
	// Rules lists the ids of the rules that it is about, the main one first. Covered is the id of the derived rule that it tests if the
	// first rule covers that one, otherwise empty.
	Rules   []string
	Covered string
	Steps   []Step

	id string // set if it was parsed
}

// Step is a step with its line number.
type Step struct {
	Keyword, Text string
	Line          int
}

// ID returns the scenario's file and line, "features/list.feature:14".
func (p *Scenario) ID() string {
	if p.id != "" {
		return p.id
	}
	return p.URI + ":" + strconv.Itoa(p.Line)
}

// Has reports whether the scenario has a tag, including its @.
func (p *Scenario) Has(tag string) bool { return slices.Contains(p.Tags, tag) }

// Operations returns the operations that the tags name.
func (p *Scenario) Operations() []string { return tagValues(p.Tags, "@operation:") }

func tagValues(tags []string, prefix string) []string {
	var out []string
	for _, t := range tags {
		if v, ok := strings.CutPrefix(t, prefix); ok {
			out = append(out, v)
		}
	}
	return out
}

// Source is a file system with features, and the folder with which the ids of their scenarios begin.
type Source struct {
	Folder string // such as "features"
	FS     fs.FS
}

// Load parses every feature file of a source, in the order of their names. It rejects scenarios that name no rule or an unknown one,
// because they could not produce a verdict.
func Load(from Source, catalogue *spec.Catalogue) (*Suite, error) {
	none := "there are no features: no file ends in .feature"
	return load(catalogue, none, func(hand func(feature.File)) (string, error) { return each(from, hand) })
}

// LoadDerived loads features that are all derived and arrive in the order of their names. The ids of their scenarios begin with folder.
// Otherwise it works like Load.
func LoadDerived(
	folder string, files iter.Seq[feature.File], catalogue *spec.Catalogue,
) (*Suite, error) {
	return load(catalogue, "no scenario can be derived from it", func(hand func(feature.File)) (string, error) {
		sum, before := newDigest(folder), ""
		for file := range files {
			if file.Name <= before {
				return "", fmt.Errorf("%s comes after %s; derived files must come in the order of their names", file.Name, before)
			}
			before = file.Name
			hand(sum.addFile(file.Name, file))
		}
		return sum.text(), nil
	})
}

// load loads the features that all passes on; none is the error if it passes none.
func load(
	catalogue *spec.Catalogue, none string, all func(hand func(feature.File)) (digest string, err error),
) (*Suite, error) {
	reading := startReading(catalogue)
	digest, err := all(reading.file)
	features, failed := reading.end()
	if err == nil {
		err = failed
	}
	if err != nil {
		return nil, fmt.Errorf("the features cannot be read: %w", err)
	}
	if len(features) == 0 {
		return nil, errors.New(none)
	}
	return &Suite{Features: features, digest: digest}, nil
}

// reading parses files concurrently while others are still to come.
type reading struct {
	next    chan readFile
	workers sync.WaitGroup
	all     []readFile
}

// readFile is a parsed file or its error.
type readFile struct {
	feature.File

	into   *File
	failed *error
}

func startReading(catalogue *spec.Catalogue) *reading {
	r := &reading{next: make(chan readFile)}
	for range runtime.GOMAXPROCS(0) {
		r.workers.Go(func() {
			for f := range r.next {
				*f.into, *f.failed = parse(f.File, catalogue)
			}
		})
	}
	return r
}

// file starts parsing a file.
func (r *reading) file(file feature.File) {
	f := readFile{into: new(File), failed: new(error)}
	r.all = append(r.all, f)
	f.File = file
	r.next <- f
}

// end returns the files in the order in which they came, or the error of the first that cannot be parsed.
func (r *reading) end() ([]File, error) {
	close(r.next)
	r.workers.Wait()
	all := make([]File, len(r.all))
	for i, f := range r.all {
		if *f.failed != nil {
			return nil, *f.failed
		}
		all[i] = *f.into
	}
	return all, nil
}

// LoadAny parses every feature file of a source, whatever rules its scenarios name.
func LoadAny(from Source) (*Suite, error) { return Load(from, nil) }

// DigestOf returns the digest of the suite in a source, without parsing the features.
func DigestOf(from Source) (string, error) {
	return each(from, func(feature.File) {})
}

// each passes on the feature files, named by their paths, and returns the digest of their texts.
func each(from Source, hand func(feature.File)) (digest string, err error) {
	sum := newDigest(from.Folder)
	read := func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".feature" {
			return err
		}
		if info, err := fs.Stat(from.FS, name); err == nil && !info.Mode().IsRegular() {
			return fmt.Errorf("%s is not a regular file", path.Join(from.Folder, name)) // opening a pipe may block for ever
		}
		content, err := fs.ReadFile(from.FS, name)
		if err != nil {
			return err
		}
		hand(sum.addFile(name, feature.File{Content: string(content)}))
		return nil
	}
	err = fs.WalkDir(from.FS, ".", read)
	return sum.text(), err
}

// digest is computed over the texts of a folder's feature files.
type digest struct {
	folder string
	sum    hash.Hash
}

func newDigest(folder string) digest { return digest{folder, sha256.New()} }

// addFile adds a file by its name in the folder, and returns it under its path.
func (d digest) addFile(name string, file feature.File) feature.File {
	file.Name = path.Join(d.folder, name)
	fmt.Fprintf(d.sum, "%s %d\n", file.Name, len(file.Content))
	_, _ = io.WriteString(d.sum, file.Content)
	return file
}

func (d digest) text() string { return "sha256:" + hex.EncodeToString(d.sum.Sum(nil)) }

// Files returns the texts of the feature files by path, as in scenario ids.
func (s *Suite) Files() map[string]string {
	all := make(map[string]string, len(s.Features))
	for _, f := range s.Features {
		all[f.Name] = f.Content
	}
	return all
}

// Digest identifies the features ("sha256:…").
func (s *Suite) Digest() string { return s.digest }

// Rules returns how many scenarios name each rule.
func (s *Suite) Rules() map[string]int {
	out := map[string]int{}
	for _, f := range s.Features {
		for _, p := range f.Scenarios {
			for _, r := range p.Rules {
				out[r]++
			}
		}
	}
	return out
}

// Has reports whether there is a scenario with that id.
func (s *Suite) Has(id string) bool {
	return slices.ContainsFunc(s.Features, func(f File) bool {
		return slices.ContainsFunc(f.Scenarios, func(p *Scenario) bool { return p.ID() == id })
	})
}

// Scenarios returns the number of scenarios, counting each row of an outline.
func (s *Suite) Scenarios() int {
	n := 0
	for _, f := range s.Features {
		n += len(f.Scenarios)
	}
	return n
}
