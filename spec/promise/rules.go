package promise

import (
	"net/http"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/prose"
	"github.com/hallmark-kit/hallmark/spec/resource"
)

// Rules returns the rules that follow from a contract: for each operation one for each kind of promise, in the
// order of the document. The ids of an operation's rules do not depend on other operations.
func Rules(c *spec.Contract) []spec.Rule {
	m := resource.Of(c)
	return rulesOf(c, livesOf(c.Operations(), m, resource.LifeOf), livesOf(c.Operations(), m, resource.UnreadLifeOf))
}

func rulesOf(c *spec.Contract, lives, unread lives) []spec.Rule {
	operations := c.Operations()
	names, schemes, sayings := NamesOf(operations), schemesOf(operations), prose.NewSayings()
	rules := make([][]spec.Rule, len(operations))
	for i := range operations {
		op := &operations[i]
		d := describer{
			names: names, op: op, section: op.Method + " " + op.Path, alone: []string{op.ID},
			operations: operations, schemes: schemes, sayings: sayings, lives: lives.ofOperation(op), unread: unread.ofOperation(op), listed: slices.Concat(lives.ofOperation(op), unread.ofOperation(op)),
		}
		rules[i] = d.all()
	}
	return slices.Concat(rules...)
}

// describer creates the rules of one operation.
type describer struct {
	names Names
	op    *spec.Operation
	// section and alone are shared by the rules: their section, and the operation as a list of one.
	section string
	alone   []string
	// operations holds all operations of the contract, and schemes the security schemes that they name.
	operations []spec.Operation
	schemes    []spec.Security
	sayings    *prose.Sayings
	// lives holds the lives that the operation has a part in: of readable resources, unread of those that only lists
	// show, and listed of both.
	lives, unread, listed []*life
	rules                 []spec.Rule
}

func (d *describer) all() []spec.Rule {
	op := d.op
	d.addRule(Available, true, op.ID+" answers valid requests without a server error (5xx)"+d.butDocumented(5), op.Pointer)
	if op.Silent() {
		d.addRule(Success, true, op.ID+" succeeds; the contract documents no response", op.Pointer)
	} else {
		d.addRule(Success, true, "A successful response of "+op.ID+" has a documented status: "+statuses(op, 2), d.responses()...)
	}
	d.addRule(Documented, true, op.ID+" answers valid requests with a documented status: "+statuses(op, 0), d.responses()...)
	d.source("OpenAPI Specification, Responses Object")
	d.conditional(true)
	if content := d.content(func(a *spec.DocumentedResponse) bool { return len(a.Content) > 0 }); len(content) > 0 {
		d.addRule(MediaType, true, "Response bodies of "+op.ID+" have a documented media type: "+text.Enumerate(mediaTypes(op), "or"), content...)
		d.addRule(Body, true, "Response bodies of "+op.ID+" are present, readable, and match the documented schema", content...)
		if !d.owes(func(a *spec.DocumentedResponse) bool { return len(a.Content) > 0 }) {
			d.rules[len(d.rules)-2].Conditional = true
			d.conditional(true)
		}
	}
	if shared := d.content(sharesErrorMedia); len(shared) > 0 {
		d.addRule(ErrorMediaType, true, "Errors of "+op.ID+" have a media type that the contract lists for all of its responses: "+text.Enumerate(mediaTypes(op), "or"), shared...)
		d.source("Swagger 2.0, Operation Object, produces")
	}
	if texts := d.content(documentsJSON); len(texts) > 0 {
		d.addRule(UniqueNames, true, "No JSON object in a response of "+op.ID+" has duplicate member names", texts...)
		d.source("RFC 8259, section 4")
	}
	if problems := d.content(documentsProblem); len(problems) > 0 {
		d.addRule(Problem, true, "The status in problem details of "+op.ID+" is that of the response", problems...)
		d.source("RFC 9457, section 3.1.2")
	}
	d.describeErrorStatus()
	if headers := d.headers(); len(headers) > 0 {
		d.addRule(Headers, true, "Response headers of "+op.ID+" are present where required, and match their schemas", headers...)
		d.conditional(!d.owes(func(a *spec.DocumentedResponse) bool {
			return slices.ContainsFunc(a.Headers, func(h spec.Header) bool { return h.Required && !ofConnection(h.Name) })
		}))
	}
	if d.shows(func(s *spec.Schema) bool { return s.WriteOnly }) {
		d.addRule(WriteOnly, true, "Responses of "+op.ID+" contain no write-only property (writeOnly)", d.responses()...)
		d.source("OpenAPI Specification, Schema Object, writeOnly")
	}
	d.requests()
	if listsRefusals(op) {
		d.addRule(Refusal, true, op.ID+" rejects invalid requests with a documented status: "+statuses(op, 4), d.responses()...)
		d.source("OpenAPI Specification, Responses Object")
	}
	d.addRule(Robust, true, op.ID+" answers invalid requests without a server error (5xx)", op.Pointer)
	d.source("RFC 9110, section 15.6")
	d.credentials()
	if a := exactly(op, 404); a != nil && slices.ContainsFunc(op.Parameters, func(p spec.Parameter) bool { return p.In == "path" && !creates(op, p) }) {
		d.addRule(NotFound, false, op.ID+" answers 404 if an identifier in the path does not exist", a.Pointer)
		if boilerplate(d.operations, http.StatusNotFound) {
			d.rules[len(d.rules)-1].Level = spec.Inferred
			d.source("inferred: the path holds an identifier; all operations of the contract document a 404 in the same words")
		}
	}
	if a := exactly(op, 201); a != nil && op.Method == "POST" {
		d.addRule(Location, true, "A 201 of "+op.ID+" says in a Location header where the new resource is", a.Pointer)
		d.source("RFC 9110, section 9.3.3")
	}
	if op.Deprecated {
		says := "Successful responses of " + op.ID + ", which is deprecated, have a Deprecation header"
		if !op.Sunset.IsZero() {
			says += ", and a Sunset header with the date of its removal"
		}
		d.addRule(Deprecation, true, says, op.Pointer)
		d.source("RFC 9745, RFC 8594")
	}
	d.links()
	if lacksGET(op, d.operations) {
		d.addRule(MethodNotAllowed, false, op.Path+" answers 405 to a method that it does not have, and lists those that it has in an Allow header", op.Pointer)
		d.source("RFC 9110, section 15.5.6")
	}
	if headless(op, d.operations) {
		d.addRule(Head, false, "HEAD on the path of "+op.ID+" causes no server error (5xx) if GET succeeds there", op.Pointer)
		d.source("RFC 9110, section 9.3.2")
	}
	describeLives(d)
	return d.rules
}

