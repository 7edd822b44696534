package prose

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Visible writes text that came from outside so that a terminal shows it and never obeys it: control characters, escape
// sequences, direction marks and other invisible characters become \n, \x1b, \u202e; bytes that are not UTF-8, \xff.
func Visible(s string) string {
	plain := true
	for _, r := range s {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			plain = false
			break
		}
	}
	if plain {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&out, `\x%02x`, s[i])
		case unicode.IsPrint(r):
			out.WriteRune(r)
		default:
			// strconv knows the short forms (\n, \t) and the long ones.
			quoted := strconv.QuoteRune(r)
			out.WriteString(quoted[1 : len(quoted)-1])
		}
		i += size
	}
	return out.String()
}

// Cut shortens text to about limit characters by leaving out its middle, and says how long it was.
func Cut(s string, limit int) string {
	n := utf8.RuneCountInString(s)
	if n <= limit {
		return s
	}
	mark := " … (" + Number(n) + " characters) … "
	keep := max(limit-utf8.RuneCountInString(mark), 8)
	if keep >= n {
		return s
	}
	runes := []rune(s)
	head := (keep*2 + 2) / 3
	return string(runes[:head]) + mark + string(runes[n-(keep-head):])
}

// Columns is the width of text on a terminal, near enough for laying out: wide scripts and emoji take two columns,
// combining marks none.
func Columns(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case r < 0x300:
			n++
		case unicode.In(r, unicode.Mn, unicode.Me):
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul), r >= 0x1F300 && r <= 0x1FAFF, r >= 0xFF01 && r <= 0xFF60:
			n += 2
		default:
			n++
		}
	}
	return n
}

// Pad fills text with spaces up to a width in columns.
func Pad(s string, width int) string {
	if n := Columns(s); n < width {
		return s + strings.Repeat(" ", width-n)
	}
	return s
}

// Wrap breaks text into lines of at most width columns, between words where it can, within a word where it must.
func Wrap(s string, width int) []string {
	width = max(width, 16)
	var lines []string
	line, used := "", 0
	flush := func() {
		lines = append(lines, line)
		line, used = "", 0
	}
	for word := range strings.SplitSeq(s, " ") {
		w := Columns(word)
		if line != "" && used+1+w > width {
			flush()
		}
		if line != "" || used > 0 {
			line, used = line+" ", used+1
		}
		for w > width {
			head, rest := Split(word, width-used)
			if head == "" {
				flush()
				continue
			}
			line += head
			flush()
			word, w = rest, Columns(rest)
		}
		line, used = line+word, used+w
	}
	if line != "" || len(lines) == 0 {
		flush()
	}
	return lines
}

// Split takes as much of a word's beginning as fits into width columns.
func Split(word string, width int) (head, rest string) {
	used := 0
	for i, r := range word {
		used += Columns(string(r))
		if used > width {
			return word[:i], word[i:]
		}
	}
	return word, ""
}

// Number writes a number with thousands set apart: 1,204.
func Number(n int) string {
	digits := strconv.Itoa(n)
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// Plural writes a count with its noun: 1 scenario, 2 scenarios.
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Number(n) + " " + noun + "s"
}

// Were returns the past of "to be" after a count.
func Were(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

// Are returns the present of "to be" after a count.
func Are(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// Duration writes a span of time as a person says it: 12 ms, 0.8 s, 2 min 5 s.
func Duration(d time.Duration) string {
	switch {
	case d < 0:
		return "0 ms"
	case d < time.Millisecond:
		return strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'f', 1, 64) + " ms"
	case d < 100*time.Millisecond:
		return strconv.FormatInt(int64(d/time.Millisecond), 10) + " ms"
	case d < time.Minute:
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
	}
	d = d.Round(time.Second)
	return strconv.FormatInt(int64(d/time.Minute), 10) + " min " + strconv.FormatInt(int64(d%time.Minute/time.Second), 10) + " s"
}

// maxShort bounds what Short returns, in characters.
const maxShort = 240

// Short makes words that came from outside fit to be shown in a sentence: as Visible writes them, and not long.
func Short(text string) string { return Cut(Visible(text), maxShort) }
