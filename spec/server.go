package spec

import (
	"net/url"
	"slices"
	"strings"
)

// BaseOf returns the base URL for an operation in a run whose base URL replaces the document's server. That is base unless the operation has
// its own servers. Of those on the host of the document's servers, or of base, it uses the first: its path follows the prefix of base
// before the path of the document's server, with the scheme and host of base. If there is none, elsewhere is the address in the document.
// The host of a document without servers is the one that serves most of its operations.
func (c *Contract) BaseOf(op *Operation, base string) (address, elsewhere string) {
	target, err := url.Parse(base)
	if err != nil || len(op.Servers) == 0 {
		return base, ""
	}
	hosts, root := []string{strings.ToLower(target.Host)}, ""
	for i, s := range c.Servers() {
		u, err := url.Parse(s.Address())
		if err != nil {
			continue
		}
		if hosts = append(hosts, strings.ToLower(u.Host)); i == 0 {
			root = strings.TrimRight(u.EscapedPath(), "/")
		}
	}
	if len(c.Servers()) == 0 {
		hosts = append(hosts, c.commonHost())
	}
	prefix, under := strings.CutSuffix(strings.TrimRight(target.EscapedPath(), "/"), root)
	if !under {
		prefix = ""
	}
	for _, s := range op.Servers {
		u, err := url.Parse(s.Address())
		if err != nil || strings.ContainsAny(s.Address(), "{}") || u.Host != "" && !slices.Contains(hosts, strings.ToLower(u.Host)) {
			continue
		}
		path := strings.Trim(u.EscapedPath(), "/")
		if path == strings.Trim(root, "/") {
			return base, ""
		}
		if prefix = strings.TrimRight(prefix, "/"); path != "" {
			path = "/" + path
		}
		return target.Scheme + "://" + target.Host + prefix + path, ""
	}
	return "", op.Servers[0].Address()
}

// commonHost returns the most frequent host of the operations' servers, or "".
func (c *Contract) commonHost() string {
	most, count := "", map[string]int{}
	for i := range c.operations {
		for _, s := range c.operations[i].Servers {
			u, err := url.Parse(s.Address())
			if err != nil || u.Host == "" {
				continue
			}
			host := strings.ToLower(u.Host)
			if count[host]++; count[host] > count[most] {
				most = host
			}
		}
	}
	return most
}

// Elsewhere returns the address of an operation that the document serves at another host than the run's base URL, which replaces the
// document's server, or "". Without a base URL the document's server is used.
func (c *Contract) Elsewhere(op *Operation, base string) string {
	if all := c.Servers(); len(all) > 0 && base == "" {
		base = all[0].Address()
	}
	_, elsewhere := c.BaseOf(op, base)
	return elsewhere
}
