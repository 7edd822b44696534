package petstore

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"hallmark/spec"
	"hallmark/spec/exactjson"
	"hallmark/steps/check"
	"hallmark/steps/generate"
	"hallmark/steps/scenario"
	"hallmark/steps/truncate"
)

// Interface is the Go code of the bundled interface.
func Interface() scenario.Interface {
	return scenario.Interface{
		BasePath: "/v1",
		Resource: "animal", MaxAlias: "max-animals", Fields: []scenario.Field{{
			Name: "categoryId", Noun: "category", Flag: "category-id", Default: 1,
			Usage: "the id of a category that exists, for the animals that the run creates",
		}},
		Forms: slices.Concat(animalSteps(), generatedAnimalSteps()),
		Extend: func(r *scenario.Run) scenario.Extension {
			return &pets{Run: r, terms: TermsOf(r.Contract), memory: NewMemory(), stocking: make(chan struct{}, 1)}
		},
	}
}

// Begin implements Extension.
func (p *pets) Begin(s *scenario.Scenario) any { return &scene{Scenario: s, pets: p} }

// Sending implements Extension.
func (p *pets) Sending(sent *generate.SentBody) { p.memory.NoteSent(sent.Name()) }

// Lost implements Extension: an animal that was asked for may be there.
func (p *pets) Lost(sent *generate.SentBody) { p.memory.Doubt(sent.Names...) }

// Knows implements Extension.
func (p *pets) Knows(id string) bool { return p.memory.Has(id) }

// Value implements Extension.
func (p *pets) Value(spec.Operation, spec.Parameter) (string, bool) { return p.memory.AnyID() }

// Origin implements Extension.
func (p *pets) Origin(ex *spec.Exchange) int {
	if ex.Operation != "getPet" {
		return 0
	}
	return p.memory.Origin(check.LastSegment(ex.Request.URL), ex.Seq)
}

// About implements Extension.
func (p *pets) About(a *scenario.Answer) spec.About {
	if a.Exchange.Operation != "getPet" {
		return spec.About{}
	}
	about := spec.About{IDs: []string{check.LastSegment(a.Exchange.Request.URL)}}
	if a.Status() == http.StatusNotFound {
		about.Shows = spec.Missing
	}
	return about
}

// IsOthers implements Extension: it goes by the name.
func (p *pets) IsOthers(a *scenario.Answer) bool {
	shown, _ := a.Value.At("/name")
	name, ok := shown.Tree.(string)
	return ok && a.Exchange.Operation == "createPet" && name != truncate.Text(a.Sent.Name()) && p.memory.WasSent(name)
}

// ReadBack implements Extension.
func (p *pets) ReadBack(ctx context.Context, s *scenario.Scenario, a *scenario.Answer) error {
	made, ok := madeBy(a)
	if !ok {
		return nil
	}
	return readBack(ctx, sceneOf(s), Creation{Animal: made, Seq: a.Exchange.Seq}, "get.created")
}

// Judge implements Extension.
func (p *pets) Judge(a *scenario.Answer, value exactjson.Value, contract *check.Result) []check.Result {
	ex := a.Exchange
	if empty, ok := p.emptyList(a, value); ok {
		for i := range contract.Findings {
			contract.Findings[i].After = empty.Rule
		}
		contract.Find(empty)
	}
	if p.noAnimal(a, value) {
		for i := range contract.Findings {
			contract.Findings[i].After = cmp.Or(contract.Findings[i].After, "get.unknown")
		}
	}
	var out []check.Result
	switch ex.Operation {
	case "listPets":
		j := p.terms.CheckList(ex, value.Tree)
		idle := p.unbreakable(a)
		if items, ok := value.Array(); ok && p.terms.IsLongest(ex) {
			p.isWhole(max(len(items), a.Items))
		}
		j.Exercised = slices.DeleteFunc(j.Exercised, func(rule string) bool { return !j.Breaks(rule) && idle(rule) })
		out = append(out, j)
	case "getPet":
		out = append(out, p.terms.CheckID(ex, value.Tree))
	}
	if status := a.Status(); status/100 == 2 {
		seen := AnimalsIn(ex.Operation, value.Tree)
		j := p.memory.See(ex, seen, p.IsMine)
		if items, ok := value.Array(); ok && p.terms.IsWhole(ex, max(len(items), p.memory.Size())) {
			Traceless(&j, p.memory.RefusedBefore(ex.Started))
		}
		out = append(out, j)
		p.noteSeen(ex, seen)
	} else if Refuses(status) && a.Sent != nil && ex.Operation == "createPet" && !a.Sent.Shared {
		for _, name := range a.Sent.Names {
			out = append(out, p.memory.Refuse(ex, truncate.Text(name)))
		}
	}
	return out
}
