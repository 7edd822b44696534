package options

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
)

// requireCoverageFlag requires a percentage of the contract to be judged.
const requireCoverageFlag = "require-coverage"

// coverageValue returns a flag's value for operations=95,statuses=70.
func coverageValue(to *map[record.Dimension]float64) *cli.Value {
	return &cli.Value{Kind: "WHAT=PERCENT,...", Parse: func(s string) error {
		required := map[record.Dimension]float64{}
		for part := range strings.SplitSeq(s, ",") {
			d, percent, err := parseRequirement(strings.TrimSpace(part))
			if err != nil {
				return err
			}
			if _, twice := required[d]; twice {
				return fmt.Errorf("%s is required twice; give one percentage", d)
			}
			required[d] = percent
		}
		*to = required
		return nil
	}}
}

// parseRequirement parses operations=95.
func parseRequirement(s string) (record.Dimension, float64, error) {
	name, number, _ := strings.Cut(s, "=")
	var names []string
	for _, d := range record.Dimensions() {
		names = append(names, string(d))
		if string(d) != name {
			continue
		}
		percent, err := strconv.ParseFloat(strings.TrimSuffix(number, "%"), 64)
		if err != nil || percent < 0 || percent > 100 || math.IsNaN(percent) {
			return "", 0, fmt.Errorf("%s needs a percentage from 0 to 100, not %q; write for example %s=95", d, text.Visible(number), d)
		}
		return d, percent, nil
	}
	return "", 0, fmt.Errorf("%q names nothing that is covered; write for example operations=95,statuses=70, of %s", text.Visible(name), text.Enumerate(names, "and"))
}
