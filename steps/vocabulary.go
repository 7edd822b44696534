package steps

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/cucumber/godog"

	"hallmark/steps/generate"
	"hallmark/steps/suite"
)

// vocabulary is all steps that features may use, each in one form.
type vocabulary struct {
	steps []stepForm
}

// stepForm is one form of a step: its pattern, and what it does. The function has the signature that godog calls.
type stepForm struct {
	pattern *regexp.Regexp
	do      any
}

// newVocabulary compiles the patterns once for all scenarios: godog would compile texts again for each of them.
func newVocabulary() *vocabulary {
	v := &vocabulary{}
	v.add(genericSteps())
	v.add(animalSteps())
	v.add(generatedSteps())
	return v
}

// form is a step before its pattern is compiled.
type form struct {
	pattern string
	do      any
}

func (v *vocabulary) add(forms []form) {
	for _, f := range forms {
		v.steps = append(v.steps, stepForm{regexp.MustCompile("^" + f.pattern + "$"), f.do})
	}
}

// register makes the steps known to a scenario.
func (v *vocabulary) register(sc *godog.ScenarioContext) {
	for _, s := range v.steps {
		sc.Step(s.pattern, s.do)
	}
}

// check finds steps of the features that no form matches, or more than one: such a scenario would judge nothing.
func (v *vocabulary) check(suite *suite.Suite) error {
	var faults []string
	seen := map[string]bool{}
	for _, f := range suite.Features {
		for _, p := range f.Scenarios {
			for _, st := range p.Steps {
				if seen[st.Text] {
					continue
				}
				seen[st.Text] = true
				n := 0
				for _, s := range v.steps {
					if s.pattern.MatchString(st.Text) {
						n++
					}
				}
				switch n {
				case 0:
					faults = append(faults, fmt.Sprintf("%s:%d: no step reads %q", p.URI, st.Line, st.Text))
				case 1:
				default:
					faults = append(faults, fmt.Sprintf("%s:%d: %d steps could mean %q", p.URI, st.Line, n, st.Text))
				}
			}
		}
	}
	if len(faults) > 0 {
		const most = 10
		more := ""
		if len(faults) > most {
			more = fmt.Sprintf("\n… and %d more", len(faults)-most)
			faults = faults[:most]
		}
		return fmt.Errorf("the features hold steps that cannot be run:\n%s%s", strings.Join(faults, "\n"), more)
	}
	return nil
}

// genericSteps are those that speak of operations, bodies and answers of whatever contract.
func genericSteps() []form {
	return []form{
		{`the credential is (.+)`, func(ctx context.Context, words string) error { return from(ctx).givenCredential(ctx, words) }},
		{`(\w+) has answered (\d{3})`, func(ctx context.Context, op, status string) error {
			return from(ctx).givenAnswer(ctx, op, status)
		}},
		{`a plain body where (\S+) is ((?:\{|\[|").*|-?[\d.eE+-]+|true|false|null)`, func(ctx context.Context, property, json string) error {
			return from(ctx).planned().Change(property, json)
		}},
		{`a plain body where (\S+) is called (\S+)`, func(ctx context.Context, property, other string) error {
			p := from(ctx).planned()
			if p.Renamed == nil {
				p.Renamed = map[string]string{}
			}
			p.Renamed[property] = other
			return nil
		}},
		{`a plain body without (\S+)`, func(ctx context.Context, property string) error {
			p := from(ctx).planned()
			p.Without = append(p.Without, property)
			return nil
		}},
		{`a plain body with (".+)`, func(ctx context.Context, members string) error {
			from(ctx).planned().Extra = members
			return nil
		}},
		{`a plain body ((?:cut|followed|in|inside|without quotes|without its|with a) .+)`, func(ctx context.Context, damage string) error {
			if !generate.KnownDamage(damage) {
				return fmt.Errorf("no damage to a body is called %q", damage)
			}
			from(ctx).planned().Damage = damage
			return nil
		}},
		{`a plain body written (in reverse order|over several lines|without any blanks|with its letters escaped)`,
			func(ctx context.Context, layout string) error { from(ctx).planned().Layout = layout; return nil }},
		{`the body is ((?:\{|\[|"|-?\d|true|false|null).*)`, func(ctx context.Context, text string) error {
			from(ctx).planned().Literal = &text
			return nil
		}},
		{`there is no body`, func(ctx context.Context) error { from(ctx).planned().Absent = true; return nil }},
		{`the body is empty`, func(ctx context.Context) error { from(ctx).planned().Literal = new(string); return nil }},
		{`the body is blank`, func(ctx context.Context) error {
			blank := " \n "
			from(ctx).planned().Literal = &blank
			return nil
		}},
		{`the Content-Type is (\S+)`, func(ctx context.Context, mediaType string) error {
			p := from(ctx).planned()
			p.MediaType, p.NoMediaType = mediaType, mediaType == "absent"
			return nil
		}},
		{`(\w+) is called(?: (\d+) times)?(?: with (.+))? ?`, func(ctx context.Context, op, times, with string) error {
			return from(ctx).whenCalled(ctx, op, times, with)
		}},
		{`the response is (\d{3}(?: or \d{3})*)`, func(ctx context.Context, words string) error { return from(ctx).thenStatus(ctx, words) }},
		{`each response is (\d{3}(?: or \d{3})*)`, func(ctx context.Context, words string) error { return from(ctx).thenEachStatus(ctx, words) }},
		{`the response is (\d{3}), or (\d{3}) with that (\w+)`, func(ctx context.Context, missing, found, parameter string) error {
			return from(ctx).thenThatOne(ctx, missing, found, parameter)
		}},
		{`the response is the service's own choice`, func(ctx context.Context) error { return from(ctx).thenOpen(ctx) }},
		{`the response is the service's own choice of (\d+) and (\d+)`, func(ctx context.Context, one, other string) error {
			return from(ctx).thenChoice(ctx, one, other)
		}},
		{`what was sent comes back(, if it was accepted)?`, func(ctx context.Context, only string) error {
			return from(ctx).thenEcho(ctx, "", only != "")
		}},
		{`its (\w+) is what was sent`, func(ctx context.Context, property string) error {
			return from(ctx).thenEcho(ctx, property, false)
		}},
		{`whatever got a response that its operation never gives is asked for once more`, func(ctx context.Context) error {
			return from(ctx).whenDoubtsAsked(ctx)
		}},
		{`each is answered as it was before`, func(ctx context.Context) error { return from(ctx).thenAsBefore(ctx) }},
		{`it is what that response held`, func(ctx context.Context) error { return from(ctx).thenHeld(ctx) }},
	}
}

// planned is the body in the making.
func (s *scenario) planned() *generate.Plan {
	if s.body == nil {
		s.body = &generate.Plan{}
	}
	return s.body
}
