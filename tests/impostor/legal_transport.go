package impostor

import (
	"bytes"
	"compress/gzip"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// legalTransport differ in what HTTP does around the interface.
func legalTransport() []Variant {
	tls := legal("tls", "The service speaks https, HTTP/2 included, with a certificate of its own.")
	tls.TLS = true
	tlsDeep := legal("tls-deep-prefix", "The service speaks https and lives under a long prefix.", underPrefix("/shops/prague/api/v1"))
	tlsDeep.TLS = true
	return []Variant{
		tls,
		tlsDeep,
		legal("faithful", "The service as it is, with nothing changed."),
		legal("prefix-deep", "The service lives under a long prefix.", underPrefix("/shops/prague/api/v1")),
		legal("prefix-other-version", "The prefix holds another version before the last.", underPrefix("/v2/pets/v1")),
		legal("prefix-twice", "The prefix repeats v1.", underPrefix("/v1/v1")),
		legal("prefix-escaped", "The prefix holds characters that are unusual in paths.", underPrefix("/~shop/a:b@c,d=e/v1")),
		legal("headers-many", "Responses carry many headers that the interface does not name.",
			editAnswer(always, func(c *call, a *answer) {
				for name, value := range map[string]string{
					"X-Request-Id": strconv.FormatInt(c.nth, 10), "Cache-Control": "no-store", "Vary": "Accept, Authorization",
					"Link": `</v1/pets?page=2>; rel="next"`, "X-Total-Count": "12345", "Server": "pets/0.0",
					"X-RateLimit-Remaining": "0", "Set-Cookie": "session=1; Path=/", "ETag": `"` + strconv.FormatInt(c.nth, 10) + `"`,
					"Strict-Transport-Security": "max-age=1", "Warning": `299 - "old"`, "Content-Language": "tlh",
				} {
					a.header.Set(name, value)
				}
				if a.status == 201 {
					a.header.Set("Location", "pets/the-new-one")
				}
				if a.status == 401 {
					a.header["Www-Authenticate"] = []string{`Basic realm="a, b"`, `Bearer error="invalid_token", scope="all"`}
				}
			})),
		legal("headers-few", "Answers lack the headers that are merely recommended.",
			editAnswer(always, func(_ *call, a *answer) {
				for _, name := range []string{"WWW-Authenticate", "Deprecation", "Sunset"} {
					a.header.Del(name)
				}
			})),
		legal("headers-retry-after", "Every response carries Retry-After, successes too.",
			editAnswer(always, func(_ *call, a *answer) {
				if a.status < 500 {
					a.header.Set("Retry-After", "3600")
				}
			})),
		legal("date-ahead", "The clock of the service is twenty years ahead.",
			editAnswer(always, func(_ *call, a *answer) {
				a.header.Set("Date", time.Now().AddDate(20, 0, 0).UTC().Format(http.TimeFormat))
			})),
		legal("date-missing", "Answers have no date.",
			editAnswer(always, func(_ *call, a *answer) { a.header["Date"] = nil })),
		legal("gzip", "Bodies are compressed for clients that accept it.", gzipped()),
		legal("connection-close", "Every response closes its connection.",
			editAnswer(always, func(_ *call, a *answer) { a.header.Set("Connection", "close") })),
		legal("connection-close-on-errors", "Errors close their connection.",
			editAnswer(failed, func(_ *call, a *answer) { a.header.Set("Connection", "close") })),
		legal("chunked", "Bodies come in chunks of seven bytes, with no length.", chunked(7, 0)),
		legal("chunked-slowly", "Bodies come in two halves with a pause between them.", chunked(0, 2*time.Millisecond)),
		legal("trailers", "Answers have trailers after their bodies.", func(s *service) {
			next := s.send
			s.send = func(w http.ResponseWriter, c *call, a *answer, text []byte) {
				if c.op == elsewhere {
					next(w, c, a, text)
					return
				}
				maps.Copy(w.Header(), a.header)
				w.WriteHeader(a.status)
				_, _ = w.Write(text)
				w.Header().Set(http.TrailerPrefix+"Server-Timing", "total;dur=1")
			}
		}),
		legal("early-hints", "Before each response comes an informational one.", func(s *service) {
			next := s.send
			s.send = func(w http.ResponseWriter, c *call, a *answer, text []byte) {
				w.Header().Set("Link", "</style.css>; rel=preload")
				w.WriteHeader(http.StatusEarlyHints)
				w.Header().Del("Link")
				next(w, c, a, text)
			}
		}),
		legal("latency", "Every response takes 5 ms longer.",
			wrapHandler(func(s *service, c *call, next func(*call) *answer) *answer {
				s.sleep(5 * time.Millisecond)
				return next(c)
			})),
		legal("latency-uneven", "Some responses take 40 ms longer.",
			wrapHandler(func(s *service, c *call, next func(*call) *answer) *answer {
				if everyNth(c, 23) {
					s.sleep(40 * time.Millisecond)
				}
				return next(c)
			})),
		legal("busy-429", "Every ninth request gets 429, to be repeated at once.", busy(9, 429, "0")),
		legal("busy-429-twice", "Now and then two requests in a row get 429.",
			busyWhen(func(c *call) bool { return c.nth%20 < 2 }, 429, func() string { return "0" })),
		legal("busy-503", "Every 60th request gets 503, to be repeated in a second.", busy(60, 503, "1")),
		legal("busy-429-a-second", "Every 60th request gets 429, to be repeated in a second.", busy(60, 429, "1")),
		legal("busy-503-date", "Every 31st request gets 503, with Retry-After as a date.",
			busyWhen(func(c *call) bool { return everyNth(c, 31) }, 503, func() string {
				return time.Now().UTC().Format(http.TimeFormat)
			})),
		legal("busy-on-creation", "Every fourth creation gets 429, to be repeated at once.", func(s *service) {
			creations := counter()
			busyWhen(func(c *call) bool { return c.op == createPet && creations()%4 == 0 }, 429, func() string { return "0" })(s)
		}),
	}
}

func underPrefix(prefix string) change {
	return func(s *service) { s.prefix = prefix }
}

func gzipped() change {
	return func(s *service) {
		next := s.send
		s.send = func(w http.ResponseWriter, c *call, a *answer, text []byte) {
			if strings.Contains(c.req.Header.Get("Accept-Encoding"), "gzip") && len(text) > 0 {
				a.header.Set("Content-Encoding", "gzip")
				text = zipped(text)
			}
			a.header.Set("Vary", "Accept-Encoding")
			next(w, c, a, text)
		}
	}
}

func zipped(text []byte) []byte {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.HuffmanOnly) // the cheapest to set up
	_, _ = z.Write(text)
	_ = z.Close()
	return b.Bytes()
}

