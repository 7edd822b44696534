// Package markdown writes a run as GitHub-flavoured Markdown: for the comment of a merge request, and for the page of a CI
// job.
//
// [Write] keeps within a limit of bytes, since a forge refuses what is longer, and says what it left out. No text of a
// record can become markup, a link or a mention: see [Text], [Code] and [Fence].
package markdown
