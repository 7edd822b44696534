package scheme

import (
	"context"
	"errors"
	"net/http"
	"time"
)

const (
	// fetchTimeout bounds one fetch of a token, with all of its requests.
	fetchTimeout = 30 * time.Second
	// maxMargin is how long before its end a token is renewed at the most; a tenth of its lifetime otherwise.
	maxMargin = 30 * time.Second
	// failureHolds is how long a failed fetch is not tried again: a log-in must not be asked by every scenario in turn.
	failureHolds = 5 * time.Second
)

// fetched is what an endpoint granted.
type fetched struct {
	value   string
	cookies []*http.Cookie
	// lifetime is how long it is valid; 0 when nobody says.
	lifetime time.Duration
	// scopes are those that an endpoint says it granted; unscoped reports whether it did not know those that were asked for.
	scopes   []string
	unscoped bool
}

// tokenKey names a token: of a role, for a scheme; without one, for whatever the role asks.
type tokenKey struct{ role, scheme string }

// token is a token that is fetched when it is needed, and renewed before it expires.
type token struct {
	// turn is held by whoever looks at or fetches the token.
	turn  chan struct{}
	fetch fetcher

	got     fetched
	version int
	renewAt time.Time // zero for never
	// pressed reports whether the token was fetched since a 401 refused the one before, and none was accepted since.
	pressed bool
	failure error
	failed  time.Time
}

// fetcher fetches a token.
type fetcher func(ctx context.Context) (fetched, error)

// usedToken is a token as it was when a credential was made of it.
type usedToken struct {
	token   *token
	version int
	got     fetched
}

// token returns the current token. Of those that wait for a new one, a single one fetches it.
func (k *Keyring) token(ctx context.Context, key tokenKey, fetch fetcher) (usedToken, error) {
	k.mu.Lock()
	t := k.tokens[key]
	if t == nil {
		t = &token{turn: make(chan struct{}, 1), fetch: fetch}
		k.tokens[key] = t
	}
	k.mu.Unlock()
	if err := t.enter(ctx); err != nil {
		return usedToken{}, err
	}
	defer t.leave()
	if t.version == 0 || !t.renewAt.IsZero() && !k.Now().Before(t.renewAt) {
		if err := k.renew(ctx, t); err != nil {
			return usedToken{}, err
		}
	}
	return usedToken{token: t, version: t.version, got: t.got}, nil
}

func (t *token) enter(ctx context.Context) error {
	select {
	case t.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (t *token) leave() { <-t.turn }

// renew fetches a token in the place of the one that is there.
func (k *Keyring) renew(ctx context.Context, t *token) error {
	if t.failure != nil && k.Now().Sub(t.failed) < failureHolds {
		return t.failure
	}
	bounded, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	got, err := t.fetch(bounded)
	if err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if errors.Is(err, context.DeadlineExceeded) {
			err = errors.New("no response came within 30 seconds")
		}
		t.failure, t.failed = err, k.Now()
		return err
	}
	t.failure = nil
	t.got = got
	t.version++
	t.renewAt = time.Time{}
	if got.lifetime > 0 {
		t.renewAt = k.Now().Add(got.lifetime - min(maxMargin, got.lifetime/10))
	}
	return nil
}

// Refused says that a right credential got a 401, and reports whether the request is worth another try with what [Keyring.For]
// returns then. A token is renewed once: if the new one is refused too, and no response accepted it in between, the service
// refuses for another reason.
func (k *Keyring) Refused(ctx context.Context, c Credential) (again bool, err error) {
	for _, used := range c.used {
		one, err := k.refused(ctx, used)
		if err != nil {
			return false, err
		}
		again = again || one
	}
	return again, nil
}

func (k *Keyring) refused(ctx context.Context, used usedToken) (bool, error) {
	t := used.token
	if err := t.enter(ctx); err != nil {
		return false, err
	}
	defer t.leave()
	switch {
	case t.version != used.version:
		return true, nil // another one has renewed it
	case t.pressed:
		return false, nil
	}
	if err := k.renew(ctx, t); err != nil {
		return false, err
	}
	t.pressed = true
	return true, nil
}

// Accepted says that a service let a credential in, so that a later 401 may again mean that its token ended.
func (k *Keyring) Accepted(ctx context.Context, c Credential) {
	for _, used := range c.used {
		if used.token.enter(ctx) != nil {
			return
		}
		if used.token.version == used.version {
			used.token.pressed = false
		}
		used.token.leave()
	}
}
