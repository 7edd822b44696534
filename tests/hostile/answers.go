package hostile

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"
)

// Behaviour is a way to respond to every request.
type Behaviour struct {
	Name string
	// Write sends the response. The connection is closed when it returns.
	Write func(w io.Writer, r *http.Request)
	// Early reports whether the response is sent before the request's body is read.
	Early bool
	// Rule is the rule that the response breaks, or empty if nothing is received that could be judged.
	Rule string
	// Says is part of the expected report.
	Says string
	// Asked reports whether the run has to be limited to scenarios of Rule, which a short run may not come to otherwise.
	Asked bool
	// Slow reports whether the client runs into its timeout.
	Slow bool
}

const (
	head      = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
	body      = head + "\r\n"
	megabyte  = 1 << 20
	anAnimal  = `{"id":1,"name":"x","categoryId":1}`
	errorHead = "HTTP/1.1 500 Oops\r\nContent-Type: application/json\r\nConnection: close\r\n"
)

// Answers returns all behaviours.
func Answers() []Behaviour {
	var all []Behaviour
	for _, some := range [][]Behaviour{endless(), lists(), values(), packed(), heads(), lengths(), texts(), late()} {
		all = append(all, some...)
	}
	return all
}

// truncated is what a report says of a body that was not read to its end.
const truncated = "the body was truncated, so it cannot be judged"

// endless returns responses without an end.
func endless() []Behaviour {
	return []Behaviour{
		{Name: "endless text", Write: endlessly(body+`"`, "abcdefgh"), Rule: "create.accepted", Says: truncated},
		{Name: "endless blanks", Write: endlessly(body, "        "), Rule: "create.accepted", Says: truncated},
		{Name: "endless object", Write: endlessly(body+"{", `"a":1,`), Rule: "create.accepted", Says: truncated},
		{Name: "endless error", Write: endlessly(errorHead+"\r\n"+`{"code":"`, "abcdefgh"), Rule: "answer.status", Says: truncated},
		{Name: "a gigabyte, as it says", Write: endlessly(head+"Content-Length: 1073741824\r\n\r\n\"", "abcdefgh"), Rule: "create.accepted", Says: truncated},
		{Name: "endless chunks", Write: endlessly(head+"Transfer-Encoding: chunked\r\n\r\n", "8\r\n        \r\n"), Rule: "create.accepted", Says: truncated},
		{Name: "chunks of one byte", Write: endlessly(head+"Transfer-Encoding: chunked\r\n\r\n", "1\r\n \r\n"), Rule: "create.accepted", Says: truncated},
	}
}

// lists returns responses with more items than requested.
func lists() []Behaviour {
	return []Behaviour{
		{Name: "endless list", Write: endlessly(body+"[", anAnimal+","), Rule: "create.accepted", Says: truncated},
		{Name: "endless list of other animals", Write: counting, Rule: "create.accepted", Says: truncated},
		{Name: "endless list of empty lists", Write: endlessly(body+"[", "[],"), Rule: "create.accepted", Says: truncated},
		{Name: "endless list of empty objects", Write: endlessly(body+"[", "{},"), Rule: "create.accepted", Says: truncated},
		{Name: "endless list of numbers", Write: endlessly(body+"[", "0,"), Rule: "create.accepted", Says: truncated},
		{Name: "endless list of small objects", Write: endlessly(body+"[", `{"":0},`), Rule: "create.accepted", Says: truncated},
		{Name: "a list of 8 MiB, with an end", Write: once(body + "[" + strings.Repeat(anAnimal+",", 220_000) + anAnimal + "]"), Rule: "create.accepted", Says: "has more than 120000 values"},
		{Name: "100 animals of 80,000 characters each", Write: once(body + "[" + animals(100, 80_000) + "]"), Rule: "list.limit.honoured", Says: "100 items", Asked: true},
		{Name: "100 animals with 1,000 fields each", Write: once(body + "[" + fields(100, 1000) + "]"), Rule: "list.limit.honoured", Says: "100 items", Asked: true},
	}
}

