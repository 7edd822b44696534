package reports

import (
	"fmt"

	"hallmark/spec"
)

// statusCases are about answers that an operation never should give, and what follows from a wrong status.
var statusCases = []causeCase{
	{"an operation answers creations with a status that it never should", func(r *run) {
		for range 6 {
			r.got("create.name.unusual", "createPet", 202, 201, 400)
		}
		for range 2 {
			r.got("create.accepted", "createPet", 202, 201)
		}
	}, []string{"create.accepted: 8/8 ← create.name.unusual 6"}},
	{"two rules about unknown ids, and 410 for both", func(r *run) {
		for range 5 {
			r.got("get.extreme", "getPet", 410, 404, 200)
		}
		r.got("get.unknown", "getPet", 410, 404)
	}, []string{"get.unknown: 6/6 ← get.extreme 5"}},
	{"the same two rules, and a server error, may be two crashes", func(r *run) {
		r.got("get.extreme", "getPet", 500, 404, 200)
		r.got("get.unknown", "getPet", 500, 404)
	}, []string{"get.unknown: 1/1", "get.extreme: 1/1"}},
	{"one operation redirects, credentials or not; most of it shows where animals are read", func(r *run) {
		for range 9 {
			r.got("get.found", "getPet", 308, 200)
		}
		for _, rule := range credentials[:4] {
			r.got(rule, "getPet", 308, 401)
		}
	}, []string{"get.found: 13/13 ← auth.missing 1, auth.empty 1, auth.scheme 1, auth.invalid 1"}},
	{"everything redirects, without a body", func(r *run) {
		for _, operation := range []string{"listPets", "createPet", "getPet"} {
			rule := map[string]string{"listPets": "list.accepted", "createPet": "create.accepted", "getPet": "get.found"}[operation]
			seq := r.got(rule, operation, 308, 200)
			// Where the status is not judged, the missing body still is its doing.
			for _, at := range []int{seq, r.ask(operation, 308)} {
				r.scenario("answer.body", Failed, r.schema("answer.body", at, "", "/paths/x/responses", "no body"))
			}
		}
	}, []string{"answer.status: 9/9 ← answer.body 6, list.accepted 1, create.accepted 1, get.found 1"}},
	{"an unknown id gets an error under 200", func(r *run) {
		for range 3 {
			seq := r.got("get.unknown", "getPet", 200, 404)
			r.rec.Scenarios[len(r.rec.Scenarios)-1].Findings = append(r.rec.Scenarios[len(r.rec.Scenarios)-1].Findings,
				r.schema("pet.id", seq, "", "/components/schemas/Pet/required/0", "no field id"))
		}
		for range 4 { // either status would do here
			r.scenario("get.extreme", Failed, r.schema("pet.id", r.ask("getPet", 200, 404, 200), "", "/components/schemas/Pet/required/0", "no field id"))
		}
	}, []string{"get.unknown: 7/10 ← pet.id 7"}},
	{"an unknown id is found, and beside that no animal has an id", func(r *run) {
		seq := r.got("get.unknown", "getPet", 200, 404)
		r.scenario("get.unknown", Failed, r.schema("pet.id", seq, "", "/components/schemas/Pet/required/0", "no field id"))
		for range 20 {
			r.scenario("get.found", Failed, r.schema("pet.id", r.ask("getPet", 200, 200), "", "/components/schemas/Pet/required/0", "no field id"))
		}
	}, []string{"pet.id: 21/21", "get.unknown: 1/1"}},
	{"an unknown status is let in, and shows from then on", func(r *run) {
		seq := r.got("create.status.values", "createPet", 201, 400)
		bad := func(at int, pointer string) spec.Finding {
			return r.schema("pet.status", at, pointer, "/components/schemas/PetStatus/enum", `the string "lost"`)
		}
		r.scenario("create.status.values", Failed, bad(seq, "/status"))
		for range 8 {
			r.scenario("list.accepted", Failed, bad(r.ask("listPets", 200, 200), "/3/status"))
		}
	}, []string{"create.status.values: 10/10 ← pet.status 9"}},
	{"an unknown status is let in, but other animals have one as well", func(r *run) {
		bad := func(at int, pointer string) spec.Finding {
			return r.schema("pet.status", at, pointer, "/components/schemas/PetStatus/enum", `the string "lost"`)
		}
		for range 8 {
			r.scenario("create.accepted", Failed, bad(r.ask("createPet", 201, 201), "/status"))
		}
		r.scenario("create.status.values", Failed, bad(r.got("create.status.values", "createPet", 201, 400), "/status"))
	}, []string{"pet.status: 9/9", "create.status.values: 1/1"}},
}

