package source

import (
	"encoding/base64"
	"path/filepath"
	"strings"
	"testing"
)

func TestDataURLs(t *testing.T) {
	encoded := base64.StdEncoding.EncodeToString([]byte("type: integer\nmaximum: 3"))
	folder := write(t, map[string]string{"api.yaml": `
plain: {$ref: 'data:application/json,{"type":"string"}'}
escaped: {$ref: 'data:application/json,%7B%22a%22%3A%7B%22type%22%3A%22boolean%22%7D%7D#/a'}
base64: {$ref: 'DATA:application/yaml;charset=utf-8;base64,` + encoded + `'}
unpadded: {$ref: 'data:;base64,` + strings.TrimRight(encoded, "=") + `'}
inside: {$ref: 'data:,a%3A%20%7B$ref%3A%20%22%23/b%22%7D%0Ab%3A%20%7Btype%3A%20array%7D#/a'}
comma: {$ref: 'data:application/json'}
escapes: {$ref: 'data:application/json,%7'}
bytes: {$ref: 'data:application/json;base64,%%%%'}
letters: {$ref: 'data:application/json;base64,!!!!'}
unfinished: {$ref: 'data:application/json,{"type":'}
nowhere: {$ref: 'data:application/json,{"type":"string"}#/b'}
long: {$ref: 'data:;base64,` + strings.Repeat("!", 5000) + `'}
beside: {$ref: 'data:,$ref%3A%20other.yaml'}
`, "other.yaml": "type: string"})
	read, err := Open(filepath.Join(folder, "api.yaml"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := Reopen(read.Own(), read.Texts())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []*Document{read, again} {
		for pointer, want := range map[string]string{"/plain": "string", "/escaped": "boolean", "/base64": "integer", "/unpadded": "integer", "/inside": "array"} {
			at, err := follow(d, pointer)
			if err != nil || d.Text(at+"/type") != want && d.Text(at+"#/type") != want {
				t.Errorf("%s leads to %s (%v), want a schema of type %s", pointer, at, err, want)
			}
			if len(at) > 40 {
				t.Errorf("the pointer %s holds the text", at)
			}
		}
		for pointer, want := range map[string]string{
			"/comma": "line 7: the reference data:application/json cannot be followed: it is not a valid data: URL", "/escapes": "not correctly percent-encoded", "/bytes": "not correctly percent-encoded",
			"/letters": "not valid base64", "/long": "not valid base64", "/unfinished": "cannot be followed: ", "/nowhere": "has no target", "/beside": "has no folder",
		} {
			if at, err := follow(d, pointer); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s leads to %s (%v), want an error with %q", pointer, at, err, want)
			}
		}
	}
}
