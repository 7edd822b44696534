package lifecycle

import (
	"testing"
	"time"
)

func TestHistoriesAreExplained(t *testing.T) {
	const ms = time.Millisecond
	set := func(client int, begun, ended int, values ...string) event {
		return event{client: client, set: true, values: values, begun: time.Duration(begun) * ms, ended: time.Duration(ended) * ms}
	}
	read := func(client int, begun, ended int, values ...string) event {
		e := set(client, begun, ended, values...)
		e.set = false
		return e
	}
	late := func(values ...string) event {
		e := read(9, 100, 101, values...)
		e.late = true
		return e
	}
	a, b := set(1, 0, 10, "a", "A"), set(2, 2, 12, "b", "B")
	for name, c := range map[string]struct {
		of   history
		want int
	}{
		"nothing is read":                           {history{a, b}, 0},
		"either of two is last":                     {history{a, b, late("a", "A"), late("a", "A")}, 0},
		"neither is":                                {history{a, b, late("begin", "BEGIN")}, 1},
		"what nobody sent":                          {history{a, b, late("c", "A")}, 1},
		"a part of each":                            {history{a, b, late("a", "B")}, 1},
		"two clients read different ends":           {history{a, b, late("a", "A"), late("b", "B")}, 2},
		"it is gone":                                {history{a, b, late("nothing", "nothing")}, 1},
		"a member that is hidden":                   {history{a, b, late("", "B")}, 0},
		"while it changes, what was before":         {history{a, b, read(3, 5, 6, "begin", "BEGIN")}, 0},
		"while it changes, a part of each":          {history{a, b, read(3, 5, 6, "a", "B")}, 0},
		"while it changes, what nobody sent":        {history{a, b, read(3, 5, 6, "a", "other")}, 1},
		"while it changes, what is not sent yet":    {history{set(1, 20, 30, "a", "A"), read(3, 5, 6, "a", "BEGIN")}, 1},
		"long after one change, what was before it": {history{set(1, 0, 10, "a", "A"), read(3, 80, 90, "begin", "BEGIN")}, 1},
		"soon after one change, what was before it": {history{set(1, 0, 10, "a", "A"), read(3, 40, 50, "begin", "BEGIN")}, 0},
		"an earlier change, overwritten":            {history{set(1, 0, 10, "a", "A"), set(2, 20, 30, "b", "B"), late("a", "A")}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.of.unexplained([]string{"begin", "BEGIN"}, 50*ms); len(got) != c.want {
				t.Errorf("not explained are %v, want %d", got, c.want)
			}
		})
	}
}
