// Package hostile answers as no service should: without end, without sense, too late, too large, or with texts that do
// harm where they are shown. Tests hold hallmark against it, which has to stay within its time and its memory, say what is
// wrong, and show nothing as it came.
package hostile
