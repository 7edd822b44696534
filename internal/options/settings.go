package options

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/config"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// Settings holds the effective values for a command and their origins. The command line takes precedence over the environment, the
// environment over hallmark.yaml, and hallmark.yaml over the defaults.
type Settings struct {
	// given holds the flags from the command line and from the environment, and the selected target.
	given map[string]bool
	// origins holds where the values of flags came from.
	origins map[string]string
	// file is the file with the targets, and target its selected target; both may be nil. A target without a name holds only what all
	// targets share.
	file   *config.File
	Target *config.Target
	// above reports whether the file was found in a parent folder without being named.
	above bool
	// production is the production target that prevents the run from writing, or would without --allow-writes.
	production string
	notice     string
	// authFile is the file with further roles, or "".
	authFile string
}

const (
	fromFlag    = "flag"
	fromDefault = "default"
)

// origin returns where the value of a flag came from.
func (s *Settings) origin(flag string) string {
	if from := s.origins[flag]; from != "" {
		return from
	}
	return fromDefault
}

// OnCommandLine reports whether a flag was given on the command line.
func (s *Settings) OnCommandLine(flag string) bool { return s.origin(flag) == fromFlag }

// IsGiven reports whether a flag was given anywhere.
func (s *Settings) IsGiven(flag string) bool { return s.origin(flag) != fromDefault }

// Resolve sets the flags that are not on the command line to their values from the environment or hallmark.yaml.
// Every command that sends requests to a service begins with it.
func Resolve(env *cli.Env, flags *pflag.FlagSet) (*Settings, error) {
	s := &Settings{origins: map[string]string{}}
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Changed {
			s.origins[f.Name] = fromFlag
		}
	})
	var err error
	if s.given, err = env.ApplyVariables(flags); err != nil {
		return nil, err
	}
	for name := range s.given {
		if s.origins[name] == "" {
			s.origins[name] = "environment " + cli.Variable(name)
		}
	}
	if s.file, s.above, err = LoadTargets(env, cli.FlagText(flags, "config")); err != nil {
		return nil, err
	}
	if err := s.chooseTarget(flags); err != nil {
		return nil, err
	}
	if err := s.apply(flags); err != nil {
		return nil, err
	}
	s.authFile = cli.FlagText(flags, authFileFlag)
	env.WarnUnread(flags, variableFlags(), s.text())
	return s, s.guardProduction(flags)
}

// text returns the content of the file of targets, or "" if there is none.
func (s *Settings) text() string {
	if s.file == nil {
		return ""
	}
	text, _ := os.ReadFile(s.file.Name) // an error would have shown in the first read
	return string(text)
}

// LoadTargets reads the named file, or the nearest one in this or a parent folder, or returns nil if there is none. above reports whether
// the file was found in a parent folder.
func LoadTargets(env *cli.Env, named string) (file *config.File, above bool, err error) {
	path := named
	if path == "" {
		found, err := config.Find(".")
		if err != nil {
			return nil, false, fmt.Errorf("%s cannot be accessed: %w", config.Name, cli.Bare(err))
		}
		if found == "" {
			return nil, false, nil // the file is optional
		}
		if info, err := os.Stat(found); err == nil && !info.Mode().IsRegular() {
			return nil, false, fmt.Errorf("%s cannot be read: it is not a regular file", text.Visible(found)) // a file found by default must not block
		}
		path = found
		if here, err := os.Getwd(); err == nil {
			if relative, err := filepath.Rel(here, found); err == nil {
				path = relative
			}
		}
		above = filepath.Dir(path) != "."
	}
	file, err = TargetShape().Load(path, text.Visible(path), env.Lookup)
	var problem config.Problem
	switch {
	case errors.As(err, &problem):
		return nil, false, err
	case err != nil && named != "":
		return nil, false, fmt.Errorf("--config %s: the file cannot be read: %w", text.Visible(path), cli.Bare(err))
	case err != nil:
		return nil, false, fmt.Errorf("%s: the file cannot be read: %w", text.Visible(path), cli.Bare(err))
	}
	return file, above, nil
}

// chooseTarget selects the target. An address given without the name of a target is a target of its own: it takes the settings that all
// targets share, but never another target's key.
func (s *Settings) chooseTarget(flags *pflag.FlagSet) error {
	name := cli.FlagText(flags, "target")
	switch {
	case s.file == nil && name != "":
		return noFile(name)
	case s.file == nil:
		return nil
	case name != "" && !s.file.Has(name) && s.file.Err() == nil:
		return noTarget(s.file, name)
	case name == "" && !s.given["base-url"] && s.file.Err() == nil:
		var line int
		var err error
		if name, line, err = s.file.Default(); err != nil {
			return err
		}
		s.origins["target"] = s.file.At(line)
	}
	if !s.file.Has(name) {
		name = ""
	}
	var err error
	if s.Target, err = s.file.Target(name, s.given); err != nil || name == "" {
		return err
	}
	s.given["target"] = true
	return cli.SetFlag(flags, "target", name)
}

