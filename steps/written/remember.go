package written

import (
	"context"
	"fmt"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// remember is "in the response, id is remembered as "ticket"".
func remember(ctx context.Context, member, name string) error {
	s := scenario.From(ctx)
	a, err := s.Last()
	if err != nil {
		return err
	}
	body, err := whole(a)
	if err != nil {
		return err
	}
	v, there := body.At(inWrapper(body, pointerOf(member)))
	if !there {
		return scenario.Stopf("the response of %s, status %d, holds no %s to be remembered", a.Exchange.Operation, a.Status(), unquoted(member))
	}
	return keep(s, name, v.Tree, a.Exchange.Seq)
}

// rememberHeader is "the response's header ETag is remembered as "tag"".
func rememberHeader(ctx context.Context, header, name string) error {
	s := scenario.From(ctx)
	a, err := s.Last()
	if err != nil {
		return err
	}
	if a.Exchange.Response == nil || a.Exchange.Response.Header.Get(header) == "" {
		return scenario.Stopf("the response of %s, status %d, has no header %s to be remembered", a.Exchange.Operation, a.Status(), header)
	}
	return keep(s, name, a.Exchange.Response.Header.Get(header), a.Exchange.Seq)
}

// rememberValue is "<JSON> is remembered as "name"".
func rememberValue(ctx context.Context, source, name string) error {
	s := scenario.From(ctx)
	v, err := Value(s, source)
	if err != nil {
		return err
	}
	return keep(s, name, v, 0)
}

// keep remembers a value, and the number of the exchange that showed it, or 0.
func keep(s *scenario.Scenario, name string, value any, shown int) error {
	if name = unquoted(name); !placeholder.MatchString("{"+name+"}") || name == "new" {
		return fmt.Errorf("%s is no name for a value; use letters, digits, _ and -", text.Short(name))
	}
	st := stateOf(s)
	st.remembered[name], st.shown[name] = value, shown
	return nil
}