// boilerplate reports whether all operations of a contract describe the response with a status in the same words,
// so the description says little.
func boilerplate(operations []spec.Operation, status int) bool {
	says := ""
	for i := range operations {
		a := exactly(&operations[i], status)
		if a == nil || i > 0 && a.Description != says {
			return false
		}
		says = a.Description
	}
	return len(operations) > 1
}

// sharesErrorMedia reports whether a response may be an error whose media types are documented only together with
// those of successes.
func sharesErrorMedia(a *spec.DocumentedResponse) bool {
	return a.SharesMedia && len(a.Content) > 0 && (a.Class() >= 4 || a.Class() == 0)
}

// documentsJSON and documentsProblem report whether a response may be JSON, or problem details.
func documentsJSON(a *spec.DocumentedResponse) bool {
	return slices.ContainsFunc(a.Content, func(m spec.Media) bool { return m.IsJSON() })
}

func documentsProblem(a *spec.DocumentedResponse) bool {
	return slices.ContainsFunc(a.Content, func(m spec.Media) bool { return isProblem(m.Type) })
}

// links adds that each link to a GET operation leads there. Others are not followed, since they would change
// something.
func (d *describer) links() {
	var known []Kind
	for i := range d.op.Responses {
		a := &d.op.Responses[i]
		for _, l := range readLinks(a, d.operations) {
			if kind := linkKind(l); a.Class() == 2 && !slices.Contains(known, kind) {
				known = append(known, kind)
				d.addRule(kind, false, "The link "+l.Name+" of "+d.op.ID+" leads to a successful response of "+l.Operation, jsonpointer.Join(a.Definition(), "links", l.Name))
			}
		}
	}
}

