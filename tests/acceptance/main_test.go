package acceptance

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/hallmark-kit/hallmark/tests/skip"
)

func TestMain(m *testing.M) {
	testscript.Main(withBinary{m}, helpers())
}

// withBinary builds hallmark and puts it on PATH before the tests run.
type withBinary struct{ tests *testing.M }

func (w withBinary) Run() int {
	folder, err := os.MkdirTemp("", "hallmark-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	build := exec.Command("go", append(append([]string{"build", "-o", folder + string(filepath.Separator)}, buildFlags()...), program)...)
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		return 1
	}
	if err := os.Setenv("PATH", folder+string(filepath.ListSeparator)+os.Getenv("PATH")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return w.tests.Run()
}

// program is the package of the binary.
const program = docsRoot + "/cmd/hallmark"

// buildFlags are the flags that this test was built with, so that a build with them compiles nothing again.
func buildFlags() []string {
	flags := []string{"-buildvcs=false"}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return flags
	}
	for _, s := range info.Settings {
		if slices.Contains([]string{"-race", "-tags", "-trimpath"}, s.Key) {
			flags = append(flags, s.Key+"="+s.Value)
		}
	}
	return flags
}

// TestScripts runs the binary as people do. Each script has a folder of its own, and the commands of script_test.go and
// service_test.go besides those of testscript. Those in which little happens at the same time are left out under the race
// detector.
func TestScripts(t *testing.T) {
	contract, err := filepath.Abs(filepath.Join("..", "..", "spec", "petstore", "openapi.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(env *testscript.Env) error {
			env.Setenv("CONTRACT", contract)
			env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, "state"))
			// By default the race detector makes each process wait for a second at its end.
			env.Setenv("GORACE", "atexit_sleep_ms=0")
			env.Values[jobsKey{}] = map[string]*job{}
			env.Values[serviceKey{}] = new(service)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":    exits,
			"start":    start,
			"signal":   sendSignal,
			"ends":     ends,
			"await":    await,
			"service":  startService,
			"shop":     startShop,
			"field":    field,
			"wellxml":  wellXML,
			"oneline":  oneLine,
			"secured":  secured,
			"hostport": hostPort,
		},
		Condition: func(name string) (bool, error) {
			if name != "race" {
				return false, errors.New("there is no such condition")
			}
			return skip.RaceDetector, nil
		},
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
	})
}
