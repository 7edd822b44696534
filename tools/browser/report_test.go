package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

var desk = look{width: 1280, height: 900}

// typed writes text where the focus is, as one who types it.
func (b *tab) typed(text string) {
	b.Helper()
	if _, err := chromedp.Call(b.ctx, input.InsertText, input.InsertTextParams{Text: text}); err != nil {
		b.Fatal(err)
	}
}

const (
	// opened is whether the page of an operation is shown.
	opened = `document.querySelector('#view .unit') !== null && document.querySelector('#view .unit').checkVisibility()`
	// shownLines is the number of lines of the table that are shown, operations of those that are operations.
	shownLines = `[...document.querySelectorAll('table.operations tbody tr')].filter(r => r.checkVisibility()).length`
	allLines   = `document.querySelectorAll('table.operations tbody tr').length`
	// listed is the number of exchanges that the count says are found.
	listed = `Number(document.getElementById('exchange-count').textContent.split(' ')[0].replaceAll(',', ''))`
)

// goTo follows a link to a place.
func (b *tab) goTo(place string) {
	b.Helper()
	eval[int](b, fmt.Sprintf(`location.hash = %q, 1`, place))
}

// openAll opens everything in the view that folds, and waits until it is there.
func (b *tab) openAll() {
	b.Helper()
	const folded = `[...document.querySelectorAll('main details')].filter(d => d.checkVisibility() && (!d.open || d.childElementCount < 2))`
	b.until(`(` + folded + `.forEach(d => d.open = true), ` + folded + `.length === 0)`)
}

func TestThePagesAreQuiet(t *testing.T) {
	for name, page := range map[string]string{"broken": broken, "good": good} {
		t.Run(name, func(t *testing.T) {
			b := open(t, page, "", desk)
			b.holds(`document.documentElement.classList.contains('js')`, "the script does not run")
			b.holds(`getComputedStyle(document.querySelector('.banner')).borderTopWidth === '6px'`, "the style does not apply")
			b.openAll()
			b.goTo("operation-listPets")
			b.until(opened)
			b.openAll()
			b.holds(`document.querySelector('#view .note') === null`, "something could not be made")
			b.quiet()
		})
	}
}

