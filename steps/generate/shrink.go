package generate

import "math/big"

// Simpler values than the one at hand, those that take most away first.

// fewRunes is the length up to which a text is taken apart character by character.
const fewRunes = 12

// smallerStrings lists texts that lack a part of the given one, or are plainer.
func smallerStrings(text string) []string {
	runes := []rune(text)
	n := len(runes)
	if n == 0 {
		return nil
	}
	out := []string{""}
	for size := n / 2; size > 0 && (size >= n/8 || n <= fewRunes); size /= 2 {
		for at := 0; at < n; at += size {
			end := min(at+size, n)
			out = append(out, string(runes[:at])+string(runes[end:]))
		}
	}
	flat := make([]rune, n)
	for i := range flat {
		flat[i] = 'a'
	}
	if string(flat) != text {
		out = append(out, string(flat))
	}
	if n <= fewRunes {
		for i, r := range runes {
			if r != 'a' {
				plainer := append([]rune(nil), runes...)
				plainer[i] = 'a'
				out = append(out, string(plainer))
			}
		}
	}
	return out
}

// smallerIntegers lists integers nearer to zero: the round ones, the ends of common types, then the half.
func smallerIntegers(text string) []string {
	n, ok := new(big.Int).SetString(text, 10)
	if !ok {
		return nil
	}
	var out []string
	add := func(m *big.Int) {
		if m.CmpAbs(n) < 0 {
			out = append(out, m.String())
		}
	}
	for _, near := range []int64{0, 2, -1, 1 << 15, 1 << 31, -1 << 31, 1 << 32, 1 << 53, 1<<53 + 1, -1<<53 - 1} {
		add(big.NewInt(near))
	}
	add(new(big.Int).Quo(n, big.NewInt(2)))
	return out
}
