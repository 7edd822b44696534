package traffic

import (
	"net/http"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// gatewayServers are words in the Server header of what answers for services: proxies, load balancers, content delivery networks.
var gatewayServers = []string{"envoy", "awselb", "cloudflare", "cloudfront", "akamaighost", "varnish", "kong", "istio", "haproxy", "gws", "google frontend", "openresty", "nginx", "traefik", "caddy"}

// fromGateway reports whether a response may be that of something between client and service: it is not a success, and has a form that
// gateways give their own responses.
func fromGateway(r *spec.Response) bool {
	if r.Status < http.StatusMultipleChoices {
		return false
	}
	h := r.Header
	switch {
	case r.FromGateway():
		return true
	case h.Get("X-Amzn-Errortype") != "", h.Get("X-Kong-Response-Latency") != "" && h.Get("X-Kong-Upstream-Latency") == "":
		return true
	}
	media, _, _ := strings.Cut(h.Get("Content-Type"), ";")
	switch media = strings.ToLower(strings.TrimSpace(media)); {
	case media == "text/html":
		return true
	case media == "" || wire.KindOf(media) == wire.KindText:
		server := strings.ToLower(h.Get("Server"))
		return slices.ContainsFunc(gatewayServers, func(name string) bool { return strings.Contains(server, name) })
	}
	return false
}
