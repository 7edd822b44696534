package steps

import (
	"encoding/json"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

func TestContact(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newContact(time.Second)
		at := time.Now()
		<-time.After(time.Millisecond)
		for range 8 { // one restart breaks all connections
			if c.lost(at, 0) {
				t.Fatal("given up after one restart")
			}
		}
		if c.row != 1 || c.seen.Lost != 8 {
			t.Errorf("%d in a row, %d lost", c.row, c.seen.Lost)
		}
		tries := 0
		for {
			<-time.After(time.Millisecond)
			release, err := c.admit(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			tries++
			began := time.Now()
			<-time.After(time.Millisecond) // what an exchange takes
			over := c.lost(began, 0)
			release()
			if over {
				break
			}
		}
		if took := time.Since(at); took < time.Second || tries < maxLost-1 || tries > 10 {
			t.Errorf("given up after %v and %d tries", took, tries)
		}
		c.answered()
		if c.lost(time.Now(), 0) {
			t.Error("given up although it had answered")
		}
		if c.answered(); !c.lost(time.Now(), time.Second) {
			t.Error("not given up when no connection was made for the whole patience")
		}
	})
}

func TestLatencies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const timeout = 10 * time.Second
		l := newLatencies()
		wait := func(operation string, want time.Duration) {
			t.Helper()
			if got := l.wait(operation, timeout); got != want {
				t.Errorf("%s has %v, want %v", operation, got, want)
			}
		}
		wait("a", timeout)
		l.answered("b", 9*time.Second) // late, but in time: it keeps all of its time
		wait("b", timeout)
		l = newLatencies()
		l.answered("b", 400*time.Millisecond)
		at := time.Now()
		<-time.After(timeout)
		for range 8 { // all that were under way
			if l.timedOut("a", at, timeout) {
				t.Error("it hangs after one time")
			}
		}
		wait("a", 4*time.Second)
		wait("b", timeout)
		l.answered("a", time.Second)
		wait("a", timeout)
		l = newLatencies()
		for i := range maxSilences {
			at := time.Now()
			<-time.After(time.Second)
			if l.timedOut("a", at, time.Second) != (i == maxSilences-1) {
				t.Errorf("after %d times: %q", i+1, l.hanging("a"))
			}
		}
		wait("b", leastWait) // nothing answers at all
		if l.hanging("b") != "" || l.hanging("a") == "" || len(l.operations()) != 1 {
			t.Errorf("%q hang", l.operations())
		}
	})
}

// A creation of unknown fate may have stored its animal: a later refusal under the same name proves nothing.
func TestDoubtedNamesAreNoTraces(t *testing.T) {
	service := newShop()
	st := rehearse(t, "create.no-trace", service)
	st.s.run.memory.doubt("same")
	service.add(row{"name": "same", "categoryId": json.Number("1")})
	service.instead = func(r *http.Request, _ []byte) *reply {
		if r.Method == "POST" {
			return errorReply(400)
		}
		return nil
	}
	st.do(`a plain body where name is "same"`, "createPet is called", "listPets is called")
	st.finds()
}

var _ net.Conn = (*watchedConn)(nil)
