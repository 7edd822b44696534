package scaffold

import (
	"fmt"
	"path"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
)

// The supported CI systems.
const (
	GitHub = "github"
	GitLab = "gitlab"
	NoCI   = "none"
)

// CIs returns the names of the supported CI systems.
func CIs() []string { return []string{GitHub, GitLab, NoCI} }

// ciName returns the name of the pipeline file of a CI system, or "".
func ciName(ci string) string {
	if ci == NoCI {
		return ""
	}
	return ci + ".yaml"
}

// pipeline returns the content of the pipeline file.
func (s *Suite) pipeline() string {
	if s.ci == GitLab {
		return s.gitlab()
	}
	return s.github()
}

// variables returns the environment variables for secrets.
func (s *Suite) variables() []string {
	var all []string
	for _, one := range scheme.All(s.basis.Contract.Operations()) {
		all = append(all, scheme.Variable(one.Name))
	}
	return all
}

// address returns the placeholder for the address of the service.
func (s *Suite) address() string { return "https://staging.example.com" + basePath(s) }

// present returns a shell command that fails if a variable is empty: CI systems set a secret that they do not have to nothing.
func present(variable string) string {
	return `: "${` + variable + `:?is empty: add this secret to the project, or remove this line if the service does not need it}"`
}

func (s *Suite) github() string {
	var secrets, checks strings.Builder
	for _, name := range s.variables() {
		fmt.Fprintf(&secrets, "          %s: ${{ secrets.%s }}\n", name, name)
		fmt.Fprintf(&checks, "          %s\n", present(name))
	}
	folder := yamlWord(s.where.repository)
	return fmt.Sprintf(`# Copy this to .github/workflows/contract.yaml of the repository. Replace your-org/hallmark and the address%s.
name: contract
on:
  push:
    branches: [main]
  pull_request:

permissions:
  contents: read

jobs:
  contract:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    defaults:
      run:
        working-directory: %s
    steps:
      - uses: actions/checkout@v6
      - uses: actions/checkout@v6
        with:
          repository: your-org/hallmark
          path: .hallmark
      - uses: actions/setup-go@v6
        with:
          go-version-file: .hallmark/go.mod
          cache-dependency-path: .hallmark/go.sum
      - name: Build hallmark
        working-directory: .
        run: |
          make -C .hallmark build
          echo "$PWD/.hallmark/bin" >> "$GITHUB_PATH"
      - name: The derived features follow from the contract
        run: hallmark derive --check
      - name: Judge the service
        env:
          HALLMARK_BASE_URL: %s
%s        run: |
%s          hallmark run --report junit:hallmark.xml --report html:hallmark.html --report json:hallmark.json
      - uses: actions/upload-artifact@v6
        if: always()
        with:
          name: hallmark
          path: |
            %s
            %s
            %s
`, s.secretsToo(" of the service; add the secrets"), folder, yamlWord(s.address()), secrets.String(), checks.String(),
		path.Join(s.where.repository, "hallmark.xml"), path.Join(s.where.repository, "hallmark.html"), path.Join(s.where.repository, "hallmark.json"))
}

// secretsToo returns t if the contract has secrets.
func (s *Suite) secretsToo(t string) string {
	if len(s.variables()) == 0 {
		return " of the service"
	}
	return t
}

func (s *Suite) gitlab() string {
	masked, checks := "", ""
	if names := s.variables(); len(names) > 0 {
		for _, name := range names {
			checks += "    - " + yamlWord(present(name)) + "\n"
		}
		masked = "\n# Masked variables of the project hold the secrets: " + strings.Join(names, ", ") + "."
	}
	report := path.Join(s.where.repository, "hallmark")
	return fmt.Sprintf(`# A part of .gitlab-ci.yml. HALLMARK_SOURCES is the address of hallmark's repository. Replace the address of the service.%s
contract:
  image: golang:1.26
  timeout: 30 minutes
  variables:
    HALLMARK_BASE_URL: %s
  before_script:
%s    - git clone --depth 1 "$HALLMARK_SOURCES" .hallmark
    - make -C .hallmark build
    - export PATH="$PWD/.hallmark/bin:$PATH"
    - cd %s
  script:
    - hallmark derive --check
    - hallmark run --report junit:hallmark.xml --report html:hallmark.html --report json:hallmark.json
  artifacts:
    when: always
    paths:
      - %s
      - %s
      - %s
    reports:
      junit: %s
`, masked, yamlWord(s.address()), checks, yamlWord(text.ShellQuote(s.where.repository)), yamlWord(report+".xml"), yamlWord(report+".html"), yamlWord(report+".json"), yamlWord(report+".xml"))
}
