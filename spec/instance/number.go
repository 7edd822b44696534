package instance

import (
	"encoding/json"
	"math/big"
	"strings"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

// parse parses a JSON number exactly; nil if it is not one, or is longer than hallmark supports.
func parse(text string) *big.Rat {
	if !exactjson.IsNumber(text) || exactjson.IsHuge(text) {
		return nil
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil
	}
	return r
}

// write returns the decimal text of a number that has a finite one.
func write(r *big.Rat) json.Number {
	digits, _ := r.FloatPrec()
	return json.Number(r.FloatString(digits))
}

// stepOf returns the smallest step that the text of a number shows: 0.01 for "2.50", 1 for "10".
func stepOf(text string) *big.Rat {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	_, fraction, _ := strings.Cut(mantissa, ".")
	step := big.NewRat(1, 1)
	if fraction != "" {
		step.SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(len(fraction))), nil))
	}
	if strings.HasPrefix(exponent, "-") {
		if scale := parse("1e" + exponent); scale != nil {
			step.Mul(step, scale)
		}
	}
	return step
}

func plus(a, b *big.Rat) *big.Rat  { return new(big.Rat).Add(a, b) }
func minus(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }
func half(a *big.Rat) *big.Rat     { return new(big.Rat).Mul(a, big.NewRat(1, 2)) }

// floor returns the greatest integer that is not above r.
func floor(r *big.Rat) *big.Int {
	return new(big.Int).Div(r.Num(), r.Denom()) // Euclidean, and the denominator is positive
}

// multipleBelow returns the greatest multiple of unit that is not above r, multipleAbove the least that is not below it.
func multipleBelow(r, unit *big.Rat) *big.Rat {
	n := floor(new(big.Rat).Quo(r, unit))
	return new(big.Rat).Mul(new(big.Rat).SetInt(n), unit)
}

func multipleAbove(r, unit *big.Rat) *big.Rat {
	m := multipleBelow(r, unit)
	if m.Cmp(r) < 0 {
		m.Add(m, unit)
	}
	return m
}

func isMultiple(r, unit *big.Rat) bool { return new(big.Rat).Quo(r, unit).IsInt() }

// commonMultiple returns the least common multiple of two numbers.
func commonMultiple(a, b *big.Rat) *big.Rat {
	num := new(big.Int).Mul(a.Num(), b.Num())
	num.Div(num, new(big.Int).GCD(nil, nil, a.Num(), b.Num()))
	return new(big.Rat).SetFrac(num, new(big.Int).GCD(nil, nil, a.Denom(), b.Denom()))
}