// requests adds what is promised about requests: allowed values are accepted, and faults refused if the contract
// says how.
func (d *describer) requests() {
	op := d.op
	if slices.ContainsFunc(op.Parameters, func(p spec.Parameter) bool { return p.In != "path" || resource.Fixed(p) }) || op.Body != nil && !ignoresBody(op.Method) {
		d.addRule(Accepted, false, op.ID+" rejects no request because of a value that the contract allows, if it accepts the same request with another value", op.Pointer)
	}
	level := spec.Must
	if !Refuses(op) || mistakable(op, d.operations) {
		level = spec.Open
	}
	refused := func(k Kind, what string, at ...string) {
		d.addRule(k, false, op.ID+" rejects a request "+what, at...)
		r := &d.rules[len(d.rules)-1]
		if r.Level = k.level(); level == spec.Open {
			r.Level = level
			r.Says, r.Asks = "The contract does not say what happens to a request to "+op.ID+" "+what, "What happens to a request to "+op.ID+" "+what+"?"
		}
	}
	var required, all []string
	for _, p := range op.Parameters {
		if p.In != "path" && p.Required {
			required = append(required, p.Pointer)
		}
		all = append(all, p.Pointer)
	}
	if len(required) > 0 {
		refused(ParameterMissing, "without a required parameter", required...)
	}
	if len(all) > 0 {
		refused(ParameterValue, "with a parameter that its schema does not allow", all...)
	}
	if op.Body == nil || ignoresBody(op.Method) {
		return
	}
	at := op.Body.Pointer
	if op.Body.Required {
		refused(BodyMissing, "without the required body, or with an empty one", at)
	}
	if a := exactly(op, 415); a != nil {
		d.addRule(MediaTypeRefused, false, op.ID+" rejects a body of a media type that the contract does not list", at, a.Pointer)
	}
	var schemas []*spec.Schema
	for i := range op.Body.Content {
		if s := op.Body.Content[i].Schema; s != nil {
			schemas = append(schemas, s)
		}
	}
	if len(schemas) > 0 {
		refused(BodyMalformed, "with a malformed body", at)
		if slices.ContainsFunc(op.Body.Content, func(m spec.Media) bool { return m.Schema != nil && m.IsJSON() }) {
			refused(BodyExtended, "with a body that only JSON parsers with extensions accept", at)
			d.source("RFC 8259, section 9")
		}
		refused(BodyType, "with a body of the wrong type", at)
		refused(PropertyMissing, "with a body that lacks a required property", at)
		if partHeaders(op) {
			refused(PartHeader, "with a body part that lacks a required header, or has one that its schema does not allow", at)
		}
		refused(PropertyValue, "with a body value that its schema does not allow", at)
		if all := boundsOf(d.sayings, op); len(all) > 0 {
			refused(Reversed, "whose "+all[0].high+" is below its "+all[0].low, at)
			d.source("a sentence of the document says so")
		}
		if slices.ContainsFunc(schemas, closed) {
			refused(PropertyUnknown, "with a body property that the contract rules out", at)
		}
	}
}

// credentials adds what is promised about access.
func (d *describer) credentials() {
	op := d.op
	at := securityPointer(op)
	if op.Anonymous() {
		d.alternatives(at)
		if schemes := ignoredSchemes(op, d.schemes); len(schemes) > 0 {
			d.addRule(CredentialIgnored, false, op.ID+" needs no credentials, and accepts requests with wrong ones, too", at)
		}
		return
	}
	d.addRule(CredentialMissing, false, op.ID+" rejects requests without credentials", at)
	d.addRule(CredentialWrong, false, op.ID+" rejects requests with wrong credentials, however similar to valid ones", at)
	d.alternatives(at)
	if others := otherSchemes(op, d.schemes); len(others) > 0 {
		d.addRule(OtherScheme, false, op.ID+" rejects credentials of schemes that the contract names for other operations only: "+text.Enumerate(others, "or"), at)
		d.source("inferred: the contract names different schemes for its operations; OpenAPI Specification, Security Requirement Object")
	}
	if scoped(op) {
		d.addRule(Scope, false, op.ID+" rejects tokens that lack a required scope", at)
		d.source("OpenAPI Specification, Security Requirement Object; RFC 6750, section 3.1")
	}
	d.addRule(Challenge, true, "A 401 of "+op.ID+" says in a WWW-Authenticate header how to authenticate", at)
	d.source("RFC 9110, section 11.6.1")
}

// alternatives adds that each of several alternative credentials is accepted.
func (d *describer) alternatives(at string) {
	if all := alternatives(d.op); len(all) > 1 {
		d.addRule(CredentialAccepted, false, d.op.ID+" accepts each of the credentials that the contract lists as alternatives: "+text.Enumerate(all, "or"), at)
	}
}

func (d *describer) addRule(k Kind, always bool, says string, contract ...string) {
	d.rules = append(d.rules, spec.Rule{
		ID: d.names[d.op.ID] + "." + string(k), Level: k.level(), Section: d.section, Says: says + ".",
		Contract: append([]string(nil), contract...), Cases: []string{string(k)}, Always: always, Operations: d.alone,
	})
}

