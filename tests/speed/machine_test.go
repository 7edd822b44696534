//go:build unix

package speed

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// load is how long the processors were there, and how long they were busy: with all programs, and with the measured ones.
type load struct{ there, all, own time.Duration }

// tick is the unit in which Linux counts.
const tick = 10 * time.Millisecond

// busy reads how busy the processors were; it is empty where the system does not tell as Linux does.
func busy() load {
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		return load{}
	}
	line, _, _ := strings.Cut(string(stat), "\n")
	l, ok := loadOf(line)
	if !ok {
		return load{}
	}
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var used syscall.Rusage
		if err := syscall.Getrusage(who, &used); err != nil {
			return load{}
		}
		l.own += time.Duration(used.Utime.Nano() + used.Stime.Nano())
	}
	return l
}

// loadOf reads the line of /proc/stat about all processors: user, nice, system, idle, waiting for disks, and what else.
func loadOf(line string) (l load, ok bool) {
	words := strings.Fields(line)
	if len(words) < 9 || words[0] != "cpu" {
		return l, false
	}
	for i, word := range words[1:9] { // guests are counted as users too
		n, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			return l, false
		}
		l.there += time.Duration(n) * tick
		if i != 3 && i != 4 {
			l.all += time.Duration(n) * tick
		}
	}
	return l, true
}

// where names the processors, and how much of them other programs took between two moments.
func where(before, after load) string {
	model := runtime.GOARCH
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			if name, value, _ := strings.Cut(line, ":"); strings.TrimSpace(name) == "model name" {
				model = strings.TrimSpace(value)
				break
			}
		}
	}
	says := fmt.Sprintf("Measured on %s (%s)", text.Count(runtime.NumCPU(), "processor"), model)
	if there := after.there - before.there; there > 0 {
		others := (after.all - before.all) - (after.own - before.own)
		says += fmt.Sprintf(", of which other programs took %.0f %% meanwhile", max(0, 100*others.Seconds()/there.Seconds()))
	}
	return says + "."
}
