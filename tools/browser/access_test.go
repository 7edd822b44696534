package browser

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// contrasts lists the texts that are hard to read: those with less contrast to what is behind them than WCAG 2.2 asks for
// (level AA: 4.5, large text 3). Colours are read off a canvas, which knows every way to write them.
const contrasts = `(() => {
	const canvas = Object.assign(document.createElement('canvas'), {width: 1, height: 1}).getContext('2d', {willReadFrequently: true});
	const known = new Map();
	const rgba = (colour) => {
		if (!known.has(colour)) {
			canvas.clearRect(0, 0, 1, 1);
			canvas.fillStyle = colour;
			canvas.fillRect(0, 0, 1, 1);
			known.set(colour, [...canvas.getImageData(0, 0, 1, 1).data]);
		}
		return known.get(colour);
	};
	const grounds = new Map();
	const behind = (e) => {
		if (!e) return [255, 255, 255];
		if (!grounds.has(e)) {
			const [r, g, b, a] = rgba(getComputedStyle(e).backgroundColor);
			const under = a === 255 ? [0, 0, 0] : behind(e.parentElement);
			grounds.set(e, [r, g, b].map((c, i) => c * a / 255 + under[i] * (1 - a / 255)));
		}
		return grounds.get(e);
	};
	const light = (colour) => colour.slice(0, 3).map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
		.reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
	const bad = new Set();
	let seen = 0;
	for (const e of document.querySelectorAll('body *')) {
		if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || !e.checkVisibility() || e.closest('.skip, .said')) continue;
		seen++;
		const style = getComputedStyle(e);
		const [a, b] = [light(rgba(e.namespaceURI.endsWith('svg') ? style.fill : style.color)), light(behind(e))].sort((x, y) => y - x);
		const ratio = (a + 0.05) / (b + 0.05);
		const size = parseFloat(style.fontSize);
		if (ratio < (size >= 24 || size >= 18.66 && style.fontWeight >= 700 ? 3 : 4.5)) {
			bad.add(ratio.toFixed(2) + ' ' + e.tagName + '.' + e.getAttribute('class') + ' in ' + (e.parentElement.className.baseVal ?? e.parentElement.className));
		}
	}
	return seen < 100 ? ['only ' + seen + ' texts were seen'] : [...bad];
})()`

// views are the places of a page, with what shows that they are there.
var views = []struct{ hash, ready string }{
	{"", settled},
	{"#operation-listPets", opened},
	{"#exchanges", `document.querySelectorAll('#exchange-list .x').length > 0`},
}

// unfold opens much of a view.
func (b *tab) unfold() {
	b.Helper()
	eval[int](b, `[...document.querySelectorAll('main .rule:nth-of-type(-n+3), main .rule.is-violated, main .rule .scenario:nth-of-type(1), main .fold, main .line, main .x:nth-of-type(-n+4)')].filter(d => d.checkVisibility()).forEach(d => d.open = true), 1`)
	b.until(`[...document.querySelectorAll('main details[open]')].every(d => d.childElementCount > 1)`)
}

func TestContrast(t *testing.T) {
	for _, page := range []string{broken, good} {
		for _, dark := range []bool{false, true} {
			for _, view := range views {
				how := desk
				how.dark = dark
				b := open(t, page, view.hash, how)
				b.until(view.ready)
				b.unfold()
				for _, bad := range eval[[]string](b, contrasts) {
					t.Errorf("%s, dark %v: contrast %s", view.hash, dark, bad)
				}
			}
		}
	}
	// The button wins over what the system prefers.
	b := open(t, broken, "", desk)
	before := eval[string](b, `getComputedStyle(document.body).backgroundColor`)
	eval[int](b, `document.getElementById('theme').click(), 1`)
	b.holds(`getComputedStyle(document.body).backgroundColor !== '`+before+`'`, "the button changes nothing")
	for _, bad := range eval[[]string](b, contrasts) {
		t.Errorf("after the button: contrast %s", bad)
	}
	b.quiet()
}

// axe returns the script of axe-core.
func axe(t *testing.T) string {
	t.Helper()
	script, err := os.ReadFile(filepath.Join("node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		if _, none := exec.LookPath("npm"); none == nil && os.Getenv("CI") == "true" {
			t.Fatal("axe-core is missing: npm ci in tools/browser fetches it")
		}
		t.Skip("axe-core is missing: npm ci in tools/browser fetches it")
	}
	return string(script) + `; 1`
}

// violations makes axe look for violations.
const violations = `axe.run({resultTypes: ['violations']}).then(r => r.violations.map(v => v.id + ': ' + v.help + ': ' + v.nodes.slice(0, 2).map(n => n.html.slice(0, 200)).join(' | ')))`

