package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// screens are the sizes at which a page is looked at.
var screens = []struct {
	name string
	look look
}{{"wide", look{width: 1280, height: 900}}, {"narrow", look{width: 360, height: 740}}}

// settled is true once the page has followed its address and filled its forms.
const settled = `document.readyState === 'complete' && document.querySelectorAll('#operation option').length > 1`

// places are what is looked at: the overview, the table of operations, a page of an operation with an open rule, the exchanges.
var places = []struct{ name, hash, ready string }{
	{"overview", "", settled},
	{"operations", "#operations", settled},
	{"filtered", "#operations?verdict=violated", `document.querySelectorAll('#found p').length > 0`},
	{"coverage", "#coverage-matrix", `document.querySelectorAll('#coverage-matrix tbody tr').length > 0`},
	{"unasked", "#unasked", settled},
	{"timeline", "#timeline", `{ const d = document.getElementById('timeline-plot'); d.open = true; d.childElementCount > 1 }`},
	{"operation", "#operation-listAccounts", `document.querySelector('#view .unit') !== null`},
	{"exchange", "#exchange-5", `document.querySelector('#exchange-5 .x-in') !== null`},
	{"exchanges", "#exchanges?q=note", `document.querySelectorAll('#exchange-list .x').length > 0`},
}

// The verdict and the first cause are in the first screen, and nothing overflows, for small and large runs. HALLMARK_SCREENS names a folder for
// pictures of all that.
func TestScreens(t *testing.T) {
	folder := os.Getenv("HALLMARK_SCREENS")
	for operations, page := range bulk {
		for _, screen := range screens {
			for _, dark := range []bool{false, true} {
				if dark && folder == "" {
					continue // only its colours differ, and other tests are about those
				}
				how := screen.look
				how.dark = dark
				theme := map[bool]string{false: "light", true: "dark"}[dark]
				for _, place := range places {
					name := fmt.Sprintf("%d-%s-%s-%s", operations, place.name, screen.name, theme)
					t.Run(name, func(t *testing.T) {
						b := open(t, page, place.hash, how)
						b.until(place.ready)
						checkWidth(b, how.width)
						b.holds(fmt.Sprintf(`(document.getElementById('theme').textContent === 'Light') === %v`, dark), "the theme is another one")
						if place.name == "overview" {
							b.holds(firstScreen(`h1`), "the verdict is not in the first screen")
							b.holds(firstScreen(`.cause h3`), "the first cause is not in the first screen")
							b.holds(firstScreen(`.cause .diff`), "what was expected and what came is not in the first screen")
						}
						if folder != "" {
							picture, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
							if err != nil {
								t.Fatal(err)
							}
							if err := os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o600); err != nil {
								t.Fatal(err)
							}
						}
						b.quiet()
					})
				}
			}
		}
	}
}

// firstScreen is whether the first element that a selector names is wholly in the first screen.
func firstScreen(selector string) string {
	return `{ const box = document.querySelector('` + selector + `').getBoundingClientRect(); box.top >= 0 && box.bottom <= innerHeight }`
}

// checkWidth fails if the page or a part of it reaches beyond the screen.
func checkWidth(b *tab, width int64) {
	b.Helper()
	b.holds(fmt.Sprintf(`document.documentElement.scrollWidth <= %d`, width), "the page is wider than the screen")
	wide := eval[[]string](b, fmt.Sprintf(`[...document.querySelectorAll('body *')].filter(e => e.checkVisibility() && !e.closest('svg svg, svg g, .skip, .contents ul, .said') && e.getBoundingClientRect().right > %d).slice(0, 5).map(e => e.tagName + '.' + (e.className.baseVal ?? e.className))`, width+1))
	for _, w := range wide {
		b.Errorf("%s reaches beyond the screen", w)
	}
}

// A large run opens as fast as a small one: few elements, and pages made when they are opened.
func TestALargeRunIsMadeInParts(t *testing.T) {
	b := open(t, bulk[200], "", desk)
	b.until(settled)
	const elements = `document.querySelectorAll('*').length`
	if n := eval[int](b, elements); n > 5000 {
		t.Errorf("the page has %d elements when it is opened", n)
	}
	b.holds(`document.querySelectorAll('table.operations tbody tr').length >= 200`, "operations are missing")
	b.holds(`document.querySelector('.x, .rule, .unit') === null`, "something was made before it was asked for")
	if os.Getenv("HALLMARK_MEASURE") != "" {
		measure(t)
	}
}

// measure logs what a reader waits for. Nothing is asserted: times depend on the machine.
func measure(t *testing.T) {
	for operations, page := range bulk {
		b := open(t, page, "", desk)
		b.until(settled)
		const paint = `performance.getEntriesByType('paint')[0].startTime`
		b.until(`performance.getEntriesByType('paint').length > 0`)
		search := func(id, words, ready string) float64 {
			return eval[float64](b, `(async () => {
				const field = document.getElementById('`+id+`');
				field.value = '`+words+`';
				const from = performance.now();
				field.dispatchEvent(new Event('input', {bubbles: true}));
				while (!(`+ready+`)) await new Promise((done) => setTimeout(done, 1));
				return performance.now() - from;
			})()`)
		}
		const loaded = `performance.getEntriesByType('navigation')[0].loadEventEnd`
		t.Logf("%d operations: painted after %.0f ms, loaded after %.0f ms, %d elements, %d px high", operations, eval[float64](b, paint), eval[float64](b, loaded),
			eval[int](b, `document.querySelectorAll('*').length`), eval[int](b, `document.documentElement.scrollHeight`))
		t.Logf("  search %.0f ms", search("search", "account limit", `document.getElementById('count').textContent.includes(' of ')`))
		eval[int](b, `location.hash = 'exchanges', 1`)
		b.until(`document.querySelectorAll('.x').length > 0`)
		const less = `document.getElementById('exchange-count').textContent.includes(' of ')`
		t.Logf("  first search of bodies %.0f ms", search("exchange-search", "number 3", less))
		t.Logf("  next search of bodies %.0f ms", search("exchange-search", "name 17", `!document.getElementById('exchange-count').textContent.startsWith(window.before ??= document.getElementById('exchange-count').textContent.split(' ')[0])`))
	}
}
