package scheme

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/hallmark-kit/hallmark/steps/turn"
)

const (
	// fetchTimeout is the time limit for fetching a token with all its requests.
	fetchTimeout = 30 * time.Second
	// maxMargin is the maximum time before its end at which a token is renewed; otherwise it is a tenth of its lifetime.
	maxMargin = 30 * time.Second
	// failureHolds is how long a failed fetch is not retried, so that not every scenario contacts the log-in in turn.
	failureHolds = 5 * time.Second
)

// fetched is what an endpoint granted.
type fetched struct {
	value   string
	cookies []*http.Cookie
	// lifetime is how long it is valid, or 0 if unknown.
	lifetime time.Duration
	// scopes are those that an endpoint says it granted. unscoped reports whether it did not know the requested ones.
	scopes   []string
	unscoped bool
}

// tokenKey identifies a token: of a role for a scheme, or for all schemes if scheme is empty.
type tokenKey struct{ role, scheme string }

// token is a token that is fetched when needed, and renewed before it expires.
type token struct {
	// turn is held while reading or fetching the token.
	turn  turn.Turn
	fetch fetcher

	got     fetched
	fetched bool
	renewAt time.Time // zero for never
	failure error
	failed  time.Time
}

// fetcher fetches a token.
type fetcher func(ctx context.Context) (fetched, error)

// token returns the current token. If several callers wait for a new one, only one of them fetches it.
func (k *Keyring) token(ctx context.Context, key tokenKey, fetch fetcher) (fetched, error) {
	k.mu.Lock()
	t := k.tokens[key]
	if t == nil {
		t = &token{turn: turn.New(), fetch: fetch}
		k.tokens[key] = t
	}
	k.mu.Unlock()
	leave, err := t.turn.Take(ctx)
	if err != nil {
		return fetched{}, context.Cause(ctx)
	}
	defer leave()
	if !t.fetched || !t.renewAt.IsZero() && !k.Now().Before(t.renewAt) {
		if err := k.renew(ctx, t); err != nil {
			return fetched{}, err
		}
	}
	return t.got, nil
}

// renew replaces the token with a new one.
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
