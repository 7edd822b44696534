//go:build !unix

package main

func helpers() map[string]func() { return map[string]func(){} }