func TestSearchAndFilters(t *testing.T) {
	b := open(t, bulk[25], "", desk)
	b.until(settled)
	all := eval[int](b, allLines)
	b.press("/")
	b.until(`document.activeElement.id === 'search'`)
	b.holds(`document.activeElement.value === ''`, "the slash is written into the search")
	b.typed("account limit")
	b.until(shownLines + ` < ` + fmt.Sprint(all))
	b.holds(shownLines+` > 0`, "nothing is found")
	b.holds(`[...document.querySelectorAll('table.operations tbody tr')].filter(r => r.checkVisibility()).every(r => /account/i.test(r.textContent))`, "an operation is shown that does not fit")
	b.holds(`document.querySelectorAll('#found p').length > 0 && [...document.querySelectorAll('#found a')].every(a => /account/i.test(a.textContent))`, "the rules found do not fit")
	b.holds(`location.hash === '#operations?q=account+limit'`, "the address does not hold the search")
	b.typed("zzz nothing is like this")
	b.until(shownLines + ` === 0`)
	b.holds(`document.getElementById('none').checkVisibility()`, "nobody says that nothing was found")
	b.key(kb.Escape)
	b.until(shownLines + ` === ` + fmt.Sprint(all))
	b.holds(`document.getElementById('found').hidden`, "rules are still listed")

	// Filters combine, with each other and with the search.
	const data = `window.rules ??= (async () => {
		const packed = Uint8Array.from(atob(document.querySelector('script.index').textContent), c => c.charCodeAt(0));
		const index = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).json();
		return index.rules.map(r => ({...r, tags: index.units[r.unit].tags ?? [], method: index.units[r.unit].method, unit: index.units[r.unit].name}));
	})()`
	eval[int](b, `(`+data+`).then(all => { window.rules = all; return all.length })`)
	fits := "true"
	left := eval[int](b, `window.rules.length`)
	narrows := func(set, condition string) {
		t.Helper()
		eval[int](b, set+`; document.getElementById('filters').dispatchEvent(new Event('change')); 1`)
		fits += " && " + condition
		want := eval[int](b, `window.rules.filter(r => `+fits+`).length`)
		b.until(fmt.Sprintf(`document.getElementById('count').textContent.includes(', %d of ')`, want))
		b.holds(`new Set(window.rules.filter(r => `+fits+`).map(r => r.unit)).size === `+shownLines, "other operations are shown than those that fit")
		if want == 0 || want >= left {
			t.Errorf("the filter %s leaves %d of %d", condition, want, left)
		}
		left = want
	}
	narrows(`document.querySelector('[name=level][value=must]').checked = true`, `r.level === 'must'`)
	narrows(`document.querySelector('[name=verdict][value="not exercised"]').checked = true`, `r.word === 'not exercised'`)
	// A tag, and then a method, that some of what is left has, and some has not.
	tag := eval[string](b, `(all => all.map(r => r.tags[0]).find(t => t && all.some(r => r.tags.includes(t) && r.method !== all.find(o => o.tags.includes(t)).method) && all.some(r => !r.tags.includes(t))))(window.rules.filter(r => `+fits+`))`)
	narrows(`document.getElementById('tag').value = '`+tag+`'`, `r.tags.includes('`+tag+`')`)
	method := eval[string](b, `window.rules.find(r => `+fits+`).method`)
	narrows(`document.getElementById('method').value = '`+method+`'`, `r.method === '`+method+`'`)

	// The address is the view: another tab shows the same, and going back shows what was there before.
	filtered := "#operations?verdict=not+exercised&level=must&tag=" + tag + "&method=" + method
	b.holds(`location.hash === '`+filtered+`'`, "the address does not hold the filters")
	count := eval[string](b, `document.getElementById('count').textContent`)
	other := open(t, bulk[25], filtered, desk)
	other.until(fmt.Sprintf(`document.getElementById('count').textContent === %q`, count))
	other.holds(`document.getElementById('tag').value === '`+tag+`' && document.querySelector('[name=level][value=must]').checked`, "the fields do not show the filters")
	other.quiet()
	eval[int](b, `document.querySelector('#found a').click(), 1`)
	b.until(opened)
	eval[int](b, `history.back(), 1`)
	b.until(`document.getElementById('overview').checkVisibility()`)
	b.until(fmt.Sprintf(`document.getElementById('count').textContent === %q`, count))
	eval[int](b, `history.back(), 1`)
	b.until(`document.getElementById('method').value === ''`)
	eval[int](b, `document.querySelector('#filters [type=reset]').click(), 1`)
	b.until(shownLines + ` === ` + fmt.Sprint(all))
	b.quiet()
}

func TestExchangesAreFound(t *testing.T) {
	b := open(t, broken, "#exchanges", desk)
	b.until(`document.querySelectorAll('#exchange-list .x').length > 0`)
	b.holds(`!document.getElementById('overview').checkVisibility()`, "the overview is still there")
	all := eval[int](b, listed)
	if all < 1000 {
		t.Fatalf("the page holds %d exchanges", all)
	}
	b.holds(`document.querySelectorAll('#exchange-list .x').length === 100`, "the list does not begin with a hundred")
	eval[int](b, `document.querySelector('#exchange-list .more:not([hidden])').click(), 1`)
	b.holds(`document.querySelectorAll('#exchange-list .x').length === 200`, "the next are not shown")
	b.holds(`[...document.querySelectorAll('#exchange-list .seq')].every((e, i, all) => i === 0 || Number(e.textContent) > Number(all[i-1].textContent))`, "they are not in order")
	eval[int](b, `document.getElementById('exchange-search').focus(), 1`)
	b.typed("the credential is missing") // words of the line
	b.until(listed + ` < ` + fmt.Sprint(all))
	b.holds(listed+` > 0`, "words of the line find nothing")
	eval[int](b, `document.querySelector('#exchange-filters [type=reset]').click(), 1`)
	b.until(listed + ` === ` + fmt.Sprint(all))
	eval[int](b, `document.getElementById('exchange-search').focus(), 1`)
	b.typed(`"<b>bold</b>"`) // only in bodies, and special in markup
	b.until(listed + ` < ` + fmt.Sprint(all))
	b.holds(listed+` > 0`, "words of bodies find nothing")
	b.holds(`[...document.querySelectorAll('#exchange-list .status')].every(x => Number(x.textContent) >= 400)`, "a response is found that does not hold the word")
	eval[int](b, `document.querySelector('#exchange-filters [type=reset]').click(), 1`)
	b.until(listed + ` === ` + fmt.Sprint(all))
	fits := "true"
	for _, filter := range []struct{ set, shows string }{
		{`document.getElementById('exchange-found').checked = true`, `x.classList.contains('found')`},
		{`document.getElementById('exchange-status').value = '410'`, `x.querySelector('.status').textContent === '410'`},
		{`document.getElementById('exchange-operation').value = 'getPet'`, `x.querySelector('.path').textContent.startsWith('/pets/')`},
	} {
		eval[int](b, filter.set+`, document.getElementById('exchange-filters').dispatchEvent(new Event('change')), 1`)
		fits += " && " + filter.shows
		b.until(`document.querySelectorAll('#exchange-list .x').length > 0 && [...document.querySelectorAll('#exchange-list .x')].every(x => ` + fits + `)`)
	}
	b.holds(`location.hash === '#exchanges?operation=getPet&status=410&found=yes'`, "the address does not hold the filters")
	b.quiet()
}

