package lazy

import (
	"regexp"
	"sync"
)

// Regexp returns what compiles a regular expression the first time that it is called. It panics then where [regexp.MustCompile] does.
func Regexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
