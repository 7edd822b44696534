package steps

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"hallmark/reports"
)

// rawly answers each request on a connection of its own with whatever write sends, and closes it.
func rawly(t *testing.T, write func(w io.Writer)) (base string) {
	t.Helper()
	socket, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { socket.Close() })
	go func() {
		for {
			conn, err := socket.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				r, err := http.ReadRequest(bufio.NewReader(conn))
				if err != nil {
					return
				}
				_, _ = io.Copy(io.Discard, r.Body)
				write(conn)
			}()
		}
	}()
	return "http://" + socket.Addr().String() + "/v1"
}

// endlessly writes a text again and again, until the other end has gone.
func endlessly(head, text string) func(io.Writer) {
	return func(w io.Writer) {
		_, err := io.WriteString(w, head)
		for chunk := strings.Repeat(text, 1+(32<<10)/len(text)); err == nil; {
			_, err = io.WriteString(w, chunk)
		}
	}
}

func once(text string) func(io.Writer) {
	return func(w io.Writer) { _, _ = io.WriteString(w, text) }
}

const plainHead = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"

func packed(size int) string {
	var buf bytes.Buffer
	z := gzip.NewWriter(&buf)
	zeros := make([]byte, 1<<20)
	for range size >> 20 {
		_, _ = z.Write(bytes.ReplaceAll(zeros, []byte{0}, []byte{' '}))
	}
	_ = z.Close()
	return buf.String()
}

// A service that answers nonsense has broken a rule; one that stops answering has not. Neither takes much memory.
func TestHostileAnswers(t *testing.T) {
	body := func(text string) string { return plainHead + "\r\n" + text }
	for name, test := range map[string]struct {
		write func(io.Writer)
		lost  bool
		says  string
	}{
		"endless text":            {endlessly(plainHead+"\r\n\"", "abcdefgh"), false, "no end of it within the first 8 MiB"},
		"endless list":            {endlessly(plainHead+"\r\n[", `{"id":1,"name":"x","categoryId":1},`), false, "list.maximum"},
		"endless empty lists":     {endlessly(plainHead+"\r\n[", `[],`), false, "list.maximum"},
		"endless blanks":          {endlessly(plainHead+"\r\n", "        "), false, "no end of it"},
		"a gigabyte, as it says":  {endlessly(plainHead+"Content-Length: 1073741824\r\n\r\n\"", "abcdefgh"), false, "no end of it"},
		"deep nesting":            {once(body(strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000))), false, "nests deeper"},
		"deep nesting, unclosed":  {once(body(strings.Repeat(`{"a":`, 100_000))), false, "nests deeper"},
		"a long number":           {once(body(`[{"id":` + strings.Repeat("9", 5_000_000) + `,"name":"x","categoryId":1}]`)), false, "pet.id: the number 9999"},
		"no UTF-8":                {once(body("[{\"id\":1,\"name\":\"\xff\xfe\",\"categoryId\":1}]")), false, "not UTF-8"},
		"NUL bytes":               {once(body("[\x00]")), false, "no valid JSON"},
		"a packed bomb":           {once(plainHead + "Content-Encoding: gzip\r\n\r\n" + packed(64<<20)), false, "no end of it"},
		"packed wrongly":          {once(plainHead + "Content-Encoding: gzip\r\n\r\nno gzip at all"), false, "gzip: invalid header"},
		"100,000 headers":         {once("HTTP/1.1 200 OK\r\n" + strings.Repeat("X-A: b\r\n", 100_000) + "\r\n[]"), false, "headers exceeded"},
		"a huge header":           {once("HTTP/1.1 200 OK\r\nX-A: " + strings.Repeat("b", 4<<20) + "\r\n\r\n[]"), false, "headers exceeded"},
		"1xx for ever":            {endlessly("", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"), false, "headers exceeded"},
		"a redirect":              {once("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/v1/pets\r\nContent-Length: 0\r\n\r\n"), false, "status 302"},
		"a short body":            {once(plainHead + "Content-Length: 99\r\n\r\n[]"), false, "the Content-Length is 99, and the body ended after 2 bytes"},
		"a long body":             {once(plainHead + "Content-Length: 2\r\n\r\n[{}]"), false, "no valid JSON"},
		"wrong chunks":            {once(plainHead + "Transfer-Encoding: chunked\r\n\r\nzz\r\n[]\r\n0\r\n\r\n"), false, "invalid byte in chunk length"},
		"a negative length":       {once(plainHead + "Content-Length: -1\r\n\r\n[]"), false, "bad Content-Length"},
		"HTTP/1.0 with an error":  {once("HTTP/1.0 500 Oops\r\n\r\noops"), false, "status 500"},
		"nothing":                 {once(""), true, "EOF"},
		"a chunk that breaks off": {once(plainHead + "Transfer-Encoding: chunked\r\n\r\n4\r\n[]"), true, "unexpected EOF"},
		"a drip":                  {func(w io.Writer) { drip(w) }, true, "no whole answer within"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			transport := NewTransport(2)
			defer transport.CloseIdleConnections()
			p := playRun(t, t.Context(), transport, func(c *Config) {
				c.Target.BaseURL, c.Timeout, c.Concurrency = rawly(t, test.write), 300*time.Millisecond, 2
				if !test.lost {
					c.Timeout = 20 * time.Second
				}
				c.Limits.MaxRequests = 6
				c.Target.ReadOnly, c.Selection.ReadOnly = true, true
			})
			text := fmt.Sprint(p.err, p.ending.Lost)
			for _, f := range p.musts(t) {
				text += "\n" + f.Rule + ": " + f.Actual
			}
			if !strings.Contains(text, test.says) {
				t.Errorf("exit code %d, want it to say %q:\n%s", p.res.ExitCode, test.says, text)
			}
			if found := len(p.musts(t)); test.lost != (found == 0) || !test.lost && p.res.ExitCode != reports.ExitViolated {
				t.Errorf("%d findings, exit code %d: %s", found, p.res.ExitCode, p.res.Because)
			}
			for _, ex := range p.rec.Exchanges {
				if ex.Response != nil && (len(ex.Response.Body) > 256<<10 || ex.Response.Size > maxAnswer) {
					t.Errorf("%d of %d bytes are kept", len(ex.Response.Body), ex.Response.Size)
				}
			}
		})
	}
}

