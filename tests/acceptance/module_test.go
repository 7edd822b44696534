package acceptance

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// tools/module.sh gives every file the new path except the history, follows no links, keeps modes, and uses no option that only GNU's sed has.
func TestModuleScript(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("there are no modes of files here")
	}
	for _, tool := range []string{"bash", "git", "go", "sed"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("there is no %s here", tool)
		}
	}
	script, err := os.ReadFile(filepath.Join(docsRoot, "tools", "module.sh"))
	if err != nil {
		t.Fatal(err)
	}
	sed, err := exec.LookPath("sed")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) {
		t.Helper()
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	write("bin/sed", "#!/bin/sh\ncase $1 in -*) echo \"sed: $1 is not portable\" >&2; exit 1 ;; esac\nexec '"+sed+"' \"$@\"\n", 0o700)
	write("tree/tools/module.sh", string(script), 0o700)
	write("tree/go.mod", "module forge.example/old/hallmark\n\ngo 1.26.0\n", 0o600)
	write("tree/hallmark.go", "package hallmark\n\nimport (\n\t_ \"embed\"\n\n\t_ \"forge.example/old/hallmark/spec\"\n)\n", 0o600)
	write("tree/spec/spec.go", "package spec\n", 0o600)
	write("tree/run.sh", "#!/bin/sh\n# forge.example/old/hallmark, twice: forge.example/old/hallmark; forgeXexample/old/hallmark is another.\n", 0o700)
	write("tree/ci.yaml", "uses: old/hallmark@v1\n", 0o600)
	write("tree/CHANGELOG.md", "It was forge.example/old/hallmark.\n", 0o600)
	if err := os.Symlink("run.sh", filepath.Join(dir, "tree", "link.sh")); err != nil {
		t.Fatal(err)
	}
	run := func(command ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
		cmd.Dir = filepath.Join(dir, "tree")
		cmd.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"), "GOFLAGS=")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v\n%s", command, err, out)
		}
		return string(out)
	}
	run("git", "init", "--quiet")
	run("git", "add", "--all")
	if out := run("tools/module.sh", "host.example/new/hallmark"); !strings.Contains(out, "the module is host.example/new/hallmark now") {
		t.Errorf("it said %s", out)
	}
	for name, want := range map[string]string{
		"go.mod":       "module host.example/new/hallmark\n\ngo 1.26.0\n",
		"hallmark.go":  "package hallmark\n\nimport (\n\t_ \"embed\"\n\n\t_ \"host.example/new/hallmark/spec\"\n)\n",
		"run.sh":       "#!/bin/sh\n# host.example/new/hallmark, twice: host.example/new/hallmark; forgeXexample/old/hallmark is another.\n",
		"ci.yaml":      "uses: new/hallmark@v1\n",
		"CHANGELOG.md": "It was forge.example/old/hallmark.\n",
	} {
		if got, err := os.ReadFile(filepath.Join(dir, "tree", name)); err != nil || string(got) != want {
			t.Errorf("%s is %q, %v; want %q", name, got, err, want)
		}
	}
	if info, err := os.Lstat(filepath.Join(dir, "tree", "link.sh")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info, err)
	}
	if info, err := os.Stat(filepath.Join(dir, "tree", "run.sh")); err != nil || info.Mode()&0o100 == 0 {
		t.Errorf("the script is %v, %v", info, err)
	}
}
