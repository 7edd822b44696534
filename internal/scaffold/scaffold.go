package scaffold

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/config"
	"github.com/hallmark-kit/hallmark/internal/files"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/internal/text"
)

// The names of the files.
const (
	rulesName    = "rules.yaml"
	valuesName   = "values.yaml"
	featuresName = "features"
	derivedName  = "features/derived"
	exampleName  = "features/example.feature"
	readmeName   = "README.md"
	// sentencesName is the file of scenarios for sentences of the document that no rule judges.
	sentencesName = "features/sentences.feature"
)

// Suite is the set of files for a folder.
type Suite struct {
	folder string
	// names are the files in output order, with slashes; text is their content.
	names []string
	text  map[string]string

	basis *session.Basis
	where places
	// open are the sentences of the document that no rule judges, and moreOpen how many more there are.
	open     []openSentence
	moreOpen int
	// ci is the CI system: a key of ciFiles, or NoCI.
	ci string
	// remote and perOperation are the flags of the contract to write to hallmark.yaml.
	remote       bool
	perOperation int
}

// places are paths relative to the folder of the suite, with slashes.
type places struct {
	contract, rules, values string
	// ownRules and ownValues report whether these files are written, because there were none.
	ownRules, ownValues bool
	// repository is the path from the root of the repository to the folder of the suite.
	repository string
	// outside reports whether the contract is outside the repository.
	outside bool
}

// New composes the files for a folder, without a contract those for the built-in one. It writes nothing.
func New(folder string, from options.Contract, ci string) (*Suite, error) {
	if from.File == "" {
		s := &Suite{folder: folder, text: map[string]string{}}
		return s, s.composeTargets(config.Example())
	}
	basis, err := session.Load(from)
	if err != nil {
		return nil, err
	}
	s := &Suite{folder: folder, text: map[string]string{}, basis: basis, ci: ci, remote: from.AllowRemote, perOperation: from.PerOperation}
	if s.where, err = findPlaces(folder, from); err != nil {
		return nil, err
	}
	return s, s.compose()
}

// addFile adds a file.
func (s *Suite) addFile(name, content string) {
	s.names = append(s.names, name)
	s.text[name] = content
}

// composeTargets adds hallmark.yaml and its schema.
func (s *Suite) composeTargets(targets string) error {
	schema, err := options.TargetShape().Schema()
	if err != nil {
		return err
	}
	s.addFile(config.Name, targets)
	s.addFile(config.SchemaName, string(schema))
	return nil
}

// compose generates the content of all files.
func (s *Suite) compose() error {
	derived := s.basis.Folders()
	if len(derived) == 0 {
		return errors.New("no scenario follows from the contract: it has no operation that can be called")
	}
	s.open, s.moreOpen = openSentences(s)
	if err := s.composeTargets(targetsFile(s)); err != nil {
		return err
	}
	if s.where.ownRules {
		s.addFile(rulesName, rulesFile(s))
	}
	if s.where.ownValues {
		s.addFile(valuesName, valuesFile(s))
	}
	if example := s.example(); example != "" {
		s.addFile(exampleName, example)
	}
	if sentences := sentencesFile(s); sentences != "" {
		s.addFile(sentencesName, sentences)
	}
	if name := ciName(s.ci); name != "" {
		s.addFile(name, s.pipeline())
	}
	s.addFile(readmeName, readmeFile(s))
	for _, f := range derived {
		s.addFile(path.Join(derivedName, f.Name), f.Content)
	}
	return nil
}

// findPlaces determines the relative paths to existing files.
func findPlaces(folder string, from options.Contract) (p places, err error) {
	relative := func(file string) (string, error) {
		short, err := filepath.Rel(realPath(folder), realPath(file))
		if err != nil {
			return "", fmt.Errorf("no relative path leads from %s to %s: %w", text.Visible(folder), text.Visible(file), err)
		}
		return filepath.ToSlash(short), nil
	}
	remote := cli.IsURL(from.File)
	switch {
	case remote && cli.ShowURL(from.File) != from.File:
		return p, fmt.Errorf("%s: the address has a query, which may hold a secret, and would stand in %s; download the document, and name the file", text.Visible(cli.ShowURL(from.File)), config.Name)
	case remote:
		p.contract = from.File
	default:
		if p.contract, err = relative(from.File); err != nil {
			return p, err
		}
	}
	// Files beside the contract remain in use.
	beside := func(given, name string) (string, bool, error) {
		if given == "" {
			file := filepath.Join(filepath.Dir(from.File), name)
			if _, err := os.Lstat(file); remote || err != nil {
				return name, true, nil //nolint:nilerr // then there is none
			}
			given = file
		}
		if given == options.NoRules {
			return name, true, nil
		}
		short, err := relative(given)
		return short, false, err
	}
	if p.rules, p.ownRules, err = beside(from.Rules, rulesName); err != nil {
		return p, err
	}
	if p.values, p.ownValues, err = beside(from.Values, valuesName); err != nil {
		return p, err
	}
	root := repository(realPath(folder))
	if root == "" {
		p.repository = filepath.ToSlash(filepath.Clean(folder))
		if !filepath.IsLocal(folder) {
			p.repository = filepath.Base(realPath(folder))
		}
		return p, nil
	}
	if p.repository, err = filepath.Rel(root, realPath(folder)); err != nil {
		return p, err
	}
	p.repository = filepath.ToSlash(p.repository)
	if inside, wrong := filepath.Rel(root, realPath(from.File)); !remote && (wrong != nil || !filepath.IsLocal(inside)) {
		p.outside = true
	}
	return p, nil
}

