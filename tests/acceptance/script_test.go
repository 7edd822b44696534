package acceptance

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// patience is how long a script waits for something that has to happen.
const patience = 30 * time.Second

// exits CODE COMMAND [ARGUMENT ...] runs a command, which has to end with exactly that exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARGUMENT ...]")
	}
	if got := codeOf(ts, ts.Exec(args[1], args[2:]...)); got != args[0] {
		ts.Fatalf("%s ended with exit code %s, want %s", strings.Join(args[1:], " "), got, args[0])
	}
}

// codeOf is an exit code in words; a process that a signal ended has none.
func codeOf(ts *testscript.TestScript, err error) string {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return "0"
	case !errors.As(err, &exit):
		ts.Fatalf("the command could not be run: %v", err)
	case !exit.Exited():
		return "signal"
	}
	return strconv.Itoa(exit.ExitCode())
}

// job is a command in the background.
type job struct {
	cmd  *exec.Cmd
	done chan struct{}
	err  error
}

type jobsKey struct{}

func jobNamed(ts *testscript.TestScript, name string) *job {
	j := ts.Value(jobsKey{}).(map[string]*job)[name]
	if j == nil {
		ts.Fatalf("there is no job %q", name)
	}
	return j
}

// start NAME COMMAND [ARGUMENT ...] runs a command in the background. Its output goes to NAME.out and NAME.err.
func start(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: start NAME COMMAND [ARGUMENT ...]")
	}
	cmd := exec.Command(args[1], args[2:]...)
	cmd.Dir = ts.MkAbs(".")
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "HALLMARK_") && !strings.HasPrefix(v, "GITHUB_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	for _, name := range []string{"HALLMARK_API_KEY", "HALLMARK_BASE_URL", "XDG_STATE_HOME", "GORACE"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	out, err := os.Create(ts.MkAbs(args[0] + ".out"))
	ts.Check(err)
	errs, err := os.Create(ts.MkAbs(args[0] + ".err"))
	ts.Check(err)
	cmd.Stdout, cmd.Stderr = out, errs
	ts.Check(cmd.Start())
	j := &job{cmd: cmd, done: make(chan struct{})}
	go func() {
		j.err = cmd.Wait()
		_ = out.Close()
		_ = errs.Close()
		close(j.done)
	}()
	ts.Value(jobsKey{}).(map[string]*job)[args[0]] = j
	ts.Defer(func() {
		_ = cmd.Process.Kill()
		<-j.done
	})
}

// signal NAME INT|TERM|KILL sends a signal to a job.
func sendSignal(ts *testscript.TestScript, neg bool, args []string) {
	known := map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "KILL": syscall.SIGKILL}
	if neg || len(args) != 2 || known[args[1]] == 0 {
		ts.Fatalf("usage: signal NAME INT|TERM|KILL")
	}
	ts.Check(jobNamed(ts, args[0]).cmd.Process.Signal(known[args[1]]))
}

// ends NAME CODE waits for a job's end; the exit code of one that a signal ended is "signal".
func ends(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: ends NAME CODE")
	}
	j := jobNamed(ts, args[0])
	within(ts, "the end of "+args[0], j.done)
	for _, file := range []string{".out", ".err"} {
		if text := ts.ReadFile(args[0] + file); text != "" {
			ts.Logf("[%s%s]\n%s", args[0], file, text)
		}
	}
	if got := codeOf(ts, j.err); got != args[1] {
		ts.Fatalf("%s ended with exit code %s, want %s", args[0], got, args[1])
	}
}

func within(ts *testscript.TestScript, what string, done <-chan struct{}) {
	select {
	case <-done:
	case <-time.After(patience):
		ts.Fatalf("%s did not come within %v", what, patience)
	}
}

// await file FILE waits until a file is there. await stalled and await gone wait for events of the service.
func await(ts *testscript.TestScript, neg bool, args []string) {
	s := ts.Value(serviceKey{}).(*service)
	switch {
	case neg:
	case len(args) == 1 && args[0] == "stalled":
		within(ts, "the stalling", s.stalled)
		return
	case len(args) == 1 && args[0] == "gone":
		within(ts, "the client's going", s.gone)
		return
	case len(args) == 2 && args[0] == "file":
		late := time.After(patience)
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			if _, err := os.Stat(ts.MkAbs(args[1])); err == nil {
				return
			}
			select {
			case <-tick.C:
			case <-late:
				ts.Fatalf("the file %s did not come within %v", args[1], patience)
			}
		}
	}
	ts.Fatalf("usage: await stalled | await gone | await file FILE")
}

// field FILE PATH WANT reads a JSON file whole and compares one value, by its JSON text: field r.json target.readOnly true.
func field(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: [!] field FILE PATH WANT")
	}
	var at any
	if err := json.Unmarshal([]byte(ts.ReadFile(args[0])), &at); err != nil {
		ts.Fatalf("%s is no JSON: %v", args[0], err)
	}
	for name := range strings.SplitSeq(args[1], ".") {
		switch v := at.(type) {
		case map[string]any:
			at = v[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(v) {
				ts.Fatalf("%s: %s has %d items", args[0], args[1], len(v))
			}
			at = v[i]
		default:
			at = nil
		}
	}
	text, err := json.Marshal(at)
	ts.Check(err)
	if got := string(text); (got == args[2]) == neg {
		ts.Fatalf("%s: %s is %s, want %s", args[0], args[1], got, args[2])
	}
}

// wellxml FILE reads an XML file to its end.
func wellXML(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: wellxml FILE")
	}
	decoder := xml.NewDecoder(strings.NewReader(ts.ReadFile(args[0])))
	elements := 0
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			ts.Fatalf("%s is no XML: %v", args[0], err)
		}
		if _, ok := token.(xml.StartElement); ok {
			elements++
		}
	}
	if elements == 0 {
		ts.Fatalf("%s holds no element", args[0])
	}
}

// oneline checks that the last command said one line to stderr, from hallmark, and nothing to stdout.
func oneLine(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: oneline")
	}
	text := ts.ReadFile("stderr")
	if strings.Count(text, "\n") != 1 || !strings.HasSuffix(text, "\n") || !strings.HasPrefix(text, "hallmark: ") {
		ts.Fatalf("stderr is not one line of hallmark's: %q", text)
	}
	for _, sign := range []string{"panic", "goroutine", ".go:"} {
		if strings.Contains(text, sign) {
			ts.Fatalf("stderr looks like a stack trace: %q", text)
		}
	}
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("stdout is not empty: %s", fmt.Sprintf("%.200q", out))
	}
}

// hostPort is "hostport VARIABLE URL": it puts the host and port of a URL into the environment.
func hostPort(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: hostport VARIABLE URL")
	}
	u, err := url.Parse(args[1])
	ts.Check(err)
	ts.Setenv(args[0], u.Host)
}
