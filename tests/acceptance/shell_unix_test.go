//go:build unix

package acceptance

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/internal/session"
)

// helpers are programs that tests need besides hallmark.
func helpers() map[string]func() { return map[string]func(){"measure": measure} }

// measuredIn names the file that measure writes to.
const measuredIn = "MEASURED_IN"

// measure runs a command and writes the peak of its resident memory, in KiB on Linux, to a file. A process of its own does
// that: what Linux tells of a child begins with what its parent held.
func measure() {
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	err := cmd.Run()
	if cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(99)
	}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if ok {
		err = os.WriteFile(os.Getenv(measuredIn), []byte(strconv.FormatInt(usage.Maxrss, 10)), 0o600)
	}
	if !ok || err != nil {
		os.Exit(99)
	}
	os.Exit(cmd.ProcessState.ExitCode())
}

// shell is a folder in which the binary is run as people do, with an environment of its own.
type shell struct {
	t      *testing.T
	folder string
	key    string
	env    []string
}

func newShell(t *testing.T, key string) *shell {
	return &shell{t: t, folder: t.TempDir(), key: key}
}

// ended is what a command said, and how it ended.
type ended struct {
	stdout, stderr string
	code, memory   int
	took           time.Duration
}

// run runs hallmark.
func (s *shell) run(args ...string) ended {
	s.t.Helper()
	// Nothing takes so long. What does has to leave the goroutines that show where it stands.
	ctx, cancel := context.WithTimeout(s.t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "measure", append([]string{"hallmark"}, args...)...)
	cmd.Dir = s.folder
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); !strings.HasPrefix(name, "HALLMARK_") && !strings.HasPrefix(name, "GITHUB_") && name != "GOGC" && name != "GOMEMLIMIT" {
			cmd.Env = append(cmd.Env, v)
		}
	}
	measured := filepath.Join(s.t.TempDir(), "memory")
	cmd.Env = append(cmd.Env, "HALLMARK_API_KEY="+s.key, "XDG_STATE_HOME="+s.folder, "GORACE=atexit_sleep_ms=0", measuredIn+"="+measured)
	cmd.Env = append(cmd.Env, s.env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	began := time.Now()
	err := cmd.Run()
	e := ended{stdout: out.String(), stderr: errs.String(), code: cmd.ProcessState.ExitCode(), took: time.Since(began)}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		s.t.Fatal(err)
	}
	text, err := os.ReadFile(measured)
	if err != nil {
		s.t.Fatalf("hallmark %s: exit code %d: %s", strings.Join(args, " "), e.code, e.stderr)
	}
	e.memory, _ = strconv.Atoi(string(text))
	return e
}

// everyReport are the flags that write a report of every format.
func (s *shell) everyReport(prefix string) []string {
	var args []string
	for _, f := range session.Formats() {
		args = append(args, "--report", f.Name+":"+filepath.Join(s.folder, prefix+"."+f.Name))
	}
	return args
}

// artefacts are the files that were left in the folder, by their names; of archives what is in them too.
func (s *shell) artefacts() map[string]string {
	s.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(s.folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(s.folder, path)
		return unpack(all, name, data)
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return all
}

// unpack adds a file to all, by its name, and whatever is packed in it.
func unpack(all map[string]string, name string, data []byte) error {
	all[name] = string(data)
	switch {
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return unzip(all, name, data)
	case bytes.HasPrefix(data, []byte("\x1f\x8b")):
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return err
		}
		inside, err := io.ReadAll(z)
		if err != nil {
			return err
		}
		return unpack(all, name+"/", inside)
	case len(data) > 262 && string(data[257:262]) == "ustar":
		return untar(all, name, data)
	case strings.HasPrefix(all[name], "<!doctype html>"):
		return unfold(all, name)
	}
	return nil
}

// packedBlocks is how the HTML report holds what is made on request: pages of operations, exchanges, the index and others.
var packedBlocks = regexp.MustCompile(`<script type="text/plain" class="(\w+)">([^<]*)</script>`)

// unfold adds what an HTML report makes on request, block by block, numbered by kind.
func unfold(all map[string]string, name string) error {
	blocks := packedBlocks.FindAllStringSubmatch(all[name], -1)
	if n := strings.Count(all[name], `type="text/plain"`); n != len(blocks) {
		return fmt.Errorf("%d of the %d blocks of %s can be read", len(blocks), n, name)
	}
	seen := map[string]int{}
	for _, block := range blocks {
		kind := block[1]
		seen[kind]++
		packed, err := base64.StdEncoding.DecodeString(block[2])
		if err != nil {
			return err
		}
		z, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			return err
		}
		insides, err := io.ReadAll(z)
		if err != nil {
			return err
		}
		if kind == "exchanges" && !bytes.HasPrefix(insides, []byte(`<div class="x-in">`)) {
			return fmt.Errorf("block %d of %s holds no exchanges: %.100s", seen[kind], name, insides)
		}
		all[fmt.Sprintf("%s/%s-%d.html", name, kind, seen[kind])] = strings.ReplaceAll(string(insides), "\x1e", "\n")
	}
	return nil
}

func unzip(all map[string]string, name string, data []byte) error {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err
	}
	for _, entry := range archive.File {
		file, err := entry.Open()
		if err != nil {
			return err
		}
		inside, err := io.ReadAll(file)
		if err = errors.Join(err, file.Close()); err != nil {
			return err
		}
		if err := unpack(all, name+"/"+entry.Name, inside); err != nil {
			return err
		}
	}
	return nil
}

func untar(all map[string]string, name string, data []byte) error {
	archive := tar.NewReader(bytes.NewReader(data))
	for {
		entry, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		inside, err := io.ReadAll(archive)
		if err != nil {
			return err
		}
		if err := unpack(all, name+"/"+entry.Name, inside); err != nil {
			return err
		}
	}
}

// isPacked reports whether what a file holds is told by its parts.
func isPacked(text string) bool {
	return strings.HasPrefix(text, "PK\x03\x04") || strings.HasPrefix(text, "\x1f\x8b") || len(text) > 262 && text[257:262] == "ustar"
}
