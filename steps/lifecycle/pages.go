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

	"hallmark/spec"
	"hallmark/spec/request"
	"hallmark/spec/resource"
	"hallmark/steps/scenario"
)

// mostPages bounds how many pages of a list are followed.
const mostPages = 40

// pager asks for a list page by page.
type pager struct {
	life   resource.Life
	paging resource.Paging
	// first is the request for the first page.
	first request.Request
	with  credential
	// sought ends the walk at a page that shows it; nil for nothing.
	sought func(resource.Item) bool
}

// page is one page of a list.
type page struct {
	answer *scenario.Answer
	// tree is the body, with its texts as they came.
	tree  any
	items []resource.Item
	// cut reports whether the page showed more than is known, unnamed whether it shows something without its identifier.
	cut, unnamed bool
}

// walk is the pages of a list in the order in which they were followed.
type walk struct {
	pages []page
	// ended reports whether the last page is the last one that there is; round whether it shows only what pages before it showed.
	ended, round bool
	// last is the last response, which may show no page.
	last *scenario.Answer
	// number is that of the page that was asked for last, where pages are numbered.
	number int64
	// full reports whether the only page that can be asked for shows as much as was asked for.
	full bool
}

// pagerOf returns what follows the pages of a list from a request for it.
func pagerOf(life resource.Life, r request.Request, with credential) pager {
	p, _ := resource.PagingOf(life.Lister.Operation)
	if at := p.Position; at != nil && at.Required && at.Schema.Type == "integer" {
		r = r.With(request.PlaceOf(*at), number(max(origin(p), 0)))
	}
	return pager{life: life, paging: p, first: r, with: with}
}

// sized returns the pager with pages of a size.
func (l pager) sized(n int64) pager {
	l.first = l.first.With(request.PlaceOf(*l.paging.Size), number(n))
	return l
}

// origin is what the first page or item is numbered by; -1 where the contract does not say.
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

// ask asks for a page.
func (l pager) ask(ctx context.Context, s *scenario.Scenario, r request.Request) (page, error) {
	a, err := s.Ask(ctx, r, l.with, s.Pickle.Name)
	if err != nil {
		return page{answer: a}, err
	}
	serves(s, r.Operation, a)
	if a.Status()/100 != 2 || a.Exchange.Response.Cut() {
		return page{answer: a, tree: a.Value.Tree, items: l.life.Items(a.Value.Tree), cut: true, unnamed: l.life.Unnamed(a.Value.Tree)}, nil
	}
	tree := spec.Decode(a.Exchange.Response).Tree
	return page{answer: a, tree: tree, items: l.life.Items(tree), unnamed: l.life.Unnamed(tree)}, nil
}

// walk follows at most so many pages. It ends where a page shows nothing that those before it did not show.
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
			// Who asks for pages by number need not be told where they are.
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

// next returns the request for the page behind the last one; false where there is none, or where it cannot be asked for.
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

// leaves reports whether a page names a next one that is not followed: it is elsewhere.
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

// follow returns a request for the address that a page gives of the next one; false where that is of another origin or path.
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
		if secret(r.Operation, name) {
			continue
		}
		if len(values) != 1 {
			return r, false
		}
		r = r.WithText(request.Place{In: "query", Name: name}, values[0])
	}
	return r, true
}

// secret reports whether a parameter of a query holds the credential of an operation.
func secret(op *spec.Operation, name string) bool {
	return slices.ContainsFunc(op.Security, func(all spec.Requirement) bool {
		return slices.ContainsFunc(all, func(one spec.Security) bool { return one.In == "query" && one.Key == name })
	})
}

// nextOf returns the target of the link that leads to the next page (RFC 8288); empty for none.
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

// ids returns the identifiers of what a page shows, in its order.
func (p page) ids() []string {
	all := make([]string, len(p.items))
	for i, item := range p.items {
		all[i] = fmt.Sprint(item.Identifier)
	}
	return all
}

// items returns what all pages show.
func (w walk) items() []resource.Item {
	var all []resource.Item
	for _, p := range w.pages {
		all = append(all, p.items...)
	}
	return all
}

// showing returns the first item that is sought, with the response that shows it; false, and the last response, where no page shows it.
func (w walk) showing(sought func(resource.Item) bool) (resource.Item, *scenario.Answer, bool) {
	for _, p := range w.pages {
		if i := slices.IndexFunc(p.items, sought); i >= 0 {
			return p.items[i], p.answer, true
		}
	}
	return resource.Item{}, w.last, false
}

// ids returns the identifiers of what all pages show, in their order.
func (w walk) ids() []string {
	var all []string
	for _, p := range w.pages {
		all = append(all, p.ids()...)
	}
	return all
}

// cut reports whether a page showed more than is known.
func (w walk) cut() bool { return slices.ContainsFunc(w.pages, func(p page) bool { return p.cut }) }

// unnamed reports whether a page shows something without its identifier.
func (w walk) unnamed() bool {
	return slices.ContainsFunc(w.pages, func(p page) bool { return p.unnamed })
}

// whole reads a list to its end, as far as the contract says how, with the greatest page that it allows.
func whole(ctx context.Context, s *scenario.Scenario, life resource.Life, r request.Request, with credential) (walk, error) {
	return wholeUntil(ctx, s, life, r, with, nil)
}

// wholeUntil reads a list to its end, or up to the page that shows what is sought.
func wholeUntil(ctx context.Context, s *scenario.Scenario, life resource.Life, r request.Request, with credential, sought func(resource.Item) bool) (walk, error) {
	l, size := pagerOf(life, r, with).greatest()
	l.sought = sought
	w, err := l.walk(ctx, s, mostPages)
	if l.paging.Way == "" && size > 0 && len(w.pages) == 1 {
		w.full = int64(len(w.pages[0].items)) >= size
	}
	return w, err
}

// greatest returns the pager with the greatest pages that the contract allows, and their size; 0 where it names none.
func (l pager) greatest() (pager, int64) {
	if p := l.paging.Size; p != nil {
		if n, ok := spec.IntegerOf(p.Schema.Maximum); ok && p.Schema.Maximum != "" {
			return l.sized(n), n
		}
	}
	return l, 0
}

// longNumber is how many digits an identifier has at most that is read as a number.
const longNumber = 40

// endsBefore reports whether a list of one page plainly ends before it could show any of some identifiers: the page has no room for more,
// its own identifiers are numbers that grow up to there, and all of those are greater.
func (w walk) endsBefore(identifiers []any) bool {
	items := w.items()
	if !w.full || len(items) < 2 {
		return false // one alone does not tell in which order they come
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

// sizes returns a big size of a page, and those from one to another that the contract allows.
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

// List returns what a list shows, its pages followed, the last response, and whether the pages were followed to their end.
func List(ctx context.Context, s *scenario.Scenario, life resource.Life, r request.Request, with credential) (all []resource.Item, last *scenario.Answer, ended bool, err error) {
	w, err := whole(ctx, s, life, r, with)
	return w.items(), w.last, w.ended, err
}
