package wholerun_test

import (
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/tests/shop"
)

// askContract judges a service by a contract, below a path of its own, and returns what came of it.
func askContract(t *testing.T, contract []byte, service http.Handler, secrets map[string]scheme.Secret) (record.Record, error) {
	t.Helper()
	if secrets == nil {
		secrets = map[string]scheme.Secret{}
	}
	rec, _, err := trial{contract: contract, baseURL: "http://shop.test/api", service: inMemory{http.StripPrefix("/api", service)}, created: 500, secrets: secrets}.run(t)
	return rec, err
}

// theKey is the secret of the shop's only scheme.
func theKey() map[string]scheme.Secret { return map[string]scheme.Secret{"key": {Text: shop.Key}} }

// always gives one response to everything.
func always(status int, mediaType, body string, headers ...string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", mediaType)
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	})
}

// Who is not the service of a contract, or lets nobody in, is not judged by it, and a sentence says why.
func TestNothingOfAContractAnswers(t *testing.T) {
	t.Parallel()
	// A part of the shop's contract, which documents no page and no 404 without an identifier.
	part, err := os.ReadFile("testdata/shop.yaml")
	if err != nil {
		t.Fatal(err)
	}
	const servers = "servers: [{url: 'https://shop.test/v2'}]\n"
	contracts := map[string]string{
		"few operations":  strings.Replace(string(part), "paths:\n", servers+"paths:\n", 1),
		"many operations": strings.Replace(string(shop.Contract()), "paths:\n", servers+"paths:\n", 1),
	}
	for name, test := range map[string]struct {
		service http.Handler
		says    string
		// own is set where the whole contract of the shop documents such a response.
		own bool
	}{
		"a web server": {always(404, "text/html", nginx404Page), "nothing of this interface answers at http://shop.test/api", false},
		"another API":  {always(404, "application/json", `{"error":"not found"}`), "nothing of this interface answers", false},
		"an API that speaks of problems as the contract documents them": {always(404, "application/problem+json", `{"title":"no route"}`), "nothing of this interface answers", true},
		"a gateway that reaches nothing":                                {always(502, "text/html", "<h1>502</h1>"), "the service at http://shop.test/api is down", false},
		"a service that is down":                                        {always(503, "application/problem+json", `{"title":"down"}`), "the service at http://shop.test/api is down", false},
		"a login":                                                       {always(302, "text/html", "", "Location", "https://login.example.com/?next=x"), "leads to https://login.example.com/?next=x", false},
		"a single page app":                                             {always(200, "text/html", "<!doctype html>"), "nothing of this interface answers", true},
		"a refused key":                                                 {always(401, "application/problem+json", `{"title":"who are you?"}`), "check HALLMARK_CREDENTIAL_KEY or HALLMARK_API_KEY: is it complete", false},
		"a proxy without a password":                                    {always(407, "text/plain", "proxy"), "nothing of this interface answers", false},
		"a key of no rights":                                            {always(403, "application/json", `{"message":"Forbidden"}`), "answered 403", false},
		"a firewall":                                                    {always(403, "text/html", "<h1>Blocked</h1>"), "answered 403", false},
		"too many requests":                                             {always(429, "text/plain", "slow down"), "answered 429, too many requests", false},
		"the path left out":                                             {http.StripPrefix("/v2", shop.New("")), "the contract names the server https://shop.test/v2, whose path is not added", false},
	} {
		for size, contract := range contracts {
			if test.own && size == "many operations" {
				continue
			}
			t.Run(name+", "+size, func(t *testing.T) {
				rec, err := askContract(t, []byte(contract), test.service, theKey())
				var away steps.Unreachable
				if !errors.As(err, &away) || !strings.Contains(away.Reason+"; "+away.Remedy, test.says) || strings.Contains(away.Remedy, "/v1") {
					t.Errorf("ended with %v, want %q", err, test.says)
				}
				for _, s := range rec.Scenarios {
					if s.ID != scenario.PreflightID {
						t.Fatalf("%s was played", s.Name)
					}
				}
			})
		}
	}
}

const nginx404Page = "<html><head><title>404 Not Found</title></head><body><center><h1>404 Not Found</h1></center><hr><center>nginx</center></body></html>"

// A refused credential is named by the place where it was found, and not by one where it was not.
func TestARefusedCredentialIsNamedByItsPlace(t *testing.T) {
	t.Parallel()
	secret := theKey()["key"]
	secret.Place = "HALLMARK_CREDENTIAL_KEY"
	_, err := askContract(t, shop.Contract(), always(401, "application/json", `{}`), map[string]scheme.Secret{"key": secret})
	var away steps.Unreachable
	if !errors.As(err, &away) || !strings.HasPrefix(away.Remedy, "check HALLMARK_CREDENTIAL_KEY: is it complete") {
		t.Errorf("ended with %v", err)
	}
}

// A service that keeps putting off requests is reached, and speaks no TLS.
func TestAServiceThatPutsOffEveryRequest(t *testing.T) {
	t.Parallel()
	_, err := askContract(t, shop.Contract(), always(429, "text/plain", "", "Retry-After", "0"), theKey())
	var away steps.Unreachable
	if !errors.As(err, &away) || !strings.Contains(away.Reason, "accepts no requests: the service asked to come back later") || !strings.Contains(away.Remedy, "--rate") || strings.Contains(away.Remedy, "TLS") {
		t.Errorf("ended with %v", err)
	}
}

