package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

func TestGrowth(t *testing.T) {
	const mebibyte = 1 << 20
	for _, c := range []struct {
		inUse uint64
		want  int
	}{
		{0, usualPace},
		{16 * mebibyte, usualPace},
		{32 * mebibyte, 100},
		{40 * mebibyte, 80},
		{64 * mebibyte, leastPace},
		{1024 * mebibyte, leastPace},
	} {
		if got := growth(c.inUse); got != c.want {
			t.Errorf("with %d MiB in use memory grows by %d %%, want %d %%", c.inUse/mebibyte, got, c.want)
		}
	}
}

// A run paces the collector until it has asked everything, and collects more often while a large one draws its results, unless others set
// the pace.
func TestPacing(t *testing.T) {
	inUse := make([]byte, 64<<20)
	for name, gogc := range map[string]string{"by itself": "", "GOGC is set": "120"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("GOGC", gogc)
			debug.SetGCPercent(usualPace)
			runtime.GC()
			var m memory
			m.pace()
			if paces := gogc == ""; (m.stopPacing != nil) != paces {
				t.Errorf("the run paces the collector: %v, want %v", m.stopPacing != nil, paces)
			}
			for i := 0; gogc == "" && pace() == usualPace; i++ {
				if i == 100 {
					t.Fatal("the pace does not change with 64 MiB in use")
				}
				<-time.After(garbageEvery)
			}
			want := usualPace
			if m.bounded = gogc == ""; m.bounded {
				want = resultPace
			}
			m.asked()
			if pace() != want || m.stopPacing != nil {
				t.Errorf("after the run the pace is %d %%, want %d %%", pace(), want)
			}
			debug.SetGCPercent(usualPace)
		})
	}
	runtime.KeepAlive(inUse)
}

// pace returns how often the collector runs, in percent as in GOGC.
func pace() int {
	percent := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(percent)
	return int(percent[0].Value.Uint64())
}
