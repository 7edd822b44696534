package suite

import (
	"fmt"
	"slices"
	"strings"
)

// filter reports whether a scenario with these tags is wanted.
type filter func(tags []string) bool

// parseTags parses a tag expression in either syntax: godog's, where "&&" binds more tightly than "," and "~" negates ("@a && ~@b, @c"),
// and Cucumber's with "and", "or", "not" and parentheses. godog itself silently selects nothing for the latter.
func parseTags(text string) (filter, error) {
	if strings.TrimSpace(text) == "" {
		return func([]string) bool { return true }, nil
	}
	p := &tagParser{text: text, tokens: tagTokens(text)}
	f, err := p.or()
	if err == nil && len(p.tokens) > 0 {
		err = p.unexpected()
	}
	return f, err
}

type tagParser struct {
	text   string
	tokens []string
}

// tagTokens splits an expression into tags and operators.
func tagTokens(text string) []string {
	r := strings.NewReplacer("&&", " && ", "||", " || ", ",", " , ", "(", " ( ", ")", " ) ", "~", " ~ ", "!", " ! ")
	return strings.Fields(r.Replace(text))
}

func (p *tagParser) next(words ...string) bool {
	if len(p.tokens) > 0 && slices.Contains(words, strings.ToLower(p.tokens[0])) {
		p.tokens = p.tokens[1:]
		return true
	}
	return false
}

func (p *tagParser) unexpected() error {
	what := "it ends too early"
	if len(p.tokens) > 0 {
		what = fmt.Sprintf("%q is not allowed there", p.tokens[0])
	}
	return fmt.Errorf("the tag expression %q cannot be read: %s; write for example \"@read-only && ~@derived\" or \"@read-only and not @derived\"",
		p.text, what)
}

func (p *tagParser) or() (filter, error) {
	left, err := p.and()
	for err == nil && p.next("or", ",", "||") {
		var right filter
		l := left
		right, err = p.and()
		left = func(t []string) bool { return l(t) || right(t) }
	}
	return left, err
}

func (p *tagParser) and() (filter, error) {
	left, err := p.not()
	for err == nil && p.next("and", "&&") {
		var right filter
		l := left
		right, err = p.not()
		left = func(t []string) bool { return l(t) && right(t) }
	}
	return left, err
}

func (p *tagParser) not() (filter, error) {
	if p.next("not", "~", "!") {
		f, err := p.not()
		return func(t []string) bool { return !f(t) }, err
	}
	if p.next("(") {
		f, err := p.or()
		if err == nil && !p.next(")") {
			err = p.unexpected()
		}
		return f, err
	}
	if len(p.tokens) == 0 || len(p.tokens[0]) < 2 || p.tokens[0][0] != '@' {
		return nil, p.unexpected()
	}
	tag := p.tokens[0]
	p.tokens = p.tokens[1:]
	return func(t []string) bool { return slices.Contains(t, tag) }, nil
}
