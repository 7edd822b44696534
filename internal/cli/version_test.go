package cli

import (
	"runtime/debug"
	"testing"
)

func TestVersionOf(t *testing.T) {
	other := debug.Module{Path: "example.com/shelf", Version: "v9.9.9"}
	commit := []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef0123"}, {Key: "vcs.modified", Value: "true"}}
	for name, c := range map[string]struct {
		info debug.BuildInfo
		want string
	}{
		"installed":       {debug.BuildInfo{Main: debug.Module{Path: module, Version: "v1.2.3"}}, "v1.2.3"},
		"imported":        {debug.BuildInfo{Main: other, Deps: []*debug.Module{{Path: module, Version: "v1.2.4"}}}, "v1.2.4"},
		"built in a tree": {debug.BuildInfo{Main: debug.Module{Path: module, Version: "(devel)"}, Settings: commit}, "devel-0123456789ab-dirty"},
		"without git":     {debug.BuildInfo{Main: debug.Module{Path: module, Version: "(devel)"}}, "devel"},
		"replaced":        {debug.BuildInfo{Main: other, Deps: []*debug.Module{{Path: module, Version: "v0.0.0", Replace: &debug.Module{Path: "../.."}}}, Settings: commit}, "devel"},
	} {
		if got := versionOf(&c.info); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	if got := Version("v7.0.0"); got != "v7.0.0" {
		t.Errorf("linked: %s", got)
	}
}
