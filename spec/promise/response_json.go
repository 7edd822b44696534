package promise

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// holdsObject reports whether a value is an object, or an array with one.
func holdsObject(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return true
	case []any:
		return slices.ContainsFunc(v, holdsObject)
	}
	return false
}

// judgeRepeats judges that no object has a member twice with different values. Receivers take one or the other, so
// each must conform to the schema.
func (x *responseJudge) judgeRepeats(m *spec.Media, body exactjson.Decoded) {
	all := body.Repeats
	if !m.IsJSON() {
		return // the document names a range, and promises no JSON
	}
	if holdsObject(body.Tree) {
		x.exercised(UniqueNames)
	}
	if len(all) == 0 {
		return
	}
	first := all[0]
	pointer := jsonpointer.Join("", first.Path...)
	f := spec.Finding{
		Kind: spec.KindDuplicate, Detail: first.Path[len(first.Path)-1], Expected: phrase.Of("each member once (RFC 8259, section 4)"),
		Actual:   phrase.Of("the member {} twice", phrase.Field(first.Path[len(first.Path)-1])),
		Contract: m.Pointer, Pointer: pointer, Where: x.place().At(pointer),
	}
	if n := len(all) - 1; n > 0 {
		f.Actual = f.Actual.With(" (and {} more)", phrase.Count(n, "place"))
	}
	x.find(UniqueNames, f)
	d, err := x.ex.Response.Decode()
	if err != nil {
		return
	}
	for _, r := range slices.Backward(all) { // the first of several is applied last
		if object, is := exactjson.Lookup(d.Tree, r.Path[:len(r.Path)-1]); is {
			if members, is := object.(map[string]any); is {
				members[r.Path[len(r.Path)-1]] = r.First
			}
		}
	}
	known := len(x.Findings)
	x.value(m.Schema, m.Examples, d.Tree, "")
	for i := len(x.Findings) - 1; i >= known; i-- {
		if slices.ContainsFunc(x.Findings[:known], func(k spec.Finding) bool { return k.Cause == x.Findings[i].Cause }) {
			x.Findings = slices.Delete(x.Findings, i, i+1)
		}
	}
}

// isProblem reports whether a media type is that of problem details in JSON.
func isProblem(media string) bool {
	m, err := wire.ParseMedia(media)
	return err == nil && m.Type == "application" && m.Subtype == "problem+json"
}

// problem judges that a status in problem details is that of the response.
func (x *responseJudge) problem(m *spec.Media, tree any) {
	object, is := tree.(map[string]any)
	if !is || !isProblem(m.Type) {
		return
	}
	n, is := object["status"].(json.Number)
	if !is {
		return
	}
	x.exercised(Problem)
	status := strconv.Itoa(x.ex.Response.Status)
	if whole, _ := exactjson.CanonicalInt(n); whole == status {
		return
	}
	x.find(Problem, spec.Finding{
		Kind: spec.KindForbidden, Detail: "status", Expected: phrase.Of("{}, the status of the response (RFC 9457, section 3.1.2)", phrase.JSON(status)),
		Actual: phrase.Of("{}", phrase.JSON(exactjson.Describe(n))), Contract: x.answer.Definition(), Pointer: "/status", Where: x.place().At("/status"),
	})
}