// counting writes a list of animals that are all different.
func counting(w io.Writer, _ *http.Request) {
	_, err := io.WriteString(w, body+"[")
	var chunk bytes.Buffer
	for id := 1; err == nil; {
		chunk.Reset()
		for range 1000 {
			fmt.Fprintf(&chunk, `{"id":%d,"name":"animal %d","categoryId":1},`, id, id)
			id++
		}
		_, err = w.Write(chunk.Bytes())
	}
}

// animals returns valid animals with long names.
func animals(n, length int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(`{"id":%d,"name":"%d %s","categoryId":1}`, i+1, i, strings.Repeat("a", length))
	}
	return strings.Join(all, ",")
}

// fields returns valid animals with many unknown fields.
func fields(n, each int) string {
	var more strings.Builder
	for i := range each {
		fmt.Fprintf(&more, `,"f%d":{}`, i)
	}
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(`{"id":%d,"name":"%d","categoryId":1%s}`, i+1, i, more.String())
	}
	return strings.Join(all, ",")
}

// values returns JSON that trips parsers.
func values() []Behaviour {
	return []Behaviour{
		{Name: "deep nesting", Write: once(body + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)), Rule: "create.accepted", Says: "nested more deeply than hallmark"},
		{Name: "deep nesting, unclosed", Write: once(body + strings.Repeat(`{"a":`, 100_000)), Rule: "create.accepted", Says: "nested more deeply than hallmark"},
		{Name: "a number of 5,000,000 digits", Write: once(body + `[{"id":` + strings.Repeat("9", 5_000_000) + `,"name":"x","categoryId":1}]`), Rule: "pet.id", Says: "the number 9999"},
		{Name: "a number of 10,000,000 digits", Write: once(body + `[{"id":` + strings.Repeat("9", 10_000_000) + `,"name":"x","categoryId":1}]`), Rule: "create.accepted", Says: truncated},
		{Name: "a fraction of 5,000,000 digits", Write: once(body + `[{"id":1.` + strings.Repeat("0", 5_000_000) + `1,"name":"x","categoryId":1}]`), Rule: "pet.id", Says: "the number 1.0000"},
		{Name: "a number beyond measure", Write: once(body + `[{"id":1e999999999,"name":"x","categoryId":1}]`), Rule: "pet.id", Says: "1e999999999"},
		{Name: "no UTF-8", Write: once(body + "[{\"id\":1,\"name\":\"\xff\xfe\",\"categoryId\":1}]"), Rule: "answer.json", Says: "not UTF-8"},
		{Name: "megabytes of no UTF-8", Write: once(body + strings.Repeat("\xff", 4*megabyte)), Rule: "answer.json", Says: "not UTF-8"},
		{Name: "NUL bytes", Write: once(body + "[\x00]"), Rule: "answer.json", Says: "invalid character"},
		{Name: "a name of 7 MiB twice", Write: once(body + `[{"id":1,"name":"` + strings.Repeat("a", 3*megabyte) + `","name":"` + strings.Repeat("b", 3*megabyte) + `","categoryId":1}]`), Rule: "answer.names", Says: "twice"},
	}
}

// packed returns responses that are small on the wire and large when decompressed.
func packed() []Behaviour {
	const gzipped = head + "Content-Encoding: gzip\r\n\r\n"
	return []Behaviour{
		{Name: "a packed bomb", Write: once(gzipped + pack("        ", 1<<30)), Rule: "create.accepted", Says: truncated},
		{Name: "a packed list", Write: once(gzipped + pack("[", 1) + pack(anAnimal+",", 64*megabyte)), Rule: "create.accepted", Says: truncated},
		{Name: "packed wrongly", Write: once(gzipped + "no gzip at all"), Rule: "answer.json", Says: "gzip: invalid header"},
		{Name: "packed twice", Write: once(head + "Content-Encoding: gzip\r\n\r\n" + pack(pack("[]", 2), 1)), Rule: "answer.json", Says: "it is not UTF-8"},
	}
}