// drip sends a byte now and then, until the other end has gone.
func drip(w io.Writer) {
	if _, err := io.WriteString(w, plainHead+"\r\n["); err != nil {
		return
	}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		if _, err := io.WriteString(w, " "); err != nil {
			return
		}
	}
}

// Animals may have as many fields as the service likes, and be longer than what is read: that is not held against it, and
// not passed either.
func TestAnimalsBeyondMeasureAreNotJudged(t *testing.T) {
	transport := NewTransport(2)
	defer transport.CloseIdleConnections()
	long := plainHead + "\r\n" + `[{"id":1,"name":"x","categoryId":1},{"id":3,"name":"z","categoryId":1},{"id":2,"name":"y","categoryId":1,"photo":"` + strings.Repeat("a", maxAnswer) + `"}]`
	p := playRun(t, t.Context(), transport, func(c *Config) {
		c.Target.BaseURL, c.Timeout, c.Concurrency = rawly(t, once(long)), 20*time.Second, 2
		c.Limits.MaxRequests = 3
		c.Target.ReadOnly, c.Selection.ReadOnly = true, true
		c.Selection.Rules = []string{"list.limit.honoured"}
	})
	if len(p.musts(t)) > 0 || p.res.ExitCode != reports.ExitUnjudged || !strings.Contains(p.ending.Lost, "could not be judged") {
		t.Errorf("%v, exit code %d, lost %q", p.musts(t), p.res.ExitCode, p.ending.Lost)
	}
}
