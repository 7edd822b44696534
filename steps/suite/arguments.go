package suite

// SplitArguments splits the arguments of a call in a step at " and " outside quotes.
func SplitArguments(text string) []string {
	var out []string
	for {
		at := -1
		quoted := false
		for i := 0; i+5 <= len(text); i++ {
			switch {
			case text[i] == '\\' && quoted:
				i++
			case text[i] == '"':
				quoted = !quoted
			case !quoted && text[i:i+5] == " and ":
				at = i
			}
			if at >= 0 {
				break
			}
		}
		if at < 0 {
			return append(out, text)
		}
		out = append(out, text[:at])
		text = text[at+5:]
	}
}
