package wholerun_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/tests/shop"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

// statedRules makes musts of inferred rules, with sentences of a document.
const statedRules = `
- {id: "*.created.readable", source: "Handbook: a new ticket can be read at once, whatever its state."}
- {id: "*.created.kept", source: "Handbook: members are returned as they were sent."}
- {id: "*.created.listed", source: "Handbook: the list shows each ticket from then on."}
- {id: "*.updated.kept", source: "Handbook: each member can be changed."}
- {id: "*.updated.replaced", source: "Handbook: a PUT replaces the ticket."}
- {id: "*.deleted.gone", source: "Handbook: a deleted ticket is answered 404."}
`

// What services may do where nothing is stated breaks a rule whose sentence denies it; what no sentence denies breaks none.
func TestStatedRulesDropReservations(t *testing.T) {
	t.Parallel()
	for variant, broken := range map[string]string{
		"": "", "trims": "", "lower-case": "", "masks-secret": "", "times-in-utc": "", "accepts-only": "", "shows-late": "", "put-defaults-colour": "",
		"put-merges": string(promise.Replaced), "moderates": string(promise.Readable), "marks-deleted": string(promise.Gone), "hides-text": string(promise.Kept),
		"lists-open-only": string(promise.Listed),
		"sets-colour":     string(promise.Kept), "colour-immutable": string(promise.Updated),
	} {
		t.Run(variant, func(t *testing.T) {
			skip.SampledByName(t, 3)
			t.Parallel()
			var patience time.Duration
			if broken != "" {
				patience = atOnce
			}
			one := trial{contract: shop.DeskContract(), service: inMemory{shop.NewDesk(variant)}, created: 1000, patience: patience, rules: statedRules}
			rec, catalogue := one.judge(t)
			found := failing(rec, catalogue)
			if broken == "" {
				accuse(t, found)
				return
			}
			for id := range found {
				if strings.HasSuffix(id, "."+broken) {
					return
				}
			}
			t.Errorf("no rule %s is broken: %v", broken, found)
		})
	}
}
