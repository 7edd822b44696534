package traffic_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/traffic"
)

// roundTripper is a transport.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// Many exchanges under way at once pass, but only as many are copied as there is room for, and the room is given back.
func TestRoomForExchangesUnderWay(t *testing.T) {
	const body, most, underWay = 32 << 10, 1 << 20, 100
	large := bytes.Repeat([]byte("x"), body)
	var s seen
	room := traffic.NewRoom(most)
	tap := &traffic.Tap{Most: 1 << 20, Requests: true, Submit: s.add, Room: room}
	client := tap.Transport(roundTripper(func(r *http.Request) (*http.Response, error) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return nil, err
		}
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(large)), ContentLength: -1}, nil
	}))
	round := func() {
		t.Helper()
		var answers []*http.Response
		for range underWay {
			answer, err := client.RoundTrip(httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(large)))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.CopyN(io.Discard, answer.Body, body-1); err != nil { // the last byte is still to come
				t.Fatal(err)
			}
			answers = append(answers, answer)
		}
		for _, answer := range answers {
			if rest, err := io.ReadAll(answer.Body); err != nil || len(rest) != 1 {
				t.Errorf("the rest is %d bytes: %v", len(rest), err)
			}
			_ = answer.Body.Close()
		}
	}
	round()
	first, firstDropped := len(s.all), room.Dropped()
	if first == 0 || first*body > most || first+firstDropped != underWay {
		t.Errorf("%d were judged and %d dropped, of %d", first, firstDropped, underWay)
	}
	for _, x := range s.all {
		if len(x.Request.Body) != body || len(x.Response.Body) != body || x.BodyUnknown || x.RequestBodyUnknown {
			t.Errorf("a copy has %d and %d bytes", len(x.Request.Body), len(x.Response.Body))
		}
	}
	round()
	if len(s.all) != 2*first || room.Dropped() != 2*firstDropped {
		t.Errorf("later %d were judged and %d dropped, want %d and %d", len(s.all)-first, room.Dropped()-firstDropped, first, firstDropped)
	}
}

// What fails, and what a handler does with what it was sent, gives its room back, too.
func TestRoomIsGivenBack(t *testing.T) {
	const most = 64 << 10
	large := bytes.Repeat([]byte("x"), most/2)
	var s seen
	tap := &traffic.Tap{Most: most, Requests: true, Submit: s.add, Room: traffic.NewRoom(most)}
	failing := tap.Transport(roundTripper(func(r *http.Request) (*http.Response, error) {
		_, _ = io.Copy(io.Discard, r.Body)
		return nil, errors.New("the connection is lost")
	}))
	aborting := tap.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		panic(http.ErrAbortHandler)
	}))
	switching := tap.Transport(roundTripper(func(r *http.Request) (*http.Response, error) {
		_, _ = io.Copy(io.Discard, r.Body)
		return &http.Response{StatusCode: http.StatusSwitchingProtocols, Body: http.NoBody}, nil
	}))
	post := func() *http.Request { return httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(large)) }
	for range 20 {
		if _, err := failing.RoundTrip(post()); err == nil {
			t.Error("there is no error")
		}
		if _, err := switching.RoundTrip(post()); err != nil {
			t.Error(err)
		}
		func() {
			defer func() { _ = recover() }()
			aborting.ServeHTTP(httptest.NewRecorder(), post())
		}()
	}
	answering := tap.Handler(http.HandlerFunc(func(to http.ResponseWriter, r *http.Request) { _, _ = io.Copy(to, io.LimitReader(r.Body, 10)) }))
	answering.ServeHTTP(httptest.NewRecorder(), post())
	if len(s.all) != 1 {
		t.Errorf("%d exchanges were judged, want 1", len(s.all))
	}
}
