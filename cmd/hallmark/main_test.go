package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"hallmark/internal/skip"
)

func TestMain(m *testing.M) {
	commands := helpers()
	commands["hallmark"] = main
	testscript.Main(m, commands)
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