// valueCases are about what answers hold, and what cannot be said of one that is broken already.
var valueCases = []causeCase{
	{"the media type is wrong everywhere", func(r *run) {
		for i, operation := range []string{"listPets", "createPet", "getPet"} {
			f := r.schema("answer.media-type", r.ask(operation, 200, 200), "", fmt.Sprintf("/paths/%d/content", i), "text/plain")
			f.Where += ", header Content-Type"
			r.scenario("list.accepted", Failed, f)
		}
	}, []string{"answer.media-type: 3/3"}},
	{"two media types are wrong, each in its way", func(r *run) {
		for i, media := range []string{"text/plain", "text/html"} {
			f := r.schema("answer.media-type", r.ask("listPets", 200, 200), "", fmt.Sprintf("/paths/%d/content", i), media)
			f.Where += ", header Content-Type"
			r.scenario("list.accepted", Failed, f)
		}
	}, []string{"answer.media-type: 1/1", "answer.media-type: 1/1"}},
	{"now and then a body is empty, of successes and errors", func(r *run) {
		for range 3 {
			r.scenario("list.accepted", Failed, r.schema("answer.body", r.ask("listPets", 200, 200), "", "/paths/a/content", "no body"))
		}
		r.scenario("get.unknown", Failed, r.schema("error.body", r.ask("getPet", 404, 404), "", "/paths/b/content", "no body"))
	}, []string{"answer.body: 4/4 ← error.body 1"}},
	{"an empty list is null", func(r *run) {
		for i := range 5 {
			seq := r.ask("listPets", 200, 200)
			findings := []spec.Finding{r.schema("list.array", seq, "", "/components/schemas/Pets/type", "null")}
			if i == 0 {
				empty := r.finding("list.empty", seq, "", "an empty array", "null")
				empty.Where += ", the body"
				findings = append(findings, empty)
			}
			r.scenario("list.empty", Failed, findings...)
		}
	}, []string{"list.array: 5/6 ← list.empty 1"}},
	{"a name is changed in the response to a creation, so it differs ever after", func(r *run) {
		made := r.ask("createPet", 201, 201)
		r.scenario("create.echo.name", Failed, r.finding("create.echo.name", made, "/name", `"Zoë"`, `"Zo?"`))
		for range 4 {
			seq := r.ask("listPets", 200, 200)
			f := r.finding("pet.identity", seq, "/2/name", `"Zo?", as before`, `"Zoë"`)
			f.Exchanges = []int{made, seq}
			r.scenario("list.accepted", Failed, f)
		}
	}, []string{"create.echo.name: 5/5 ← pet.identity 4"}},
	{"a name is changed when an animal is read, at once and later", func(r *run) {
		made := r.ask("createPet", 201, 201)
		for _, rule := range []string{"get.created", "get.kept", "get.kept"} {
			seq := r.ask("getPet", 200, 200)
			f := r.finding(rule, seq, "/name", `"Zoë"`, `"ZOË"`)
			f.Exchanges, f.Cause = []int{made, seq}, rule+" name"
			r.scenario(rule, Failed, f)
		}
	}, []string{"get.created: 3/3 ← get.kept 2"}},
	{"another animal is read than was asked for", func(r *run) {
		made := r.ask("createPet", 201, 201)
		for i := range 9 {
			seq := r.ask("getPet", 200, 200)
			findings := []spec.Finding{r.finding("get.id", seq, "/id", "the animal with the id 7", "one with the id 1")}
			if i == 0 {
				for _, field := range []string{"id", "name", "status"} {
					f := r.finding("get.created", seq, "/"+field, "as created", "another "+field)
					f.Exchanges, f.Cause = []int{made, seq}, "get.created "+field
					findings = append(findings, f)
				}
			}
			r.scenario("get.created", Failed, findings...)
		}
	}, []string{"get.id: 9/12 ← get.created 3"}},
	{"an animal cannot be found in a list whose items have no ids", func(r *run) {
		made := r.ask("createPet", 201, 201)
		for i := range 5 {
			seq := r.ask("listPets", 200, 200)
			findings := []spec.Finding{r.schema("pet.id", seq, "/0", "/components/schemas/Pet/required/0", "no field id")}
			if i == 0 {
				f := r.finding("list.complete", seq, "", "the new animal", "it is not among the 3 animals")
				f.Exchanges = []int{made, seq}
				findings = append(findings, f)
			}
			r.scenario("list.complete", Failed, findings...)
		}
	}, []string{"pet.id: 5/6 ← list.complete 1"}},
	{"but a list that is too long is too long, whatever its items are", func(r *run) {
		for range 3 {
			seq := r.ask("listPets", 200, 200)
			long := r.finding("list.limit.honoured", seq, "", "at most 3 animals", "30 animals")
			long.Where += ", the array's length"
			r.scenario("list.limit.honoured", Failed, long, r.schema("pet.id", seq, "/0", "/components/schemas/Pet/required/0", "no field id"))
		}
	}, []string{"pet.id: 3/3", "list.limit.honoured: 3/3"}},
	{"equal values of different fields are no family", func(r *run) {
		made := r.ask("createPet", 201, 201)
		for _, rule := range []string{"get.created", "get.kept", "get.listed"} {
			seq := r.ask("getPet", 200, 200)
			f := r.finding(rule, seq, "/"+rule[4:], "1", "2")
			f.Exchanges = []int{made, seq}
			r.scenario(rule, Failed, f)
		}
	}, []string{"get.created: 1/1", "get.kept: 1/1", "get.listed: 1/1"}},
}
