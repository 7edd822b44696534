package vocabulary

import (
	"context"
	"net/http"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/spec/wire"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// neededBeside returns the optional parameter of the query without which the last request is refused: with it, the same request succeeds. The
// parameter is the reason then, and not the value that the request is about. Only reads are asked again.
func neededBeside(ctx context.Context, s *scenario.Scenario) (spec.Parameter, bool, error) {
	m, err := s.Making()
	if err != nil || m.Request.Operation == nil || m.Request.Operation.Method != http.MethodGet {
		return spec.Parameter{}, false, nil //nolint:nilerr // without a request being built there is nothing to add to
	}
	plain, err := s.Run.Promises.Requests(m.Request.Operation)
	if err != nil {
		return spec.Parameter{}, false, nil //nolint:nilerr // the contract gives no values to add
	}
	for _, p := range m.Request.Operation.Parameters {
		value, ok := valueOf(plain, request.PlaceOf(p))
		if _, given := m.Request.Value(request.PlaceOf(p)); p.In != wire.InQuery || p.Required || given || !ok || resource.IsCursor(p) {
			continue
		}
		with, err := s.Ask(ctx, m.Request.With(request.PlaceOf(p), value), m.Credential, s.Pickle.Name+", with "+p.Name)
		if err != nil {
			return spec.Parameter{}, false, err
		}
		if with.Succeeded() {
			return p, true, nil
		}
	}
	return spec.Parameter{}, false, nil
}

// valueOf returns the first value that requests have in a place.
func valueOf(all []request.Request, place request.Place) (any, bool) {
	for _, r := range all {
		if value, ok := r.Value(place); ok {
			return value, true
		}
	}
	return nil, false
}