func TestTheKeyboardFolds(t *testing.T) {
	b := open(t, broken, "#operation-listPets", desk)
	b.until(opened)
	eval[int](b, `document.querySelector('details.list').open = true, 1`)
	b.until(`document.querySelector('.x') !== null`)
	for _, what := range []string{".rule", ".x"} {
		eval[int](b, `document.querySelector('`+what+` > summary').focus(), 1`)
		open := `document.querySelector('` + what + `').open`
		b.key(kb.Enter)
		b.until(open)
		b.until(`document.querySelector('` + what + `').lastElementChild.localName === 'div'`) // what was unfolded has an inside
		b.key(" ")
		b.until(`!` + open)
	}
	b.quiet()
}

func TestTheTabulatorShowsWhereItIs(t *testing.T) {
	b := open(t, broken, "", desk)
	b.key(kb.Tab)
	b.holds(`document.activeElement.className === 'skip' && document.activeElement.getBoundingClientRect().left >= 0`, "the first stop is not the link to the report")
	for range 12 {
		b.key(kb.Tab)
		b.holds(`getComputedStyle(document.activeElement).outlineStyle !== 'none'`, "a focus cannot be seen")
	}
	b.quiet()
}

func TestLinksLeadToWhatIsFolded(t *testing.T) {
	b := open(t, broken, "#rule-list.limit.honoured", desk)
	rule := `document.getElementById('rule-list.limit.honoured')`
	b.until(rule + `?.open === true`)
	b.until(`{ const top = ` + rule + `.getBoundingClientRect().top; top >= 0 && top < innerHeight }`)
	b.until(`document.activeElement === ` + rule + `.firstElementChild`)

	// From a finding to its exchange, which is made only now.
	exchange := eval[string](b, rule+`.querySelector('.finding a[href^="#exchange-"]').hash.slice(1)`)
	eval[int](b, rule+`.querySelector('.finding a[href^="#exchange-"]').click(), 1`)
	x := `document.getElementById('` + exchange + `')`
	b.until(x + `?.open === true && ` + x + `.querySelector('.x-in') !== null`)
	b.until(`{ const top = ` + x + `.getBoundingClientRect().top; top >= -1 && top < innerHeight }`)
	b.until(`getComputedStyle(` + x + `).outlineStyle === 'solid'`)

	// From an exchange to its scenario, which lies within a rule, and back.
	eval[int](b, x+`.querySelector('a[href^="#scenario-"]').click(), 1`)
	b.until(`document.querySelector('.landed.scenario[open]') !== null && document.querySelector('.landed').closest('.rule').open`)
	eval[int](b, `history.back(), 1`)
	b.until(x + `?.checkVisibility() === true && ` + x + `.open`)

	// To a cause of which the overview shows a line.
	b = open(t, bulk[200], "#cause-20", desk)
	cause := `document.getElementById('cause-20')`
	b.until(cause + `.open && ` + cause + `.querySelector('.diff') !== null && ` + cause + `.querySelector('.command code').textContent.includes('curl')`)
	b.until(`{ const top = ` + cause + `.getBoundingClientRect().top; top >= 0 && top < innerHeight }`)
	eval[int](b, cause+`.querySelector('.ref').open = true, 1`)
	b.until(cause + `.querySelector('.ref .x-in') !== null`)
	b.quiet()
}

// Going back leads to where the reader was.
func TestGoingBackKeepsThePlace(t *testing.T) {
	b := open(t, bulk[200], "", desk)
	b.until(settled)
	eval[int](b, `scrollTo(0, 6000), 1`)
	b.until(`history.state?.y === 6000`)
	eval[int](b, `document.getElementById('operation-createProject').querySelector('a').click(), 1`)
	b.until(opened)
	b.until(`scrollY < 600`)
	eval[int](b, `history.back(), 1`)
	b.until(`document.getElementById('overview').checkVisibility() && scrollY === 6000`)
	b.quiet()
}

