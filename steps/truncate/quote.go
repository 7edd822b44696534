package truncate

import (
	"fmt"

	"hallmark/spec/phrase"
)

// String returns a text as findings show it: quoted, with invisible characters escaped, and cut in the middle if it is long.
func String(text string) phrase.Value {
	const most = 80
	if runes := []rune(text); len(runes) > most {
		return phrase.Value{
			JSON: fmt.Sprintf("%+q … %+q", string(runes[:most/2]), string(runes[len(runes)-most/2:])), Length: Characters(text),
		}
	}
	return phrase.JSON(fmt.Sprintf("%q", text))
}

// Quoted returns [String] as text.
func Quoted(text string) string { return phrase.Of("{}", String(text)).String() }
