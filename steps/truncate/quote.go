package truncate

import "fmt"

// Quoted returns text in quotes with whatever cannot be seen escaped, cut in the middle when it is long.
func Quoted(text string) string {
	const most = 80
	if runes := []rune(text); len(runes) > most {
		return fmt.Sprintf("%+q … %+q (%d characters)", string(runes[:most/2]), string(runes[len(runes)-most/2:]), Characters(text))
	}
	return fmt.Sprintf("%q", text)
}
