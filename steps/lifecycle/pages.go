package lifecycle

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// mostPages bounds how many pages of a list are followed.
const mostPages = 40

// pager requests a list page by page.
type pager struct {
	life   resource.Life
	paging resource.Paging
	// first is the request for the first page.
	first request.Request
	with  credential
	// sought ends the walk at a page that shows a matching item; nil for no early end.
	sought func(resource.Item) bool
}

// page is one page of a list.
type page struct {
	answer *scenario.Answer
	// tree is the decoded body, with its texts untruncated.
	tree  any
	items []resource.Item
	// cut reports whether part of the page is unknown, unnamed whether it shows something without an identifier.
	cut, unnamed bool
}

// walk holds the pages of a list in the order in which they were followed.
type walk struct {
	pages []page
	// ended reports whether the last page is known to be the last one; round whether it shows only items of earlier
	// pages.
	ended, round bool
	// last is the last response, which may not be a page.
	last *scenario.Answer
	// number is the number of the last requested page, if pages are numbered.
	number int64
	// full reports whether the only page that can be requested is as long as requested.
	full bool
}

// pagerOf returns a pager that starts with a request for a list.
func pagerOf(life resource.Life, r request.Request, with credential) pager {
	p, _ := resource.PagingOf(life.Lister.Operation)
	if at := p.Position; at != nil && at.Required && at.Schema.Type == "integer" {
		r = r.With(request.PlaceOf(*at), number(max(origin(p), 0)))
	}
	return pager{life: life, paging: p, first: r, with: with}
}

// sized returns the pager with another page size.
func (l pager) sized(n int64) pager {
	l.first = l.first.With(request.PlaceOf(*l.paging.Size), number(n))
	return l
}

// origin returns the number of the first page or item, or -1 if the contract does not say.
func origin(p resource.Paging) int64 {
	s := p.Position.Schema
	if n, ok := spec.IntegerOf(s.Default); ok && s.Default != "" {
		return n
	}
	if s.Minimum == "1" || s.ExclusiveMinimum == "0" {
		return 1
	}
	if p.Way == resource.ByOffset {
		return 0
	}
	return -1
}

// ask requests a page.
func (l pager) ask(ctx context.Context, s *scenario.Scenario, r request.Request) (page, error) {
	a, err := s.Ask(ctx, r, l.with, s.Pickle.Name)
	if err != nil {
		return page{answer: a}, err
	}
	judgeStatus(s, r.Operation, a)
	if a.Status()/100 != 2 || a.Exchange.Response.Cut() {
		return page{answer: a, tree: a.Value.Tree, items: l.life.Items(a.Value.Tree), cut: true, unnamed: l.life.Unnamed(a.Value.Tree)}, nil
	}
	tree := spec.Decode(a.Exchange.Response).Tree
	return page{answer: a, tree: tree, items: l.life.Items(tree), unnamed: l.life.Unnamed(tree)}, nil
}

// walk follows at most the given number of pages. It ends at a page that shows nothing new.
func (l pager) walk(ctx context.Context, s *scenario.Scenario, most int) (walk, error) {
	var w walk
	seen := map[string]bool{}
	shown, empty := 0, 0
	for r := l.first; len(w.pages) < most; {
		p, err := l.ask(ctx, s, r)
		if w.last = p.answer; err != nil {
			return w, err
		}
		if status := p.answer.Status(); status/100 != 2 {
			w.ended = len(w.pages) > 0 && slices.Contains([]int{400, 404, 410, 416, 422}, status)
			return w, nil
		}
		if len(w.pages) == 1 && w.number == 1 && l.paging.Way == resource.ByNumber && origin(l.paging) < 0 && slices.Equal(p.ids(), w.pages[0].ids()) && len(p.items) > 0 {
			w.number = 2 // the first page is number 1
			r = l.first.With(request.PlaceOf(*l.paging.Position), json.Number("2"))
			if p, err = l.ask(ctx, s, r); err != nil || p.answer.Status()/100 != 2 {
				w.last, w.ended = p.answer, err == nil
				return w, err
			}
			w.last = p.answer
		}
		w.pages = append(w.pages, p)
		shown += len(p.items)
		news := false
		for _, id := range p.ids() {
			news = news || !seen[id]
			seen[id] = true
		}
		if len(p.items) == 0 {
			empty++
		}
		if len(p.items) > 0 && !news {
			w.round = true
			return w, nil
		}
		if l.sought != nil && slices.ContainsFunc(p.items, l.sought) {
			return w, nil
		}
		if len(w.pages) == 1 && l.paging.Way == resource.ByLink && l.paging.Beside != nil && !l.paging.Names(p.tree) && !l.paging.Ends(p.tree) {
			// A client that requests pages by number need not be given links.
			l.paging.Way, l.paging.Position = resource.ByNumber, l.paging.Beside
			if origin(l.paging) != 1 {
				return w, nil
			}
		}
		next, ok := l.next(&w, r, shown)
		if !ok || empty > 1 {
			w.ended = !ok && !l.leaves(p)
			return w, nil
		}
		r = next
	}
	return w, nil
}

