package promise_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/promise"
)

func TestJudge(t *testing.T) {
	documented := func(keys string) *spec.Operation {
		op := &spec.Operation{ID: "op"}
		for key := range strings.FieldsSeq(keys) {
			a := spec.DocumentedResponse{Key: key}
			if len(key) == 3 && !strings.HasSuffix(key, "X") {
				a.Status = int(key[0]-'0')*100 + int(key[1]-'0')*10 + int(key[2]-'0')
			}
			op.Responses = append(op.Responses, a)
		}
		return op
	}
	for _, test := range []struct {
		name, documents string
		status          int
		aspect          promise.Aspect
		fault           promise.Kind
		broken          string
	}{
		{"a documented success", "200", 200, promise.Keeps, "", ""},
		{"a success by a range", "2XX", 204, promise.Keeps, "", ""},
		{"a success by default", "default", 200, promise.Keeps, "", ""},
		{"another success", "201 400", 200, promise.Keeps, "", "success"},
		{"another success to a fault is two things", "201 400", 200, promise.Breaks, promise.ParameterValue, "refused.parameter success"},
		{"nothing is there, and another success is given", "200 404", 204, promise.Unknown, promise.NotFound, "not-found success"},
		{"a server error", "200", 500, promise.Keeps, "", "no-server-error"},
		{"a server error beside a default", "200 default", 500, promise.Keeps, "", "no-server-error"},
		{"a success where no response is documented", "", 200, promise.Keeps, "", ""},
		{"a refusal where no response is documented", "", 409, promise.Keeps, "", ""},
		{"a success where nothing but an interim response is documented", "102", 200, promise.Keeps, "", ""},
		{"a documented server error", "200 500", 500, promise.Keeps, "", ""},
		{"a server error by a range", "200 5XX", 507, promise.Keeps, "", ""},
		{"not implemented", "200", 501, promise.Keeps, "", ""},
		{"a server error to a fault", "200 400", 500, promise.Breaks, promise.ParameterValue, "refused.parameter robust"},
		{"a server error to a fault beside a default", "200 400 default", 500, promise.Breaks, promise.ParameterValue, "robust"},
		{"a server error to a fault whose refusal is not documented", "200 404", 500, promise.Breaks, promise.ParameterValue, "robust"},
		{"a server error to another media type, which no refusal is documented for", "200 400", 500, promise.Breaks, promise.MediaTypeRefused, "robust"},
		{"a gateway that fails at a fault", "200 400", 502, promise.Breaks, promise.ParameterValue, "robust"},
		{"a documented server error to a fault", "200 400 5XX", 500, promise.Breaks, promise.ParameterValue, ""},
		{"an undocumented refusal", "200", 409, promise.Keeps, "", "documented"},
		{"a refusal by default", "200 default", 409, promise.Keeps, "", ""},
		{"a redirect", "200", 302, promise.Keeps, "", "documented"},
		{"an allowed value refused", "200 400", 400, promise.Differs, "", "accepted"},
		{"an allowed value refused, and the status is not documented", "200", 422, promise.Differs, "", "accepted documented"},
		{"an allowed value meets a state", "200 400 409", 409, promise.Differs, "", ""},
		{"an allowed value accepted", "200 400", 200, promise.Differs, "", ""},
		{"a fault refused", "200 400", 400, promise.Breaks, promise.BodyType, ""},
		{"a fault that meets a state", "200 400", 409, promise.Breaks, promise.BodyType, ""},
		{"an allowed value that is unusual", "200 400", 500, promise.Allowed, promise.Available, "no-server-error"},
		{"an allowed value that is unusual, refused", "200 400", 400, promise.Allowed, promise.Available, ""},
		{"an allowed value that is unusual, refused as nowhere documented", "200", 403, promise.Allowed, promise.Available, "documented"},
		{"a fault refused in another way", "200 400", 404, promise.Breaks, promise.BodyType, ""},
		{"an alternative credential lets in", "200 401", 200, promise.LetIn, promise.CredentialAccepted, ""},
		{"an alternative credential does not let in", "200 401", 401, promise.LetIn, promise.CredentialAccepted, "credential.accepted"},
		{"an alternative credential is of somebody with fewer rights", "200 401 403", 403, promise.LetIn, promise.CredentialAccepted, ""},
		{"a wrong credential where none is needed", "200", 200, promise.Ignores, promise.CredentialIgnored, ""},
		{"a wrong credential where none is needed is refused", "200 default", 401, promise.Ignores, promise.CredentialIgnored, "credential.ignored"},
		{"a wrong credential where none is needed is not allowed", "200", 403, promise.Ignores, promise.CredentialIgnored, "credential.ignored documented"},
		{"a wrong credential where none is needed gets what is documented", "200 4XX", 401, promise.Ignores, promise.CredentialIgnored, ""},
		{"a parameter that is not listed is refused where no credential is needed", "200 400", 400, promise.Ignores, promise.CredentialIgnored, ""},
		{"an alternative credential is of somebody who sees less", "200 401 404", 404, promise.LetIn, promise.CredentialAccepted, ""},
		{"a fault accepted", "200 400", 200, promise.Breaks, promise.BodyType, "refused.body-type"},
		{"a fault redirected", "200 400", 303, promise.Breaks, promise.BodyType, ""},
		{"nothing is there", "200 404", 404, promise.Unknown, promise.NotFound, ""},
		{"nothing is there, and is found", "200 404", 200, promise.Unknown, promise.NotFound, "not-found"},
		{"nothing is there, and is refused as documented", "200 400 404", 400, promise.Unknown, promise.NotFound, ""},
		{"nothing is there, and is refused", "200 404", 400, promise.Unknown, promise.NotFound, "not-found documented"},
		{"nothing is there, and what is sent meets a state", "200 404 409", 409, promise.Unknown, promise.NotFound, "not-found"},
		{"nothing is there, and breaks it", "200 404", 500, promise.Unknown, promise.NotFound, "no-server-error"},
		{"no credential", "200 401", 401, promise.Unauthorized, promise.CredentialMissing, ""},
		{"no credential, and another refusal", "200 401", 403, promise.Unauthorized, promise.CredentialMissing, "credential.missing"},
		{"no credential, of which the document says nothing", "200", 403, promise.Unauthorized, promise.CredentialMissing, ""},
		{"no credential, and in", "200 401", 200, promise.Unauthorized, promise.CredentialMissing, "credential.missing"},
		{"no credential, and it breaks", "200 401", 500, promise.Unauthorized, promise.CredentialMissing, "credential.missing robust"},
		{"no credential, and it breaks, where a default stands for what is not listed", "200 401 default", 500, promise.Unauthorized, promise.CredentialMissing, "robust"},
		{"no credential, and too many requests", "200 401 429", 429, promise.Unauthorized, promise.CredentialMissing, ""},
		{"a fault, and too many requests", "200 400 429", 429, promise.Breaks, promise.BodyType, ""},
		{"nothing is there, and too many requests", "200 404 429", 429, promise.Unknown, promise.NotFound, ""},
		{"too many requests, of which the document says nothing", "200", 429, promise.Differs, "", "documented"},
		{"whatever comes of it", "200", 418, promise.Open, "", ""},
		{"a server error to what is open", "200", 500, promise.Open, "", "robust"},
	} {
		t.Run(test.name, func(t *testing.T) {
			v := promise.Judge(documented(test.documents), &spec.Response{Status: test.status, Header: http.Header{}}, test.aspect, test.fault)
			var broken []string
			for _, k := range v.Broken {
				broken = append(broken, string(k))
				if slices.Contains(v.Kept, k) {
					t.Errorf("%s is both broken and kept", k)
				}
			}
			if test.status == http.StatusTooManyRequests && test.fault != "" && slices.Contains(v.Kept, test.fault) {
				t.Errorf("%s is kept by a response that speaks of something else", test.fault)
			}
			if got := strings.Join(broken, " "); got != test.broken {
				t.Errorf("broken is %q, want %q", got, test.broken)
			}
			if len(broken) > 0 && len(v.Wanted) == 0 && v.Broken[0] != promise.Available && v.Broken[0] != promise.Robust && v.Broken[0] != promise.Documented {
				t.Error("nothing says what would have been right")
			}
		})
	}
}

