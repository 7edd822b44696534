package truncate

import (
	"fmt"

	"hallmark/spec/phrase"
)

// String returns a text as findings show it: in quotes with whatever cannot be seen escaped, cut in the middle when it is long.
func String(text string) phrase.Value {
	const most = 80
	if runes := []rune(text); len(runes) > most {
		return phrase.Value{
			JSON: fmt.Sprintf("%+q … %+q", string(runes[:most/2]), string(runes[len(runes)-most/2:])), Length: Characters(text),
		}
	}
	return phrase.JSON(fmt.Sprintf("%q", text))
}

// Quoted returns what [String] reads as.
func Quoted(text string) string { return phrase.Of("{}", String(text)).String() }
