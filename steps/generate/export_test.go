package generate

import "hallmark/spec"

// Shares returns how many shares the kinds of invalid bodies have together.
func Shares(op spec.Operation, rule RuleFunc) int {
	sum := 0
	for _, r := range newBreaker(op, nil, rule).recipes() {
		sum += r.share
	}
	return sum
}

// Alphabets returns how many alphabets there are for names.
func Alphabets() int { return len(flavours()) }
