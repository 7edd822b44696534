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
	fetched bool
	renewAt time.Time // zero for never
	failure error
	failed  time.Time
}

// fetcher fetches a token.
type fetcher func(ctx context.Context) (fetched, error)

// token returns the current token. Of those that wait for a new one, a single one fetches it.
func (k *Keyring) token(ctx context.Context, key tokenKey, fetch fetcher) (fetched, error) {
	k.mu.Lock()
	t := k.tokens[key]
	if t == nil {
		t = &token{turn: make(chan struct{}, 1), fetch: fetch}
		k.tokens[key] = t
	}
	k.mu.Unlock()
	if err := t.enter(ctx); err != nil {
		return fetched{}, err
	}
	defer t.leave()
	if !t.fetched || !t.renewAt.IsZero() && !k.Now().Before(t.renewAt) {
		if err := k.renew(ctx, t); err != nil {
			return fetched{}, err
		}
	}
	return t.got, nil
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
	t.got, t.fetched = got, true
	t.renewAt = time.Time{}
	if got.lifetime > 0 {
		t.renewAt = k.Now().Add(got.lifetime - min(maxMargin, got.lifetime/10))
	}
	return nil
}
