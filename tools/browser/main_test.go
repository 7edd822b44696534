package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

var (
	// chromium is the browser that all tests share.
	chromium context.Context
	// broken is the page of a service with a defect and hostile answers, good that of the reference service.
	broken, good string
	// history is the page of the history of both.
	history string
	// bulk holds pages of synthetic runs by their number of operations.
	bulk = map[int]string{3: "", 25: "", 200: ""}
)

func TestMain(m *testing.M) {
	code, err := test(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "browser:", err)
		code = 1
	}
	os.Exit(code)
}

func test(m *testing.M) (int, error) {
	program := findChromium()
	if program == "" {
		if os.Getenv("CI") == "true" {
			return 1, fmt.Errorf("there is no Chromium, so the HTML report cannot be tested; install Debian's package chromium")
		}
		fmt.Println("SKIPPED: there is no Chromium here, so the HTML report was not tested in a browser")
		return 0, nil
	}
	hallmark, err := filepath.Abs("../../bin/hallmark")
	if err != nil {
		return 1, err
	}
	dir, err := os.MkdirTemp("", "hallmark-browser-")
	if err != nil {
		return 1, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if broken, err = judge(hallmark, dir, "broken", "limit-ignored", true); err != nil {
		return 1, err
	}
	if good, err = judge(hallmark, dir, "good", "", false); err != nil {
		return 1, err
	}
	history = filepath.Join(dir, "history.html")
	if out, err := exec.Command(hallmark, "history", dir, "-o", "html:"+history).CombinedOutput(); err != nil {
		return 1, fmt.Errorf("the page of a history cannot be written: %w\n%s", err, out)
	}
	if err := synthetic(dir); err != nil {
		return 1, err
	}
	var stop func()
	chromium, stop = startBrowser(program, filepath.Join(dir, "profile"))
	defer stop()
	if err := chromedp.Do(chromium); err != nil {
		return 1, fmt.Errorf("Chromium cannot be started: %w", err)
	}
	return m.Run(), nil
}

// synthetic writes the pages of synthetic runs to a folder.
func synthetic(dir string) error {
	write := exec.Command("go", "test", "-trimpath", "-buildvcs=false", "-tags=nomsgpack", "-vet=off", "-ldflags=-s -w", "-count=1", "-run=^TestPages$", "./tests/bulk", "-bulk.pages="+dir)
	write.Dir = filepath.Join("..", "..")
	if out, err := write.CombinedOutput(); err != nil {
		return fmt.Errorf("the pages of synthetic runs cannot be written: %w\n%s", err, out)
	}
	for operations := range bulk {
		bulk[operations] = filepath.Join(dir, fmt.Sprintf("bulk-%d.html", operations))
	}
	return nil
}
