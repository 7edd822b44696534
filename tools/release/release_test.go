package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hallmark-kit/hallmark/tests/skip"
)

const root = "../.."

func write(t *testing.T, name, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// unpacked returns what an archive holds: name, mode, time and text of each file.
func unpacked(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	add := func(name string, mode os.FileMode, at time.Time, in io.Reader) {
		content, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprintf("%s %s %s %s", name, mode, at.UTC().Format(time.DateTime), content))
	}
	if strings.HasSuffix(file, ".zip") {
		z, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range z.File {
			in, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			add(f.Name, f.Mode(), f.Modified, in)
		}
		return all
	}
	zipped, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	tape := tar.NewReader(zipped)
	for {
		header, err := tape.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		add(header.Name, header.FileInfo().Mode(), header.ModTime, tape)
	}
}

// The bytes of an archive depend on what is packed, and not on when and by whom.
func TestArchive(t *testing.T) {
	for _, kind := range []string{".tar.gz", ".zip"} {
		var made [][]byte
		for i := range 2 {
			dir := t.TempDir()
			files := []string{"b.txt", "a/c.txt", "program"}
			if i == 1 {
				slices.Reverse(files)
			}
			for _, name := range files {
				mode := []os.FileMode{0o644, 0o600}[i]
				if name == "program" {
					mode |= 0o100
				}
				file := filepath.Join(dir, "it_1.2.3", name)
				write(t, file, "text of "+name, mode)
				at := time.Unix(1_700_000_000+int64(i), 0)
				if err := os.Chtimes(file, at, at); err != nil {
					t.Fatal(err)
				}
			}
			out := filepath.Join(dir, "it"+kind)
			if err := release(t.Context(), []string{"archive", out, "1764286000", filepath.Join(dir, "it_1.2.3")}, io.Discard); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			made = append(made, text)
			program := "-rwxr-xr-x"
			if runtime.GOOS == "windows" {
				program = "-rw-r--r--"
			}
			want := []string{
				"it_1.2.3/a/c.txt -rw-r--r-- 2025-11-27 23:26:40 text of a/c.txt",
				"it_1.2.3/b.txt -rw-r--r-- 2025-11-27 23:26:40 text of b.txt",
				"it_1.2.3/program " + program + " 2025-11-27 23:26:40 text of program",
			}
			if diff := cmp.Diff(want, unpacked(t, out)); diff != "" {
				t.Errorf("%s: %s", kind, diff)
			}
		}
		if !bytes.Equal(made[0], made[1]) {
			t.Errorf("%s: the same files give other bytes", kind)
		}
	}
}

func TestSums(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "b"), "two", 0o600)
	write(t, filepath.Join(dir, "a"), "one", 0o600)
	var out bytes.Buffer
	if err := release(t.Context(), []string{"sums", dir}, &out); err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("%x  a\n%x  b\n", sha256.Sum256([]byte("one")), sha256.Sum256([]byte("two"))); out.String() != want {
		t.Errorf("%s\nwant\n%s", out.String(), want)
	}
}

