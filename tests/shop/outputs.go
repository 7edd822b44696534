package shop

import (
	"io"
	"net/http"
)

// tree is what a search finds.
func (s *service) tree() map[string]any {
	leaf := map[string]any{"name": "leaf", "when": "2026-01-02T03:04:05Z", "count": 1, "raw": encode("leaf")}
	switch {
	case s.is("leaf-nameless"):
		delete(leaf, "name")
	case s.is("leaf-when"):
		leaf["when"] = "2026-02-30T03:04:05Z"
	case s.is("leaf-count"):
		leaf["count"] = 1 << 31
	case s.is("leaf-raw"):
		leaf["raw"] = "no base 64!"
	}
	return map[string]any{"name": "root", "children": []any{map[string]any{"name": "twig", "children": []any{leaf}}}}
}

// write sends a text with its media type.
func write(w http.ResponseWriter, media, text string) {
	if media != "" {
		w.Header().Set("Content-Type", media)
	} else {
		w.Header()["Content-Type"] = nil
	}
	_, _ = io.WriteString(w, text)
}

func (s *service) events(w http.ResponseWriter, _ *http.Request) {
	text := "event: tick\ndata: 1\n\nevent: tock\ndata: 2\n\n"
	switch {
	case s.is("event-unknown"):
		text = "event: tick\ndata: 1\n\nevent: boom\ndata: 2\n\n"
	case s.is("event-data"):
		text = "event: tick\ndata: one\n\n"
	case s.is("event-comments"):
		text = ": hello\n\nretry: 10\nevent: tick\ndata: 1\nid: 7\n\n: bye\n\n"
	}
	write(w, "text/event-stream", text)
}

func (s *service) log(w http.ResponseWriter, _ *http.Request) {
	text := "{\"line\":1}\n{\"line\":2}\n"
	switch {
	case s.is("log-text"):
		text = "{\"line\":1}\n{\"line\":\"2\"}\n"
	case s.is("log-broken"):
		text = "{\"line\":1}\n{\"line\":2\n"
	case s.is("log-empty"):
		text = ""
	}
	write(w, "application/x-ndjson", text)
}

func (s *service) shapes(w http.ResponseWriter, _ *http.Request) {
	text, media := `[{"kind":"circle","radius":1,"side":"x"},{"kind":"square","side":2}]`, "application/json"
	switch {
	case s.is("shape-unknown"):
		text = `[{"kind":"oval","radius":1}]`
	case s.is("shape-swapped"):
		text = `[{"kind":"circle","side":1}]`
	case s.is("shape-repeated"):
		text = `[{"kind":"circle","radius":1,"radius":"x"}]`
	case s.is("shape-repeated-first"):
		text = `[{"kind":"circle","radius":"x","radius":1}]`
	case s.is("names-repeated"):
		text = `[{"kind":"circle","radius":1,"radius":2}]`
	case s.is("names-repeated-alike"):
		text = `[{"kind":"circle","radius":1,"radius":1}]`
	case s.is("shapes-untyped"):
		media = ""
	case s.is("shapes-latin"):
		text = "[{\"kind\":\"circle\",\"radius\":1,\"name\":\"\xe9\"}]"
	case s.is("media-case"):
		media = "Application/JSON; Charset=UTF-8"
	}
	write(w, media, text)
}
