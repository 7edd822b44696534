package service

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// sell counts the copies of an order as ordered, and returns what they cost. A line means the newest book of its title.
func sell(a *asked, order map[string]any) json.Number {
	lines, _ := order["lines"].([]any)
	total, floats := new(big.Rat), 0.0
	for i, one := range lines {
		line, _ := one.(map[string]any)
		copies := exact(line["copies"])
		book := titled(a.shop.books, line["title"])
		if book == nil || copies == nil {
			continue
		}
		price := exact(book.members["price"])
		if price == nil {
			price = new(big.Rat)
		}
		if a.is("counts-lines") {
			copies = big.NewRat(1, 1)
		}
		if a.is("total-of-the-first") && i > 0 {
			continue
		}
		total.Add(total, new(big.Rat).Mul(price, copies))
		each, _ := price.Float64()
		many, _ := copies.Float64()
		floats += each * many
		if !a.is("copies-uncounted") {
			book.ordered += int(copies.Num().Int64())
		}
	}
	switch {
	case a.is("total-by-floats"):
		return json.Number(strconv.FormatFloat(floats, 'f', -1, 64))
	case a.shop.is("totals-in-cents"):
		return json.Number(total.FloatString(4))
	}
	digits := total.FloatString(12)
	return json.Number(strings.TrimSuffix(strings.TrimRight(digits, "0"), "."))
}

// titled returns the newest book of a title; nil for none.
func titled(books *table[int], title any) *row {
	for _, key := range slices.Backward(books.keys) {
		if one := books.rows[key]; fmt.Sprint(one.members["title"]) == fmt.Sprint(title) {
			return one
		}
	}
	return nil
}