// next returns the request for the page after the last one; false if there is none, or it cannot be requested.
func (l pager) next(w *walk, r request.Request, shown int) (request.Request, bool) {
	p := w.pages[len(w.pages)-1]
	at := l.paging.Position
	switch l.paging.Way {
	case resource.ByCursor:
		token := l.paging.Token(p.tree)
		if l.paging.Ends(p.tree) || token == "" {
			return r, false
		}
		if strings.Contains(token, "://") {
			return l.follow(r, p, token)
		}
		return r.With(request.PlaceOf(*at), token), true
	case resource.ByLink:
		if token := l.paging.Token(p.tree); token != "" && !l.paging.Ends(p.tree) {
			return l.follow(r, p, token)
		}
	case resource.ByHeader:
		if target := nextOf(p.answer.Exchange.Response.Header.Values("Link")); target != "" {
			return l.follow(r, p, target)
		}
	case resource.ByLast:
		if len(p.items) > 0 && !l.paging.Ends(p.tree) {
			return r.With(request.PlaceOf(*at), fmt.Sprint(p.items[len(p.items)-1].Identifier)), true
		}
	case resource.ByOffset:
		if len(p.items) > 0 {
			return r.With(request.PlaceOf(*at), number(origin(l.paging)+int64(shown))), true
		}
	case resource.ByNumber:
		if len(w.pages) == 1 {
			w.number = max(origin(l.paging), 0)
		}
		if w.number++; len(p.items) > 0 {
			return r.With(request.PlaceOf(*at), number(w.number)), true
		}
	}
	return r, false
}

// leaves reports whether a page links to a next one at another address, which is not followed.
func (l pager) leaves(p page) bool {
	switch l.paging.Way {
	case resource.ByCursor, resource.ByLink:
		return l.paging.Token(p.tree) != "" && !l.paging.Ends(p.tree)
	case resource.ByHeader:
		return nextOf(p.answer.Exchange.Response.Header.Values("Link")) != ""
	case resource.ByLast, resource.ByOffset, resource.ByNumber:
	}
	return false
}

// follow returns a request for a page's link to the next one; false if that has another origin or path.
func (l pager) follow(r request.Request, p page, target string) (request.Request, bool) {
	here, err := url.Parse(p.answer.Exchange.Request.URL)
	if err != nil {
		return r, false
	}
	there, err := here.Parse(target)
	if err != nil || there.Scheme != here.Scheme || there.Host != here.Host || there.Path != here.Path {
		return r, false
	}
	query, err := url.ParseQuery(there.RawQuery)
	if err != nil {
		return r, false
	}
	for _, place := range r.Given() {
		if place.In == "query" {
			r = r.Without(place)
		}
	}
	for name, values := range query {
		if isCredential(r.Operation, name) {
			continue
		}
		if len(values) != 1 {
			return r, false
		}
		r = r.WithText(request.Place{In: "query", Name: name}, values[0])
	}
	return r, true
}

// isCredential reports whether a query parameter holds the credential of an operation.
func isCredential(op *spec.Operation, name string) bool {
	return slices.ContainsFunc(op.Security, func(all spec.Requirement) bool {
		return slices.ContainsFunc(all, func(one spec.Security) bool { return one.In == "query" && one.Key == name })
	})
}

// nextOf returns the target of the link to the next page (RFC 8288), or "".
func nextOf(fields []string) string {
	rest := strings.Join(fields, ",")
	for {
		_, after, found := strings.Cut(rest, "<")
		target, parameters, closed := strings.Cut(after, ">")
		if !found || !closed {
			return ""
		}
		end := strings.IndexByte(parameters, '<')
		if end < 0 {
			end = len(parameters)
		}
		for part := range strings.SplitSeq(parameters[:end], ";") {
			name, value, _ := strings.Cut(part, "=")
			words := strings.Fields(strings.Trim(strings.TrimSpace(strings.TrimRight(value, ", ")), `"`))
			if strings.EqualFold(strings.TrimSpace(name), "rel") && slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(w, "next") }) {
				return target
			}
		}
		rest = parameters[end:]
	}
}

// ids returns the identifiers of the items of a page, in order.
func (p page) ids() []string {
	all := make([]string, len(p.items))
	for i, item := range p.items {
		all[i] = fmt.Sprint(item.Identifier)
	}
	return all
}

// items returns the items of all pages.
func (w walk) items() []resource.Item {
	var all []resource.Item
	for _, p := range w.pages {
		all = append(all, p.items...)
	}
	return all
}