// Where every operation documents 404, and all of them answer so, nothing of the contract is there.
func TestNothingAnswersWhereEveryOperationDocuments404(t *testing.T) {
	t.Parallel()
	const missing = `"404": {description: None, content: {application/json: {schema: {type: object}}}}`
	const create = `post: {operationId: makeThing, requestBody: {content: {application/json: {schema: {type: object}}}}, responses: {"201": {description: Made}, ` + missing + `}}`
	const list = `get: {operationId: listThings, responses: {"200": {description: All}, ` + missing + `}}`
	for name, operations := range map[string]string{"reading and writing": list + ", " + create, "writing only": create} {
		contract := `{openapi: 3.1.0, info: {title: T, version: "1"}, paths: {"/things": {` + operations + `}}}`
		_, err := askContract(t, []byte(contract), always(404, "application/json", `{"error":"not found"}`), nil)
		if away, is := errors.AsType[steps.Unreachable](err); !is || !strings.HasPrefix(away.Reason, "nothing of this interface answers") {
			t.Errorf("%s: ended with %v", name, err)
		}
	}
}

// A service that holds nothing yet says 404 to every identifier, and is judged.
func TestAnEmptyServiceIsJudged(t *testing.T) {
	t.Parallel()
	contract := `{openapi: 3.1.0, info: {title: T, version: "1"}, paths: {"/things/{id}": {get: {operationId: getThing, parameters: [{name: id, in: path, required: true, schema: {type: integer}}],
	  responses: {"200": {description: A thing}, "404": {description: None, content: {application/json: {schema: {type: object}}}}}}}}}`
	if _, err := askContract(t, []byte(contract), always(404, "application/json", `{"error":"not found"}`), nil); err != nil {
		t.Errorf("ended with %v", err)
	}
}

// An operation that cannot be asked, for want of a credential or of a value, does not keep the others from being judged.
func TestOperationsThatCannotBeAskedArePassedOver(t *testing.T) {
	t.Parallel()
	text := strings.Replace(string(shop.Contract()), "paths:\n", `paths:
  /admin:
    get:
      operationId: admin
      security: [{admin: []}]
      responses: {'200': {description: For others}}
    post:
      operationId: adminToo
      security: [{admin: []}]
      responses: {'201': {description: For others}}
  /impossible:
    get:
      operationId: impossible
      parameters: [{name: q, in: query, required: true, schema: {type: string, minLength: 3, maxLength: 1}}]
      responses: {'200': {description: Never}}
  /orders/{id}/archive:
    post:
      operationId: archive
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {description: Archived}}
`, 1)
	text = strings.Replace(text, "  securitySchemes:\n", "  securitySchemes:\n    admin: {type: apiKey, in: header, name: X-Admin}\n", 1)
	rec, err := askContract(t, []byte(text), shop.New(""), theKey())
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range []string{"listItems.success", "createItem.success"} {
		if rec.Exercised[rule] == 0 {
			t.Errorf("%s was not exercised", rule)
		}
	}
	for _, s := range rec.Scenarios {
		for _, f := range s.Findings {
			if strings.HasPrefix(f.Rule, "admin") || strings.HasPrefix(f.Rule, "impossible") || strings.HasPrefix(f.Rule, "archive") {
				t.Errorf("%s is found broken at %s: %s", f.Rule, f.Where, f.Actual)
			}
		}
	}
	if _, err := askContract(t, []byte(text), always(404, "text/html", nginx404Page), theKey()); !errors.As(err, new(steps.Unreachable)) {
		t.Errorf("a web server ended with %v", err)
	}
}

// Operations that demand a credential that is not given do not keep the others from being judged, however many they are; where each
// demands one, a sentence says which.
func TestCredentialsThatAreNotGiven(t *testing.T) {
	t.Parallel()
	var paths strings.Builder
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		paths.WriteString(`
  /` + name + `:
    get: {operationId: get-` + name + `, security: [{user: []}], responses: {'200': {description: For users}}}
    post: {operationId: post-` + name + `, security: [{user: []}, {admin: []}], responses: {'201': {description: For users}}}`)
	}
	head := `openapi: 3.1.0
info: {title: T, version: "1"}
components:
  securitySchemes:
    user: {type: http, scheme: basic}
    admin: {type: apiKey, in: header, name: X-Admin}
paths:`
	locked := head + paths.String()
	for name, open := range map[string]string{
		"a read":        "\n  /open: {get: {operationId: open, responses: {'204': {description: Done}}}}\n",
		"nothing plain": "\n  /open/{id}: {delete: {operationId: open, parameters: [{name: id, in: path, required: true, schema: {type: integer}}], responses: {'204': {description: Gone}}}}\n",
	} {
		t.Run(name, func(t *testing.T) {
			rec, err := askContract(t, []byte(locked+open), always(204, "", ""), nil)
			if err != nil {
				t.Fatalf("ended with %v", err)
			}
			reasons := map[string]bool{}
			for _, s := range rec.Scenarios {
				if s.Outcome == record.Skipped {
					reasons[s.Reason] = true
				}
			}
			if want := "no credential is given for it; set HALLMARK_CREDENTIAL_USER (user:password), or name its place under credentials: in hallmark.yaml"; !reasons[want] {
				t.Errorf("the reasons are %v, want %q", reasons, want)
			}
			if name == "a read" && rec.Exercised["open.success"] == 0 {
				t.Error("what demands no credential was not judged")
			}
		})
	}
	_, err := askContract(t, []byte(locked), always(204, "", ""), nil)
	if want := "each operation of the contract demands a credential, and none is given; set HALLMARK_CREDENTIAL_USER (user:password), HALLMARK_CREDENTIAL_ADMIN or HALLMARK_API_KEY"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("ended with %v, want %s", err, want)
	}
}
