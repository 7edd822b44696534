package vocabulary

import (
	"context"

	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// step adapts a function for a step whose pattern has no group; stepWith does so for one group, stepWithTwo for
// two.
func step(do func(context.Context, *scenario.Scenario) error) func(context.Context) error {
	return func(ctx context.Context) error { return do(ctx, scenario.From(ctx)) }
}

func stepWith(do func(context.Context, *scenario.Scenario, string) error) func(context.Context, string) error {
	return func(ctx context.Context, a string) error { return do(ctx, scenario.From(ctx), a) }
}

func stepWithTwo(do func(context.Context, *scenario.Scenario, string, string) error) func(context.Context, string, string) error {
	return func(ctx context.Context, a, b string) error { return do(ctx, scenario.From(ctx), a, b) }
}
