package promise

import (
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec/openapi"
)

// Wrong values of a format must be refused only where it binds values, and values of which readings differ need not be accepted.
func TestAssertedFormats(t *testing.T) {
	contract, err := openapi.Load([]byte(`
openapi: 3.0.3
info: {title: t, version: "1"}
paths:
  /a:
    post:
      operationId: a
      parameters: [{name: link, in: query, schema: {type: string, format: uri}}]
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              properties:
                mail: {type: string, format: email}
                day: {type: string, format: date}
                rest: {type: string, format: duration, example: PT0.5S}
                match: {type: string, format: regex}
      responses: {"200": {description: ok}, "400": {description: no}}
`))
	if err != nil {
		t.Fatal(err)
	}
	for _, all := range []bool{false, true} {
		c := contract
		if all {
			c = c.AssertingFormats()
		}
		refused := map[string]bool{}
		for _, x := range Of(c, 1, 400).derive()["a"] {
			if !strings.HasPrefix(string(x.Kind), "refused.") {
				if strings.Contains(x.Change.Value, "PT0.5S") {
					t.Errorf("asserted %v: %s: %s", all, x.Kind, x.Title)
				}
				continue
			}
			for _, format := range []string{"uri", "email", "date", "duration", "regex"} {
				if strings.HasSuffix(x.Title, "which is no "+format) {
					refused[format] = true
				}
			}
		}
		for format, want := range map[string]bool{"uri": all, "email": all, "date": true, "duration": all, "regex": false} {
			if refused[format] != want {
				t.Errorf("asserted %v: another %s is refused: %v", all, format, refused[format])
			}
		}
	}
}
