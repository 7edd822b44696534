package scaffold

import (
	"fmt"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/config"
)

// readmeFile returns the text of README.md, about ten lines.
func readmeFile(s *Suite) string {
	lines := []string{
		"# Contract tests: " + strings.NewReplacer("[", `\[`, "]", `\]`, "<", `\<`).Replace(oneLine(title(s))),
		"",
		fmt.Sprintf("hallmark judges whether services keep `%s`. In this folder:", s.where.contract),
		"",
		"    hallmark doctor          # which secrets, values and parts of the contract are missing",
		"    hallmark run             # judge the target of " + config.Name + "; --base-url URL judges another service",
		"    hallmark derive          # when the contract has changed: write " + derivedName + " anew",
		"    hallmark derive --check  # in CI: exit code 1 where that was forgotten",
		"",
		yours(s),
	}
	return strings.Join(lines, "\n") + "\n"
}

// title returns the name of the interface.
func title(s *Suite) string {
	if title := oneLine(s.basis.Contract.Title()); title != "" {
		return title
	}
	return s.where.contract
}

// yours lists the files for the team to change.
func yours(s *Suite) string {
	t := fmt.Sprintf("Yours to change: scenarios in `%s`, levels in `%s`, values in `%s`.", featuresName, s.where.rules, s.where.values)
	if name := ciName(s.ci); name != "" {
		t += fmt.Sprintf(" `%s` runs all this in CI.", name)
	}
	return t
}
