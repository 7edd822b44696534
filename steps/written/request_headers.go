package written

import (
	"context"
	"fmt"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// givenHeader is "the header If-Match is "{tag}"", or absent: of the next call.
func givenHeader(ctx context.Context, name, source string) error {
	s := scenario.From(ctx)
	st := stateOf(s)
	if st.headers == nil {
		st.headers = map[string]*string{}
	}
	if source == "absent" {
		st.headers[name] = nil
		return nil
	}
	v, err := Value(s, source)
	if err != nil {
		return err
	}
	value := plain(v)
	if strings.ContainsAny(value, "\r\n\x00") {
		return fmt.Errorf("%s is no value that a header could have", text.Short(source))
	}
	st.headers[name] = &value
	return nil
}

// withHeaders returns a request with the headers that steps have said.
func withHeaders(s *scenario.Scenario, r request.Request) request.Request {
	for name, value := range stateOf(s).headers {
		place := scenario.PlaceOf(r.Operation, name)
		if r = r.Without(place); value != nil {
			r = r.WithText(place, *value)
		}
	}
	return r
}
