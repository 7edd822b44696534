package variants_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reference/mutate"
	"github.com/hallmark-kit/hallmark/reference/petstore/variants"
)

func mutated(t *testing.T, m mutate.Mutation) *server {
	t.Helper()
	v, err := variants.Mutated(m)
	if err != nil {
		t.Fatal(err)
	}
	return decorated(t, v)
}

const sentRex = `{"name": "Rex", "categoryId": 9007199254740993, "status": "sold"}`

func TestMutationOfAnswers(t *testing.T) {
	create := mutate.Mutation{Method: "POST", Path: "/pets", Status: 201}
	for name, c := range map[string]struct {
		do     func(m *mutate.Mutation)
		status int
		media  string
		body   string
	}{
		"drop":     {func(m *mutate.Mutation) { m.Do, m.At = mutate.ActDrop, []string{"id"} }, 201, "application/json", `{"categoryId":9007199254740993,"name":"Rex","status":"sold"}`},
		"set":      {func(m *mutate.Mutation) { m.Do, m.At, m.Value = mutate.ActSet, []string{"id"}, "null" }, 201, "application/json", `{"categoryId":9007199254740993,"id":null,"name":"Rex","status":"sold"}`},
		"status":   {func(m *mutate.Mutation) { m.Do, m.To = mutate.ActStatus, 202 }, 202, "application/json", `{"id":1,"name":"Rex","categoryId":9007199254740993,"status":"sold"}`},
		"204":      {func(m *mutate.Mutation) { m.Do, m.To = mutate.ActStatus, 204 }, 204, "", ""},
		"media":    {func(m *mutate.Mutation) { m.Do, m.Media = mutate.ActMedia, "text/plain" }, 201, "text/plain", `{"id":1,"name":"Rex","categoryId":9007199254740993,"status":"sold"}`},
		"no media": {func(m *mutate.Mutation) { m.Do = mutate.ActMedia }, 201, "", `{"id":1,"name":"Rex","categoryId":9007199254740993,"status":"sold"}`},
		"no body":  {func(m *mutate.Mutation) { m.Do = mutate.ActNoBody }, 201, "application/json", ""},
		"body":     {func(m *mutate.Mutation) { m.Do, m.Value = mutate.ActBody, "null" }, 201, "application/json", "null"},
		"array":    {func(m *mutate.Mutation) { m.Do = mutate.ActArray }, 201, "application/json", `[{"categoryId":9007199254740993,"id":1,"name":"Rex","status":"sold"}]`},
		"envelope": {func(m *mutate.Mutation) { m.Do = mutate.ActEnvelope }, 201, "application/json", `{"data":{"categoryId":9007199254740993,"id":1,"name":"Rex","status":"sold"}}`},
		"cut":      {func(m *mutate.Mutation) { m.Do = mutate.ActCut }, 201, "application/json", `{"id":1,"name":"Rex","categoryId":`},
		"rubbish":  {func(m *mutate.Mutation) { m.Do = mutate.ActRubbish }, 201, "application/json", `{"id":1,"name":"Rex","categoryId":9007199254740993,"status":"sold"},"more":`},
	} {
		t.Run(name, func(t *testing.T) {
			m := create
			c.do(&m)
			s := mutated(t, m)
			got := s.call(http.MethodPost, "/pets", sentRex)
			if got.status != c.status || got.header.Get("Content-Type") != c.media || got.body != c.body {
				t.Errorf("%d %s %s", got.status, got.header.Get("Content-Type"), got.body)
			}
			// Other operations, and other responses of the same one, are as they were.
			if pets := s.call(http.MethodGet, "/pets", "").wantPets(t); len(pets) != 1 || pets[0].CategoryID != "9007199254740993" {
				t.Errorf("%+v", pets)
			}
			s.call(http.MethodPost, "/pets", "{}").wantError(t, 400)
		})
	}
}

func TestMutationOfLists(t *testing.T) {
	list := mutate.Mutation{Method: "GET", Path: "/pets", Status: 200}
	list.Do, list.At = mutate.ActDrop, []string{"*", "name"}
	s := mutated(t, list)
	s.call(http.MethodPost, "/pets", sentRex)
	if got := s.call(http.MethodGet, "/pets", ""); got.body != `[{"categoryId":9007199254740993,"id":1,"status":"sold"}]` {
		t.Error(got.body)
	}
	list.Do = mutate.ActFirst
	s = mutated(t, list)
	if got := s.call(http.MethodGet, "/pets", ""); got.body != `{}` {
		t.Error(got.body)
	}
	s.call(http.MethodPost, "/pets", sentRex)
	if got := s.call(http.MethodGet, "/pets", ""); !strings.HasPrefix(got.body, `{"categoryId"`) {
		t.Error(got.body)
	}
}

