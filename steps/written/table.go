package written

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// tableForms returns the steps about CSV, bytes, two pages and time.
func tableForms() []scenario.Form {
	return []scenario.Form{
		{
			Pattern: `the response has (exactly|at least|at most) (\d+) rows?`, Do: thenRows, Group: groupMembers, Example: `the response has at least 1 row`,
			Means: "The body is CSV, and has so many rows below the one with the names of the columns.",
		},
		{
			Pattern: `in (row \d+|each row), ` + aName + ` is the text ` + aText, Do: thenCell, Group: groupMembers, Example: `in row 1, title is the text "Printer"`,
			Means: "A cell of CSV, by the name of its column. Row 1 is the first below the names; \"in each row\" ends the scenario where there is none.",
		},
		{
			Pattern: `the response is the bytes that were sent`, Do: thenBytes, Group: groupMembers, Example: `the response is the bytes that were sent`,
			Means: "Its body is, byte by byte, the last one that the scenario sent and that was accepted.",
		},
		{
			Pattern: `no item has the ` + aName + ` of one in the response before`, Do: thenApart, Group: groupMembers, Example: `no item has the id of one in the response before`,
			Means: "The list in the response and the one in the response before have no item in common, as two pages. Where one is empty, the scenario ends.",
		},
		{
			Pattern: `(\d+) seconds? (?:pass|passes)`, Do: whenTimePasses, Group: groupSeveral, Example: `2 seconds pass`,
			Means: "Waits, for at most a minute.",
		},
	}
}

// rows returns the cells of a response that is CSV, by the names of their columns. If it is none, it is a violation and the result is false.
func rows(s *scenario.Scenario, a *scenario.Answer) ([]map[string]string, bool, error) {
	if _, err := whole(a); err != nil {
		return nil, false, err
	}
	body := bytes.TrimPrefix(a.Exchange.Response.Body, []byte("\ufeff"))
	r := csv.NewReader(bytes.NewReader(body))
	first, _, _ := bytes.Cut(body, []byte("\n"))
	for _, sign := range ";\t" {
		if bytes.ContainsRune(first, sign) && !bytes.ContainsRune(first, ',') {
			r.Comma = sign
		}
	}
	all, err := r.ReadAll()
	if err != nil || len(all) == 0 {
		conclude(s, a, verdict{kind: spec.KindUnreadable, expected: phrase.Of("CSV with the names of its columns"), actual: phrase.Of("{}", phrase.Count(len(body), "byte")).Then(phrase.Of(" that are none"))})
		return nil, false, nil //nolint:nilerr // what cannot be read is the service's mistake, and was concluded
	}
	var out []map[string]string
	for _, cells := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			row[strings.TrimSpace(name)] = cells[i]
		}
		out = append(out, row)
	}
	return out, true, nil
}

// thenRows is "the response has at least 1 row".
func thenRows(ctx context.Context, words, number string) error {
	s := scenario.From(ctx)
	a, err := s.Last()
	if err != nil || follows(s, a) {
		return err
	}
	n, err := atoi(number)
	if err != nil {
		return err
	}
	table, ok, err := rows(s, a)
	if err != nil || !ok {
		return err
	}
	kind, good := fits(words, len(table), n)
	conclude(s, a, verdict{kind: kind, expected: phrase.Of("{} {}", phrase.Text(words), phrase.Count(n, "row")), actual: phrase.Of("{}", phrase.Count(len(table), "row")), good: good})
	return nil
}

