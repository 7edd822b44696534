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

// filled is whether the exchanges that a selector names are unpacked.
func filled(exchanges string) string {
	return `[...document.querySelectorAll('` + exchanges + `')].every(x => x.lastElementChild.matches('.x-in:not(.note)'))`
}

const (
	allRules   = `document.querySelectorAll('.rule').length`
	shownRules = `[...document.querySelectorAll('.rule')].filter(r => r.checkVisibility()).length`
)

func TestThePagesAreQuiet(t *testing.T) {
	for name, page := range map[string]string{"broken": broken, "good": good} {
		t.Run(name, func(t *testing.T) {
			b := open(t, page, "", desk)
			b.holds(`document.documentElement.classList.contains('js')`, "the script does not run")
			b.holds(`getComputedStyle(document.querySelector('.banner')).borderTopWidth === '6px'`, "the style does not apply")
			eval[int](b, `document.querySelectorAll('.x:first-child').forEach(d => d.open = true), 1`)
			b.until(filled(`.x:first-child`))
			b.quiet()
		})
	}
}

func TestSearchAndFilters(t *testing.T) {
	b := open(t, broken, "", desk)
	all := eval[int](b, allRules)
	b.press("/")
	b.holds(`document.activeElement.id === 'rule-search' && document.activeElement.value === ''`, "the slash does not lead to the search")
	b.typed("limit default")
	b.until(shownRules + ` < ` + fmt.Sprint(all))
	b.holds(shownRules+` > 0`, "nothing is found")
	b.holds(`[...document.querySelectorAll('.rule:not([hidden])')].every(r => /limit/i.test(r.textContent) && /default/i.test(r.textContent))`, "a rule is shown that does not hold both words")
	b.holds(`[...document.querySelectorAll('.rule[hidden]')].every(r => !(/limit/i.test(r.textContent) && /default/i.test(r.textContent)))`, "a rule is hidden that holds both words")
	b.holds(`document.getElementById('rule-count').textContent === `+shownRules+` + ' of `+fmt.Sprint(all)+` rules'`, "the count is not that of what is shown")
	b.typed("zzz nothing is like this")
	b.until(shownRules + ` === 0`)
	b.holds(`document.getElementById('rule-none').checkVisibility()`, "nobody says that nothing was found")
	b.key(kb.Escape)
	b.until(shownRules + ` === ` + fmt.Sprint(all))

	// Filters combine, with each other and with the search.
	tick := func(name, value string) {
		eval[int](b, `document.querySelector('#rule-filters input[name="`+name+`"][value="`+value+`"]').click(), 1`)
	}
	fits := "true"
	left := all
	narrows := func(condition, what string) {
		t.Helper()
		fits += " && " + condition
		b.holds(`[...document.querySelectorAll('.rule')].every(r => r.checkVisibility() === (`+fits+`))`, "the filter by "+what+" does not show just what fits")
		n := eval[int](b, shownRules)
		if n == 0 || n >= left {
			t.Errorf("the filter by %s leaves %d of %d", what, n, left)
		}
		left = n
	}
	tick("level", "must")
	tick("level", "open")
	narrows(`['must', 'open'].includes(r.dataset.level)`, "level")
	eval[int](b, `{ const s = document.getElementById('rule-operation'); s.value = 'listPets'; s.dispatchEvent(new Event('change', {bubbles: true})); 1 }`)
	narrows(`(!r.dataset.operations || r.dataset.operations.split(' ').includes('listPets'))`, "operation")
	tick("verdict", "conforms")
	narrows(`r.dataset.verdict === 'conforms'`, "verdict")
	eval[int](b, `document.getElementById('rule-search').focus(), 1`)
	b.typed("list.limit.optional")
	b.until(shownRules + ` === 1`)

	// A link shows what the filters hid.
	eval[int](b, `document.querySelector('.tile.is-violated').click(), 1`)
	b.until(`document.querySelector(decodeURIComponent(location.hash).replaceAll('.', '\\.')).open`)
	b.holds(shownRules+` === `+fmt.Sprint(all), "the filters are still there")
	b.quiet()
}

