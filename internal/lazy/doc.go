// Package lazy makes what few runs need when it is needed first: what a process makes before it begins is paid for by every command.
package lazy
