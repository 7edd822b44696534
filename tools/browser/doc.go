// Package browser holds the test of the HTML report in a real browser: a service with defects and hostile answers is
// judged by bin/hallmark, and the page that comes of it is opened in headless Chromium.
//
//	make test-browser
//
// It is a module of its own, so that what drives the browser is no dependency of hallmark. Without Chromium the test is
// skipped with a note; under CI=true it fails.
package browser
