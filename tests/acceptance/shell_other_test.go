//go:build !unix

package acceptance

func helpers() map[string]func() { return map[string]func(){} }