func TestLinksToExchangesEndAtTheirRows(t *testing.T) {
	// atRest waits until the page has not moved for some frames.
	const atRest = `new Promise(done => { let y, still = 0; const look = () => { still = scrollY === y ? still + 1 : 0; y = scrollY; still > 20 ? done(true) : requestAnimationFrame(look) }; look() })`
	for name, size := range map[string]look{"desk": {width: 1280, height: 900, motion: true}, "phone": {width: 390, height: 844, motion: true}} {
		t.Run(name, func(t *testing.T) {
			b := open(t, broken, "#exchange-850", size)
			shown := func(n int) string {
				x := fmt.Sprintf(`document.getElementById('exchange-%d')`, n)
				return x + `?.open === true && ` + x + `.getBoundingClientRect().top >= 0 && ` + x + `.getBoundingClientRect().top < 120`
			}
			b.until(shown(850))
			for _, n := range []int{700, 150, 1100, 420} {
				b.goTo(fmt.Sprintf("exchange-%d", n))
				b.until(atRest)
				b.until(shown(n))
			}
			b.quiet()
		})
	}
}

func TestTheTimeline(t *testing.T) {
	b := open(t, bulk[25], "#timeline", desk)
	b.until(`document.querySelector('#timeline').checkVisibility()`)
	eval[int](b, `document.getElementById('timeline-plot').open = true, 1`)
	b.until(`document.querySelectorAll('#timeline svg path').length > 1`)
	b.holds(`document.querySelectorAll('#timeline svg *').length < 40`, "the timeline has many elements")
	// A click on a bar opens its exchange.
	eval[int](b, `{ const box = document.querySelector('#timeline svg').getBoundingClientRect(); document.querySelector('#timeline svg').dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: box.left + 1, clientY: box.top + 2})); 1 }`)
	b.until(`/^#exchange-\d+$/.test(location.hash) && document.querySelector('.landed .x-in') !== null`)
	b.quiet()
}

func TestCopying(t *testing.T) {
	b := open(t, broken, "", desk)
	b.mayCopy()
	want := eval[string](b, `document.querySelector('.cause .again .command code').textContent`)
	if !strings.Contains(want, "curl -sS ") {
		t.Fatalf("the first command is %q", want)
	}
	eval[int](b, `document.querySelector('.cause .again .command .copy').focus(), 1`)
	b.key(kb.Enter)
	b.until(`document.getElementById('said').textContent === 'Copied'`)
	if got := eval[string](b, `navigator.clipboard.readText()`); got != want {
		t.Errorf("copied was %q, expected %q", got, want)
	}
	b.quiet()
}

func TestHostileTextIsText(t *testing.T) {
	b := open(t, broken, "", desk)
	title := eval[string](b, `document.title`)
	if !strings.HasPrefix(title, "Violated: http://127.0.0.1:") {
		t.Errorf("the title is %q", title)
	}
	safe := func() {
		t.Helper()
		b.openAll()
		b.holds(`document.title === `+fmt.Sprintf("%q", title), "the title was changed")
		b.holds(`[...document.scripts].filter(s => s.type !== 'text/plain').length === 1`, "there is more than one script")
		b.holds(`!document.querySelector('main script')`, "a view holds a script")
		b.holds(`!document.querySelector('img, textarea, iframe, object, embed, base')`, "an element was injected")
		b.holds(`[...document.querySelectorAll('.body *')].every(e => /^(PRE|MARK|DETAILS|SUMMARY)$/.test(e.tagName))`, "a body holds elements")
		b.holds(`[...document.querySelectorAll('*')].every(e => [...e.attributes].every(a => !a.name.startsWith('on')))`, "an element has an attribute that runs")
		b.holds(`!/[\u202a-\u202e\u2066-\u2069\u200b-\u200f]/.test(document.body.textContent)`, "an invisible character is left")
	}
	safe()
	for _, view := range []string{"operation-listPets", "operation-getPet", "operation-createPet"} {
		b.goTo(view)
		b.until(opened)
		safe()
	}
	b.goTo("exchanges?status=410")
	b.until(`document.querySelectorAll('#exchange-list .x').length > 0`)
	safe()
	text := eval[string](b, `[...document.querySelectorAll('.x .body')].find(e => e.textContent.includes('owned')).textContent`)
	for _, part := range []string{`<script>document.title='owned'</script>`, `\u202eevil\u2066`, `\u200b`, `</pre></details></textarea>`, `&amp;`} {
		if !strings.Contains(text, part) {
			t.Errorf("%s is not shown in %s", part, text)
		}
	}
	b.quiet()
}

