package check

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/phrase"
)

// Error judges whether an Error repeats the HTTP status, if the contract has an integer property for it, and (should) whether a 401 says
// how to authenticate.
func Error(ex *spec.Exchange, op spec.Operation, tree any) Result {
	var out Result
	if ex.Response.Status < 400 {
		return out
	}
	if ex.Response.Status == http.StatusUnauthorized {
		if ex.Response.Header.Get("WWW-Authenticate") != "" {
			out.Kept("auth.challenge")
		} else {
			out.Find(spec.Finding{
				Rule: "auth.challenge", Kind: spec.KindMissing, Expected: phrase.Of("a {} header", phrase.Header("WWW-Authenticate")), Actual: phrase.Of("none"),
				Header: "WWW-Authenticate", Where: Place(ex).In("the headers"), Cause: "auth.challenge",
			})
		}
	}
	s := errorSchema(op, ex.Response.Status)
	if s == nil {
		return out
	}
	if p := s.Property("status"); p == nil || p.Schema == nil || p.Schema.Type != "integer" {
		return out
	}
	fields, _ := tree.(map[string]any)
	said, ok := fields["status"].(json.Number)
	if !ok {
		return out
	}
	text, ok := exactjson.CanonicalInt(said)
	if !ok {
		return out
	}
	if text == strconv.Itoa(ex.Response.Status) {
		out.Kept("error.status.same")
	} else {
		out.Find(spec.Finding{
			Rule: "error.status.same", Kind: spec.KindDiffers, Expected: phrase.Of("{}, as the HTTP status", phrase.Status(ex.Response.Status)),
			Actual: phrase.Of("{}", phrase.JSON(text)),
			Where:  Place(ex).At("/status"), Pointer: "/status", Cause: "error.status.same",
		})
	}
	return out
}

// Deprecation judges (should) whether the responses of a deprecated operation say so.
func Deprecation(ex *spec.Exchange, op spec.Operation) Result {
	var out Result
	if !op.Deprecated || ex.Response.Status/100 != 2 {
		return out
	}
	need := func(rule, header string) {
		if ex.Response.Header.Get(header) != "" {
			out.Kept(rule)
		} else {
			out.Find(spec.Finding{
				Rule: rule, Kind: spec.KindMissing, Expected: phrase.Of("a {} header", phrase.Header(header)), Actual: phrase.Of("none"),
				Header: header, Where: Place(ex).In("the headers"), Cause: rule,
			})
		}
	}
	need("get.deprecation", "Deprecation")
	if !op.Sunset.IsZero() {
		need("get.sunset", "Sunset")
	}
	return out
}

// errorSchema returns the schema of an error: that of the documented response, or else of any error that the operation
// documents, since all of them carry the same body.
func errorSchema(op spec.Operation, status int) *spec.Schema {
	if a := op.ResponseFor(status); a != nil {
		return a.Schema()
	}
	for _, a := range op.Responses {
		if a.Class() >= 4 && a.Schema() != nil {
			return a.Schema()
		}
	}
	return nil
}