func TestExchangesAreFound(t *testing.T) {
	b := open(t, broken, "", desk)
	const shown = `[...document.querySelectorAll('.x')].filter(x => x.checkVisibility({contentVisibilityAuto: false})).length`
	all := eval[int](b, `document.querySelectorAll('.x').length`)
	if all < 1000 {
		t.Fatalf("the page holds %d exchanges", all)
	}
	eval[int](b, `document.getElementById('exchange-search').focus(), 1`)
	b.typed("the credential is missing") // words of the line
	b.until(shown + ` < ` + fmt.Sprint(all))
	b.holds(shown+` > 0`, "words of the line find nothing")
	b.holds(`document.getElementById('exchange-count').textContent.startsWith(`+shown+` + ' of ')`, "the count is not that of what is shown")
	eval[int](b, `document.querySelector('#exchange-filters [type=reset]').click(), 1`)
	b.until(shown + ` === ` + fmt.Sprint(all))
	eval[int](b, `document.getElementById('exchange-search').focus(), 1`)
	b.typed(`"<b>bold</b>"`) // only in bodies, and special in markup
	b.until(shown + ` < ` + fmt.Sprint(all))
	b.holds(shown+` > 0`, "words of bodies find nothing")
	b.holds(`[...document.querySelectorAll('.x:not([hidden])')].every(x => Number(x.dataset.s) >= 400)`, "a response is found that does not hold the word")
	eval[int](b, `document.querySelector('#exchange-filters [type=reset]').click(), 1`)
	b.until(shown + ` === ` + fmt.Sprint(all))
	fits := "true"
	for _, filter := range []struct{ set, condition string }{
		{`document.getElementById('exchange-found').click()`, `x.classList.contains('found')`},
		{`document.getElementById('exchange-status').value = '410'`, `x.dataset.s === '410'`},
		{`document.getElementById('exchange-operation').value = 'getPet'`, `x.dataset.o === 'getPet'`},
	} {
		eval[int](b, filter.set+`, document.getElementById('exchange-filters').dispatchEvent(new Event('change')), 1`)
		fits += " && " + filter.condition
		b.holds(`[...document.querySelectorAll('.x')].every(x => x.hidden !== (`+fits+`))`, "the filters do not show just what fits")
		b.holds(shown+` > 0`, "the filters leave nothing")
	}
	b.quiet()
}

func TestTheKeyboardFolds(t *testing.T) {
	b := open(t, broken, "", desk)
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
	b.until(rule + `.open`)
	b.until(`{ const top = ` + rule + `.getBoundingClientRect().top; top >= 0 && top < innerHeight }`)
	b.holds(`document.activeElement === `+rule+`.firstElementChild`, "the focus is elsewhere")

	// From a finding to its exchange, which is made only now.
	exchange := eval[string](b, rule+`.querySelector('.finding a[href^="#exchange-"]').hash.slice(1)`)
	eval[int](b, rule+`.querySelector('.finding a[href^="#exchange-"]').click(), 1`)
	x := `document.getElementById('` + exchange + `')`
	b.until(x + `.open && ` + x + `.querySelector('.x-in') !== null`)
	b.until(`{ const top = ` + x + `.getBoundingClientRect().top; top >= -1 && top < innerHeight }`)
	b.holds(`/^\d+ with|^/.test(getComputedStyle(`+x+`).outlineStyle) && getComputedStyle(`+x+`).outlineStyle === 'solid'`, "where the link led to is not marked")

	// From an exchange to its scenario, which lies within a rule.
	eval[int](b, x+`.querySelector('a[href^="#scenario-"]').click(), 1`)
	b.until(`document.querySelector(':target').matches('.scenario[open]') && document.querySelector(':target').closest('.rule').open`)
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
				return x + `.open && ` + x + `.getBoundingClientRect().top >= 0 && ` + x + `.getBoundingClientRect().top < 120`
			}
			b.until(shown(850))
			for _, n := range []int{700, 150, 1100, 420} {
				eval[int](b, fmt.Sprintf(`location.hash = 'exchange-%d', 1`, n))
				b.until(atRest)
				b.until(shown(n))
			}
			b.quiet()
		})
	}
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
	eval[int](b, `document.querySelectorAll('details').forEach(d => d.open = true), 1`)
	b.until(filled(`.x`))
	b.holds(`document.title === `+fmt.Sprintf("%q", title), "the title was changed")
	b.holds(`[...document.scripts].filter(s => s.type !== 'text/plain').length === 1`, "there is more than one script")
	b.holds(`!document.querySelector('.x script')`, "an exchange holds a script")
	b.holds(`!document.querySelector('img, textarea, iframe, object, embed, base')`, "an element was injected")
	b.holds(`[...document.querySelectorAll('.body *')].every(e => /^(PRE|MARK|DETAILS|SUMMARY)$/.test(e.tagName))`, "a body holds elements")
	b.holds(`[...document.querySelectorAll('*')].every(e => [...e.attributes].every(a => !a.name.startsWith('on')))`, "an element has an attribute that runs")
	text := eval[string](b, `[...document.querySelectorAll('.x .body')].find(e => e.textContent.includes('owned')).textContent`)
	for _, part := range []string{`<script>document.title='owned'</script>`, `\u202eevil\u2066`, `\u200b`, `</pre></details></textarea>`, `&amp;`} {
		if !strings.Contains(text, part) {
			t.Errorf("%s is not shown in %s", part, text)
		}
	}
	b.holds(`!/[\u202a-\u202e\u2066-\u2069\u200b-\u200f]/.test(document.body.textContent)`, "an invisible character is left")
	b.quiet()
}

