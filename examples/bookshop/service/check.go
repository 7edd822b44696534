package service

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// checker holds values against what the contract says of them. Each check has a name, by which a fault leaves it out
// ("addBook.title.maxLength.unchecked"), or has it refuse the bound itself (…off-by-one).
type checker struct {
	a   *asked
	bad []string
}

// check judges a value at a place.
type check func(c *checker, at string, v any)

func (c *checker) holds(at, what string, ok bool) {
	if !ok && !c.a.is(at+"."+what+".unchecked") {
		c.bad = append(c.bad, at)
	}
}

// most and least hold a number against a bound.
func (c *checker) most(at, what string, n, bound int) {
	c.holds(at, what, n < bound || n == bound && !c.a.is(at+"."+what+".off-by-one"))
}

func (c *checker) least(at, what string, n, bound int) {
	c.holds(at, what, n > bound || n == bound && !c.a.is(at+"."+what+".off-by-one"))
}

func text(least, most int) check {
	return func(c *checker, at string, v any) {
		t, is := v.(string)
		if c.holds(at, "type", is); is {
			c.least(at, "minLength", utf8.RuneCountInString(t), least)
			c.most(at, "maxLength", utf8.RuneCountInString(t), most)
		}
	}
}

// exact returns a number that is not absurdly long; nil for another one.
func exact(v any) *big.Rat {
	n, is := v.(json.Number)
	if !is || len(n) > 64 {
		return nil
	}
	if _, exponent, has := strings.Cut(strings.ToLower(n.String()), "e"); has && len(strings.TrimLeft(exponent, "+-0")) > 3 {
		return nil
	}
	r, ok := new(big.Rat).SetString(n.String())
	if !ok {
		return nil
	}
	return r
}

func number(least, most int64) check {
	return func(c *checker, at string, v any) {
		_, is := v.(json.Number)
		if c.holds(at, "type", is); !is {
			return
		}
		r := exact(v)
		bound := func(what string, n int64, sign int) {
			by := -2 * sign
			if r != nil {
				by = r.Cmp(new(big.Rat).SetInt64(n)) * sign
			}
			c.holds(at, what, by > 0 || by == 0 && !c.a.is(at+"."+what+".off-by-one"))
		}
		bound("minimum", least, 1)
		bound("maximum", most, -1)
	}
}

func integer(least, most int64) check {
	bounds := number(least, most)
	return func(c *checker, at string, v any) {
		bounds(c, at, v)
		if r := exact(v); r != nil {
			c.holds(at, "integer", r.IsInt())
		}
	}
}

func boolean(c *checker, at string, v any) {
	_, is := v.(bool)
	c.holds(at, "type", is)
}

func member(values ...string) check {
	return func(c *checker, at string, v any) {
		t, is := v.(string)
		known := slices.Contains(values, t)
		if c.a.is(at + ".any-case") {
			known = slices.ContainsFunc(values, func(one string) bool { return strings.EqualFold(one, t) })
		}
		if known && c.a.is(at+".last-refused") {
			known = t != values[len(values)-1]
		}
		c.holds(at, "values", is && known)
	}
}

func matching(pattern string) check {
	re := regexp.MustCompile(pattern)
	return func(c *checker, at string, v any) {
		t, is := v.(string)
		if c.holds(at, "type", is); is {
			c.holds(at, "pattern", re.MatchString(t))
		}
	}
}

var momentPattern = regexp.MustCompile(`^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$`)

func moment(c *checker, at string, v any) {
	t, is := v.(string)
	if c.holds(at, "type", is); is {
		_, err := time.Parse(time.RFC3339Nano, strings.ToUpper(t))
		c.holds(at, "format", err == nil && momentPattern.MatchString(t))
	}
}

func day(c *checker, at string, v any) {
	t, is := v.(string)
	if c.holds(at, "type", is); is {
		_, err := time.Parse(time.DateOnly, t)
		c.holds(at, "format", err == nil)
	}
}

func nullable(inner check) check {
	return func(c *checker, at string, v any) {
		if v == nil {
			c.holds(at, "null", !c.a.is(at+".null-refused"))
			return
		}
		inner(c, at, v)
	}
}

func list(least, most int, unique bool, item check) check {
	return func(c *checker, at string, v any) {
		all, is := v.([]any)
		if c.holds(at, "type", is); !is {
			return
		}
		c.least(at, "minItems", len(all), least)
		c.most(at, "maxItems", len(all), most)
		known := map[string]bool{}
		for i, one := range all {
			item(c, at+".item", one)
			key := fmt.Sprint(one)
			if unique && known[key] {
				c.holds(at, "uniqueItems", false)
			}
			if i < mostItems {
				known[key] = true
			}
		}
	}
}

// mostItems bounds how many items are compared.
const mostItems = 1000

// property is a member of an object.
type property struct {
	name     string
	required bool
	check    check
}

// object checks an object; closed rules other members out.
func object(closed bool, properties ...property) check {
	return func(c *checker, at string, v any) {
		o, is := v.(map[string]any)
		if c.holds(strings.TrimPrefix(at+".", ".")+"body", "type", is); !is {
			return
		}
		below := func(name string) string { return strings.TrimPrefix(at+"."+name, ".") }
		for _, p := range properties {
			value, there := o[p.name]
			switch {
			case there:
				p.check(c, below(p.name), value)
			case p.required:
				c.holds(below(p.name), "required", false)
			case c.a.is(below(p.name) + ".demanded"):
				c.holds(below(p.name), "demand", false)
			}
		}
		for name := range o {
			if closed && !slices.ContainsFunc(properties, func(p property) bool { return p.name == name }) {
				c.holds(below("members"), "closed", false)
			}
		}
	}
}

// values checks a body.
func (a *asked) values(ck check) *reply {
	c := &checker{a: a}
	ck(c, "", a.value)
	if o, is := a.value.(map[string]any); is && a.shop.is("read-only-refused") && (o["id"] != nil || o["added"] != nil) {
		c.bad = append(c.bad, "id")
	}
	if len(c.bad) > 0 {
		if a.is("refused-stored") {
			keepRefused(a.shop, a, a.value)
		}
		return a.unprocessable(c.bad)
	}
	if _, is := a.value.(map[string]any); !is { // a fault let it in
		a.value = a.plainBody()
	}
	return nil
}
