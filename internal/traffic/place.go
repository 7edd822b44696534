package traffic

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// Place is where the service of a contract is: at which origins, below which paths.
type Place struct {
	contract *spec.Contract
	// base is the base URL of the service, for reports.
	base string
	// origins are those of the service; empty if they are unknown.
	origins []string
	// prefixes are the paths that may precede those of the contract, the longest first.
	prefixes []string
	// adopts reports whether the first origin with an operation of the contract becomes that of the service.
	adopts bool
}

// At returns the place of a service whose base URL is known. The path of the document's server may follow it.
func At(contract *spec.Contract, base string) Place {
	p := Place{contract: contract, base: base}
	u, err := url.Parse(base)
	if err != nil {
		return p
	}
	if u.Host != "" {
		p.origins = []string{origin(u)}
	}
	own := strings.TrimRight(u.EscapedPath(), "/")
	p.prefixes = append(p.prefixes, own)
	for _, path := range serverPaths(contract) {
		p.prefixes = append(p.prefixes, own+path)
	}
	return p.sorted()
}

// Documented returns the place of a service as the document says it. If that names no host, the first one with an operation of the
// contract counts.
func Documented(contract *spec.Contract) Place {
	p := Place{contract: contract, prefixes: serverPaths(contract)}
	for _, s := range contract.Servers() {
		if u, err := url.Parse(s.Address()); err == nil && u.Host != "" && !strings.ContainsAny(u.Host, "{}") {
			p.base, p.origins = cmp.Or(p.base, strings.TrimRight(s.Address(), "/")), append(p.origins, origin(u))
		}
	}
	p.adopts = len(p.origins) == 0
	return p.sorted()
}

// Anywhere returns the place of a service at any origin, with or without the path of the document's server: for handlers in tests.
func Anywhere(contract *spec.Contract) Place {
	paths := serverPaths(contract)
	return Place{contract: contract, base: "http://localhost" + slices.Concat(paths, []string{""})[0], prefixes: append(paths, "")}.sorted()
}

func (p Place) sorted() Place {
	if len(p.prefixes) == 0 {
		p.prefixes = []string{""}
	}
	slices.SortStableFunc(p.prefixes, func(a, b string) int { return len(b) - len(a) })
	p.prefixes = slices.Compact(p.prefixes)
	return p
}

// origin returns the origin of an address, without the port that its scheme implies and without the scheme: recordings of a service behind a
// proxy that ends TLS have another one.
func origin(u *url.URL) string {
	host := strings.ToLower(u.Host)
	for _, port := range []string{":80", ":443"} {
		host = strings.TrimSuffix(host, port)
	}
	return host
}

// serverPaths returns the paths of the document's servers, without those that have variables.
func serverPaths(contract *spec.Contract) []string {
	var all []string
	for _, s := range contract.Servers() {
		if path := s.BasePath(); !strings.ContainsAny(path, "{}") && !slices.Contains(all, path) {
			all = append(all, path)
		}
	}
	return all
}

// Base returns a base URL for the service, for reports.
func (p *Place) Base() string { return cmp.Or(p.base, "http://localhost"+p.prefixes[0]) }

// origin returns the origin of the service, for reports.
func (p *Place) origin() string {
	u, err := url.Parse(p.Base())
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// knows reports whether requests to an origin are for the service, as far as known.
func (p *Place) knows(from string) bool {
	if from == "" || len(p.origins) == 0 {
		return true
	}
	u, err := url.Parse(from)
	return err == nil && slices.Contains(p.origins, origin(u))
}

// adopt makes an origin that of the service, if none is known.
func (p *Place) adopt(from string) {
	if u, err := url.Parse(from); p.adopts && from != "" && err == nil {
		p.base, p.origins, p.adopts = from+p.prefixes[0], []string{origin(u)}, false
	}
}

// operation returns the operation that a request calls.
func (p *Place) operation(method, path string) (*spec.Operation, bool) {
	for _, prefix := range p.prefixes {
		below, ok := strings.CutPrefix(path, prefix)
		if !ok {
			continue
		}
		if op, found := p.contract.Match(method, below); found && p.serves(op, prefix) {
			return op, true
		}
	}
	return nil, false
}

// serves reports whether the paths of an operation may follow a prefix: it may have servers of its own.
func (p *Place) serves(op *spec.Operation, prefix string) bool {
	if len(op.Servers) == 0 {
		return true
	}
	address, elsewhere := p.contract.BaseOf(op, p.Base())
	if elsewhere != "" {
		return false
	}
	u, err := url.Parse(address)
	return err == nil && strings.TrimRight(u.EscapedPath(), "/") == prefix
}