// axe finds no violation in any view, in light and dark, wide and narrow.
func TestAxe(t *testing.T) {
	script := axe(t)
	for name, page := range map[string]string{"broken": broken, "good": good, "bulk": bulk[25]} {
		for _, screen := range screens {
			for _, dark := range []bool{false, true} {
				for _, view := range views {
					if name == "bulk" {
						view.hash = strings.ReplaceAll(view.hash, "listPets", "listAccounts")
					}
					how := screen.look
					how.dark = dark
					b := open(t, page, view.hash, how)
					b.until(view.ready)
					b.unfold()
					eval[int](b, script)
					for _, found := range eval[[]string](b, violations) {
						t.Errorf("%s%s, %s, dark %v: %s", name, view.hash, screen.name, dark, found)
					}
				}
			}
		}
	}
}

// The page of a history has no violations either, says what is broken, and is no wider than the screen.
func TestHistory(t *testing.T) {
	script := axe(t)
	for _, screen := range screens {
		for _, dark := range []bool{false, true} {
			how := screen.look
			how.dark = dark
			b := open(t, history, "", how)
			b.until(`document.readyState === 'complete'`)
			eval[int](b, `document.querySelectorAll('details').forEach(d => d.open = true), 1`)
			if !eval[bool](b, `document.querySelectorAll('.contract h3 + ul li svg rect').length > 1 && document.querySelectorAll('figure svg polyline').length > 2`) {
				t.Error("there are no plots or no rules")
			}
			if !eval[bool](b, `document.documentElement.scrollWidth <= innerWidth`) {
				t.Errorf("%s: it is wider than the screen", screen.name)
			}
			eval[int](b, script)
			for _, found := range eval[[]string](b, violations) {
				t.Errorf("%s, dark %v: %s", screen.name, dark, found)
			}
		}
	}
}

func TestLandmarksHeadingsAndNames(t *testing.T) {
	for _, view := range views {
		b := open(t, broken, view.hash, desk)
		b.until(view.ready)
		b.unfold()
		checkNames(b)
	}
}

func checkNames(b *tab) {
	b.Helper()
	b.holds(`document.documentElement.lang === 'en'`, "the page has no language")
	for _, landmark := range []string{"header", "nav[aria-label]", "main", "footer"} {
		b.holds(`document.querySelectorAll('body `+landmark+`').length === 1`, "there is not one "+landmark)
	}
	b.holds(`document.querySelectorAll('h1').length === 1`, "there is not one title")
	b.holds(`[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].filter(h => h.checkVisibility()).every((h, i, all) => i === 0 || h.tagName[1] - all[i-1].tagName[1] <= 1)`, "a level of headings is left out")
	b.holds(`[...document.querySelectorAll('[aria-labelledby]')].every(e => document.getElementById(e.getAttribute('aria-labelledby'))?.textContent.trim())`, "a label is missing")
	b.holds(`[...document.querySelectorAll('input, select, output')].every(e => e.labels?.length || e.getAttribute('aria-label') || e.tagName === 'OUTPUT')`, "a field has no label")
	b.holds(`[...document.querySelectorAll('a, button, summary')].every(e => e.hidden || (e.getAttribute('aria-label') || e.textContent).trim())`, "a link or button has no name")
	b.holds(`[...document.querySelectorAll('.plot > svg')].every(e => e.getAttribute('role') === 'img' && e.getAttribute('aria-label'))`, "a plot has no text")
	b.holds(`[...document.querySelectorAll('[id]')].length === new Set([...document.querySelectorAll('[id]')].map(e => e.id)).size`, "an id is there twice")
	b.holds(`[...document.querySelectorAll('details')].every(d => d.firstElementChild.tagName === 'SUMMARY')`, "something that folds has no line to unfold it by")
}

func TestAPhoneShowsEverything(t *testing.T) {
	for _, page := range []string{broken, good} {
		for _, view := range views {
			b := open(t, page, view.hash, look{width: 360, height: 740})
			b.until(view.ready)
			checkWidth(b, 360)
			b.unfold()
			checkWidth(b, 360)
			b.holds(`parseFloat(getComputedStyle(document.body).fontSize) >= 16`, "the text is small")
			b.quiet()
		}
	}
}

func TestPaper(t *testing.T) {
	how := desk
	how.media = "print"
	b := open(t, broken, "", how)
	for _, gone := range []string{".filters", ".contents", "#theme", ".copy", "#exchanges"} {
		b.holds(`![...document.querySelectorAll('`+gone+`')].some(e => e.checkVisibility())`, gone+" is printed")
	}
	b.holds(`[...document.querySelectorAll('.cause details.fold > .contract, .cause details.fold > .x-in')].every(e => e.checkVisibility())`, "the causes are printed folded")
	b.holds(`document.querySelectorAll('.cause').length > 0 && [...document.querySelectorAll('table.operations tr')].every(e => e.checkVisibility())`, "causes or operations are not printed")
	pdf, err := chromedp.Run(b.ctx, chromedp.PrintToPDF())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(pdf), "%PDF") {
		t.Error("no PDF came")
	}
	b.quiet()
}
