// Package html tells a run as one page that opens in any browser without a network: the verdict and what it rests on, the
// causes with what was expected and what came, all rules, and every exchange.
//
// The page is written in one go: what belongs to the findings is HTML, so that it can be read without JavaScript; the
// insides of the other exchanges are text that becomes HTML when somebody unfolds them (see exchanges.go). Its looks are
// in style.css, its filters in script.js, its pieces in parts. It fetches nothing, and its policy forbids the browser to.
//
// Nothing from outside reaches it raw: values are of the type [visible], which shows what is invisible, and html/template
// escapes them. Bodies are escaped in body.go.
package html
