// Package html reports a run as one page that opens in any browser without a network: the verdict and the reasons for it, the causes with
// expected and actual values, all rules, and every exchange.
//
// The findings are plain HTML, and so is a line for each exchange, so both can be read without JavaScript. The details of the exchanges are
// packed in blocks (see pack.go) that script.js unpacks when they are opened or searched. The style of the page is in style.css and its
// templates are in parts. Elements that a run has hundreds of are written by Go code (see markup.go), which is faster. The page fetches
// nothing, and its content security policy forbids fetching.
//
// Text from outside is never written raw: values have the type [visible], which shows invisible characters, and html/template or [markup]
// escapes them.
package html
