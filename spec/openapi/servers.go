package openapi

import (
	lowv3 "github.com/pb33f/libopenapi/datamodel/low/v3"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// readServers reads the servers of the document, a path or an operation. Swagger 2.0 has no servers.
func readServers(r *reader, owner place) []spec.Server {
	var all []spec.Server
	if r.version == 20 {
		return nil
	}
	for _, item := range r.list(owner, "servers") {
		if item.node.Kind != source.MappingNode {
			r.omit(item, "a server must be an object, not %s", source.Describe(item.node))
			continue
		}
		m, err := modelOf[lowv3.Server]((&outline{reader: r}).object(item, "server"))
		if err != nil {
			r.omit(item, "libopenapi does not read this server")
			continue
		}
		s := spec.Server{URL: m.URL.Value, Pointer: item.pointer, Variables: map[string]string{}}
		for name, v := range m.Variables.Value.FromOldest() {
			s.Variables[unprefixed(name)] = v.Value.Default.Value
		}
		all = append(all, s)
	}
	return all
}
