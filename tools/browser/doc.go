// Package browser holds the test of the HTML report in a real browser: a service with defects and hostile answers is
// judged by bin/hallmark, and the page that comes of it is opened in headless Chromium.
//
//	make test-browser
//
// Pages of synthetic runs over 3, 25 and 200 operations come from tests/bulk; HALLMARK_SCREENS names a folder for pictures of them, and with
// HALLMARK_MEASURE=1 the test logs what a reader waits for. Accessibility is checked by axe-core, which npm ci fetches.
//
// It is a module of its own, so that what drives the browser is no dependency of hallmark. Without Chromium the test is
// skipped with a note; under CI=true it fails.
package browser
