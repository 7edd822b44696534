package generate

import (
	"strings"
	"unicode"

	"pgregory.net/rapid"
)

// affix is the text that is generated around a fresh name.
type affix struct{ before, after string }

// Evenly picks each of the values equally often. rapid itself prefers the first ones, which makes for simple examples
// where there are hundreds of them; here there are ten.
func Evenly[E any](all []E) *rapid.Generator[E] {
	const bits = 10
	bit := rapid.Bool()
	return rapid.Custom(func(t *rapid.T) E {
		n := 0
		for range bits {
			n <<= 1
			if bit.Draw(t, "bit") {
				n++
			}
		}
		return all[n%len(all)]
	})
}

// flavours lists what names are made of that services have got wrong, each on its own, so that few examples meet all.
func flavours() []*rapid.Generator[affix] {
	letters := rapid.Map(Evenly([]rune("ABCXYZabcxyz0189 -_.")), toText)
	from := func(text string) *rapid.Generator[string] { return rapid.Map(Evenly([]rune(text)), toText) }
	tables := func(t ...*unicode.RangeTable) *rapid.Generator[string] {
		return rapid.Map(rapid.RuneFrom(nil, t...), toText)
	}
	return []*rapid.Generator[affix]{
		plainAffixes(),
		affixes(letters, from("éüñåçøÉÖžŁőœâí"), tables(unicode.Latin)),
		affixes(words(`" ' \ '' \" \n \u0041 \\ / // ../ ;-- ; : , null + * ? ! @ | ~ ^ = # () []`), from("abc '\"")),
		affixes(from("aeinouAEO"), from("\u0300\u0301\u0302\u0303\u0308\u030a\u030c\u0327"), tables(unicode.Mn)),
		affixes(words("< > & &amp; &lt; &#39; &quot; <b> </b> <script> ` % %41 %00 %s %n $ ${HOME} {{7*7}} {} '"), from("<>&\"'")),
		affixes(tables(astral()), letters, from("👨‍👩‍👧🏽🇨🇭")),
		// Blanks and characters that cannot be seen, at the ends too.
		affixes(from("\u00a0\u2003\u3000\t\n\r"), from(" "), from("\u200b\u200c\u200d\u2060\ufeff\u00ad\u202e\u2028–—"), letters),
		affixes(tables(unicode.Han, unicode.Arabic, unicode.Hebrew, unicode.Devanagari, unicode.Hangul, unicode.Greek), rapid.Map(rapid.Rune(), toText)),
		affixes(tables(unicode.Cc), letters),
		// Letters that change their length, or do not come back, when their case is changed or they are normalised.
		affixes(from("İıßẞﬁſ\u212a\u212bΩΣςǅȺŉΐ½①ﾊ"), letters),
	}
}

func words(text string) *rapid.Generator[string] { return Evenly(strings.Fields(text)) }

func toText(r rune) string { return string(r) }

// astral holds characters beyond the basic plane: emoji, letters for mathematics, old scripts, rare Chinese.
func astral() *unicode.RangeTable {
	return &unicode.RangeTable{R32: []unicode.Range32{
		{Lo: 0x10330, Hi: 0x1034A, Stride: 1},
		{Lo: 0x1D400, Hi: 0x1D454, Stride: 1},
		{Lo: 0x1F300, Hi: 0x1F64F, Stride: 1},
		{Lo: 0x20000, Hi: 0x20020, Stride: 1},
	}}
}

// affixes generates text of some sorts of pieces: mostly short, now and then of some hundred characters.
func affixes(pieces ...*rapid.Generator[string]) *rapid.Generator[affix] {
	piece := rapid.OneOf(pieces...)
	of := func(least, most int) *rapid.Generator[string] {
		return rapid.Map(rapid.SliceOfN(piece, least, most), func(p []string) string { return strings.Join(p, "") })
	}
	before := Evenly([]*rapid.Generator[string]{of(3, 12), of(5, 20), of(22, 60), of(80, 300)})
	after := of(0, 12)
	return rapid.Custom(func(t *rapid.T) affix {
		return affix{before.Draw(t, "length").Draw(t, "before"), after.Draw(t, "after")}
	})
}

// plainAffixes generates text that leaves a name plain: see IsPlainName.
func plainAffixes() *rapid.Generator[affix] {
	const most = 40 - len(sampleName)
	letter := rapid.Map(Evenly([]rune("ABCXYZabcxyz0189")), toText)
	return rapid.Custom(func(t *rapid.T) affix {
		n := Evenly([]int{0, 2, 6, 12, most - 2}).Draw(t, "length")
		whole := strings.Join(rapid.SliceOfN(letter, n, n).Draw(t, "letters"), "")
		at := rapid.IntRange(0, len(whole)).Draw(t, "at")
		out := affix{whole[:at], whole[at:]}
		if out.before != "" {
			out.before += " "
		}
		if out.after != "" {
			out.after = " " + out.after
		}
		return out
	})
}
