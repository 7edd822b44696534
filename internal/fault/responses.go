package fault

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/reference/mutate"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/instance"
	"github.com/hallmark-kit/hallmark/spec/promise"
)

// selects returns a mutation of the responses that a documented response covers, and its name. The default covers rejections if a success
// is documented beside it.
func (m *maker) selects(a *spec.DocumentedResponse) (mutate.Mutation, string) {
	switch {
	case a.Status != 0:
		return mutate.Mutation{Status: a.Status}, strconv.Itoa(a.Status)
	case a.Class() != 0:
		return mutate.Mutation{Class: a.Class()}, a.Key
	}
	class := 2
	for i := range m.op.Responses {
		if m.op.Responses[i].Class() == 2 {
			class = 4
		}
	}
	return mutate.Mutation{Class: class}, "default"
}

// success reports whether a documented response is for success.
func (m *maker) success(a *spec.DocumentedResponse) bool {
	s, _ := m.selects(a)
	return s.Status/100 == 2 || s.Class == 2
}

// undocumented returns the first of some statuses that the operation documents neither itself nor by a range, or 0.
func (m *maker) undocumented(among ...int) int {
	for _, status := range among {
		if a := m.op.ResponseFor(status); a == nil || a.Class() == 0 && status/100 != 2 {
			return status
		}
	}
	return 0
}

// unlisted returns the first of some statuses that the operation does not document, not even by its default, or 0.
func (m *maker) unlisted(among ...int) int {
	for _, status := range among {
		if m.op.ResponseFor(status) == nil {
			return status
		}
	}
	return 0
}

// statuses derives responses with another status.
func (m *maker) statuses() {
	for i := range m.op.Responses {
		a := &m.op.Responses[i]
		sel, key := m.selects(a)
		if a.Class() == 3 || a.Class() == 5 {
			continue
		}
		as := func(to int, kinds ...promise.Kind) {
			if to == 0 {
				return
			}
			f := Fault{Operator: "status", Place: fmt.Sprintf("%s-as-%d", key, to), Says: fmt.Sprintf("%s returns %[3]d instead of %[2]s.", m.op.ID, key, to), Mutation: sel}
			f.Mutation.Do, f.Mutation.To = mutate.ActStatus, to
			m.addFault(f, kinds...)
		}
		switch {
		case m.success(a):
			as(m.undocumented(500), promise.Available)
			as(m.unlisted(203), promise.Success) // the default documents it
			as(m.unlisted(418, 402, 451), promise.Documented)
			sometimes := Fault{Operator: "sometimes", Place: "500", Says: "One success in four of " + m.op.ID + " becomes a 500."}
			if m.undocumented(500) != 0 {
				sometimes.Mutation.Do, sometimes.Mutation.To = mutate.ActSometimes, 500
				m.addFault(sometimes, promise.Available)
			}
		case a.Status == 400 || a.Status == 422:
			as(m.undocumented(500), promise.Robust)
			as(m.unlisted(418), promise.Refusal)
		case a.Status == 401:
			as(m.undocumented(402, 451), promise.CredentialMissing, promise.CredentialWrong)
			as(m.undocumented(500), promise.Robust)
		case a.Status == 404:
			wrong := []int{409, 451}
			if m.op.Body != nil { // the body may conflict with something else
				wrong = wrong[1:]
			}
			as(m.undocumented(wrong...), promise.NotFound)
			unfound := promise.NotFound
			if len(m.judged([]string{m.promises.Names.Rule(m.op.ID, unfound)})) == 0 {
				unfound = promise.Robust // the paths name nothing, so a 404 can only mean an invalid request
			}
			as(m.undocumented(500), promise.Available, unfound)
			if !slices.ContainsFunc(m.op.Parameters, anyNamed) {
				continue // everything that its path names may exist
			}
			m.addFault(Fault{Operator: "fabricates", Place: key, Says: m.op.ID + " returns a resource where there is none.", Mutation: mutate.Mutation{Do: mutate.ActFabricates}}, promise.NotFound)
		}
	}
	m.addFault(Fault{Operator: "no-header", Place: "405-Allow", Says: "The response 405 at the path of " + m.op.ID + " has no Allow.", Mutation: mutate.Mutation{
		Method: mutate.AnyOther, Class: 4, Do: mutate.ActHeader, Name: "Allow",
	}}, promise.MethodNotAllowed)
	m.addFault(Fault{Operator: "head", Place: "500", Says: "HEAD at the path of " + m.op.ID + " returns 500.", Mutation: mutate.Mutation{Do: mutate.ActHeadFails, To: 500}}, promise.Head)
}

// anyNamed reports whether a path parameter accepts values other than a fixed list.
func anyNamed(p spec.Parameter) bool {
	s := p.Schema
	for s != nil && len(s.Enum) == 0 && s.Const == "" && s.Ref != nil {
		s = s.Ref.Schema
	}
	return p.In == "path" && (s == nil || len(s.Enum) == 0 && s.Const == "")
}

