package hallmark_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// notice is the head of NOTICE. The rest is a line for each module.
const notice = `hallmark
Copyright 2026 The hallmark authors

This product is licensed under the Apache License, Version 2.0 (see LICENSE).

The binary and the Go package contain these modules, under the licences named (SPDX), whose texts are in the modules:

`

// NOTICE names each module of the binaries and of the Go package, on the systems that are released for, with its licence. UPDATE_NOTICE=1 writes it. A module whose licence is none of
// those known here fails: read it before you add it.
func TestNotice(t *testing.T) {
	var lines []string
	for _, system := range []string{"darwin", "linux", "windows"} {
		list := exec.CommandContext(t.Context(), "go", "list", "-deps", "-tags=nomsgpack", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}", ".", "./cmd/hallmark")
		list.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GOOS="+system)
		out, err := list.Output()
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(out)) {
			path, dir, found := strings.Cut(strings.TrimSpace(line), " ")
			if !found {
				continue
			}
			licence, holders := licenceIn(t, dir)
			if licence == "" {
				t.Errorf("%s has no licence that is known here; its folder is %s", path, dir)
			}
			lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s  %s  %s", path, licence, holders))+"\n")
		}
	}
	slices.Sort(lines)
	want := notice + strings.Join(slices.Compact(lines), "")
	if os.Getenv("UPDATE_NOTICE") != "" {
		if err := os.WriteFile("NOTICE", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("NOTICE")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("NOTICE is not what the modules say; UPDATE_NOTICE=1 go test -run TestNotice . writes:\n%s", want)
	}
}

// known holds phrases of the licences.
var known = []struct{ licence, phrase string }{
	{"Apache-2.0", "Apache License"},
	{"MPL-2.0", "Mozilla Public License"},
	{"MIT", "Permission is hereby granted, free of charge"},
	{"BSD", "Redistribution and use in source and binary forms"},
}

var (
	spaces  = regexp.MustCompile(`\s+`)
	holder  = regexp.MustCompile(`^(?i:Copyright)\s+(?:\(c\)|©)?\s*(?:(?:19|20)\d\d|The|[A-Z])`)
	unnamed = regexp.MustCompile(`\[yyyy\]|\{yyyy\}|<year>|owner|HOLDER|(?i:notice|license|law)`)
)

// licenceIn returns the licences of a module as an SPDX expression, and who holds its copyright.
func licenceIn(t *testing.T, dir string) (licence, holders string) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var licences, names []string
	for _, f := range files {
		if upper := strings.ToUpper(f.Name()); !strings.HasPrefix(upper, "LICENSE") && !strings.HasPrefix(upper, "NOTICE") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		flat := spaces.ReplaceAllString(string(text), " ")
		for _, k := range known {
			if strings.Contains(flat, k.phrase) {
				id := k.licence
				if id == "BSD" {
					id = "BSD-2-Clause"
					if strings.Contains(flat, "Neither the name") {
						id = "BSD-3-Clause"
					}
				}
				licences = append(licences, id)
			}
		}
		for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
			if line := strings.TrimSpace(s.Text()); holder.MatchString(line) && !unnamed.MatchString(line) {
				names = append(names, strings.TrimSuffix(spaces.ReplaceAllString(line, " "), "."))
			}
		}
	}
	slices.Sort(licences)
	slices.Sort(names)
	return strings.Join(slices.Compact(licences), " AND "), strings.Join(slices.Compact(names), "; ")
}
