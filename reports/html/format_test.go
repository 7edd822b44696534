package html

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	stdhtml "html"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/tests/bulk"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

// written is the page, with every block unpacked.
func written(t *testing.T, v *view.View) string {
	t.Helper()
	return blocks.ReplaceAllStringFunc(packed(t, v), func(block string) string {
		inside := unpacked(t, block)
		if strings.Contains(inside, "<script") {
			t.Error("a block holds a script")
		}
		return strings.ReplaceAll(inside, string(betweenParts), "\n")
	})
}

// packed is the page as it is written.
func packed(t *testing.T, v *view.View) string {
	t.Helper()
	var out bytes.Buffer
	if err := Format().Write(&out, v); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

var blocks = regexp.MustCompile(`<script type="text/plain" class="(parts|units|exchanges|rows|index)">([A-Za-z0-9+/=]*)</script>`)

// partsOf returns the parts of all blocks of a kind, in order.
func partsOf(t *testing.T, page, kind string) []string {
	t.Helper()
	var all []string
	for _, block := range blocks.FindAllStringSubmatch(page, -1) {
		if block[1] == kind {
			all = append(all, strings.Split(unpacked(t, block[0]), string(betweenParts))...)
		}
	}
	return all
}

func unpacked(t *testing.T, block string) string {
	t.Helper()
	small, err := base64.StdEncoding.DecodeString(blocks.FindStringSubmatch(block)[2])
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(small))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// No byte from the service becomes markup, and no character of it is invisible.
func TestNothingFromTheServiceIsRaw(t *testing.T) {
	text := written(t, sample.Hostile(t))
	if !strings.Contains(text, "&lt;script&gt;document.title='owned'") {
		t.Fatal("the hostile text is not shown at all")
	}
	for _, tag := range regexp.MustCompile(`<[a-zA-Z!/][^>]*>`).FindAllString(text, -1) {
		if strings.Contains(tag, "onerror") || strings.HasPrefix(tag, "<img") || strings.HasPrefix(tag, "<!--") || strings.Contains(tag, "</textarea") {
			t.Errorf("hostile text became markup: %s", tag)
		}
	}
	if n := strings.Count(text, "<script"); n != 1 {
		t.Errorf("the page has %d scripts besides the blocks, expected 1", n)
	}
	for i, r := range text {
		if r != '\n' && r != '\t' && r != ' ' && !unicode.IsPrint(r) {
			t.Fatalf("an invisible %q is left: …%q…", r, text[max(0, i-60):i+20])
		}
	}
	if strings.Contains(text, sample.Key) {
		t.Error("the page holds the key")
	}
}

func TestCommandsOfSeveralLinesStayLines(t *testing.T) {
	got := string(command("id1=$(curl -sS 'a')\ncurl -sS 'b\u202e'"))
	if !strings.Contains(got, "<code>id1=$(curl -sS &#39;a&#39;)\ncurl -sS &#39;b\\u202e&#39;</code>") {
		t.Errorf("the command is %s", got)
	}
}

// The page can be read without a network: it names no place to fetch from.
func TestThePageFetchesNothing(t *testing.T) {
	text := written(t, sample.Broken(t))
	if found := regexp.MustCompile(`(?i)<(link|script|img|iframe|object|embed|source|video|audio)[^>]*\b(src|href)="([^"]*)"`).FindAllString(text, -1); len(found) != 1 || !strings.Contains(found[0], `href="data:image/svg`) {
		t.Errorf("the page fetches %q", found)
	}
	if found := regexp.MustCompile(`url\(|@import|fetch\(|XMLHttpRequest`).FindString(text); found != "" {
		t.Errorf("the page has %s", found)
	}
	if strings.Contains(text, ` style="`) {
		t.Error("a style attribute, which the policy forbids")
	}
}

func TestTheSameRecordGivesTheSamePage(t *testing.T) {
	v := sample.Broken(t)
	first := written(t, v)
	if again := written(t, v); first != again {
		t.Error("two pages of one record differ")
	}
}

// The scenarios of a record are in the order in which they ended, and a journal may hold them in another.
func TestTheOrderOfScenariosDoesNotMatterToTheIndex(t *testing.T) {
	v := bulkView(t, 12)
	rec := *v.Record
	rec.Scenarios = slices.Clone(rec.Scenarios)
	slices.Reverse(rec.Scenarios)
	want := partsOf(t, packed(t, v), "index")
	if got := partsOf(t, packed(t, view.New(&rec, v.Sources)), "index"); !slices.Equal(got, want) {
		t.Error("another order gives another index")
	}
}

// Every link within the page leads somewhere, and no name is given twice.
func TestLinksLeadSomewhere(t *testing.T) {
	for name, v := range map[string]*view.View{"good": sample.Good(t), "broken": sample.Broken(t), "hostile": sample.Hostile(t)} {
		t.Run(name, func(t *testing.T) { checkLinks(t, written(t, v)) })
	}
}

func checkLinks(t *testing.T, text string) {
	t.Helper()
	names := map[string]bool{}
	for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(text, -1) {
		if names[m[1]] {
			t.Errorf("the name %s is given twice", m[1])
		}
		names[m[1]] = true
	}
	// The lines of exchanges are made by the script, which finds them by the first member of a row: [17,0,"GET",…].
	for _, m := range regexp.MustCompile(`\[(\d+),\d+,"`).FindAllStringSubmatch(text, -1) {
		names["exchange-"+m[1]] = true
	}
	for _, m := range regexp.MustCompile(` href="#([^"]*)"`).FindAllStringSubmatch(text, -1) {
		place, _, _ := strings.Cut(m[1], "?")
		if !names[place] {
			t.Fatalf("#%s leads nowhere", m[1])
		}
	}
}

// The button copies the text of a command, so that must be what the record says, to the letter.
func TestCommandsAreWhatTheShellTakes(t *testing.T) {
	for name, v := range map[string]*view.View{"broken": sample.Broken(t), "hostile": sample.Hostile(t)} {
		var commands []string
		for i := range v.Result.Causes {
			commands = append(commands, v.Result.Causes[i].Curl, v.Result.Causes[i].Rerun)
		}
		for i := range v.Record.Exchanges {
			commands = append(commands, v.Record.Target.Curl(v.Record.Exchanges[i]))
		}
		for _, want := range commands {
			_, got, _ := strings.Cut(string(command(visible(want))), "<code>")
			got, _, _ = strings.Cut(got, "</code>")
			if got = stdhtml.UnescapeString(got); got != want {
				t.Errorf("%s: %q is copied, expected %q", name, got, want)
			}
		}
	}
}

// Every exchange is packed in the place of its row, those of an operation together and in order.
func TestExchangesArePackedInOrder(t *testing.T) {
	v := sample.Broken(t)
	page := packed(t, v)
	insides := partsOf(t, page, "exchanges")
	var rows [][]any
	if err := json.Unmarshal([]byte(partsOf(t, page, "rows")[0]), &rows); err != nil {
		t.Fatal(err)
	}
	if len(insides) != len(v.Record.Exchanges) || len(rows) != len(insides) {
		t.Fatalf("%d of %d exchanges are packed, and %d rows", len(insides), len(v.Record.Exchanges), len(rows))
	}
	seen := map[float64]bool{}
	last := []float64{-1, 0}
	for i, inside := range insides {
		seq, unit := rows[i][0].(float64), rows[i][1].(float64)
		if want := fmt.Sprintf(`<a href="#exchange-%.0f">`, seq); !strings.HasPrefix(inside, `<div class="x-in">`) || !strings.Contains(inside, want) {
			t.Fatalf("in the place of exchange %.0f is %.300s", seq, inside)
		}
		if at := []float64{unit, seq}; seen[seq] || slices.Compare(at, last) <= 0 {
			t.Fatalf("exchange %.0f of unit %.0f follows exchange %.0f of unit %.0f", seq, unit, last[1], last[0])
		}
		seen[seq], last = true, []float64{unit, seq}
	}
}

// The row of an exchange says whether a response came, whether it was expected, and whether it shows a finding.
func TestRows(t *testing.T) {
	v := sample.Broken(t)
	rec := *v.Record
	rec.Exchanges = slices.Clone(rec.Exchanges)
	rec.Exchanges[50].Response, rec.Exchanges[50].Lost, rec.Exchanges[50].Delays = nil, "connection reset by peer", 1
	p := newPage(view.New(&rec, v.Sources))
	for i := range rec.Exchanges {
		ex := &rec.Exchanges[i]
		data, err := p.row(i)
		var row []any
		if err = cmp.Or(err, json.Unmarshal(data, &row)); err != nil {
			t.Fatal(err)
		}
		status, marks := 0, 0
		if len(p.charges[ex.Seq]) > 0 {
			marks |= rowFound
		}
		if ex.Response != nil {
			if status = ex.Response.Status; !ex.Expect.Allows(status) {
				marks |= rowWrong
			}
		}
		if ex.Delays > 0 {
			marks |= rowDelayed
		}
		if row[0] != float64(ex.Seq) || row[5] != float64(status) || row[7] != float64(marks) {
			t.Errorf("the row of exchange %d, status %d, marks %d is %s", ex.Seq, status, marks, data)
		}
	}
}

// What the script finds by the index is there: a page for each unit, with its rules and scenarios.
func TestTheIndexLeadsToPages(t *testing.T) {
	for name, v := range map[string]*view.View{"broken": sample.Broken(t), "hostile": sample.Hostile(t), "bulk": bulkView(t, 25)} {
		page := packed(t, v)
		var x index
		if err := json.Unmarshal([]byte(partsOf(t, page, "index")[0]), &x); err != nil {
			t.Fatal(err)
		}
		units := partsOf(t, page, "units")
		if len(units) != len(x.Units) || len(x.Rules) != len(v.Result.Rules) {
			t.Fatalf("%s: %d pages of %d units, %d of %d rules", name, len(units), len(x.Units), len(x.Rules), len(v.Result.Rules))
		}
		for _, r := range x.Rules {
			if !strings.Contains(units[r.Unit], ` id="`+r.Anchor+`"`) {
				t.Errorf("%s: the page of %s does not hold the rule %s", name, x.Units[r.Unit].Anchor, r.ID)
			}
		}
		for i, u := range x.Units {
			if !strings.Contains(page, `<tr id="`+u.Anchor+`"`) {
				t.Errorf("%s: %s has no line", name, u.Anchor)
			}
			for _, scenario := range u.Scenarios {
				if !strings.Contains(units[i], ` id="scenario-`+scenario+`"`) {
					t.Errorf("%s: the page of %s does not hold the scenario %s", name, u.Anchor, scenario)
				}
			}
		}
	}
}

// Without the script, the page says its verdict, every cause, and every operation with its verdict.
func TestReadableWithoutTheScript(t *testing.T) {
	v := bulkView(t, 200)
	static := blocks.ReplaceAllString(packed(t, v), "")
	failing, _ := v.Causes()
	if len(failing) <= mostOpen {
		t.Fatalf("%d causes are too few for this test", len(failing))
	}
	for i, c := range failing {
		if !strings.Contains(static, fmt.Sprintf(`id="cause-%d"`, i+1)) || !strings.Contains(static, stdhtml.EscapeString(c.Says)) {
			t.Errorf("cause %d (%s) is missing", i+1, c.Says)
		}
	}
	for _, op := range v.Contract.Operations() {
		if !regexp.MustCompile(`<tr id="operation-` + op.ID + `" class="is-(violated|warned|conforms)"`).MatchString(static) {
			t.Errorf("the line of %s is missing", op.ID)
		}
	}
	if !strings.Contains(static, "<h1>") || !strings.Contains(static, "Violated") {
		t.Error("the verdict is missing")
	}
}

// A status that is not an expected one, or that shows a finding, never looks like a success.
func TestWrongStatusesAreNotGreen(t *testing.T) {
	v := sample.Broken(t)
	p := newPage(v)
	wrong := 0
	for i := range v.Record.Exchanges {
		ex := &v.Record.Exchanges[i]
		if ex.Response == nil || ex.Expect.Allows(ex.Response.Status) && len(p.charges[ex.Seq]) == 0 {
			continue
		}
		wrong++
		var m markup
		x := p.exchange(ex, whole)
		x.line(&m)
		x.inside(&m)
		class := `class="status wrong"`
		if ex.Expect.Allows(ex.Response.Status) {
			class = `class="status flawed"` // something else is wrong
		}
		if text := string(m.buf); strings.Contains(text, `class="status s2"`) || strings.Count(text, class) != 2 {
			t.Errorf("exchange %d, status %d: %s", ex.Seq, ex.Response.Status, text)
		}
	}
	if wrong == 0 {
		t.Error("no status is wrong")
	}
}

// Long names are broken between their words only, and stay whole as text.
func TestNamesAreBrokenBetweenWords(t *testing.T) {
	cases := []struct{ name, want string }{
		{"listPets.list.limit", "listPets.list.limit"},
		{"createOrganizationMembership.refused", "create<wbr>Organization<wbr>Membership.<wbr>refused"},
		{"/organizations/{organizationId}", "/organizations/<wbr>{organizationId}"},
		{"aVeryVeryLongNameWithAnHTTPRequest", "aVery<wbr>Very<wbr>Long<wbr>Name<wbr>With<wbr>AnHTTPRequest"},
		{"<b>.<i>.a-long-name-with-markup", "&lt;b&gt;.<wbr>&lt;i&gt;.<wbr>a-long-<wbr>name-<wbr>with-<wbr>markup"},
	}
	for _, c := range cases {
		if got := string(breakable(visible(c.name))); got != c.want {
			t.Errorf("%s: %s, expected %s", c.name, got, c.want)
		}
	}
}

// The page of a whole run is small enough for mail, and has few elements when it is opened, even if it has many operations and findings.
func TestThePageIsSmall(t *testing.T) {
	for _, c := range []struct {
		name            string
		of              *view.View
		bytes, elements int
	}{
		{"good", sample.Good(t), 450_000, 1_200}, {"broken", sample.Broken(t), 500_000, 1_800},
		{"3 operations", bulkView(t, 3), 200_000, 1_000}, {"200 operations", bulkView(t, 200), 3_000_000, 5_000},
	} {
		page := packed(t, c.of)
		n := len(regexp.MustCompile(`<[a-zA-Z]`).FindAllString(page, -1))
		t.Logf("%s: %d exchanges, %d bytes, %d elements", c.name, len(c.of.Record.Exchanges), len(page), n)
		if len(page) > c.bytes || n > c.elements {
			t.Errorf("%s: the page of %d exchanges has %d bytes and %d elements, and may have %d and %d", c.name, len(c.of.Record.Exchanges), len(page), n, c.bytes, c.elements)
		}
	}
}

func bulkView(tb testing.TB, operations int) *view.View {
	tb.Helper()
	v, err := bulk.View(operations)
	if err != nil {
		tb.Fatal(err)
	}
	return v
}

// A whole run of the Petstore, and one of several thousand exchanges.
func BenchmarkWrite(b *testing.B) {
	for name, v := range map[string]*view.View{"run": sample.Good(b), "big": sample.Big(b, 2000), "bulk": bulkView(b, 200)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var size counter
				if err := Format().Write(&size, v); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(size), "page-bytes")
			}
		})
	}
}

// counter counts what is written.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