// chunked sends bodies in chunks of the size, or in halves if it is 0.
func chunked(size int, pause time.Duration) change {
	return func(s *service) {
		s.send = func(w http.ResponseWriter, _ *call, a *answer, text []byte) {
			maps.Copy(w.Header(), a.header)
			w.WriteHeader(a.status)
			step := size
			switch {
			case step == 0:
				step = len(text)/2 + 1
			case len(text) > 4096:
				step = 512 // long bodies would take too many
			}
			for begin := 0; begin < len(text); begin += step {
				_, _ = w.Write(text[begin:min(begin+step, len(text))])
				_ = http.NewResponseController(w).Flush()
				s.sleep(pause)
			}
		}
	}
}

func busy(nth int64, status int, after string) change {
	return busyWhen(func(c *call) bool { return everyNth(c, nth) }, status, func() string { return after })
}

// busyWhen answers chosen requests by asking to come again, and does nothing.
func busyWhen(chosen func(*call) bool, status int, after func() string) change {
	return wrapHandler(func(s *service, c *call, next func(*call) *answer) *answer {
		if c.op == elsewhere || !chosen(c) {
			return next(c)
		}
		a := s.failure(c, refusal{status, "busy", "come again"})
		a.header.Set("Retry-After", after())
		return a
	})
}
