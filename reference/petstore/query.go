package petstore

import (
	"errors"
	"net/url"
	"strconv"
	"strings"
)

// The limits of a page's size, in animals, and the default.
const (
	MinLimit     = 1
	MaxLimit     = 100
	defaultLimit = 20
)

// parseList parses the query of listPets. Unlike most parsers, which take what they understand, it rejects a query with any malformed part,
// and repeated parameters. Every error is meant for the client.
func parseList(rawQuery string) (filter Filter, limit int, err error) {
	query, err := url.ParseQuery(rawQuery)
	if err != nil {
		return Filter{}, 0, errors.New("the query is malformed: it has a bad percent escape or a semicolon")
	}

	limit = defaultLimit
	switch values := query["limit"]; len(values) {
	case 0:
	case 1:
		n, ok := ParseInteger(values[0])
		if !ok || n < MinLimit || n > MaxLimit {
			return Filter{}, 0, errors.New("the limit must be an integer from 1 to 100")
		}
		limit = int(n)
	default:
		return Filter{}, 0, errors.New("the limit is given more than once")
	}

	switch values := query["status"]; len(values) {
	case 0:
	case 1:
		filter.Status = Status(values[0])
		if !filter.Status.Valid() {
			return Filter{}, 0, errors.New("the status must be available, pending or sold")
		}
	default:
		return Filter{}, 0, errors.New("the status is given more than once")
	}
	return filter, limit, nil
}

// ParseInteger parses an int64 from decimal digits with an optional minus sign. It accepts no plus sign, spaces, fraction or other base.
func ParseInteger(text string) (n int64, ok bool) {
	digits := strings.TrimPrefix(text, "-")
	if strings.ContainsFunc(digits, func(r rune) bool { return r < '0' || r > '9' }) {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64) // rejects the empty text
	return n, err == nil
}