// TestMutationOfRequests expects one bad request each to be accepted, and the others to be refused as before.
func TestMutationOfRequests(t *testing.T) {
	bad := map[string]string{
		"missing": `{"name": "Rex"}`, "null": `{"name": "Rex", "categoryId": null}`, "type": `{"name": "Rex", "categoryId": "1"}`,
		"fraction": `{"name": "Rex", "categoryId": 1.5}`, "bounds": `{"name": "Rex", "categoryId": 9223372036854775808}`,
		"enum": `{"name": "Rex", "categoryId": 1, "status": "lost"}`, "malformed": `{"name": "Rex", `, "array": `[]`,
	}
	category := func(act mutate.Act) mutate.Mutation {
		return mutate.Mutation{Do: act, At: []string{"categoryId"}, Value: "1", Type: "integer", Low: "-9223372036854775808", High: "9223372036854775807"}
	}
	whole := func(act mutate.Act) mutate.Mutation {
		return mutate.Mutation{Do: act, Value: `{"name": "x", "categoryId": 1}`, Type: "object"}
	}
	for accepted, m := range map[string]mutate.Mutation{
		"missing": category(mutate.ActMendMissing), "null": category(mutate.ActMendNull), "type": category(mutate.ActMendType),
		"fraction": category(mutate.ActMendFraction), "bounds": category(mutate.ActMendBounds),
		"enum":      {Do: mutate.ActMendEnum, At: []string{"status"}, Value: `"sold"`, Type: "string", Allowed: []string{`"sold"`}},
		"malformed": whole(mutate.ActMendMalformed), "array": whole(mutate.ActMendType), "no body": whole(mutate.ActMendNoBody),
	} {
		t.Run(accepted, func(t *testing.T) {
			m.Method, m.Path = "POST", "/pets"
			s := mutated(t, m)
			for name, body := range bad {
				want := 400
				if name == accepted {
					want = 201
				}
				if got := s.call(http.MethodPost, "/pets", body); got.status != want {
					t.Errorf("%s is answered %d %s", name, got.status, got.body)
				}
			}
			if got := s.call(http.MethodPost, "/pets", ""); (got.status == 201) != (accepted == "no body") {
				t.Errorf("no body is answered %d", got.status)
			}
			if got := s.call(http.MethodPost, "/pets", sentRex).wantPet(t, 201); got.CategoryID != "9007199254740993" {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestMutationThatRefuses(t *testing.T) {
	s := mutated(t, mutate.Mutation{Method: "POST", Path: "/pets", Do: mutate.ActRefuseMember, At: []string{"status"}, Value: `"sold"`, To: 400})
	s.call(http.MethodPost, "/pets", sentRex).wantError(t, 400)
	s.call(http.MethodPost, "/pets", `{"name": "Rex", "categoryId": 1}`).wantPet(t, 201)
	s = mutated(t, mutate.Mutation{Method: "POST", Path: "/pets", Do: mutate.ActRefuseLeftOut, At: []string{"status"}, To: 422})
	s.call(http.MethodPost, "/pets", `{"name": "Rex", "categoryId": 1}`).wantError(t, 422)
	s.call(http.MethodPost, "/pets", sentRex).wantPet(t, 201)
	s = mutated(t, mutate.Mutation{Method: "GET", Path: "/pets", Do: mutate.ActRefuseParameter, At: []string{"limit"}, Value: `"100"`, To: 400})
	s.call(http.MethodGet, "/pets?limit=100", "").wantError(t, 400)
	s.call(http.MethodGet, "/pets?limit=99", "").wantPets(t)
	s = mutated(t, mutate.Mutation{Method: "GET", Path: "/pets", Do: mutate.ActRefuseNoParameter, At: []string{"limit"}, To: 400})
	s.call(http.MethodGet, "/pets", "").wantError(t, 400)
	s.call(http.MethodGet, "/pets?limit=99", "").wantPets(t)
}

func TestMutationOfCredentials(t *testing.T) {
	credentials := map[string]string{
		mutate.CredentialMissing: "", mutate.CredentialEmpty: "Bearer", mutate.CredentialScheme: "Basic " + key,
		mutate.CredentialPrefix: "Bearer " + key[:5], mutate.CredentialAppended: "Bearer " + key + "x",
		mutate.CredentialCase:    "Bearer " + strings.ToLower(key),
		mutate.CredentialAltered: "Bearer x" + key[1:], mutate.CredentialRandom: "Bearer stranger",
	}
	for kind := range credentials {
		s := mutated(t, mutate.Mutation{Method: "GET", Path: "/pets/{petId}", Do: mutate.ActLetIn, Value: kind})
		for other, value := range credentials {
			want := 401
			if other == kind {
				want = 404
			}
			s.call(http.MethodGet, "/pets/7", "", "Authorization", value).wantError(t, want)
			s.call(http.MethodGet, "/pets", "", "Authorization", value).wantError(t, 401)
		}
	}
	s := mutated(t, mutate.Mutation{Method: "GET", Path: "/pets", Do: mutate.ActShutOut})
	s.call(http.MethodGet, "/pets", "").wantError(t, 401)
	s.call(http.MethodGet, "/pets/7", "").wantError(t, 404)
}
