// Package hostile responds as no service should: without end, without sense, too late, too large, or with texts that do harm where they are
// displayed. Tests run hallmark against it: it must stay within its limits of time and memory, say what is wrong, and display nothing raw.
package hostile
