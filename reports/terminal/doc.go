// Package terminal shows a run to people: its progress, and its verdict at the end. It reads views and knows no other format.
package terminal
