// Package html reports a run as one page that opens in any browser without a network: the verdict and the reasons for it, the causes with
// expected and actual values, all operations and rules, and every exchange.
//
// The overview is plain HTML, so it can be read without JavaScript: the verdict, the causes, a line for each operation with its verdict. All
// else is packed in blocks (see pack.go) that script.js unpacks on request: the page of each operation with its rules and scenarios, the
// exchanges, and an index for links, filters and search (see index.go). So the page of a large run opens as fast as that of a small one. The
// style of the page is in style.css and its templates are in parts. Elements that a run has hundreds of are written by Go code (see
// markup.go), which is faster. The page fetches nothing, and its content security policy forbids fetching.
//
// Text from outside is never written raw: values have the type [visible], which shows invisible characters, and html/template or [markup]
// escapes them.
package html
