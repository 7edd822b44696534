package cli

import (
	"runtime/debug"
	"strings"
)

// Version returns the version of hallmark: the one that the linker set, else that of the module, as the program or as a dependency of one
// that imports it, else the commit it was built from.
func Version(linked string) string {
	if linked != "" {
		return linked
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	return versionOf(info)
}

// module is the path of this module.
const module = "github.com/hallmark-kit/hallmark"

// versionOf returns the version that the build information gives.
func versionOf(info *debug.BuildInfo) string {
	own := info.Main
	for _, dependency := range info.Deps {
		if dependency.Path == module {
			own = *dependency
			if dependency.Replace != nil {
				own.Version = dependency.Replace.Version
			}
		}
	}
	if own.Version != "" && own.Version != "(devel)" {
		return own.Version
	}
	commit, changed := "", ""
	if own.Path == info.Main.Path {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				commit = s.Value[:min(len(s.Value), 12)]
			case s.Key == "vcs.modified" && s.Value == "true":
				changed = "-dirty"
			}
		}
	}
	if commit == "" {
		return "devel"
	}
	return strings.Join([]string{"devel", commit + changed}, "-")
}
