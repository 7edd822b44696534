package options

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pb33f/go-yaml"
	"github.com/spf13/pflag"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/config"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/internal/text/syntax"
)

// The flags of hooks.
const (
	BeforeFlag        = "before"
	AfterFlag         = "after"
	BeforeEachFlag    = "before-each"
	BetweenPhasesFlag = "between-phases"
	hookTimeoutFlag   = "hook-timeout"
)

// hookTimeout is the default of --hook-timeout.
const hookTimeout = time.Minute

// Hooks holds the hooks of a run.
type Hooks struct {
	Before, After, BeforeEach, BetweenPhases []Hook
	// Timeout bounds each call of a hook.
	Timeout time.Duration
}

// Hook is a command or a request that prepares data.
type Hook struct {
	// Command is a command with its arguments, and Folder where it runs; "" is the current folder.
	Command []string
	Folder  string
	// Method and Path are a request to the target; Path is an address if it was given as one. Headers are "Name: value".
	Method, Path string
	Headers      []string
	Body         string
}

// String returns the hook for a sentence. It contains no headers and no body, which may hold secrets.
func (h Hook) String() string {
	if h.Command == nil {
		return h.Method + " " + h.Path
	}
	words := make([]string, len(h.Command))
	for i, word := range h.Command {
		words[i] = text.ShellQuote(word)
	}
	return text.Short(strings.Join(words, " "))
}

// addFlags adds the flags.
func (h *Hooks) addFlags(flags *pflag.FlagSet) {
	h.Timeout = hookTimeout
	flags.Var(hookValue(&h.Before), BeforeFlag, "prepare data before the run: a command, started without a shell, or a request to the target such as 'POST /test/reset'; repeatable")
	flags.Var(hookValue(&h.After), AfterFlag, "the same after the run; a failure is only a warning; repeatable")
	flags.Var(hookValue(&h.BeforeEach), BeforeEachFlag, "the same before the first scenario of each resource, which HALLMARK_RESOURCE names; repeatable")
	flags.Var(hookValue(&h.BetweenPhases), BetweenPhasesFlag, "the same between the phases of the run; HALLMARK_PHASE names the next one; repeatable")
	flags.Var(cli.DurationValue(&h.Timeout, time.Millisecond, time.Hour), hookTimeoutFlag, "how long a hook may take")
}

// HookFlags returns the names of the flags.
func HookFlags() []string {
	return []string{BeforeFlag, AfterFlag, BeforeEachFlag, BetweenPhasesFlag, hookTimeoutFlag}
}

// CheckHooks prevents hooks from a hallmark.yaml that was only found in a parent folder: the user may not know about that file.
func (s *Settings) CheckHooks() error {
	if !s.above || s.Target == nil {
		return nil
	}
	for _, flag := range HookFlags()[:4] {
		if setting, there := s.Target.Settings[flag]; there && !s.given[flag] && len(setting.Texts) > 0 {
			return fmt.Errorf("%s: %s: a file in a parent folder must not run hooks; add --config %s", s.file.At(setting.Line), flag, text.ShellQuote(s.file.Name))
		}
	}
	return nil
}

// hookValue returns a value that collects hooks.
func hookValue(to *[]Hook) *cli.Value {
	return &cli.Value{
		Kind: "HOOK", List: true, Whole: true, Key: config.Key{Kind: config.Hook, Own: true, Place: placeHook}, Show: showHook,
		Parse: func(text string) error {
			h, err := parseHook(text)
			if err != nil {
				return err
			}
			*to = append(*to, h)
			return nil
		},
	}
}

// showHook returns the text of a hook for display. Headers and bodies may hold secrets.
func showHook(given string) string {
	h, err := parseHook(given)
	if err != nil || h.Headers == nil && h.Body == "" && !strings.HasPrefix(given, "{") && !strings.HasPrefix(given, "[") {
		return given
	}
	shown := h.String()
	if h.Headers != nil || h.Body != "" {
		shown += " …"
	}
	return shown
}

// placeHook makes the folder of a hook's command relative to that of hallmark.yaml.
func placeHook(folder, given string) string {
	h, err := parseHook(given)
	if err != nil || h.Command == nil || folder == "." && h.Folder == "" || filepath.IsAbs(h.Folder) {
		return given
	}
	placed, err := json.Marshal(map[string]any{"command": h.Command, "folder": filepath.Join(folder, h.Folder)})
	if err != nil {
		return given
	}
	return string(placed)
}

// requestLine matches a request in short: "POST /reset".
var requestLine = regexp.MustCompile(`^(GET|POST|PUT|PATCH|DELETE) (\S+)$`)

