package prove_test

import (
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/prove"
)

func TestProgress(t *testing.T) {
	outcomes := []prove.Outcome{
		{Case: prove.Case{Kind: prove.Fault, Name: "seen"}, OK: true},
		{Case: prove.Case{Kind: prove.Fault, Name: "unseen", Rule: "list.array"}},
		{Case: prove.Case{Kind: prove.Freedom, Name: "slow"}, Example: "expected status 200"},
	}
	for redraws, want := range map[bool]string{
		false: "fault unseen: survives; it breaks list.array\nfreedom slow: accused: expected status 200\n",
		true: "\r\x1b[K1 of 3 judged" +
			"\r\x1b[Kfault unseen: survives; it breaks list.array\n\r\x1b[K2 of 3 judged, 1 not as expected" +
			"\r\x1b[Kfreedom slow: accused: expected status 200\n\r\x1b[K3 of 3 judged, 2 not as expected\r\x1b[K",
	} {
		var text strings.Builder
		report := prove.NewProgress(&text, redraws).Of(len(outcomes))
		for _, o := range outcomes {
			report(o)
		}
		if text.String() != want {
			t.Errorf("it wrote %q; %q was expected", text.String(), want)
		}
	}
}