// What an exchange unfolds to is what the record holds, for every one of them.
func TestExchangesAreUnpackedInTheirPlaces(t *testing.T) {
	b := open(t, broken, "#exchanges", desk)
	b.until(`document.querySelectorAll('#exchange-list .x').length > 0`)
	b.until(`(document.querySelector('#exchange-list .more:last-child').click(), document.querySelector('#exchange-list .more:last-child').hidden)`)
	b.holds(`document.querySelectorAll('.x').length === `+listed, "exchanges are missing")
	eval[int](b, `document.querySelectorAll('.x').forEach(d => d.open = true), 1`)
	b.until(`[...document.querySelectorAll('.x')].every(x => x.lastElementChild.matches('.x-in'))`)
	b.holds(`[...document.querySelectorAll('.x')].every(x => x.querySelector('.x-in a[href="#' + x.id + '"]') && x.querySelector('.x-in .start').textContent.startsWith(x.querySelector('.method').textContent + ' http'))`, "an exchange unfolds to another one")
	b.holds(`[...document.querySelectorAll('.x')].every(x => x.childElementCount === 2)`, "an exchange was filled twice")
	b.holds(`[...document.querySelectorAll('.x')].every(x => x.querySelectorAll('.wrong').length !== 1 && x.querySelectorAll('.flawed').length !== 1)`, "a status is wrong in the line only or inside only")
	b.quiet()
}

// A page that a browser cannot unpack, or that was damaged on its way, says so and can be read all the same.
func TestWhatCannotBeUnpackedIsSaid(t *testing.T) {
	how := desk
	how.before = "delete globalThis.DecompressionStream"
	b := open(t, broken, "", how)
	const note = `document.getElementById('unpackable')`
	b.holds(note+`.checkVisibility()`, "nobody says that pages cannot be unpacked")
	b.holds(`document.querySelector('.cause .diff').checkVisibility() && !document.querySelector('.filters').checkVisibility()`, "the causes cannot be read, or filters are shown that do nothing")
	b.goTo("operation-listPets")
	b.until(`document.querySelector('#view .note')?.textContent === ` + note + `.textContent`)
	b.quiet()

	b = open(t, broken, "#exchanges", desk)
	b.until(`document.querySelectorAll('#exchange-list .x').length > 0`)
	const first = `document.querySelector('.x')`
	eval[int](b, `document.querySelectorAll('script.exchanges').forEach(s => s.textContent = 'H4sIAAAAAAAA/w=='); `+first+`.open = true; 1`)
	b.until(first + `.lastElementChild.matches('.note')`)
	b.holds(first+`.lastElementChild.textContent.includes('the page is damaged')`, "nobody says that the page is damaged")
	b.goTo("operation-listPets")
	b.until(opened)
	b.quiet()
}

func TestReadableWithoutScript(t *testing.T) {
	for _, page := range []string{broken, bulk[200]} {
		how := desk
		how.noJS = true
		b := open(t, page, "#causes", how)
		b.holds(`!document.querySelector('.filters').checkVisibility() && !document.getElementById('theme').checkVisibility()`, "what needs the script is shown")
		b.holds(`document.querySelector('h1').checkVisibility() && document.querySelector('.cause .diff').checkVisibility() && document.querySelector('.cause .command').checkVisibility()`, "the causes cannot be read")
		b.holds(`document.querySelector('.cause .x-in').checkVisibility()`, "the first cause lacks its exchange")
		b.holds(`[...document.querySelectorAll('.cause')].every(c => c.textContent.trim().length > 20 && c.checkVisibility())`, "a cause is missing")
		b.holds(shownLines+` === `+allLines+` && `+shownLines+` > 2`, "operations are missing")
		b.holds(`[...document.querySelectorAll('table.operations td.verdict')].every(td => td.textContent.trim())`, "an operation has no verdict")
		b.holds(`document.querySelector('noscript').textContent.includes('JavaScript')`, "nobody says what needs JavaScript")
		b.quiet()
	}
}
