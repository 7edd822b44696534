package compare

import (
	"regexp"
	"strconv"
	"strings"
)

// cutText is a quoted text up to its end, or up to where the message leaves something out.
const cutText = `"(?:[^"\\]|\\.)*?(?:"| … \([0-9,]+ characters\) … )`

var (
	// counted is how many there were of something ("67 animals"); "status 401 without" is no count.
	counted = regexp.MustCompile(`(status )?\b([0-9]+(?:,[0-9]{3})*)( \p{L}+)`)
	// among is out of how many something was asked: "the order of 92 animals". "41 characters long" is what was asked.
	among = regexp.MustCompile(`\bof [0-9]+(?:,[0-9]{3})*( \p{L}+)`)
	// countedReading is how many a reading says there were.
	countedReading = regexp.MustCompile(`(?:about 10\^[0-9]+|\b0) \p{L}+`)
	// made are names that a run makes up.
	made = regexp.MustCompile(`hallmark-[0-9A-Za-z-]+`)
	// quoted is a text of the service's, whole or with its middle left out, in the text itself or in the whole message.
	quoted = regexp.MustCompile(cutText + `(?: … ` + cutText + `)*(?: \([0-9,]+ characters\))?`)
	number = regexp.MustCompile(`\b(status )?-?[0-9]+(?:[.,][0-9]+)*\b`)
	plural = regexp.MustCompile(`\b0 (\p{L}+)s\b`)
)

// question is what was asked, without what is another in the next run: how full the store was.
func question(asked string) string {
	return among.ReplaceAllString(made.ReplaceAllString(asked, "hallmark-…"), "of …$1")
}

// reading is an answer without what differs between services that read a question alike: the words that they chose, and
// about how many animals there were.
func reading(answer string) string {
	answer = quoted.ReplaceAllString(made.ReplaceAllString(answer, "hallmark-…"), `"…"`)
	return counted.ReplaceAllStringFunc(answer, func(found string) string {
		n, noun, _ := strings.Cut(found, " ")
		switch n {
		case "status":
			return found
		case "0":
		default:
			n = "about 10^" + strconv.Itoa(len(n)-1)
		}
		return n + " " + strings.TrimSuffix(noun, "s")
	})
}

// uncounted is a reading without how many there were.
func uncounted(reading string) string { return countedReading.ReplaceAllString(reading, "") }

// nothing reports whether whatever an answer counts came to nought.
func nothing(answer string) bool {
	for _, m := range counted.FindAllStringSubmatch(answer, -1) {
		if m[1] == "" && m[2] != "0" {
			return false
		}
	}
	return true
}

// kind is the message of a finding without its values, so that the same defect is known again in another run. Statuses
// stay: 200 for 401 is one defect, 500 for 401 another.
func kind(message string) string {
	message = quoted.ReplaceAllString(made.ReplaceAllString(message, "hallmark-…"), `"…"`)
	message = number.ReplaceAllStringFunc(message, func(found string) string {
		if strings.HasPrefix(found, "status ") {
			return found
		}
		return "0"
	})
	return plural.ReplaceAllString(message, "0 $1")
}
