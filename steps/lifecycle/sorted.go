package lifecycle

import (
	"context"
	"encoding/json"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// sortForms returns the steps about the order of lists.
func sortForms() []scenario.Form {
	return []scenario.Form{
		{Pattern: promise.Ascends.Pattern(), Do: listed(sorted(true, false))},
		{Pattern: promise.Descends.Pattern(), Do: listed(sorted(false, true))},
		{Pattern: promise.InOrder.Pattern(), Do: listed(sorted(true, true))},
		{Pattern: promise.SentToDiffer.Pattern(), Do: whenDiffer},
	}
}

// whenDiffer implements "it is sent, and its items differ in <member>": where all have the same value, one more is created and the list
// requested again. What says when they were created differs only after a while.
func whenDiffer(ctx context.Context, name string) error {
	s := scenario.From(ctx)
	m, life, err := makingList(s)
	if err != nil {
		return err
	}
	m.Request = fewestParameters([]request.Request{m.Request}) // none that asks for another order
	a, err := s.Ask(ctx, m.Request, m.Credential, s.Pickle.Name)
	if err != nil {
		return err
	}
	if name = unquoted(name); a.Status()/100 == 2 && !differ(life.Items(a.Value.Tree), name) {
		if created, _ := life.CreatedAt(true); created == name {
			if err := client.Sleep(ctx, clockTick); err != nil {
				return err
			}
		}
		if err := createForFilter(ctx, s, life, nil); err != nil {
			return err
		}
		if a, err = s.Ask(ctx, m.Request, m.Credential, s.Pickle.Name); err != nil {
			return err
		}
	}
	s.SetAnswers(a)
	return nil
}

// differ reports whether two of the items are in an order by a member.
func differ(items []resource.Item, name string) bool {
	return len(items) > 0 && slices.ContainsFunc(items, func(i resource.Item) bool { return ordered(items[0].Members[name], i.Members[name]) != 0 })
}

// mostCompared bounds how many items of a list are compared with each other.
const mostCompared = 100

// sorted returns a judge of whether items are in ascending or descending order of a member, or in either. Pairs
// whose order depends on a language, or on how missing values sort, are skipped.
func sorted(up, down bool) listJudge {
	return func(s *scenario.Scenario, a *scenario.Answer, items []resource.Item, name string) judgement {
		items = items[:min(len(items), mostCompared)]
		var rising, falling [2]any
		rises, falls := false, false
		for i := range items {
			for j := range i {
				before, after := items[j].Members[name], items[i].Members[name]
				switch n := ordered(before, after); {
				case n < 0 && !rises:
					rises, rising = true, [2]any{before, after}
				case n > 0 && !falls:
					falls, falling = true, [2]any{before, after}
				}
			}
		}
		words, pair := "descending order", rising
		switch {
		case !rises && !falls:
			return judgement{at: a}
		case up && !falls, down && !rises:
			return judgement{at: a, kept: true}
		case up && down:
			words, pair = "one order", falling
		case up:
			words, pair = "ascending order", falling
		}
		j := wrong(s, a, spec.KindDiffers, phrase.Of(words+" of {}", phrase.Field(name)),
			phrase.Of("{} before {}", phrase.JSON(exactjson.Describe(pair[0])), phrase.JSON(exactjson.Describe(pair[1]))))
		j.finding.Detail = name
		return j
	}
}

// ordered compares two values: negative if the first precedes the second in ascending order in every language,
// positive if it follows it, and 0 if they are equal or the order is uncertain.
func ordered(a, b any) int {
	switch a := a.(type) {
	case json.Number:
		if b, is := b.(json.Number); is {
			return numbersOrdered(a.String(), b.String())
		}
	case string:
		b, is := b.(string)
		if !is {
			return 0
		}
		x, ok := instant(a)
		y, also := instant(b)
		switch {
		case ok && also:
			return x.Compare(y)
		case !ok && !also:
			return textsOrdered(a, b)
		}
	}
	return 0
}

// numbersOrdered compares numbers of moderate length exactly.
func numbersOrdered(a, b string) int {
	const longest = 40
	if len(a) > longest || len(b) > longest || strings.ContainsAny(a+b, "eE") {
		return 0
	}
	x, ok := new(big.Rat).SetString(a)
	y, also := new(big.Rat).SetString(b)
	if !ok || !also {
		return 0
	}
	return x.Cmp(y)
}

func instant(text string) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		if t, err := time.Parse(layout, strings.ToUpper(text)); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// article matches articles and punctuation that some services ignore when they sort titles, and aa, which follows
// z in some languages.
var article = regexp.MustCompile(`(?i)^(the|an?|der|die|das|le|la|les|el|los) |^\W|aa`)

// textsOrdered compares texts at the first place in which they differ: numbers of the same length, or letters at
// the beginning of a word whose order is the same in all languages, with or without case.
func textsOrdered(a, b string) int {
	const longest = 100
	if len(a) > longest || len(b) > longest || article.MatchString(a) || article.MatchString(b) {
		return 0
	}
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	if n == len(a) || n == len(b) || a[n] >= utf8.RuneSelf || b[n] >= utf8.RuneSelf {
		return 0
	}
	x, y := rune(a[n]), rune(b[n])
	if unicode.IsDigit(x) && unicode.IsDigit(y) {
		begin := n
		for begin > 0 && unicode.IsDigit(rune(a[begin-1])) {
			begin--
		}
		if digitsFrom(a[begin:]) != digitsFrom(b[begin:]) || begin == 1 && a[0] == '-' {
			return 0 // 9 and 10, or negative numbers
		}
		return int(x) - int(y)
	}
	before, _ := utf8.DecodeLastRuneInString(a[:n])
	if n > 0 && unicode.IsLetter(before) || !sortable(x) || !sortable(y) {
		return 0 // it may be part of a digraph such as ch or cs
	}
	if raw, folded := int(x)-int(y), int(unicode.ToLower(x))-int(unicode.ToLower(y)); raw*folded > 0 {
		return folded
	}
	return 0
}

func digitsFrom(text string) int { return len(text) - len(strings.TrimLeft(text, "0123456789")) }

// sortable reports whether a letter has the same place in all Latin alphabets.
func sortable(r rune) bool {
	return unicode.IsLetter(r) && r < utf8.RuneSelf && !strings.ContainsRune("vwyzVWYZ", r)
}
