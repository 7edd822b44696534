// Package html reports a run as one page that opens in any browser without a network: the verdict and the reasons
// for it, the causes with expected and actual values, all rules, and every exchange.
//
// Everything about the findings is HTML, and so is a line for each exchange, so that it can be read without
// JavaScript. The details of the exchanges are packed in blocks (see pack.go), which script.js unpacks when they
// are opened or searched. The style of the page is in style.css, its templates are in parts; what a run has
// hundreds of is written by Go code (see markup.go), which is faster. The page fetches nothing, and its policy
// forbids the browser to.
//
// No text from outside is written raw: values have the type [visible], which shows invisible characters, and
// html/template or [markup] escapes them.
package html
