package main

import (
	"bytes"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"runtime/debug"
	"strings"
	"time"
)

// The objects of CycloneDX 1.6, with the members that are used (https://cyclonedx.org/docs/1.6/json/).
type (
	bom struct {
		Schema     string      `json:"$schema"`
		Format     string      `json:"bomFormat"`
		Spec       string      `json:"specVersion"`
		Serial     string      `json:"serialNumber"`
		Version    int         `json:"version"`
		Metadata   metadata    `json:"metadata"`
		Components []component `json:"components"`
	}
	metadata struct {
		Timestamp string    `json:"timestamp"`
		Component component `json:"component"`
	}
	component struct {
		Type        string     `json:"type"`
		Ref         string     `json:"bom-ref"`
		Name        string     `json:"name"`
		Version     string     `json:"version"`
		Description string     `json:"description,omitempty"`
		Hashes      []hash     `json:"hashes,omitempty"`
		Licenses    []license  `json:"licenses"`
		PURL        string     `json:"purl"`
		Properties  []property `json:"properties,omitempty"`
	}
	hash struct {
		Algorithm string `json:"alg"`
		Content   string `json:"content"`
	}
	license struct {
		Expression string `json:"expression"`
	}
	property struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
)

// ownLicence is that of hallmark, goLicence that of the standard library.
const (
	ownLicence = "Apache-2.0"
	goLicence  = "BSD-3-Clause"
)

// writeSBOM writes what a binary consists of: by its own account, which names the modules with their checksums, and by NOTICE, which names
// their licences.
func writeSBOM(out io.Writer, binary, version string, moment time.Time, notice string) error {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return err
	}
	sum, err := sumOf(binary)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(notice)
	if err != nil {
		return err
	}
	b, err := sbomOf(info, version, moment, sum, licencesIn(string(text)))
	if err != nil {
		return err
	}
	var written bytes.Buffer
	e := json.NewEncoder(&written)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(b); err != nil {
		return err
	}
	_, err = out.Write(written.Bytes())
	return err
}

// licencesIn reads NOTICE: a line for each module, with its path, its licence and the holders of its copyright, two blanks apart.
func licencesIn(notice string) map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(notice) {
		if fields := strings.Split(strings.TrimSpace(line), "  "); len(fields) > 1 && !strings.Contains(fields[0], " ") {
			all[fields[0]] = fields[1]
		}
	}
	return all
}

// sbomOf returns the bill of materials of a binary with the checksum sum.
func sbomOf(info *debug.BuildInfo, version string, moment time.Time, sum []byte, licences map[string]string) (bom, error) {
	b := bom{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", Spec: "1.6", Serial: serial(sum), Version: 1,
		Metadata: metadata{moment.Format(time.RFC3339), component{
			Type: "application", Name: info.Main.Path, Version: version, PURL: purl(info.Main.Path, version), Licenses: []license{{ownLicence}},
			Hashes: []hash{{"SHA-256", hex.EncodeToString(sum)}},
		}},
	}
	for _, s := range info.Settings {
		if s.Key == "GOOS" || s.Key == "GOARCH" {
			b.Metadata.Component.Properties = append(b.Metadata.Component.Properties, property{"hallmark:" + s.Key, s.Value})
		}
	}
	release := strings.TrimPrefix(info.GoVersion, "go")
	b.Components = append(b.Components, component{
		Type: "library", Name: "std", Version: release, PURL: purl("std", release), Licenses: []license{{goLicence}}, Description: "the standard library of Go",
	})
	for _, m := range info.Deps {
		c, err := componentOf(m, info.Main.Path, version, licences)
		if err != nil {
			return bom{}, err
		}
		b.Components = append(b.Components, c)
	}
	b.Metadata.Component.Ref = b.Metadata.Component.PURL
	for i := range b.Components {
		b.Components[i].Ref = b.Components[i].PURL
	}
	return b, nil
}

// componentOf returns a module of a binary; own is the path of the module with the binary's sources, and version that of the binary.
func componentOf(m *debug.Module, own, version string, licences map[string]string) (component, error) {
	used, description := m, ""
	if m.Replace != nil {
		used, description = m.Replace, "stands in for "+m.Path+" "+m.Version
	}
	if strings.HasPrefix(used.Path, "./") { // a folder of the sources
		folder := path.Clean(used.Path)
		return component{
			Type: "library", Name: path.Join(own, folder), Version: version, Description: description, PURL: purl(own, version) + "#" + folder,
			Licenses: []license{{ownLicence}},
		}, nil
	}
	licence := licences[used.Path]
	if licence == "" {
		return component{}, fmt.Errorf("NOTICE names no licence of %s; UPDATE_NOTICE=1 go test -run TestNotice . adds it", used.Path)
	}
	c := component{Type: "library", Name: used.Path, Version: used.Version, Description: description, PURL: purl(used.Path, used.Version), Licenses: []license{{licence}}}
	// The checksum of a module, as in go.sum, is the SHA-256 of the list of its files.
	if text, ok := strings.CutPrefix(used.Sum, "h1:"); ok {
		sum, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return component{}, fmt.Errorf("the checksum of %s, %q, cannot be read: %w", used.Path, used.Sum, err)
		}
		c.Hashes = []hash{{"SHA-256", hex.EncodeToString(sum)}}
	}
	return c, nil
}

// purl returns the package URL of a Go module, whose specification wants lower case.
func purl(module, version string) string {
	return "pkg:golang/" + strings.ToLower(module) + "@" + strings.ReplaceAll(version, "+", "%2B")
}

// serial returns an identifier of the bill, a UUID of version 8, that depends on the binary only.
func serial(sum []byte) string {
	id := bytes.Clone(sum[:16])
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}
