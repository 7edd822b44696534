package hallmark

import (
	"context"
	"io"
	"time"

	"github.com/hallmark-kit/hallmark/internal/inprocess"
)

// Exchanges judges a handler as Run does, and returns the number of exchanges.
func Exchanges(ctx context.Context, o Options) (int, error) {
	env := o.environment()
	env.Stdout, env.Stderr, env.Commands = io.Discard, io.Discard, io.Discard
	settings, err := o.settings(env)
	if err != nil {
		return 0, err
	}
	server := inprocess.Serve(o.Handler)
	defer server.Close()
	settings.Network.Through(server.Dial)
	v, err := judged(ctx, o, env, settings)
	if v == nil {
		return 0, err
	}
	return len(v.Record.Exchanges), nil
}

// MaxTime returns how long a run may take if a deadline is left away.
func MaxTime(left time.Duration) time.Duration { return maxTime(left) }