// headers derives responses with missing or wrong headers.
func (m *maker) headers() {
	g := m.generator(instance.Response)
	for i := range m.op.Responses {
		a := &m.op.Responses[i]
		sel, key := m.selects(a)
		header := func(operator, place, name, value, says string, kinds ...promise.Kind) {
			f := Fault{Operator: operator, Place: key + "-" + place, Says: fmt.Sprintf("The response %s of %s %s.", key, m.op.ID, says), Mutation: sel, Judged: true}
			f.Mutation.Do, f.Mutation.Name, f.Mutation.Media = mutate.ActHeader, name, value
			m.addFault(f, kinds...)
		}
		for j := range a.Headers {
			h := &a.Headers[j]
			if strings.EqualFold(h.Name, "Content-Type") {
				continue
			}
			if h.Required {
				kinds := []promise.Kind{promise.Headers}
				if strings.EqualFold(h.Name, "Location") {
					kinds = append(kinds, promise.Location)
				}
				header("no-header", h.Name, h.Name, "", "has no "+h.Name, kinds...)
			}
			if h.Schema == nil {
				continue
			}
			for _, c := range g.Invalid(instance.Subject{Name: h.Name, Edge: h.Edge, Examples: h.Examples}).Cases {
				if value := plain(c.Value); c.Pointer == "" && value != "" && !strings.ContainsAny(value, "\r\n") {
					header("header", h.Name, h.Name, value, "has the "+h.Name+" "+quoted(c.Value), promise.Headers)
					break
				}
			}
		}
		if a.Status == 201 {
			header("no-header", "Location", "Location", "", "has no Location", promise.Location)
		}
		if a.Status == 401 {
			header("no-header", "WWW-Authenticate", "WWW-Authenticate", "", "has no WWW-Authenticate", promise.Challenge)
		}
		if m.op.Deprecated && m.success(a) {
			header("no-header", "Deprecation", "Deprecation", "", "has no Deprecation", promise.Deprecation)
		}
		if len(a.Content) == 0 {
			continue
		}
		for _, media := range []struct{ name, value, says string }{{"none", "", "has no Content-Type"}, {"html", "text/html; charset=utf-8", "is labelled as an HTML page"}} {
			if media.name == "none" && !m.success(a) {
				continue
			}
			f := Fault{Operator: "media-type", Place: key + "-" + media.name, Says: fmt.Sprintf("The response %s of %s %s.", key, m.op.ID, media.says), Mutation: sel, Judged: true}
			f.Mutation.Do, f.Mutation.Media = mutate.ActMedia, media.value
			m.addFault(f, promise.MediaType)
		}
	}
}

// bodies derives responses with wrong bodies.
func (m *maker) bodies() {
	for i := range m.op.Responses {
		a := &m.op.Responses[i]
		sel, key := m.selects(a)
		media := a.JSON()
		if media == nil || media.Schema == nil {
			continue
		}
		add := func(operator, place, says string, change func(*mutate.Mutation), kinds ...promise.Kind) {
			f := Fault{Operator: operator, Place: key + "-" + place, Says: fmt.Sprintf("The response %s of %s %s.", key, m.op.ID, says), Mutation: sel, Judged: true}
			change(&f.Mutation)
			m.addFault(f, kinds...)
		}
		do := func(act mutate.Act, at ...string) func(*mutate.Mutation) {
			return func(x *mutate.Mutation) { x.Do, x.At = act, at }
		}
		add("no-body", "", "has no body", do(mutate.ActNoBody), promise.Body)
		if m.success(a) {
			add("cut", "", "is cut off in the middle", do(mutate.ActCut), promise.Body)
			add("rubbish", "", "ends in text that is not JSON", do(mutate.ActRubbish), promise.Body)
			add("envelope", "", "is wrapped in an undocumented object", do(mutate.ActEnvelope), promise.Body)
			add("array", "", "is wrapped in an array", do(mutate.ActArray), promise.Body)
			add("retyped", "", "is of another type", do(mutate.ActRetype), promise.Body)
		}
		if strings.Contains(media.Type, "problem") {
			add("problem-status", "", "names another status in its problem details", do(mutate.ActProblem, "status"), promise.Problem)
		} else if at, repeats := promise.RepeatedStatus(media); repeats && a.Class() >= 4 {
			add("error-status", "", "shows another status in "+strings.Join(at, "."), do(mutate.ActProblem, at...), promise.ErrorStatus)
		}
		if m.success(a) {
			m.members(media, add)
			continue
		}
		for _, p := range placesOf(media.Edge, instance.Response, mostOfRefusals) {
			if len(p.at) == 1 && p.required {
				add("dropped", p.name(), "lacks "+p.pointer(), do(mutate.ActDrop, p.at...), promise.Body)
				break
			}
		}
	}
}

