// Package terminal shows a run to people: how far it is, while it goes on, and its verdict at the end. It reads views, and knows no
// other format.
package terminal
