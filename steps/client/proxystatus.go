package client

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// unreached returns why a proxy could not reach the target, according to the Proxy-Status of the proxy's own
// response (RFC 9209, section 2.3). It returns "" for a response of the target, and for errors about the target's
// response.
func unreached(resp *http.Response) string {
	switch resp.StatusCode {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
	default:
		return ""
	}
	for _, field := range resp.Header.Values("Proxy-Status") {
		for member := range strings.SplitSeq(field, ",") {
			name, parameters, _ := strings.Cut(member, ";")
			for parameter := range strings.SplitSeq(parameters, ";") {
				reason, is := strings.CutPrefix(strings.TrimSpace(parameter), "error=")
				if is && wayFailed(reason) {
					return fmt.Sprintf("the proxy %s answered %d itself: %s", text.Visible(strings.TrimSpace(name)), resp.StatusCode, reason)
				}
			}
		}
	}
	return ""
}

// wayFailed reports whether an error type of RFC 9209 says that the proxy got no connection to the target, lost
// it, or failed itself.
func wayFailed(reason string) bool {
	switch reason {
	case "dns_timeout", "dns_error", "destination_not_found", "destination_unavailable", "connection_refused", "connection_terminated", "connection_timeout",
		"connection_read_timeout", "connection_write_timeout", "proxy_internal_error":
		return true
	}
	return false
}
