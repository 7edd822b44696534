package browser

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// findChromium returns the browser's program; empty when there is none.
func findChromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// startBrowser starts Chromium without whatever it does by itself on a network.
func startBrowser(program, profile string) (context.Context, func()) {
	ctx, stop := context.WithTimeout(context.Background(), 8*time.Minute)
	ctx, cancel := chromedp.NewExecAllocator(ctx, append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(profile),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
	)...)
	ctx, quit := chromedp.NewContext(ctx)
	return ctx, func() {
		quit()
		cancel()
		stop()
	}
}

// tab is a page that is open.
type tab struct {
	*testing.T
	ctx context.Context

	mu       sync.Mutex
	fetched  []string
	messages []string
}

// look is how a tab is opened.
type look struct {
	width, height int64
	dark, noJS    bool
	// motion lets the page move as it does for readers who did not ask for less of it.
	motion bool
	// media is "print" or empty.
	media string
	// before is a script that runs before the page's own.
	before string
}

// open shows a page in a tab of its own; hash is a place in it, with its #.
func open(t *testing.T, page, hash string, how look) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(chromium)
	t.Cleanup(cancel)
	b := &tab{T: t, ctx: ctx}
	b.do(chromedp.EmulateViewport(how.width, how.height))
	if err := chromedp.Listen(ctx, b.note); err != nil {
		t.Fatal(err)
	}
	scheme := "light"
	if how.dark {
		scheme = "dark"
	}
	motion := "reduce"
	if how.motion {
		motion = "no-preference"
	}
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media: how.media, Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: motion}},
	}); err != nil {
		t.Fatal(err)
	}
	if how.noJS {
		if _, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
			t.Fatal(err)
		}
	}
	// All files share their storage, so another test may have chosen a theme.
	for _, script := range []string{"localStorage.removeItem('hallmark-theme')", how.before} {
		if _, err := chromedp.Call(ctx, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: script}); err != nil {
			t.Fatal(err)
		}
	}
	b.do(chromedp.Navigate("file://" + page + hash))
	return b
}

// note keeps what the page fetches and complains of.
func (b *tab) note(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		b.fetched = append(b.fetched, e.Request.URL)
	case *runtime.EventExceptionThrown:
		b.messages = append(b.messages, fmt.Sprint("exception: ", e.ExceptionDetails.Text))
	case *runtime.EventConsoleAPICalled:
		b.messages = append(b.messages, fmt.Sprint("console: ", e.Type))
	case *log.EventEntryAdded:
		b.messages = append(b.messages, fmt.Sprint(e.Entry.Level, ": ", e.Entry.Text))
	}
}

// quiet fails when the page fetched anything but itself, or complained of anything.
func (b *tab) quiet() {
	b.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	pages := 0
	for _, url := range b.fetched {
		switch {
		case strings.HasPrefix(url, "file://"):
			pages++
		case strings.HasPrefix(url, "data:"):
		default:
			b.Errorf("the page fetched %s", url)
		}
	}
	if pages != 1 {
		b.Errorf("the browser read %d files, expected the page alone: %q", pages, b.fetched)
	}
	for _, m := range b.messages {
		b.Errorf("the browser complained: %s", m)
	}
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.Fatal(err)
	}
}

// key presses keys, one after the other, where the focus is.
func (b *tab) key(keys string) {
	b.Helper()
	b.do(chromedp.KeyEvent(keys))
}

// press presses a key that writes a character. Like a keyboard, and unlike chromedp's own, it writes nothing where the page
// has another use for the key.
func (b *tab) press(character string) {
	b.Helper()
	for _, event := range []input.DispatchKeyEventParams{
		{Type: input.DispatchKeyEventTypeKeyDown, Key: character, Text: character},
		{Type: input.DispatchKeyEventTypeKeyUp, Key: character},
	} {
		if _, err := chromedp.Call(b.ctx, input.DispatchKeyEvent, event); err != nil {
			b.Fatal(err)
		}
	}
}

// until waits until an expression is true.
func (b *tab) until(expression string) {
	b.Helper()
	late := time.Now().Add(30 * time.Second)
	for !eval[bool](b, expression) {
		if time.Now().After(late) {
			b.Fatalf("this did not become true: %s", expression)
		}
	}
}

// eval returns the value of an expression in the page.
func eval[T any](b *tab, expression string) T {
	b.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.Fatalf("%s: %v", expression, err)
	}
	return v
}

// holds fails when an expression is not true.
func (b *tab) holds(expression, otherwise string) {
	b.Helper()
	if !eval[bool](b, expression) {
		b.Errorf("%s (%s)", otherwise, expression)
	}
}

// mayCopy lets pages read and write the clipboard.
func (b *tab) mayCopy() {
	b.Helper()
	for _, name := range []string{"clipboard-read", "clipboard-write"} {
		if _, err := chromedp.CallBrowser(b.ctx, browser.SetPermission, browser.SetPermissionParams{
			Permission: &browser.PermissionDescriptor{Name: name}, Setting: browser.PermissionSettingGranted,
		}); err != nil {
			b.Fatal(err)
		}
	}
}
