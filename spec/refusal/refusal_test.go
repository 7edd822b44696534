package refusal_test

import (
	"slices"
	"testing"

	"github.com/hallmark-kit/hallmark/spec/refusal"
)

// Refusals of common frameworks, and those that say nothing of a member.
func TestRead(t *testing.T) {
	members := []string{"/name", "/zone_type", "/ttl", "/owner", "/owner/email", "/records", "/records/0/value"}
	for name, test := range map[string]struct {
		body string
		want []string
	}{
		"problem details with pointers": {`{"type":"about:blank","status":422,"errors":[{"detail":"too small","pointer":"#/ttl"},{"pointer":"/owner/email"}]}`, []string{"/ttl", "/owner/email"}},
		"JSON:API":                      {`{"errors":[{"status":"422","source":{"pointer":"/data/attributes/ttl"},"title":"Invalid"}]}`, []string{"/ttl"}},
		"Spring":                        {`{"status":400,"error":"Bad Request","errors":[{"objectName":"zone","field":"zoneType","defaultMessage":"must not be null","code":"NotNull"}]}`, []string{"/zone_type"}},
		"FastAPI":                       {`{"detail":[{"loc":["body","zone_type"],"msg":"field required","type":"value_error.missing"}]}`, []string{"/zone_type"}},
		"FastAPI, in a list":            {`{"detail":[{"loc":["body","records",0,"value"],"msg":"bad","type":"x"}]}`, []string{"/records/0/value"}},
		"gin":                           {`{"error":"Key: 'Zone.ZoneType' Error:Field validation for 'ZoneType' failed on the 'required' tag\nKey: 'Zone.TTL' Error:Field validation for 'TTL' failed on the 'max' tag"}`, []string{"/zone_type", "/ttl"}},
		"Go":                            {`{"message":"json: unknown field \"ttl\""}`, []string{"/ttl"}},
		"Jackson": {
			`{"message":"Cannot deserialize value of type int from String (through reference chain: net.Zone[\"owner\"]->net.Owner[\"email\"])"}`, []string{"/owner", "/owner/email"},
		},
		"Laravel":              {`{"message":"The given data was invalid.","errors":{"owner.email":["The owner.email must be valid."],"ttl":["The ttl field is prohibited."]}}`, []string{"/owner/email", "/ttl"}},
		"Rails":                {`{"errors":{"name":["can't be blank"]}}`, []string{"/name"}},
		"Django":               {`{"zone_type":["This field is required."]}`, []string{"/zone_type"}},
		"a sentence":           {`{"error":"zone_type is required"}`, []string{"/zone_type"}},
		"another":              {`missing zone_type`, []string{"/zone_type"}},
		"plain text":           {"`ttl` cannot be combined with this owner", []string{"/ttl"}},
		"nothing":              {`{"error":"invalid input"}`, nil},
		"members of the error": {`{"name":"ValidationError","message":"no","code":400}`, nil},
		"no JSON":              {`<html>400 Bad Request</html>`, nil},
		"empty":                {``, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, c := range refusal.Read([]byte(test.body), members) {
				got = append(got, c.Pointer)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