// mostPlaces limits the members of a body that faults are derived for in contracts with few operations, fewestPlaces in those with many.
// manyPlaces is shared by all operations. For rejections the first members are enough.
const mostPlaces, fewestPlaces, manyPlaces, mostOfRefusals = 60, 8, 6000, 8

// most returns the number of members of a body that faults are derived for.
func (m *maker) most() int {
	return max(fewestPlaces, min(mostPlaces, manyPlaces/max(1, len(m.operations))))
}

// members derives responses with wrong members.
func (m *maker) members(media *spec.Media, add func(operator, place, says string, change func(*mutate.Mutation), kinds ...promise.Kind)) {
	g := m.generator(instance.Response)
	places := placesOf(media.Edge, instance.Response, m.most())
	deep, twice, renamed := false, false, false
	for _, p := range places {
		set := func(do mutate.Act, value any) func(*mutate.Mutation) {
			return func(x *mutate.Mutation) { x.Do, x.At, x.Value = do, p.at, string(mutate.WriteJSON(value)) }
		}
		if p.closed {
			add("extra", p.called("unexpected"), "has an additional member at "+p.pointer()+", which is forbidden", func(x *mutate.Mutation) {
				x.Do, x.At, x.Name, x.Value = mutate.ActExtra, p.at, "unexpected", `"text"`
			}, promise.Body)
		}
		for _, hidden := range p.hidden {
			if value, err := g.Usual(instance.Subject{Name: hidden.Name, Edge: hidden.Edge}); err == nil {
				add("shown", p.called(hidden.Name), "shows "+hidden.Name+" at "+p.pointer()+", which is write-only", func(x *mutate.Mutation) {
					x.Do, x.At, x.Name, x.Value = mutate.ActExtra, p.at, hidden.Name, string(mutate.WriteJSON(value))
				}, promise.WriteOnly)
			}
		}
		if p.schema == nil || len(p.at) == 0 {
			continue
		}
		member := p.at[len(p.at)-1]
		where := " " + p.pointer()
		if p.required {
			add("dropped", p.name(), "lacks"+where, set(mutate.ActDrop, nil), promise.Body)
			if !renamed {
				add("renamed", p.name(), "calls"+where+" otherwise", func(x *mutate.Mutation) {
					x.Do, x.At, x.Name = mutate.ActRename, p.at, member+"_"
				}, promise.Body)
			}
			renamed = true
		}
		if p.schema.WriteOnly {
			continue
		}
		add("null", p.name(), "has null at"+where, func(x *mutate.Mutation) { x.Do, x.At, x.Value, x.Wrong = mutate.ActSet, p.at, "null", mutate.WrongNull }, promise.Body)
		add("retyped", p.name(), "has a value of another type at"+where, func(x *mutate.Mutation) { x.Do, x.At = mutate.ActRetype, p.at }, promise.Body)
		if at := indexOf(p.at, mutate.Each); at >= 0 && at < len(p.at)-1 && !deep && p.required {
			deep = true
			last := append([]string{}, p.at...)
			last[at] = mutate.LastItem
			add("deep", p.name(), "has a value of another type at"+where+", in the last item only", func(x *mutate.Mutation) { x.Do, x.At = mutate.ActRetype, last }, promise.Body)
		}
		if !twice && (len(p.at) == 1 && p.at[0] != mutate.Each || len(p.at) == 2 && p.at[0] == mutate.Each && p.at[1] != mutate.Each && p.required) {
			twice = true
			add("twice", p.name(), "has"+where+" twice, with two values", func(x *mutate.Mutation) { x.Do, x.At, x.Value = mutate.ActTwice, p.at, "null" }, promise.UniqueNames)
		}
		seen := map[string]int{}
		for _, c := range g.Invalid(instance.Subject{Name: member, Edge: p.edge}).Cases {
			operator := operators[c.Kind]
			if c.Pointer != "" || operator == "" || seen[operator] > 1 || c.Kind != instance.Outside && seen[operator] > 0 {
				continue
			}
			name := p.name()
			if seen[operator]++; seen[operator] > 1 {
				name += "-2"
			}
			add(operator, name, "is wrong at"+where+": "+c.Description, set(mutate.ActSet, c.Value), promise.Body)
		}
	}
}

// operators names the ways in which values are wrong.
var operators = map[instance.Variation]string{
	instance.NotMember: "enum", instance.Outside: "bounds", instance.Pattern: "pattern", instance.Format: "format", instance.Fraction: "fraction",
	instance.BeyondFormat: "beyond-format", instance.NotMultiple: "multiple", instance.Duplicate: "duplicate", instance.Excluded: "excluded", instance.NoVariant: "variant",
	instance.Discriminator: "discriminator",
}

func indexOf(all []string, one string) int {
	for i, s := range all {
		if s == one {
			return i
		}
	}
	return -1
}
