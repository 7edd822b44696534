package steps

import "context"

// generatedSteps are those that try what was generated.
func generatedSteps() []form {
	return []form{
		{`generated valid bodies are sent to (\w+)`, func(ctx context.Context, op string) error {
			return from(ctx).whenAnyValid(ctx, op)
		}},
		{`each is refused with 400, or accepted with 201 and comes back exactly`, done},
		{`generated bodies that each break one constraint are sent to (\w+)`, func(ctx context.Context, op string) error {
			return from(ctx).whenAnyInvalid(ctx, op)
		}},
		{`each is refused with 400`, done},
		{`no list holds an animal of theirs`, func(ctx context.Context) error { return from(ctx).whenNoTrace(ctx) }},
		{`generated sequences of (operations|reading operations) are performed`, func(ctx context.Context, which string) error {
			return from(ctx).whenAnySequence(ctx, which == "reading operations")
		}},
		{`each response agrees with those before it`, done},
		{`generated operations of several clients are performed at once`, func(ctx context.Context) error {
			return from(ctx).whenAnyHistory(ctx)
		}},
		{`the responses agree with the operations in some order`, done},
	}
}