// parseHook reads a hook: words of a command, "METHOD PATH", or a list or keys in YAML or JSON.
func parseHook(given string) (h Hook, err error) {
	given = strings.TrimSpace(given)
	switch m := requestLine.FindStringSubmatch(given); {
	case given == "":
		return h, errors.New("there is no command and no request")
	case m != nil:
		h.Method, h.Path = m[1], m[2]
		return h, nil
	case given[0] == '[' || given[0] == '{':
		return structuredHook(given)
	}
	h.Command, err = splitWords(given)
	return h, err
}

// structuredHook reads a list of words, or keys.
func structuredHook(given string) (h Hook, err error) {
	var tree any
	if err := yaml.Unmarshal([]byte(given), &tree); err != nil {
		return h, syntax.YAML([]byte(given))
	}
	if list, is := tree.([]any); is {
		h.Command, err = wordsOf(list)
		return h, err
	}
	keys, is := tree.(map[string]any)
	if !is {
		return h, errors.New("expected the words of a command, or keys such as command and path")
	}
	shell := false
	for key, value := range keys {
		var ok bool
		switch key {
		case "command":
			if list, is := value.([]any); is {
				h.Command, err = wordsOf(list)
				ok = true
			} else if line, is := value.(string); is && strings.TrimSpace(line) != "" {
				h.Command, ok = []string{line}, true
			}
		case "shell":
			shell, ok = value.(bool)
		case "folder":
			h.Folder, ok = value.(string)
		case "method":
			h.Method, ok = value.(string)
		case "path":
			h.Path, ok = value.(string)
		case "headers":
			h.Headers, ok = headerLines(value)
		case "body":
			h.Body, ok = bodyText(value)
		default:
			return h, fmt.Errorf("a hook has no key %q; the keys are command, shell, folder, method, path, headers and body", text.Visible(key))
		}
		if err != nil {
			return h, err
		}
		if !ok {
			return h, fmt.Errorf("the key %s has a value of another kind; see docs/configuration.md", key)
		}
	}
	line, inLine := keys["command"].(string)
	switch {
	case (h.Command == nil) == (h.Path == ""):
		return h, errors.New("a hook has either a command or the path of a request")
	case h.Command == nil:
		return finishRequest(h, shell)
	case h.Method != "" || h.Headers != nil || h.Body != "":
		return h, errors.New("method, headers and body belong to a request, and this hook has a command")
	case shell && !inLine:
		return h, errors.New("shell: true takes the command as one text, not as a list of words")
	case shell:
		h.Command = []string{"sh", "-c", line}
	case inLine:
		h.Command, err = splitWords(line)
	}
	return h, err
}

// finishRequest checks a request, and fills in the method.
func finishRequest(h Hook, shell bool) (Hook, error) {
	if h.Method == "" {
		h.Method = "POST"
	}
	switch h.Method = strings.ToUpper(h.Method); {
	case shell || h.Folder != "":
		return h, errors.New("shell and folder belong to a command, and this hook is a request")
	case !slices.Contains([]string{"GET", "POST", "PUT", "PATCH", "DELETE"}, h.Method):
		return h, errors.New("the method is one of GET, POST, PUT, PATCH, DELETE")
	}
	return h, nil
}

// headerLines returns headers as "Name: value", sorted.
func headerLines(value any) ([]string, bool) {
	keys, is := value.(map[string]any)
	lines := []string{}
	for name, one := range keys {
		t, ok := one.(string)
		lines, is = append(lines, name+": "+t), is && ok
	}
	slices.Sort(lines)
	return lines, is
}

// bodyText returns a text as it is, and anything else as JSON.
func bodyText(value any) (string, bool) {
	if t, is := value.(string); is {
		return t, true
	}
	data, err := json.Marshal(value)
	return string(data), err == nil
}

// wordsOf returns the words of a command.
func wordsOf(list []any) ([]string, error) {
	words := make([]string, 0, len(list))
	for _, one := range list {
		switch one.(type) {
		case string, int, int64, uint64, float64, bool:
			words = append(words, fmt.Sprint(one))
		default:
			return nil, errors.New("a command is a list of words")
		}
	}
	if len(words) == 0 || words[0] == "" {
		return nil, errors.New("there is no command")
	}
	return words, nil
}

// splitWords splits a command line at blanks. Quotes keep blanks in a word; nothing else of a shell is known.
func splitWords(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	quote, inWord := rune(0), false
	for _, c := range line {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '\'' || c == '"':
			quote, inWord = c, true
		case c == ' ' || c == '\t' || c == '\n':
			if inWord {
				words, inWord = append(words, word.String()), false
				word.Reset()
			}
		case strings.ContainsRune("|&;<>`$(){}*?~#", c):
			return nil, fmt.Errorf("the command contains %c, which only a shell understands; put it into quotes, or write {command: …, shell: true}", c)
		default:
			word.WriteRune(c)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, errors.New("a quote in the command is not closed")
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}
