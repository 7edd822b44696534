// Package html tells a run as one page that opens in any browser without a network: the verdict and what it rests on, the
// causes with what was expected and what came, all rules, and every exchange.
//
// What belongs to the findings is HTML, and so is a line for each exchange, so that it can be read without JavaScript. What
// the exchanges unfold to is packed in blocks (see pack.go), which script.js unpacks when somebody opens or searches them. The
// looks of the page are in style.css, its pieces in parts; what a run has hundreds of is written by Go code (see markup.go), which
// is faster. It fetches nothing, and its policy forbids the browser to.
//
// Nothing from outside reaches it raw: values are of the type [visible], which shows what is invisible, and html/template or
// [markup] escapes them.
package html
