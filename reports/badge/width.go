package badge

// fontSize is the size of both texts, in pixels.
const fontSize = 11

// width returns the width of a text in Verdana, in whole pixels.
func width(text string) int {
	thousandths := 0
	for _, r := range text {
		thousandths += advance(r)
	}
	return (thousandths*fontSize + 999) / 1000
}

// advance returns the width of a character in Verdana, in thousandths of the font size.
func advance(r rune) int {
	switch r {
	case 'i', 'l':
		return 274
	case 'j':
		return 344
	case ' ', 'f':
		return 352
	case 't':
		return 394
	case 'r':
		return 427
	case '/', '-':
		return 454
	case 'c', 's':
		return 521
	case 'z':
		return 525
	case 'k', 'v', 'x', 'y':
		return 592
	case 'e':
		return 596
	case 'a':
		return 601
	case 'o':
		return 607
	case 'b', 'd', 'g', 'p', 'q':
		return 623
	case 'h', 'n', 'u':
		return 633
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return 636
	case 'w':
		return 818
	case 'm':
		return 973
	}
	return 1000 // wider than nearly all others
}
