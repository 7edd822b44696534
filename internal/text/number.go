package text

import "strconv"

// Number returns n with thousands separators: "1,204".
func Number[N int | int64](n N) string {
	digits := strconv.FormatInt(int64(n), 10)
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// Size returns a number of bytes in a suitable decimal unit: "512 bytes", "8.2 kB", "1.3 MB".
func Size(bytes int) string {
	switch {
	case bytes < 1000:
		return Count(bytes, "byte")
	case bytes < 1_000_000:
		return strconv.FormatFloat(float64(bytes)/1e3, 'f', 1, 64) + " kB"
	}
	return strconv.FormatFloat(float64(bytes)/1e6, 'f', 1, 64) + " MB"
}
