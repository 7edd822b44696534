package steps

import (
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
)

// A request is recognized in another play of its scenario despite other made-up names, and is not confused with an
// equal one.
func TestRequestsBehindAGatewayAreKnownAgain(t *testing.T) {
	const run = "k3j9x2"
	type sent struct {
		about, url, body string
		status           int
	}
	play := func(all ...sent) (found gatewayAnswer) {
		var exchanges []*spec.Exchange
		for i, one := range all {
			exchanges = append(exchanges, &spec.Exchange{
				Seq: i + 1, Operation: "createPet", About: one.about, Request: spec.Request{Method: "POST", URL: one.url, Body: []byte(one.body)},
				Response: &spec.Response{Status: one.status},
			})
		}
		for _, a := range gatewayAnswers(exchanges, run, func(ex *spec.Exchange) string { return ex.Request.URL }) {
			found = a
		}
		return found
	}
	fine := sent{"a plain body", "/pets", `{"name":"x"}`, 201}
	named := func(name string, status int) sent {
		return sent{"a plain body", "/pets", `{"name":"` + name + `"}`, status}
	}
	once := play(named("hallmark-k3j9x2-00017", 502), named("hallmark-k3j9x2-00018", 201), named("hallmark-k3j9x2-00019", 201))
	for name, c := range map[string]struct {
		again gatewayAnswer
		want  bool
	}{
		"another name":        {play(named("hallmark-k3j9x2-00103", 502), named("hallmark-k3j9x2-00104", 201), fine), true},
		"the second":          {play(named("hallmark-k3j9x2-00103", 201), named("hallmark-k3j9x2-00104", 502), named("hallmark-k3j9x2-00105", 201)), false},
		"another status":      {play(named("hallmark-k3j9x2-00103", 503)), false},
		"none":                {play(fine), false},
		"another kind":        {play(sent{"a body without a name", "/pets", `{}`, 502}), false},
		"other generated one": {play(fine, named("hallmark-k3j9x2-00103", 201), fine, fine, named("hallmark-k3j9x2-00103", 502)), false},
	} {
		if got := once.repeats(c.again); got != c.want {
			t.Errorf("%s: it is the same: %v", name, got)
		}
	}
	// Concurrent requests have no order: one of two creations fails each time, but not the same one.
	if !play(named("a", 503), named("a", 201)).repeats(play(named("a", 201), named("a", 503))) {
		t.Error("one of two equal requests fails each time, and that is not known again")
	}
}
