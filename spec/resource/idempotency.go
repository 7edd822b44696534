package resource

import (
	"regexp"

	"github.com/hallmark-kit/hallmark/spec"
)

// keyNames matches the names of headers that mark retries of the same request.
var keyNames = regexp.MustCompile(`(?i)^(x-)?idempotency[-_]?(key|id|token)$`)

// IdempotencyKey returns the idempotency key parameter of an operation, or nil.
func IdempotencyKey(op *spec.Operation) *spec.Parameter {
	for i := range op.Parameters {
		p := &op.Parameters[i]
		if p.In == "header" && keyNames.MatchString(p.Name) && (p.Schema == nil || len(p.Schema.Enum) == 0 && p.Schema.Const == "" && (len(p.Schema.Types) == 0 || admits(p.Schema, "string"))) {
			return p
		}
	}
	return nil
}