// thenCell is "in row 1, title is the text …".
func thenCell(ctx context.Context, which, column, source string) error {
	s := scenario.From(ctx)
	a, err := s.Last()
	if err != nil || follows(s, a) {
		return err
	}
	value, err := Value(s, source)
	if err != nil {
		return err
	}
	want, is := value.(string)
	if !is {
		return fmt.Errorf("%s is no text", source)
	}
	table, ok, err := rows(s, a)
	if err != nil || !ok {
		return err
	}
	if len(table) == 0 {
		return scenario.Stopf("the table has no rows")
	}
	if number, one := strings.CutPrefix(which, "row "); one {
		n, err := atoi(number)
		switch {
		case err != nil:
			return err
		case n < 1:
			return fmt.Errorf("there is no row %d: the first one below the names is row 1", n)
		case n > len(table):
			conclude(s, a, verdict{kind: spec.KindMissing, expected: phrase.Of("a row {}", phrase.Number(n)), actual: phrase.Of("{}", phrase.Count(len(table), "row"))})
			return nil
		}
		table = table[n-1 : n]
	}
	column = unquoted(column)
	for _, row := range table {
		is, there := row[column]
		switch {
		case !there:
			conclude(s, a, verdict{kind: spec.KindMissing, expected: phrase.Of("a column {}", phrase.Field(column)), actual: phrase.Of("none of that name")})
			return nil
		case is != want:
			conclude(s, a, verdict{kind: spec.KindDiffers, expected: phrase.Of("{} in the column {}", shownValue(want), phrase.Field(column)), actual: phrase.Of("{}", shownValue(is))})
			return nil
		}
	}
	conclude(s, a, verdict{expected: phrase.Of("{} in the column {}", shownValue(want), phrase.Field(column)), good: true})
	return nil
}

// thenBytes is "the response is the bytes that were sent".
func thenBytes(ctx context.Context) error {
	s := scenario.From(ctx)
	a, err := s.Last()
	if err != nil || follows(s, a) {
		return err
	}
	if _, err := whole(a); err != nil {
		return err
	}
	var sent *spec.Exchange
	for _, ex := range s.Exchanges() {
		if ex != a.Exchange && len(ex.Request.Body) > 0 && ex.Response != nil && ex.Response.Status/100 == 2 {
			sent = ex
		}
	}
	if sent == nil {
		return fmt.Errorf("no body was sent and accepted before this step")
	}
	conclude(s, a, verdict{
		kind: spec.KindDiffers, expected: phrase.Of("the {} that were sent", phrase.Count(len(sent.Request.Body), "byte")), actual: phrase.Of("{}, which differ", phrase.Count(len(a.Exchange.Response.Body), "byte")),
		exchanges: []int{sent.Seq}, good: bytes.Equal(sent.Request.Body, a.Exchange.Response.Body),
	})
	return nil
}

// thenApart is "no item has the id of one in the response before".
func thenApart(ctx context.Context, member string) error {
	s := scenario.From(ctx)
	a, err := s.Last()
	if err != nil || follows(s, a) {
		return err
	}
	var before *scenario.Answer
	for _, ex := range s.Exchanges() {
		if ex != a.Exchange && ex.Response != nil && ex.Response.Status/100 == 2 {
			before = &scenario.Answer{Exchange: ex}
		}
	}
	if before == nil {
		return fmt.Errorf("there is no response before the last one; call the list twice")
	}
	pointer := pointerOf(member)
	seen := map[string]bool{}
	for _, one := range []*scenario.Answer{before, a} {
		body, err := whole(one)
		if err != nil {
			return err
		}
		items, _, err := listOf(s, one, body, "")
		if err != nil {
			return err
		}
		if len(items) == 0 {
			return scenario.Stopf("one of the two lists is empty")
		}
		for _, item := range items {
			v, there := exactjson.Value{Tree: item, Valid: true}.At(pointer)
			switch {
			case !there:
			case one == before:
				seen[v.String()] = true
			case seen[v.String()]:
				conclude(s, a, verdict{
					kind: spec.KindDuplicate, expected: phrase.Of("no item of the response before, by ").Then(phrase.Of("{}", phrase.Pointer(pointer))), actual: phrase.Of("{} again", shownValue(v.Tree)),
					exchanges: []int{before.Exchange.Seq},
				})
				return nil
			}
		}
	}
	if len(seen) == 0 {
		return scenario.Stopf("no item has %s", unquoted(member))
	}
	conclude(s, a, verdict{expected: phrase.Of("no item of the response before"), good: true})
	return nil
}

// longestWait bounds how long a step waits, in seconds.
const longestWait = 60

// whenTimePasses is "2 seconds pass".
func whenTimePasses(ctx context.Context, number string) error {
	n, err := atoi(number)
	switch {
	case err != nil:
		return err
	case n > longestWait:
		return fmt.Errorf("a step waits for at most %d seconds, not for %d", longestWait, n)
	}
	return client.Sleep(ctx, time.Duration(n)*time.Second)
}