// What does not exist is answered 404, whatever a wrong response breaks: a report then knows that nothing else was right.
func TestWantedOfNothing(t *testing.T) {
	op := &spec.Operation{ID: "op", Responses: []spec.DocumentedResponse{{Key: "200", Status: 200}, {Key: "404", Status: 404}}}
	for _, status := range []int{204, 400, 500} {
		v := promise.Judge(op, &spec.Response{Status: status, Header: http.Header{}}, promise.Unknown, promise.NotFound)
		if got := strings.Join(v.Wanted, " "); got != "404" {
			t.Errorf("for %d %q is wanted, want 404", status, got)
		}
	}
}

func TestUnavailable(t *testing.T) {
	op := &spec.Operation{ID: "op", Responses: []spec.DocumentedResponse{{Key: "200", Status: 200}}}
	later := &spec.Response{Status: 503, Header: http.Header{"Retry-After": {"5"}}}
	if v := promise.Judge(op, later, promise.Keeps, ""); !v.Unavailable || len(v.Broken) > 0 {
		t.Errorf("503 with Retry-After: %+v", v)
	}
	if v := promise.Judge(op, &spec.Response{Status: 503}, promise.Keeps, ""); v.Unavailable || len(v.Broken) == 0 {
		t.Errorf("503: %+v", v)
	}
}

func TestNames(t *testing.T) {
	names := promise.NamesOf([]spec.Operation{{ID: "listPets"}, {ID: "pets/list all"}, {ID: "pets.get"}, {ID: "pets get"}, {ID: "…"}, {ID: "Listpets"}})
	if names["listPets"] != "listPets" || names["pets/list all"] != "pets-list-all" {
		t.Errorf("names are %q", names)
	}
	seen := map[string]string{}
	for id, name := range names {
		if other, twice := seen[name]; twice || name == "" || strings.ContainsAny(name, ". /") {
			t.Errorf("%q is called %q, as is %q", id, name, other)
		}
		seen[name] = id
	}
}

// The statuses wanted for a refusal say something about the request.
func TestRefusalsWanted(t *testing.T) {
	documented := func(keys ...string) *spec.Operation {
		op := &spec.Operation{ID: "op", Responses: []spec.DocumentedResponse{{Key: "200", Status: 200}}}
		for _, key := range keys {
			status, _ := strconv.Atoi(key)
			op.Responses = append(op.Responses, spec.DocumentedResponse{Key: key, Status: status})
		}
		return op
	}
	for _, test := range []struct{ documents, want []string }{
		{[]string{"400", "401", "403", "404", "429"}, []string{"400"}},
		{[]string{"401", "422", "413"}, []string{"422", "413"}},
		{[]string{"4XX", "401"}, []string{"4XX"}},
		{[]string{"401", "default"}, []string{"4xx"}},
	} {
		v := promise.Judge(documented(test.documents...), &spec.Response{Status: 200, Header: http.Header{}}, promise.Breaks, promise.PropertyValue)
		if !slices.Equal(v.Wanted, test.want) {
			t.Errorf("%q: wanted is %q, not %q", test.documents, v.Wanted, test.want)
		}
	}
}