// realPath returns the absolute path of a file that need not be there yet, without symbolic links: the system follows ".." from where a
// link leads.
func realPath(name string) string {
	absolute, err := filepath.Abs(name)
	if err != nil {
		return name
	}
	for above, rest := absolute, ""; ; {
		if found, err := filepath.EvalSymlinks(above); err == nil {
			return filepath.Join(found, rest)
		}
		next := filepath.Dir(above)
		if next == above {
			return absolute
		}
		rest = filepath.Join(filepath.Base(above), rest)
		above = next
	}
}

// repository returns the root of the enclosing git repository, or "".
func repository(folder string) string {
	for {
		if _, err := os.Lstat(filepath.Join(folder, ".git")); err == nil {
			return folder
		}
		above := filepath.Dir(folder)
		if above == folder {
			return ""
		}
		folder = above
	}
}

// taken returns the files to be written that already exist. Of the features it checks the folder, because everything in it would become part
// of the suite.
func (s *Suite) taken() ([]string, error) {
	var all []string
	for _, name := range s.names {
		if first, _, below := strings.Cut(name, "/"); below {
			name = first
		}
		if slices.Contains(all, name) {
			continue
		}
		there, err := s.differs(name)
		if err != nil {
			return nil, err
		}
		if there {
			all = append(all, name)
		}
	}
	return all, nil
}

// differs reports whether something else than the content to write is under a name.
func (s *Suite) differs(name string) (bool, error) {
	file := filepath.Join(s.folder, name)
	switch info, err := os.Lstat(file); {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("%s cannot be accessed: %w", text.Visible(file), cli.Bare(err))
	case info.Mode().IsRegular():
		if have, err := os.ReadFile(file); err == nil && string(have) == s.text[name] {
			return false, nil
		}
	}
	return true, nil
}

// keepReadme leaves a README.md out if the folder has another one: a repository usually does.
func (s *Suite) keepReadme() (kept bool, err error) {
	if !slices.Contains(s.names, readmeName) {
		return false, nil
	}
	if kept, err = s.differs(readmeName); kept {
		s.names = slices.DeleteFunc(s.names, func(name string) bool { return name == readmeName })
	}
	return kept, err
}

// Write writes the files atomically. If one of them exists, it writes none, unless force is set. It lists them on out.
func (s *Suite) Write(out io.Writer, force bool) error {
	keptReadme, err := s.keepReadme()
	if err != nil {
		return err
	}
	taken, err := s.taken()
	if err != nil {
		return err
	}
	if len(taken) > 0 && !force {
		for i, name := range taken {
			taken[i] = text.Visible(filepath.Join(s.folder, name))
		}
		verb, them := "exists", "it"
		if len(taken) > 1 {
			verb, them = "exist", "them"
		}
		return fmt.Errorf("%s %s already; nothing was written; --force replaces %s", text.Enumerate(taken, "and"), verb, them)
	}
	derived := 0
	for _, name := range s.names {
		file := filepath.Join(s.folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return fmt.Errorf("the folder %s cannot be made: %w", text.Visible(filepath.Dir(file)), cli.Bare(err))
		}
		if err := files.Replace(file, s.text[name]); err != nil {
			return fmt.Errorf("%s cannot be written: %w", text.Visible(file), cli.Bare(err))
		}
		if strings.HasPrefix(name, derivedName+"/") {
			derived++
			continue
		}
		if _, err := fmt.Fprintf(out, "wrote    %s\n", text.Visible(file)); err != nil {
			return err
		}
	}
	if derived > 0 {
		if _, err := fmt.Fprintf(out, "wrote    %s, %s\n", text.Visible(filepath.Join(s.folder, filepath.FromSlash(derivedName))), text.Count(derived, "derived feature")); err != nil {
			return err
		}
	}
	if keptReadme {
		if _, err := fmt.Fprintf(out, "kept     %s\n", text.Visible(filepath.Join(s.folder, readmeName))); err != nil {
			return err
		}
	}
	return s.tell(out)
}

// tell prints the next steps.
func (s *Suite) tell(out io.Writer) error {
	line := ""
	if s.where.outside {
		line = fmt.Sprintf("\nThe contract lies outside of this repository (%s). Keep a copy in it, and name that in %s.\n", text.Visible(s.where.contract), config.Name)
	}
	enter := ""
	if filepath.Clean(s.folder) != "." {
		enter = "cd " + text.ShellQuote(s.folder) + "\n  "
	}
	next := "hallmark doctor\n  hallmark run --base-url URL"
	if s.basis == nil {
		next = "hallmark config --show    # after you have changed the targets\n  hallmark run"
	}
	_, err := fmt.Fprintf(out, "%s\nNext:\n  %s%s\n", line, enter, next)
	return err
}
