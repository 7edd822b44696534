package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"hallmark/internal/startup"
)

func TestGrowth(t *testing.T) {
	const mebibyte = 1 << 20
	for _, c := range []struct {
		inUse uint64
		want  int
	}{
		{0, startup.Pace},
		{48 * mebibyte, startup.Pace},
		{60 * mebibyte, 80},
		{96 * mebibyte, 50},
		{1024 * mebibyte, 50},
	} {
		if got := growth(c.inUse); got != c.want {
			t.Errorf("with %d MiB in use memory grows by %d %%, want %d %%", c.inUse/mebibyte, got, c.want)
		}
	}
}

// A run paces the collector while it asks, unless others set the bounds or the pace.
func TestPacing(t *testing.T) {
	limit := debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetMemoryLimit(limit) })
	inUse := make([]byte, 64<<20)
	for name, c := range map[string]struct {
		m     memory
		gogc  string
		paces bool
	}{
		"a run":        {memory{bounded: true}, "", true},
		"GOMEMLIMIT":   {memory{}, "", false},
		"GOGC, a run":  {memory{bounded: true}, "120", false},
		"GOGC, no run": {memory{}, "120", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("GOGC", c.gogc)
			startup.SetPace(startup.Pace)
			runtime.GC()
			m := c.m
			m.loaded(1)
			if (m.stopPacing != nil) != c.paces {
				t.Errorf("the run paces the collector: %v, want %v", m.stopPacing != nil, c.paces)
			}
			for i := 0; c.paces && pace() == startup.Pace; i++ {
				if i == 100 {
					t.Fatal("the pace does not change with 64 MiB in use")
				}
				time.Sleep(garbageEvery)
			}
			m.asked()
			if pace() != startup.Pace || m.stopPacing != nil {
				t.Errorf("after the run the pace is %d %%, want %d %%", pace(), startup.Pace)
			}
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