func TestSBOM(t *testing.T) {
	info := &debug.BuildInfo{
		GoVersion: "go1.26.8", Main: debug.Module{Path: "example.com/owner/It", Version: "(devel)"},
		Deps: []*debug.Module{
			{Path: "example.com/Dep", Version: "v1.0.0+incompatible", Sum: "h1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="},
			{Path: "example.com/old", Version: "v1.0.0", Replace: &debug.Module{Path: "example.com/fork", Version: "v1.0.1"}},
			{Path: "example.com/store", Version: "v2.0.0", Replace: &debug.Module{Path: "./internal/store", Version: "(devel)"}},
		},
		Settings: []debug.BuildSetting{{Key: "GOOS", Value: "plan9"}, {Key: "-trimpath", Value: "true"}},
	}
	licences := licencesIn("hallmark\nThe binary contains these modules, under  licences:\n\nexample.com/Dep  MIT AND BSD-2-Clause  Copyright X\nexample.com/fork  MPL-2.0\n")
	sum := sha256.Sum256([]byte("binary"))
	b, err := sbomOf(info, "v1.2.3", time.Unix(1_764_286_000, 0).UTC(), sum[:], licences)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range append([]component{b.Metadata.Component}, b.Components...) {
		got = append(got, strings.TrimSpace(fmt.Sprint(c.Name, " ", c.Version, " ", c.PURL, " ", c.Licenses, " ", c.Hashes, " ", c.Properties, " ", c.Description)))
		if c.Ref == "" {
			t.Errorf("%s has no reference", c.Name)
		}
	}
	want := []string{
		fmt.Sprintf("example.com/owner/It v1.2.3 pkg:golang/example.com/owner/it@v1.2.3 [{Apache-2.0}] [{SHA-256 %x}] [{hallmark:GOOS plan9}]", sum),
		"std 1.26.8 pkg:golang/std@1.26.8 [{BSD-3-Clause}] [] [] the standard library of Go",
		"example.com/Dep v1.0.0+incompatible pkg:golang/example.com/dep@v1.0.0%2Bincompatible [{MIT AND BSD-2-Clause}] [{SHA-256 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f}] []",
		"example.com/fork v1.0.1 pkg:golang/example.com/fork@v1.0.1 [{MPL-2.0}] [] [] stands in for example.com/old v1.0.0",
		"example.com/owner/It/internal/store v1.2.3 pkg:golang/example.com/owner/it@v1.2.3#internal/store [{Apache-2.0}] [] [] stands in for example.com/store v2.0.0",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if b.Metadata.Timestamp != "2025-11-27T23:26:40Z" || !regexp.MustCompile(`^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(b.Serial) {
		t.Errorf("the bill is of %s, with the number %s", b.Metadata.Timestamp, b.Serial)
	}
	delete(licences, "example.com/fork")
	if _, err := sbomOf(info, "v1.2.3", time.Time{}, sum[:], licences); err == nil || !strings.Contains(err.Error(), "no licence of example.com/fork") {
		t.Errorf("a module without a licence: %v", err)
	}
}

func TestManual(t *testing.T) {
	dir := t.TempDir()
	help := func(command ...string) (string, error) {
		if len(command) == 0 {
			return "It judges.\n\nExamples:\n  it run --all\n\nCommands:\n  run         Judge a service\n\n.hidden \\ \n", nil
		}
		return "Flags:\n  -h, --help   the help of " + command[0] + "\n", nil
	}
	if err := writeManual(help, "v1.2.3", dir); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"hallmark.1":     ".TH HALLMARK 1 \"\" \"hallmark v1.2.3\" hallmark\n.SH NAME\nhallmark \\- judge HTTP services by their OpenAPI documents\n.SH DESCRIPTION\n.nf\nIt judges.\n\nExamples:\n  it run \\-\\-all\n\nCommands:\n  run         Judge a service\n\n\\&.hidden \\e \n.fi\n",
		"hallmark-run.1": ".TH HALLMARK-RUN 1 \"\" \"hallmark v1.2.3\" hallmark\n.SH NAME\nhallmark\\-run \\- Judge a service\n.SH DESCRIPTION\n.nf\nFlags:\n  \\-h, \\-\\-help   the help of run\n.fi\n",
	} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(text)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if err := writeManual(func(...string) (string, error) { return "no commands", nil }, "v1.2.3", dir); err == nil {
		t.Error("a help without commands is none")
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{nil, {"nonesuch"}, {"sums"}, {"archive", "x.zip", "soon", "x"}, {"sbom", "nowhere", "v1.2.3", "1", "NOTICE"}} {
		if err := release(context.Background(), args, io.Discard); err == nil {
			t.Errorf("%q is no error", args)
		}
	}
}

// Two builds of one commit, in two folders, give the same bytes, and what a release says of itself is so.
func TestRelease(t *testing.T) {
	skip.InShort(t)
	skip.UnderRace(t)
	for _, tool := range []string{"bash", "git"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("there is no %s here", tool)
		}
	}
	dir := t.TempDir()
	run := func(folder string, env []string, command ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
		cmd.Dir, cmd.Env = folder, append(os.Environ(), env...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v\n%s", command, err, out)
		}
		return string(out)
	}
	// The tree as it is, with what is not committed yet: as a commit of its own.
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "of", "another", "name")
	for name := range strings.SplitSeq(run(root, nil, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"), "\x00") {
		info, err := os.Stat(filepath.Join(root, name))
		if err != nil || info.IsDir() {
			continue // removed, or the end of the list
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(one, name), string(text), info.Mode().Perm())
	}
	git := []string{"git", "-c", "user.name=A", "-c", "user.email=a@example.com"}
	run(one, nil, append(git, "init", "--quiet")...)
	run(one, nil, append(git, "add", "--all")...)
	run(one, nil, append(git, "commit", "--quiet", "--message=all")...)
	run(dir, nil, append(git, "clone", "--quiet", one, two)...)
	host := runtime.GOOS + "/" + runtime.GOARCH
	outputs := map[string]string{one: filepath.Join(dir, "out one"), two: filepath.Join(dir, "out two")}
	for _, folder := range []string{one, two} {
		run(dir, []string{"PLATFORMS=" + host}, "bash", filepath.Join(folder, "tools", "release.sh"), "v1.2.3-test", outputs[folder])
	}
	name, kind, program := "hallmark_1.2.3-test_"+runtime.GOOS+"_"+runtime.GOARCH, ".tar.gz", "hallmark"
	if runtime.GOOS == "windows" {
		kind, program = ".zip", "hallmark.exe"
	}
	var sums bytes.Buffer
	for _, file := range []string{name + ".cdx.json", name + kind} {
		a, err := sumOf(filepath.Join(outputs[one], file))
		if err != nil {
			t.Fatal(err)
		}
		b, err := sumOf(filepath.Join(outputs[two], file))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a, b) {
			t.Errorf("%s has other bytes in the second build", file)
		}
		fmt.Fprintf(&sums, "%x  %s\n", a, file)
	}
	if text, err := os.ReadFile(filepath.Join(outputs[one], "SHA256SUMS")); err != nil || string(text) != sums.String() {
		t.Errorf("the checksums are %s, %v; want %s", text, err, sums.String())
	}
	packed := map[string]string{}
	for _, file := range unpacked(t, filepath.Join(outputs[one], name+kind)) {
		fields := strings.SplitN(file, " ", 5)
		packed[strings.TrimPrefix(fields[0], name+"/")] = fields[4]
	}
	for _, file := range []string{"LICENSE", "NOTICE", "README.md", "CHANGELOG.md", "completions/hallmark.bash", "completions/hallmark.fish", "completions/hallmark.ps1", "completions/hallmark.zsh", "man/hallmark.1", "man/hallmark-run.1", program} {
		if packed[file] == "" {
			t.Errorf("the archive has no %s", file)
		}
	}
	binary := filepath.Join(dir, program)
	write(t, binary, packed[program], 0o700)
	if out := run(dir, nil, binary, "version"); !strings.Contains(out, "v1.2.3-test") {
		t.Errorf("the program says %s", out)
	}
	text, err := os.ReadFile(filepath.Join(outputs[one], name+".cdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	var b bom
	if err := json.Unmarshal(text, &b); err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("%x", sha256.Sum256([]byte(packed[program]))); len(b.Components) < 20 || b.Metadata.Component.Hashes[0].Content != want {
		t.Errorf("the bill lists %d components, and is of %v, want %s", len(b.Components), b.Metadata.Component.Hashes, want)
	}
}
