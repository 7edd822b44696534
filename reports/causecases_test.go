package reports

import (
	"slices"

	"hallmark/spec"
)

// credentials are the rules about bad credentials, with auth.required around them.
var credentials = []string{
	"auth.missing", "auth.empty", "auth.scheme", "auth.invalid", "auth.prefix", "auth.appended", "auth.case", "auth.altered", "auth.first",
}

// causeCase is a defect as services have them, with the causes that a reader should be told: the leading rule, the
// scenarios and findings it explains, and the rules listed under it.
type causeCase struct {
	name string
	fill func(r *run)
	want []string
}

var causeCases = slices.Concat(plainCases, statusCases, valueCases)

var plainCases = []causeCase{
	{"nothing is broken", func(*run) {}, nil},
	{"one part of a rule is broken", func(r *run) {
		r.wrongStatus("create.categoryId.int64", `POST /pets {"name":"a","categoryId":9223372036854775808}`, 400, 201)
		r.wrongStatus("create.categoryId.int64", `POST /pets {"name":"a","categoryId":-9223372036854775809}`, 400, 201)
	}, []string{"create.categoryId.int64: 2/2"}},
	{"two parts of a rule are broken, which may be chance", func(r *run) {
		r.wrongStatus("create.categoryId.int64", "POST /pets {}", 400, 201)
		r.wrongStatus("create.status.values", "POST /pets {}", 400, 201)
	}, []string{"create.categoryId.int64: 1/1", "create.status.values: 1/1"}},
	{"every kind of bad credential is let in by one operation", func(r *run) {
		for _, rule := range credentials {
			r.wrongStatus(rule, "GET /pets", 401, 200)
		}
	}, []string{"auth.required: 9/9 ← auth.missing 1, auth.empty 1, auth.scheme 1, auth.invalid 1, auth.prefix 1, auth.appended 1, auth.case 1, auth.altered 1, auth.first 1"}},
	{"no operation looks at the credential", func(r *run) {
		for _, rule := range credentials[:3] {
			r.wrongStatus(rule, "GET /pets", 401, 200)
			r.wrongStatus(rule, "POST /pets {}", 401, 201)
			r.wrongStatus(rule, "GET /pets/1", 401, 404)
		}
	}, []string{"auth.required: 9/9 ← auth.missing 3, auth.empty 3, auth.scheme 3"}},
	{"403 for 401 everywhere", func(r *run) {
		for range 4 {
			for _, rule := range credentials {
				r.wrongStatus(rule, "GET /pets", 401, 403)
			}
		}
	}, []string{"auth.required: 36/36 ← auth.missing 4, auth.empty 4, auth.scheme 4, auth.invalid 4, auth.prefix 4, auth.appended 4, auth.case 4, auth.altered 4, auth.first 4"}},
	{"422 for 400 everywhere", func(r *run) {
		for _, rule := range []string{"create.body.json", "create.name.required", "create.name.type", "create.status.values"} {
			r.wrongStatus(rule, "POST /pets {}", 400, 422)
		}
	}, []string{"create.refused: 4/4 ← create.body.json 1, create.name.required 1, create.name.type 1, create.status.values 1"}},
	{"200 for 201: the wider rule itself is broken with its parts", func(r *run) {
		r.wrongStatus("create.accepted", "POST /pets {}", 201, 200)
		r.wrongStatus("create.status.accepted", "POST /pets {}", 201, 200)
		r.wrongStatus("create.status.optional", "POST /pets {}", 201, 200)
	}, []string{"create.accepted: 3/3 ← create.status.accepted 1, create.status.optional 1"}},
	{"the wider rule and one part of it: the part is more precise", func(r *run) {
		r.wrongStatus("create.accepted", "POST /pets {}", 201, 400)
		r.wrongStatus("create.status.optional", "POST /pets {}", 201, 400)
	}, []string{"create.status.optional: 2/2 ← create.accepted 1"}},
	{"a while of 500, and the same requests answered rightly later", func(r *run) {
		for _, rule := range []string{"auth.missing", "list.accepted"} {
			r.wrongStatus(rule, "GET /pets", 200, 500)
		}
		r.wrongStatus("create.accepted", "POST /pets {}", 201, 500)
		r.wrongStatus("answer.status", "POST /pets {}", 201, 500)
	}, []string{"answer.status: 4/4 ← auth.missing 1, list.accepted 1, create.accepted 1"}},
	{"one operation is a 500 now and then, and answered rightly later", func(r *run) {
		r.wrongStatus("create.accepted", "POST /pets {}", 201, 500)
		r.wrongStatus("answer.status", "POST /pets {}", 201, 500)
	}, []string{"create.accepted: 2/2 ← answer.status 1"}},
	{"every 17th request is a 500 in plain text", func(r *run) {
		for _, rule := range []string{
			"auth.missing", "auth.case", "create.name.type", "create.status.values", "list.limit.accepted", "list.status.accepted",
			"get.found", "get.unknown",
		} {
			seq := r.exchange("GET /pets", 500, "oops")
			r.scenario(rule, Failed,
				r.statusFinding(rule, seq, 200, 500),
				r.finding("error.body", seq, "", "a JSON object", "oops"),
				r.finding("answer.media-type", seq, "", "application/json", "text/plain"))
		}
		// The same error where a general standard alone was at stake, and outside of the tree of statuses.
		r.wrongStatus("list.robust", "GET /pets?limit=x", 400, 500)
		r.wrongStatus("get.created", "GET /pets/7", 200, 500)
	}, []string{"answer.status: 10/26 ← answer.media-type 8, error.body 8, auth.missing 1, auth.case 1, list.limit.accepted 1, list.status.accepted 1, list.robust 1, create.name.type 1, create.status.values 1, get.found 1, get.created 1, get.unknown 1"}},
	{"200 for everything", func(r *run) {
		for _, rule := range credentials {
			r.wrongStatus(rule, "GET /pets", 401, 200)
		}
		for _, rule := range []string{"create.accepted", "create.name.unusual", "create.body.json", "create.name.type", "create.status.type", "get.unknown"} {
			r.wrongStatus(rule, "POST /pets {}", 400, 200)
		}
	}, []string{"answer.status: 15/15 ← auth.missing 1, auth.empty 1, auth.scheme 1, auth.invalid 1, auth.prefix 1, auth.appended 1, auth.case 1, auth.altered 1, auth.first 1, create.accepted 1, create.name.unusual 1, create.body.json 1, create.name.type 1, create.status.type 1, get.unknown 1"}},
	{"credentials ignored, and beside that unknown ids found", func(r *run) {
		for _, rule := range credentials[:4] {
			r.wrongStatus(rule, "GET /pets", 401, 200)
		}
		r.wrongStatus("get.unknown", "GET /pets/99", 404, 200)
		r.wrongStatus("get.extreme", "GET /pets/-9", 404, 200)
	}, []string{"auth.required: 4/4 ← auth.missing 1, auth.empty 1, auth.scheme 1, auth.invalid 1", "get.unknown: 1/1", "get.extreme: 1/1"}},
	{"an id is missing in 140 answers", func(r *run) {
		for i := range 140 {
			seq := r.exchange("GET /pets/7", 200, `{"name":"a"}`)
			findings := []spec.Finding{r.finding("pet.id", seq, "/id", "an id", "none")}
			if i%10 == 0 {
				findings = append(findings, r.finding("get.id", seq, "/id", "the animal with the id 7", "one without"))
			}
			r.scenario("get.found", Failed, findings...)
		}
	}, []string{"pet.id: 140/154 ← get.id 14"}},
	{"two unrelated defects", func(r *run) {
		seq := r.exchange("GET /pets?limit=3", 200, "[]")
		r.scenario("list.limit.honoured", Failed, r.finding("list.limit.honoured", seq, "", "at most 3 animals", "30 animals"))
		seq = r.exchange("POST /pets", 201, "{}")
		r.scenario("create.echo.name", Failed, r.finding("create.echo.name", seq, "/name", `"Zoë"`, `"Zo?"`))
	}, []string{"list.limit.honoured: 1/1", "create.echo.name: 1/1"}},
	{"the limit is ignored on a store of 150", func(r *run) {
		for range 5 {
			seq := r.exchange("GET /pets?limit=3", 200, "[]")
			r.scenario("list.limit.honoured", Failed,
				r.finding("list.maximum", seq, "", "at most 100 items", "150 items"),
				r.finding("list.limit.honoured", seq, "", "at most 3 animals", "150 animals"))
		}
		seq := r.exchange("GET /pets", 200, "[]")
		r.scenario("list.limit.default", Failed,
			r.finding("list.maximum", seq, "", "at most 100 items", "150 items"),
			r.finding("list.limit.default", seq, "", "at most 20 animals", "150 animals"))
		seq = r.exchange("GET /pets?limit=1000", 200, "[]")
		r.scenario("list.limit.outside", Failed, r.finding("list.maximum", seq, "", "at most 100 items", "150 items"))
	}, []string{"list.limit.honoured: 7/13 ← list.maximum 7, list.limit.default 1"}},
	{"an animal's name is dropped in responses to creations", func(r *run) {
		for range 6 {
			seq := r.exchange("POST /pets {}", 201, "{}")
			r.scenario("create.accepted", Failed, r.finding("pet.name", seq, "/name", "a name", "none"))
		}
		seq := r.exchange("POST /pets {}", 201, "{}")
		r.scenario("create.echo.name", Failed,
			r.finding("create.echo.name", seq, "/name", `"x"`, "none"), r.finding("pet.name", seq, "/name", "a name", "none"))
	}, []string{"pet.name: 7/8 ← create.echo.name 1"}},
	{"a status that is missing is not also the wrong one", func(r *run) {
		seq := r.exchange("GET /pets/1", 404, "{}")
		r.scenario("get.unknown", Failed,
			r.finding("error.status.same", seq, "/status", "404", "none"), r.finding("error.status", seq, "/status", "a status", "none"))
	}, []string{"error.status: 1/2 ← error.status.same 1"}},
	{"204 for an empty list: the missing body is a consequence", func(r *run) {
		seq := r.exchange("GET /pets?status=sold", 204, "")
		body := r.finding("answer.body", seq, "", "a body", "none")
		body.After = "list.status.accepted"
		r.scenario("list.status.accepted", Failed, body, r.statusFinding("list.status.accepted", seq, 200, 204))
	}, []string{"list.status.accepted: 1/2 ← answer.body 1"}},
	{"a consequence of a consequence", func(r *run) {
		seq := r.exchange("GET /pets", 302, "moved")
		json := r.finding("answer.json", seq, "", "JSON", "none")
		json.After = "list.accepted"
		media := r.finding("answer.media-type", seq, "", "application/json", "text/html")
		media.After = "answer.json"
		r.scenario("list.accepted", Failed, media, json, r.statusFinding("list.accepted", seq, 200, 302))
	}, []string{"list.accepted: 1/3 ← answer.media-type 1, answer.json 1"}},
	{"a consequence whose reason is not there stands for itself", func(r *run) {
		seq := r.exchange("GET /pets", 200, "x")
		media := r.finding("answer.media-type", seq, "", "application/json", "text/html")
		media.After = "answer.json"
		r.scenario("list.accepted", Failed, media)
	}, []string{"answer.media-type: 1/1"}},
	{"two that name each other", func(r *run) {
		seq := r.exchange("GET /pets", 200, "x")
		one := r.finding("pet.name", seq, "/0/name", "a", "b")
		one.After = "pet.status"
		two := r.finding("pet.status", seq, "/0/status", "a", "b")
		two.After = "pet.name"
		r.scenario("list.accepted", Failed, one, two)
	}, []string{"pet.name: 1/1", "pet.status: 1/1"}},
	{"a must rule never hides under a should rule", func(r *run) {
		seq := r.exchange("GET /pets?limit=x", 500, "oops")
		body := r.finding("error.body", seq, "", "a JSON object", "oops")
		body.After = "list.robust"
		r.scenario("list.limit.type", Failed, r.statusFinding("list.robust", seq, 400, 500), body)
	}, []string{"error.body: 1/1", "list.robust: 1/1"}},
	{"a wrong media type everywhere is not the wrong status's doing", func(r *run) {
		seq := r.exchange("GET /pets/1", 500, "oops")
		r.scenario("get.found", Failed, r.statusFinding("get.found", seq, 200, 500), r.finding("answer.media-type", seq, "", "application/json", "text/plain"))
		seq = r.exchange("GET /pets", 200, "[]")
		r.scenario("list.accepted", Failed, r.finding("answer.media-type", seq, "", "application/json", "text/plain"))
	}, []string{"answer.media-type: 2/2", "get.found: 1/1"}},
	{"two missing headers remain two warnings", func(r *run) {
		seq := r.exchange("GET /pets/1", 200, "{}")
		one, two := r.finding("get.deprecation", seq, "", "a Deprecation header", "none"), r.finding("get.sunset", seq, "", "a Sunset header", "none")
		one.Where += ", the headers"
		two.Where += ", the headers"
		r.scenario("get.found", Passed, one, two)
	}, []string{"get.deprecation: 1/1", "get.sunset: 1/1"}},
	{"must comes before should, and what shows often before what shows once", func(r *run) {
		for range 3 {
			seq := r.exchange("GET /pets/1", 401, "{}")
			r.scenario("auth.missing", Passed, r.finding("auth.challenge", seq, "", "a WWW-Authenticate header", "none"))
		}
		seq := r.exchange("GET /pets", 200, "{}")
		r.scenario("list.array", Failed, r.finding("list.array", seq, "", "an array", "an object"))
		for range 2 {
			r.wrongStatus("get.unknown", "GET /pets/1", 404, 410)
		}
	}, []string{"get.unknown: 2/2", "list.array: 1/1", "auth.challenge: 3/3"}},
	{"lists of 200 animals are no statuses", func(r *run) {
		for _, rule := range []string{"list.limit.accepted", "list.limit.optional", "list.status.accepted"} {
			seq := r.exchange("GET /pets", 200, "[]")
			f := r.finding(rule, seq, "/"+rule, "at most 3 animals", "200 animals "+rule)
			r.scenario(rule, Failed, f)
		}
	}, []string{"list.limit.accepted: 1/1", "list.limit.optional: 1/1", "list.status.accepted: 1/1"}},
	{"findings without exchanges or causes", func(r *run) {
		r.scenario("list.complete", Failed,
			spec.Finding{Rule: "list.complete", Expected: "it", Actual: "nothing"}, spec.Finding{Rule: "list.complete", Expected: "it", Actual: "nothing"})
	}, []string{"list.complete: 1/2"}},
}