// What an exchange unfolds to is what the record holds, for every one of them.
func TestExchangesAreUnpackedInTheirPlaces(t *testing.T) {
	b := open(t, broken, "", desk)
	eval[int](b, `document.querySelectorAll('.x').forEach(d => d.open = true), 1`)
	b.until(filled(`.x`))
	b.holds(`[...document.querySelectorAll('.x')].every(x => x.querySelector('.x-in a[href="#' + x.id + '"]') && x.querySelector('.x-in .start').textContent.startsWith(x.querySelector('.method').textContent + ' http'))`, "an exchange unfolds to another one")
	b.holds(`[...document.querySelectorAll('.x')].every(x => x.childElementCount === 2)`, "an exchange was filled twice")
	b.quiet()
}

// A page that a browser cannot unpack, or that was damaged on its way, says so and can be read all the same.
func TestWhatCannotBeUnpackedIsSaid(t *testing.T) {
	how := desk
	how.before = "delete globalThis.DecompressionStream"
	b := open(t, broken, "", how)
	const note = `document.getElementById('exchange-unpackable')`
	b.holds(note+`.checkVisibility()`, "nobody says that exchanges cannot be unpacked")
	eval[int](b, `document.querySelector('.x').open = true, 1`)
	b.until(`document.querySelector('.x').lastElementChild.textContent === ` + note + `.textContent`)
	eval[int](b, `document.getElementById('exchange-search').focus(), 1`)
	b.typed("the credential is missing") // words of the line
	b.until(`document.querySelectorAll('.x:not([hidden])').length < document.querySelectorAll('.x').length`)
	b.holds(`document.querySelectorAll('.x:not([hidden])').length > 0`, "words of the line find nothing")
	b.quiet()

	b = open(t, broken, "", desk)
	const first = `document.querySelector('.x')`
	eval[int](b, first+`.parentElement.nextElementSibling.textContent = 'H4sIAAAAAAAA/w=='; `+first+`.open = true; 1`)
	b.until(first + `.lastElementChild.matches('.note')`)
	b.holds(first+`.lastElementChild.textContent.includes('the page is damaged')`, "nobody says that the page is damaged")
	eval[int](b, `document.querySelectorAll('.x')[150].open = true, 1`)
	b.until(filled(`.x[open]:not(#exchange-1)`))
	b.quiet()
}

func TestReadableWithoutScript(t *testing.T) {
	how := desk
	how.noJS = true
	b := open(t, broken, "#rule-list.limit.honoured", how)
	b.holds(`!document.querySelector('.filters').checkVisibility() && !document.getElementById('theme').checkVisibility()`, "what needs the script is shown")
	b.holds(`document.querySelector('.cause .diff').checkVisibility() && document.querySelector('.cause .body').checkVisibility()`, "the causes cannot be read")
	b.holds(`[...document.querySelectorAll('.finding')].every(f => f.querySelector('.x-in') !== null)`, "a finding lacks its exchange")
	b.holds(shownRules+` === `+allRules, "rules are missing")
	eval[int](b, `document.querySelector('.rule > summary').focus(), 1`)
	b.key(kb.Enter)
	b.until(`document.querySelector('.rule').open`)
	b.quiet()
}