// conditional says whether the rule added last is about responses that no service has to give; see [spec.Rule].
func (d *describer) conditional(is bool) { d.rules[len(d.rules)-1].Conditional = is }

// owes reports whether every documented success is of a kind, so that an operation that succeeds shows it.
func (d *describer) owes(kind func(*spec.DocumentedResponse) bool) bool {
	found := false
	for i := range d.op.Responses {
		if a := &d.op.Responses[i]; a.Class() == 2 {
			if !kind(a) {
				return false
			}
			found = true
		}
	}
	return found
}

// source sets the standard behind the rule added last.
func (d *describer) source(of string) { d.rules[len(d.rules)-1].Source = of }

// butDocumented lists the documented statuses of a class, as the end of a sentence, or returns "".
func (d *describer) butDocumented(class int) string {
	if !slices.ContainsFunc(d.op.Responses, func(a spec.DocumentedResponse) bool { return a.Class() == class }) {
		return ""
	}
	return " other than the documented " + statuses(d.op, class)
}

// responses returns the pointers of the documented responses.
func (d *describer) responses() []string {
	return d.content(func(*spec.DocumentedResponse) bool { return true })
}

func (d *describer) content(which func(*spec.DocumentedResponse) bool) []string {
	var all []string
	for i := range d.op.Responses {
		if a := &d.op.Responses[i]; which(a) {
			all = append(all, a.Pointer)
		}
	}
	return all
}

func (d *describer) headers() []string {
	var all []string
	for i := range d.op.Responses {
		for _, h := range d.op.Responses[i].Headers {
			if !slices.Contains(all, h.Pointer) && !ofConnection(h.Name) {
				all = append(all, h.Pointer)
			}
		}
	}
	return all
}

// shows reports whether the schema of a response contains one for which kind returns true.
func (d *describer) shows(kind func(*spec.Schema) bool) bool {
	found := false
	for i := range d.op.Responses {
		for _, m := range d.op.Responses[i].Content {
			m.Schema.Walk(func(s *spec.Schema) { found = found || kind(s) })
		}
	}
	return found
}

// closed reports whether a schema, or one within it, forbids additional properties.
func closed(s *spec.Schema) bool {
	found := false
	s.Walk(func(s *spec.Schema) {
		found = found || s.AdditionalProperties != nil && s.AdditionalProperties.Schema.Forbidden || slices.Contains(s.Unmodelled, "unevaluatedProperties") || s.PropertyNames != nil
	})
	return found
}

// Refuses reports whether an operation documents how it refuses a request: 400, 422, a 4XX range, or a default
// besides a success. If it does not, the outcome of a fault is open.
func Refuses(op *spec.Operation) bool {
	success := false
	for i := range op.Responses {
		success = success || op.Responses[i].Class() == 2
	}
	return slices.ContainsFunc(op.Responses, func(a spec.DocumentedResponse) bool {
		return a.Status == 400 || a.Status == 422 || a.Status == 0 && a.Class() == 4 || a.Class() == 0 && success
	})
}

// exactly returns the response that an operation documents for the very status, or nil.
func exactly(op *spec.Operation, status int) *spec.DocumentedResponse {
	for i := range op.Responses {
		if op.Responses[i].Status == status {
			return &op.Responses[i]
		}
	}
	return nil
}

// statuses lists the documented statuses of a class as the document names them; class 0 means all. The default
// counts as a success if no other response does.
func statuses(op *spec.Operation, class int) string {
	byDefault := class == 2 && !slices.ContainsFunc(op.Responses, func(a spec.DocumentedResponse) bool { return a.Class() == 2 })
	var all []string
	for i := range op.Responses {
		a := &op.Responses[i]
		if class == 0 || a.Class() == class || byDefault && a.Class() == 0 {
			all = append(all, a.Key)
		}
	}
	if len(all) == 0 {
		return "none"
	}
	return text.Enumerate(all, "or")
}

// mediaTypes returns the media types of all responses, without duplicates.
func mediaTypes(op *spec.Operation) []string {
	var all []string
	for i := range op.Responses {
		for _, t := range op.Responses[i].MediaTypes() {
			if !slices.ContainsFunc(all, func(known string) bool { return strings.EqualFold(known, t) }) {
				all = append(all, t)
			}
		}
	}
	return all
}
