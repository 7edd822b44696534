// Package markdown writes a run as GitHub-flavoured Markdown, for comments on merge requests and for the pages of CI jobs.
//
// [Write] stays within a limit of bytes, because forges reject longer texts, and states what it omits. No text of a record can become
// markup, a link or a mention: see [Text], [Code] and [Fence].
package markdown
