package prose

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// piece is a sentence and its offset in the text that contains it.
type piece struct {
	text   string
	offset int
}

// word is a word of a text and its offset.
type word struct {
	text   string
	offset int
}

var (
	// comment matches an HTML comment, block an HTML tag that ends a paragraph, and inline any other one.
	comment = regexp.MustCompile(`(?s)<!--.*?-->`)
	block   = regexp.MustCompile(`(?i)</?(p|br|li|ul|ol|div|tr|td|th|table|thead|tbody|h[1-6]|pre|dl|dt|dd|blockquote|details|summary)\b[^<>]*>`)
	inline  = regexp.MustCompile(`(?i)</?(a|b|i|em|strong|code|span|sup|sub|tt|u|small|kbd|var|font)\b[^<>]*>`)
	// item matches the beginning of an item of a list, and rule a line that is none.
	item  = regexp.MustCompile(`^\s*([-*+•]|\d{1,3}[.)])\s+`)
	ruler = regexp.MustCompile(`^\s*([-=*_]{3,}|\|?[\s:|-]+\|[\s:|-]*)\s*$`)
)

// split returns the sentences of a text in Markdown or HTML: without headings, code and tables.
func split(text string) []piece {
	text = comment.ReplaceAllStringFunc(text, blank)
	text = inline.ReplaceAllStringFunc(text, func(tag string) string { return strings.Repeat(nothing, len(tag)) })
	text = block.ReplaceAllStringFunc(text, func(tag string) string { return "\n\n" + blank(tag[2:]) })
	var all []piece
	var paragraph []word
	end := func() {
		all = append(all, sentences(paragraph)...)
		paragraph = nil
	}
	fence := ""
	for at := 0; at < len(text); {
		line, next := text[at:], len(text)
		if i := strings.IndexByte(line, '\n'); i >= 0 {
			line, next = line[:i], at+i+1
		}
		bare := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(bare, fence) {
				fence = ""
			}
		case strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~"):
			end()
			fence = bare[:3]
		case bare == "" || ruler.MatchString(line):
			end()
		case strings.HasPrefix(bare, "#"), strings.HasPrefix(bare, "|"):
			end()
		case len(paragraph) == 0 && len(all) > 0 && (strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")) && !item.MatchString(line):
			// indented code
		default:
			start := at
			if mark := item.FindString(line); mark != "" {
				end()
				start, line = start+len(mark), line[len(mark):]
			}
			if quote := strings.TrimLeft(line, " \t"); strings.HasPrefix(quote, ">") {
				start, line = start+len(line)-len(quote)+1, quote[1:]
			}
			paragraph = append(paragraph, wordsOf(line, start)...)
		}
		at = next
	}
	end()
	return all
}

// nothing stands for a byte of a tag within a line, which is left out of its sentence.
const nothing = "\x00"

// blank returns as many blanks as a text has bytes, so that offsets stay the same.
func blank(text string) string { return strings.Repeat(" ", len(text)) }

// wordsOf returns the words of a line that begins at an offset.
func wordsOf(line string, offset int) []word {
	var all []word
	start := -1
	for i, r := range line {
		switch {
		case unicode.IsSpace(r) && start >= 0:
			all = append(all, word{line[start:i], offset + start})
			start = -1
		case !unicode.IsSpace(r) && start < 0:
			start = i
		}
	}
	if start >= 0 {
		all = append(all, word{line[start:], offset + start})
	}
	return all
}

// sentences returns the sentences of a paragraph.
func sentences(words []word) []piece {
	var all []piece
	first := 0
	for i := range words {
		if i+1 < len(words) && !ends(words[i].text, words[i+1].text) {
			continue
		}
		var texts []string
		for _, w := range words[first : i+1] {
			texts = append(texts, w.text)
		}
		if clean := plain(strings.Join(texts, " ")); clean != "" {
			all = append(all, piece{clean, words[first].offset})
		}
		first = i + 1
	}
	return all
}

// abbreviation matches words that end with a full stop and rarely end a sentence.
var abbreviation = regexp.MustCompile(`(?i)^[("'` + "`" + `]*(e\.?g|i\.?e|etc|vs|cf|no|nr|approx|incl|excl|max|min|resp|[a-z])\.$`)

// ends reports whether a sentence ends between two words.
func ends(before, after string) bool {
	bare := strings.TrimRight(before, nothing+"\"'`)]}*_”’»")
	if bare == "" || !strings.ContainsRune(".!?", rune(bare[len(bare)-1])) || abbreviation.MatchString(bare) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(after, nothing+"\"'([*_“‘«"))
	return unicode.IsUpper(r) || unicode.IsDigit(r) || r == '`' || r == '<' || r == '{' || r == '$'
}

var (
	// link matches a link or an image in Markdown.
	link = regexp.MustCompile(`!?\[([^\[\]]*)\]\([^()\s]*(?:\([^()]*\))?[^()]*\)`)
	// emphasis matches words in bold or italics.
	emphasis = regexp.MustCompile(`(^|[\s("'])(\*\*|__|\*|_)(\S(?:[^*_]*[^\s*_])?)(\*\*|__|\*|_)($|[\s)"'.,:;!?])`)
)

// plain returns a sentence without the markup of links and emphasis.
func plain(text string) string {
	text = link.ReplaceAllString(strings.ReplaceAll(text, nothing, ""), "$1")
	for range 2 { // neighbours share a blank
		text = emphasis.ReplaceAllString(text, "$1$3$5")
	}
	text = strings.NewReplacer("&nbsp;", " ", "&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#39;", "'", "&amp;", "&", "’", "'").Replace(text)
	return strings.Join(strings.Fields(text), " ")
}
