package options

import (
	"maps"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
)

func TestRequireCoverage(t *testing.T) {
	for given, want := range map[string]map[record.Dimension]float64{
		"operations=95":                          {record.Operations: 95},
		"operations=95,statuses=70":              {record.Operations: 95, record.Statuses: 70},
		"media-types=0, parameters=12.5%":        {record.MediaTypes: 0, record.Parameters: 12.5},
		"schemas=100":                            {record.Schemas: 100},
		"operations":                             nil,
		"operations=":                            nil,
		"operations=101":                         nil,
		"operations=-1":                          nil,
		"operations=NaN":                         nil,
		"rules=10":                               nil,
		"":                                       nil,
		"operations=1,operations=2":              nil,
		"operations=95,":                         nil,
		strings.Repeat("operations=1,", 3) + "x": nil,
	} {
		var got map[record.Dimension]float64
		err := coverageValue(&got).Set(given)
		if (err != nil) != (want == nil) || !maps.Equal(got, want) {
			t.Errorf("%q: %v, %v; want %v", given, got, err, want)
		}
	}
}
