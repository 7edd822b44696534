package wire

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// items reads a stream byte by byte, as a slow server sends it, and returns its items as JSON, or their errors.
func items(t testing.TB, media, text string) ([]string, error) {
	t.Helper()
	var all []string
	err := Items(media, iotest.OneByteReader(strings.NewReader(text)), 1000, func(i Item) error {
		encoded, err := JSON(i.Value)
		if i.Err != nil {
			encoded = []byte("! " + i.Err.Error())
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(encoded))
		return nil
	})
	return all, err
}

func TestEvents(t *testing.T) {
	tests := map[string]struct {
		text string
		want []string
	}{
		// The examples of WHATWG HTML, section 9.2.6.
		"lines are joined":      {"data: YHOO\ndata: +2\ndata: 10\n\n", []string{`{"data":"YHOO\n+2\n10"}`}},
		"comments and ids":      {": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n", []string{`{"data":"first event","id":"1"}`, `{"data":"second event","id":""}`}},
		"empty data":            {"data\n\ndata\ndata\n\ndata:\n", []string{`{"data":""}`, `{"data":"\n"}`}},
		"one blank is taken":    {"data:test\n\ndata: test\n\n", []string{`{"data":"test"}`, `{"data":"test"}`}},
		"CR, LF and CRLF":       {"data: a\r\rdata: b\r\n\r\ndata: c\n\n", []string{`{"data":"a"}`, `{"data":"b"}`, `{"data":"c"}`}},
		"a mark at the start":   {"\ufeffdata: a\n\n", []string{`{"data":"a"}`}},
		"names and times":       {"event: add\nretry: 0010\ndata: {\"a\":1}\n\n", []string{`{"data":"{\"a\":1}","event":"add","retry":10}`}},
		"a time that is none":   {"retry: 1s\ndata: a\n\n", []string{`{"data":"a"}`}},
		"an id with NUL":        {"id: a\x00b\ndata: a\n\n", []string{`{"data":"a"}`}},
		"no data, no event":     {"event: a\n\nid: 1\n\n", nil},
		"no end, no event":      {"data: a\n", nil},
		"unknown fields":        {"foo: bar\nDATA: x\ndata: a\n\n", []string{`{"data":"a"}`}},
		"text that is no UTF-8": {"data: \xff\n\ndata: a\n\n", []string{"! item 0, line 1: the event is not UTF-8", `{"data":"a"}`}},
		"nothing":               {"", nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := items(t, "text/event-stream; charset=utf-8", test.text)
			if diff := cmp.Diff(test.want, got); err != nil || diff != "" {
				t.Error(err, diff)
			}
		})
	}
}

func TestEventsDecodeJSON(t *testing.T) {
	var got []any
	var lines []int
	err := Items("text/event-stream", strings.NewReader("\n: hi\ndata: {\"a\":\ndata: 1}\n\ndata: [DONE]\n\n"), 100, func(i Item) error {
		lines = append(lines, i.Line)
		if i.IsJSON {
			got = append(got, i.Data)
		}
		return nil
	})
	if diff := cmp.Diff([]any{value(t, `{"a":1}`)}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if diff := cmp.Diff([]int{3, 6}, lines); diff != "" {
		t.Error(diff)
	}
}

func TestLinesGoOnAfterAnError(t *testing.T) {
	got, err := items(t, "application/x-ndjson", "{\n1\n")
	if err != nil || len(got) != 2 || !strings.HasPrefix(got[0], "! item 0, line 1: ") || got[1] != "1" {
		t.Error(got, err)
	}
}

func TestUnfinishedItemsSaySo(t *testing.T) {
	for media, text := range map[string]string{"application/x-ndjson": "1\n{", "application/json-seq": "\x1e1\n\x1e{"} {
		var unfinished []bool
		err := Items(media, strings.NewReader(text), 10, func(i Item) error {
			unfinished = append(unfinished, i.Unfinished)
			return nil
		})
		if diff := cmp.Diff([]bool{false, true}, unfinished); err != nil || diff != "" {
			t.Error(media, err, diff)
		}
	}
}

func TestItemsEndOnErrors(t *testing.T) {
	stop := errors.New("stop")
	broken := errors.New("broken")
	for _, media := range []string{"application/x-ndjson", "application/json-seq", "text/event-stream"} {
		text := map[string]string{"application/x-ndjson": "1\n2\n", "application/json-seq": "\x1e1\n\x1e2\n", "text/event-stream": "data: 1\n\ndata: 2\n\n"}[media]
		count := 0
		if err := Items(media, strings.NewReader(text), 100, func(Item) error { count++; return stop }); !errors.Is(err, stop) || count != 1 {
			t.Errorf("%s: %d items, %v", media, count, err)
		}
		reader := io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken))
		if err := Items(media, reader, 100, func(Item) error { return nil }); !errors.Is(err, broken) {
			t.Errorf("%s: %v", media, err)
		}
	}
	if err := Items("application/json", strings.NewReader("1"), 100, nil); err == nil || err.Error() != "application/json is not a stream of items" {
		t.Error(err)
	}
}

// endless repeats a text for ever.
type endless struct {
	text string
	at   int
}

func (e *endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = e.text[e.at]
		e.at = (e.at + 1) % len(e.text)
	}
	return len(b), nil
}

func TestItemsAreBounded(t *testing.T) {
	const limit = 1 << 16
	for media, texts := range map[string][]string{
		"application/x-ndjson": {"1"}, "application/json-seq": {"\x1e1\n", "1"},
		"text/event-stream": {"data: 1", "data: 1\n", "id: 1\n"},
	} {
		for _, text := range texts {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			count := 0
			stop := errors.New("enough")
			err := Items(media, &endless{text: text}, limit, func(Item) error {
				if count++; count > 1000 {
					return stop
				}
				return nil
			})
			runtime.ReadMemStats(&after)
			if reason, ok := ReasonOf(err); (!ok || reason != TooLarge) && !errors.Is(err, stop) {
				t.Errorf("%s %q: %v", media, text, err)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 200*limit {
				t.Errorf("%s %q: %d bytes were allocated", media, text, used)
			}
		}
	}
}

func FuzzItems(f *testing.F) {
	for _, text := range []string{"data: 1\n\n", "data\r\ndata: x\r\n\r\n", "1\n{}\n", "\x1e1\n\x1e{}", "\ufeffid:\x00\n\n"} {
		for i := range uint8(3) {
			f.Add(text, i)
		}
	}
	types := []string{"text/event-stream", "application/jsonl", "application/json-seq"}
	f.Fuzz(func(t *testing.T, text string, which uint8) {
		media := types[int(which)%len(types)]
		at := -1
		read := func(r io.Reader) (all []string) {
			err := Items(media, r, 1000, func(i Item) error {
				if at++; i.Index < 0 || i.Line < 1 {
					t.Fatalf("item %+v", i)
				}
				encoded, err := JSON(i.Value)
				if err != nil && i.Err == nil {
					t.Fatal(err)
				}
				all = append(all, string(encoded))
				return nil
			})
			if err != nil {
				if _, ok := ReasonOf(err); !ok {
					t.Fatal(err)
				}
			}
			return all
		}
		if diff := cmp.Diff(read(strings.NewReader(text)), read(iotest.OneByteReader(strings.NewReader(text)))); diff != "" {
			t.Fatal(diff)
		}
	})
}
