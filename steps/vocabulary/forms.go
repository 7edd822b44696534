package vocabulary

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/sentence"
	"github.com/hallmark-kit/hallmark/steps/credentials"
	"github.com/hallmark-kit/hallmark/steps/lifecycle"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/written"
)

// Forms returns the steps about operations, bodies and responses of any contract.
func Forms() []scenario.Form {
	return slices.Concat(callingSteps(), written.Forms(), requestSteps(), beyondSteps(), judgingSteps())
}

// Described returns the same steps with their descriptions, in the order of their headings.
func Described() []scenario.Form {
	return slices.Concat(
		described(calls, callingSteps(), callTexts()...), written.Forms(), described(plain, requestSteps(), requestTexts()...), described(beyond, beyondSteps(), beyondTexts()...),
		described(outcomes, judgingSteps(),
			slices.Concat(outcomeTexts(), pathTexts(), pageTexts(), lifeTexts(), storyTexts(), keyTexts(), updateTexts(), crowdTexts(), tagTexts())...),
	)
}

// judgingSteps returns the steps with which derived scenarios judge.
func judgingSteps() []scenario.Form {
	return slices.Concat(outcomeSteps(), pathSteps(), lifecycle.Forms())
}

// uniqueTextLength is the minimum length of a text, in characters, that can be made unique and still shows the
// run.
const uniqueTextLength = 32

// maxTextLength is the maximum length of a text of a body, in characters.
const maxTextLength = 1 << 20

// givenLong implements "a plain body where name is 300 characters long".
func givenLong(_ context.Context, s *scenario.Scenario, property, length string) error {
	n, err := strconv.Atoi(length)
	if err != nil || n > maxTextLength {
		return fmt.Errorf("%q is no usable length", length)
	}
	if n < uniqueTextLength {
		return s.Planned().Change(property, strconv.Quote(credentials.RandomKey(n)))
	}
	return s.Planned().Change(property, fmt.Sprintf(`"{unique:%d}"`, n))
}

func callingSteps() []scenario.Form {
	return []scenario.Form{
		{Pattern: `the credential is (.+)`, Do: stepWith(givenCredential)},
		{Pattern: `(\w+) has answered (\d{3})`, Do: stepWithTwo(givenAnswer)},
		{Pattern: sentence.Sentence("a plain body where {member} is {value}").Pattern(), Do: func(ctx context.Context, property, json string) error {
			return scenario.From(ctx).Planned().Change(property, json)
		}},
		{Pattern: `a plain body where (\S+) is (\d+) characters long`, Do: stepWithTwo(givenLong)},
		{Pattern: `a plain body where (\S+) is called (\S+)`, Do: func(ctx context.Context, property, other string) error {
			p := scenario.From(ctx).Planned()
			if p.Renamed == nil {
				p.Renamed = map[string]string{}
			}
			p.Renamed[property] = other
			return nil
		}},
		{Pattern: `a plain body without (\S+)`, Do: func(ctx context.Context, property string) error {
			p := scenario.From(ctx).Planned()
			p.Without = append(p.Without, property)
			return nil
		}},
		{Pattern: `a plain body with (".+)`, Do: func(ctx context.Context, members string) error {
			scenario.From(ctx).Planned().Extra = members
			return nil
		}},
		{Pattern: `a plain body ((?:cut|followed|in|inside|without quotes|without its|with a) .+)`, Do: func(ctx context.Context, damage string) error {
			if !request.KnownDamage(damage) {
				return fmt.Errorf("no damage to a body is called %q", damage)
			}
			scenario.From(ctx).Planned().Damage = damage
			return nil
		}},
		{Pattern: `a plain body written (in reverse order|over several lines|without any blanks|with its letters escaped)`, Do: func(ctx context.Context, layout string) error {
			scenario.From(ctx).Planned().Layout = layout
			return nil
		}},
		{Pattern: `the body is ` + sentence.JSON, Do: func(ctx context.Context, text string) error {
			scenario.From(ctx).Planned().Literal = &text
			return nil
		}},
		{Pattern: `there is no body`, Do: func(ctx context.Context) error { scenario.From(ctx).Planned().Absent = true; return nil }},
		{Pattern: `the body is empty`, Do: func(ctx context.Context) error { scenario.From(ctx).Planned().Literal = new(string); return nil }},
		{Pattern: `the body is blank`, Do: func(ctx context.Context) error {
			blank := " \n "
			scenario.From(ctx).Planned().Literal = &blank
			return nil
		}},
		{Pattern: `the Content-Type is (\S+)`, Do: func(ctx context.Context, mediaType string) error {
			p := scenario.From(ctx).Planned()
			p.MediaType, p.NoMediaType = mediaType, mediaType == "absent"
			return nil
		}},
		{Pattern: `(\w+|"(?:[^"\\]|\\.)*") is called(?: (\d+) times)?(?: with (.+))? ?`, Do: func(ctx context.Context, op, times, with string) error {
			return whenCalled(ctx, scenario.From(ctx), op, times, with)
		}},
		{Pattern: `the response is (\d{3}(?: or \d{3})*)`, Do: stepWith(thenStatus)},
		{Pattern: `each response is (\d{3}(?: or \d{3})*)`, Do: stepWith(thenEachStatus)},
		{Pattern: `the response is (\d{3}), or (\d{3}) with that (\w+)`, Do: func(ctx context.Context, missing, found, parameter string) error {
			return thenThatOne(ctx, scenario.From(ctx), missing, found, parameter)
		}},
		{Pattern: `the response is the service's own choice`, Do: step(thenOpen)},
		{Pattern: `the response is the service's own choice of (\d+) and (\d+)`, Do: stepWithTwo(thenChoice)},
		{Pattern: `what was sent comes back(, if it was accepted)?`, Do: func(ctx context.Context, only string) error {
			return written.Echo(scenario.From(ctx), "", only != "")
		}},
		{Pattern: `its (\S+) is what was sent(, if it was accepted)?`, Do: func(ctx context.Context, property, only string) error {
			return written.Echo(scenario.From(ctx), property, only != "")
		}},
	}
}