// showing returns the first matching item, with the response that shows it; or false and the last response.
func (w walk) showing(sought func(resource.Item) bool) (resource.Item, *scenario.Answer, bool) {
	for _, p := range w.pages {
		if i := slices.IndexFunc(p.items, sought); i >= 0 {
			return p.items[i], p.answer, true
		}
	}
	return resource.Item{}, w.last, false
}

// ids returns the identifiers of the items of all pages, in order.
func (w walk) ids() []string {
	var all []string
	for _, p := range w.pages {
		all = append(all, p.ids()...)
	}
	return all
}

// cut reports whether part of a page is unknown.
func (w walk) cut() bool { return slices.ContainsFunc(w.pages, func(p page) bool { return p.cut }) }

// unnamed reports whether a page shows something without an identifier.
func (w walk) unnamed() bool {
	return slices.ContainsFunc(w.pages, func(p page) bool { return p.unnamed })
}

// wholeList reads a list to its end, as far as the contract says how, with the largest pages that it allows.
func wholeList(ctx context.Context, s *scenario.Scenario, life resource.Life, r request.Request, with credential) (walk, error) {
	return wholeUntil(ctx, s, life, r, with, nil)
}

// wholeUntil reads a list to its end, or up to the page that shows a matching item.
func wholeUntil(ctx context.Context, s *scenario.Scenario, life resource.Life, r request.Request, with credential, sought func(resource.Item) bool) (walk, error) {
	l, size := pagerOf(life, r, with).greatest()
	l.sought = sought
	return l.wholeWithin(ctx, s, size, mostPages)
}

// fewPages bounds how many pages of a list are followed where it is read several times.
const fewPages = 4

// readAtOnce reads a list to its end if it has few pages.
func readAtOnce(ctx context.Context, s *scenario.Scenario, life resource.Life, r request.Request, with credential) (walk, error) {
	l, size := pagerOf(life, r, with).greatest()
	return l.wholeWithin(ctx, s, size, fewPages)
}

func (l pager) wholeWithin(ctx context.Context, s *scenario.Scenario, size int64, most int) (walk, error) {
	w, err := l.walk(ctx, s, most)
	if l.paging.Way == "" && size > 0 && len(w.pages) == 1 {
		w.full = int64(len(w.pages[0].items)) >= size
	}
	return w, err
}

// greatest returns the pager with the largest pages that the contract allows, and their size, or 0 if it sets
// none.
func (l pager) greatest() (pager, int64) {
	if p := l.paging.Size; p != nil {
		if n, ok := spec.IntegerOf(p.Schema.Maximum); ok && p.Schema.Maximum != "" {
			return l.sized(n), n
		}
	}
	return l, 0
}

// longNumber is the maximum number of digits of an identifier that is read as a number.
const longNumber = 40

// endsBefore reports whether a list of one page plainly ends before it could show any of some identifiers: the
// page is full, its own identifiers are ascending numbers, and all of the given ones are greater.
func (w walk) endsBefore(identifiers []any) bool {
	items := w.items()
	if !w.full || len(items) < 2 {
		return false // one alone does not show the order
	}
	numberOf := func(identifier any) *big.Int {
		text := fmt.Sprint(identifier)
		if len(text) > longNumber {
			return nil
		}
		n, ok := new(big.Int).SetString(text, 10)
		if !ok {
			return nil
		}
		return n
	}
	last := numberOf(items[0].Identifier)
	for _, item := range items[1:] {
		n := numberOf(item.Identifier)
		if last == nil || n == nil || n.Cmp(last) <= 0 {
			return false
		}
		last = n
	}
	return !slices.ContainsFunc(identifiers, func(identifier any) bool {
		n := numberOf(identifier)
		return n == nil || n.Cmp(last) <= 0
	})
}

// sizes returns a large page size that the contract allows; false if none is known.
func sizes(s *scenario.Scenario, p *spec.Parameter) (big int64, ok bool) {
	const most = 200
	candidates := []int64{most, 100, 50, 20}
	if n, is := spec.IntegerOf(p.Schema.Maximum); is && p.Schema.Maximum != "" {
		candidates = append([]int64{min(n, most)}, candidates...)
	}
	for _, n := range candidates {
		if valid(s, p, n) {
			return n, true
		}
	}
	return 0, false
}

func valid(s *scenario.Scenario, p *spec.Parameter, n int64) bool {
	return s.Run.Promises.Valid(p.Schema, number(n))
}

func number(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }

// List returns the items of a list from all its pages, the last response, and whether the pages were followed to
// their end. A single page that is as long as may be asked for shows no end.
func List(ctx context.Context, s *scenario.Scenario, life resource.Life, r request.Request, with credential) (all []resource.Item, last *scenario.Answer, ended bool, err error) {
	w, err := wholeList(ctx, s, life, r, with)
	return w.items(), w.last, w.ended && !w.full, err
}
