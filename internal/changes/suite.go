package changes

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
)

// Files are a team's files beside a contract that name rules.
type Files struct {
	// Rules is a rules file. If it is empty, rules.yaml beside the new document is used, or beside the old one; "none" means no file.
	Rules string
	// Features is a folder of features, or "".
	Features string
}

// Lost is a place in a team's files that names a rule which the new version does not have.
type Lost struct {
	// Place is the file and the line; Scenario is the name of the scenario there, empty for an entry of a rules file.
	Place    string `json:"place"`
	Scenario string `json:"scenario,omitempty"`
	Rule     string `json:"rule"`
	// Similar is the most similar id of the new version, or "".
	Similar string `json:"similar,omitempty"`
}

// lost returns the places that name rules which only the older version has.
func (f Files) lost(older, newer *version) ([]Lost, error) {
	all := []Lost{}
	name, named := f.rulesFile(older.file, newer.file)
	if name != "" {
		entries, err := readEntries(name)
		switch {
		case err == nil:
		case named:
			return nil, fmt.Errorf("--rules-file %s: %w", text.Visible(name), cli.Bare(err))
		default:
			entries = nil // a file of that name may have another purpose
		}
		for _, e := range entries {
			for _, id := range append([]string{e.ID}, e.Covers...) {
				if id, _, _ = strings.Cut(id, " "); loses(id, older, newer) {
					all = append(all, Lost{Place: fmt.Sprintf("%s:%d", name, e.Line), Rule: id, Similar: similar(id, newer)})
				}
			}
		}
	}
	if f.Features == "" {
		return all, nil
	}
	written, err := session.NamedRules(f.Features)
	if err != nil {
		return nil, err
	}
	for _, n := range written {
		if loses(n.Rule, older, newer) {
			all = append(all, Lost{Place: n.Place, Scenario: n.Name, Rule: n.Rule, Similar: newer.catalogue.Similar(n.Rule)})
		}
	}
	return all, nil
}

// rulesFile returns the rules file, or "", and whether it was named explicitly.
func (f Files) rulesFile(older, newer string) (name string, named bool) {
	if f.Rules == options.NoRules {
		return "", false
	}
	if f.Rules != "" {
		return f.Rules, true
	}
	for _, document := range []string{newer, older} {
		beside := filepath.Join(filepath.Dir(document), "rules.yaml")
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
			return beside, false
		}
	}
	return "", false
}

// maxRules is the maximum size of a rules file in bytes.
const maxRules = 8 << 20

func readEntries(name string) ([]spec.Entry, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
	case info.Size() > maxRules:
		return nil, &fs.PathError{Op: "read", Path: name, Err: errors.New("it is too large for a rules file")}
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return spec.ReadRules(data)
}

// similar returns the id or pattern of a version that is most similar to one that it lacks, or "".
func similar(id string, in *version) string {
	if !spec.IsPattern(id) {
		return in.catalogue.Similar(id)
	}
	if near := in.catalogue.SimilarPatterns(id); len(near) > 0 {
		return near[0]
	}
	return ""
}

// loses reports whether an id, or a pattern with *, names a rule of the older version and none of the newer one.
func loses(id string, older, newer *version) bool {
	if spec.IsPattern(id) {
		was, _ := older.catalogue.Matching(id)
		is, _ := newer.catalogue.Matching(id)
		return len(was) > 0 && len(is) == 0
	}
	_, was := older.catalogue.Rule(id)
	_, is := newer.catalogue.Rule(id)
	return was && !is
}

// writeLost writes the places that lose their rule.
func (c *Changes) writeLost(b *strings.Builder) {
	var lines []string
	for _, l := range c.Lost {
		line := fmt.Sprintf("  %s: %s is no longer a rule", l.Place, l.Rule)
		if l.Scenario != "" {
			line = fmt.Sprintf("  %s: the scenario %q names %s, which is no longer a rule", l.Place, l.Scenario, l.Rule)
		}
		if l.Similar != "" {
			line += "; the nearest is " + l.Similar
		}
		lines = append(lines, line)
	}
	what := "names a removed rule"
	if len(lines) != 1 {
		what = "name removed rules"
	}
	list(b, fmt.Sprintf("Your own files: %s %s", text.Count(len(lines), "place"), what), lines)
}