// pack compresses a text, repeated up to a size.
func pack(text string, size int) string {
	var buf bytes.Buffer
	z := gzip.NewWriter(&buf)
	chunk := []byte(strings.Repeat(text, 1+min(size, megabyte)/len(text)))
	if size < len(chunk) {
		chunk = []byte(text)
	}
	_, _ = z.Write(chunk)
	_ = z.Close()
	return strings.Repeat(buf.String(), max(1, size/len(chunk))) // parts compressed separately are decompressed as one
}

// heads returns responses whose first lines are wrong.
func heads() []Behaviour {
	const status = "HTTP/1.1 200 OK\r\n"
	many := func(n int) string { // all different
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "X-%d: b\r\n", i)
		}
		return b.String()
	}
	return []Behaviour{
		{Name: "100,000 headers", Write: once(status + strings.Repeat("X-A: b\r\n", 100_000) + "\r\n[]"), Rule: "answer.status", Says: "headers exceeded"},
		{Name: "4,000 headers", Write: once(head + many(4_000) + "\r\n[]x"), Rule: "answer.json", Says: "text follows the value"},
		{Name: "a header of 4 MiB", Write: once(status + "X-A: " + strings.Repeat("b", 4*megabyte) + "\r\n\r\n[]"), Rule: "answer.status", Says: "headers exceeded"},
		{Name: "a header of 100 KiB", Write: once(head + "X-A: " + strings.Repeat("b", 100<<10) + "\r\n\r\n[]x"), Rule: "answer.json", Says: "text follows the value"},
		{Name: "a status line without end", Write: endlessly("HTTP/1.1 200 ", "abcdefgh"), Rule: "answer.status", Says: "headers exceeded"},
		{Name: "1xx for ever", Write: endlessly("", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"), Rule: "answer.status", Says: "headers exceeded"},
		{Name: "a redirect", Write: once("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/v1/pets\r\nContent-Length: 0\r\n\r\n"), Says: "302, with the key and without it"},
		{Name: "a redirect to a script", Write: once("HTTP/1.1 307 T\r\nLocation: javascript:alert(1)\r\nContent-Length: 0\r\n\r\n"), Says: "307, with the key and without it"},
		{Name: "HTTP/1.0 with an error", Write: once("HTTP/1.0 500 Oops\r\n\r\noops"), Rule: "answer.status", Says: "status 500"},
		{Name: "another protocol", Write: silence("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"), Rule: "answer.status", Says: "status 101"},
		{Name: "no HTTP", Write: once("220 mail.example.com ESMTP\r\n"), Rule: "answer.status", Says: "malformed HTTP"},
		{Name: "nothing", Write: once(""), Says: "EOF"},
	}
}

// lengths returns responses with a wrong body length.
func lengths() []Behaviour {
	const chunked = head + "Transfer-Encoding: chunked\r\n"
	return []Behaviour{
		{Name: "a short body", Write: once(head + "Content-Length: 99\r\n\r\n[]"), Rule: "answer.json", Says: "the Content-Length is 99, and the body ended after 2 bytes"},
		{Name: "a long body", Write: once(head + "Content-Length: 2\r\n\r\n[{}]"), Rule: "answer.json", Says: "it ends too early"},
		{Name: "a negative length", Write: once(head + "Content-Length: -1\r\n\r\n[]"), Rule: "answer.status", Says: "bad Content-Length"},
		{Name: "two lengths", Write: once(head + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n[]"), Rule: "answer.status", Says: "Content-Length"},
		{Name: "wrong chunks", Write: once(chunked + "\r\nzz\r\n[]\r\n0\r\n\r\n"), Rule: "answer.json", Says: "invalid byte in chunk length"},
		{Name: "a chunk that breaks off", Write: once(chunked + "\r\n4\r\n[]"), Says: "unexpected EOF"},
		{Name: "a chunk of 2^64 bytes", Write: once(chunked + "\r\n10000000000000000\r\n[]"), Rule: "answer.json", Says: "chunk length too large"},
		{Name: "trailers without end", Write: endlessly(chunked+"Trailer: X-A\r\n\r\n2\r\n[]\r\n0\r\n", "X-A: b\r\n"), Rule: "answer.json", Says: "trailer"},
	}
}

// escapes returns texts that must not be displayed raw: they control a terminal, reverse the writing direction, or are markup.
func escapes() []string {
	return []string{
		"\x1b]0;owned\a", "\x1b[2J\x1b[31m", "\x9b31m", "\u009b31m", "\u202e", "\u2066", "\b\b\b", "\r", "<script>alert(1)</script>",
		`"><img src=x onerror=alert(1)>`, "](javascript:alert(1))", "\u2028", "\ufeff", "]]>", "::error::x",
	}
}

// texts returns responses that do harm where they are displayed.
func texts() []Behaviour {
	evil := strings.Join(escapes(), "|")
	quoted, inHeader := inJSON(evil), strings.Map(withoutControls, evil)
	const status = "HTTP/1.1 200 OK\r\nConnection: close\r\n"
	return []Behaviour{
		{Name: "escapes in an error", Write: once("HTTP/1.1 418 Bad\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n" +
			`{"code":"` + quoted + `","message":"` + quoted + `","status":418}`), Rule: "answer.status", Says: "status 418"},
		{Name: "escapes in animals", Write: once(body + `[{"id":1,"name":"` + quoted + `","categoryId":"` + quoted + `","status":"` + quoted + `"}]`),
			Rule: "pet.status", Says: "the string"},
		{Name: "escapes in names of fields", Write: once(body + `[{"id":1,"` + quoted + `":1,"` + quoted + `":2}]`), Rule: "pet.name", Says: "no property name"},
		{Name: "escapes in no JSON", Write: once(body + evil), Rule: "answer.json", Says: "not UTF-8"},
		{Name: "escapes in the media type", Write: once(status + "Content-Type: text/" + inHeader + "\r\n\r\n[]"), Rule: "answer.media-type", Says: "text/"},
		{Name: "escapes in headers", Write: once(head + "X-A: " + inHeader + "\r\nLocation: " + inHeader + "\r\n\r\n[]x"), Rule: "answer.json", Says: "text follows the value"},
		{Name: "controls in headers", Write: once(head + "X-A: " + strings.ReplaceAll(evil, "\r", "") + "\r\n\r\n[]"), Rule: "answer.status", Says: "malformed MIME header"},
		{Name: "controls in the name of a header", Write: once(head + "\x1b[31m: x\r\n\r\n[]"), Rule: "answer.status", Says: "malformed"},
		{Name: "controls in the status line", Write: once("HTTP/1.1 2\x1b[31m00 \x1b[31mOK\r\n\r\n[]"), Rule: "answer.status", Says: "malformed HTTP"},
		{Name: "a page of HTML", Write: once(status + "Content-Type: text/html\r\n\r\n<html><body onload=alert(1)><h1>Gateway</h1>"), Says: "nothing of this interface answers"},
	}
}

// inJSON returns a text as the content of a JSON string, escaping only what must be escaped.
func inJSON(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == utf8.RuneError: // a byte that JSON must not contain
		case r < ' ' || r == '"' || r == '\\':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func withoutControls(r rune) rune {
	if r < ' ' {
		return -1
	}
	return r
}

// late returns responses that come too late, or too soon.
func late() []Behaviour {
	return []Behaviour{
		{Name: "a drip", Write: drip(body + "["), Says: "no whole response within", Slow: true},
		{Name: "a drip of headers", Write: drip("HTTP/1.1 200 OK\r\nX-A: "), Says: "no whole response within", Slow: true},
		{Name: "silence", Write: silence(""), Says: "no whole response within", Slow: true},
		{Name: "an early answer", Early: true, Write: once(body + "[]x"), Rule: "answer.json", Says: "text follows the value"},
	}
}