// noFile returns the error that a target is named where there is no file.
func noFile(name string) error {
	return fmt.Errorf("--target %s: there is no %s in this folder or one above; \"hallmark init\" writes one, and --config names another", text.Visible(name), config.Name)
}

// noTarget returns the error that a file has no target of a name.
func noTarget(file *config.File, name string) error {
	return fmt.Errorf("%s: %s", file.Name, config.NoTarget(text.Visible(name), file.Targets(), cli.Nearest))
}

// apply sets flags to the values of the target.
func (s *Settings) apply(flags *pflag.FlagSet) error {
	if s.Target == nil {
		return nil
	}
	var wrong []error
	flags.VisitAll(func(f *pflag.Flag) {
		setting, there := s.Target.Settings[f.Name]
		if !there || s.given[f.Name] {
			return
		}
		for _, text := range setting.Texts {
			if err := f.Value.Set(text); err != nil {
				wrong = append(wrong, fmt.Errorf("%s: %s: %w", s.file.At(setting.Line), f.Name, err))
			}
		}
		s.origins[f.Name] = s.file.At(setting.Line)
		for _, name := range setting.Variables {
			s.origins[f.Name] += " ${" + name + "}"
		}
	})
	return errors.Join(wrong...)
}

// guardProduction prevents a run from writing to a production target unless the command line allows it. The address of a production target
// given by hand is guarded in the same way.
func (s *Settings) guardProduction(flags *pflag.FlagSet) error {
	allowed, readOnly := cli.IsOn(flags, "allow-writes"), cli.IsOn(flags, "read-only")
	if allowed && readOnly && s.origin("read-only") == fromFlag {
		return errors.New("--allow-writes and --read-only exclude each other")
	}
	if s.file == nil {
		return nil
	}
	at := ""
	if s.Target.Production {
		s.production, at = s.Target.Name, s.file.At(s.Target.ProductionLine)
	} else if name := s.productionAt(cli.FlagText(flags, "base-url")); name != "" {
		s.production, at = name, s.file.Name
	}
	switch {
	case at == "" || readOnly:
		return nil
	case allowed:
		s.notice = fmt.Sprintf("%s is marked production (%s), and --allow-writes allows creating resources there", s.productionName(), at)
		return nil
	}
	s.notice = fmt.Sprintf("%s is marked production (%s), so nothing is created there; --allow-writes on the command line would allow it", s.productionName(), at)
	s.origins["read-only"] = at + ", production"
	return cli.SetFlag(flags, "read-only", "true")
}

// productionName returns the production target for use in a sentence.
func (s *Settings) productionName() string {
	if s.production == "" {
		return "this target"
	}
	return text.Visible(s.production)
}

// productionAt returns the production target with an address.
func (s *Settings) productionAt(address string) string {
	for _, name := range s.file.Targets() {
		if s.file.Production(name) && canonicalAddress(address) != "" && canonicalAddress(address) == canonicalAddress(s.file.Value(name, "base-url")) {
			return name
		}
	}
	return ""
}

// canonicalAddress returns equal texts for addresses of the same service.
func canonicalAddress(address string) string {
	base, err := scenario.ParseBaseURL(address)
	if err != nil {
		return ""
	}
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return strings.ToLower(strings.TrimSuffix(u.Hostname(), ".")) + ":" + port + u.EscapedPath()
}

// Warn prints what the user should know before the command starts.
func (s *Settings) Warn(to io.Writer) {
	if s.notice != "" {
		fmt.Fprintf(to, "hallmark: %s\n", s.notice)
	}
}

// Implementation returns the implementation that hallmark.yaml describes.
func (s *Settings) Implementation() record.Implementation {
	if s.Target == nil {
		return record.Implementation{}
	}
	i := s.Target.Implementation
	return record.Implementation{Organization: i.Organization, Project: i.Project, URL: i.URL, Version: i.Version, Contact: i.Contact}
}

// joinReports makes the paths of reports relative to a folder.
func joinReports(folder, text string) string {
	all := cli.SplitReports(text)
	for i, one := range all {
		all[i] = joinReport(folder, one)
	}
	return strings.Join(all, ",")
}

// joinReport makes the path of "FORMAT:PATH" relative to a folder.
func joinReport(folder, text string) string {
	format, path, found := strings.Cut(text, ":")
	if !found || path == "" || path == "-" || filepath.IsAbs(path) {
		return text
	}
	if form, rest, more := strings.Cut(path, ":"); more && reports.IsForm(form) {
		if rest == "" || rest == "-" || filepath.IsAbs(rest) {
			return text
		}
		return format + ":" + form + ":" + filepath.Join(folder, rest)
	}
	return format + ":" + filepath.Join(folder, path)
}
