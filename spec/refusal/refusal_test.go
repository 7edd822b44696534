package refusal_test

import (
	"slices"
	"testing"

	"github.com/hallmark-kit/hallmark/spec/refusal"
)

// Refusals of common frameworks, and those that say nothing of a member.
func TestRead(t *testing.T) {
	members := []string{"/name", "/zone_type", "/ttl", "/owner", "/owner/email", "/records", "/records/0/value", "/records/0/name"}
	sent := map[string]any{"name": "z.", "records": []any{map[string]any{"name": "text", "value": "text"}}}
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
			`{"message":"Cannot deserialize value of type int from String (through reference chain: net.Zone[\"owner\"]->net.Owner[\"email\"])"}`, []string{"/owner/email"},
		},
		"Laravel":                             {`{"message":"The given data was invalid.","errors":{"owner.email":["The owner.email must be valid."],"ttl":["The ttl field is prohibited."]}}`, []string{"/owner/email", "/ttl"}},
		"Rails":                               {`{"errors":{"name":["can't be blank"]}}`, []string{"/name"}},
		"Django":                              {`{"zone_type":["This field is required."]}`, []string{"/zone_type"}},
		"a value, of one of several":          {`{"error":"DNS Name 'text' is not canonical"}`, []string{"/records/0/name"}},
		"a value that was not sent":           {`{"error":"DNS Name 'other' is not canonical"}`, []string{"/name"}},
		"a value behind a name of two words":  {`{"error":"Unknown zone type: text"}`, nil},
		"a value behind several words":        {`{"error":"Unknown default ttl: 5"}`, []string{"/ttl"}},
		"what is absent":                      {`{"error":"No records given in update request"}`, []string{"/records"}},
		"what is absent, of something else":   {`{"error":"No such thing found"}`, nil},
		"a sentence":                          {`{"error":"zone_type is required"}`, []string{"/zone_type"}},
		"another":                             {`missing zone_type`, []string{"/zone_type"}},
		"plain text":                          {"`ttl` cannot be combined with this owner", []string{"/ttl"}},
		"problem details, RFC 9457":           {`{"type":"https://example.net/validation-error","title":"Your request is not valid.","status":422,"errors":[{"detail":"must be a positive integer","pointer":"#/ttl"},{"detail":"must be 'green', 'red' or 'blue'","pointer":"#/records/0/value"}]}`, []string{"/ttl", "/records/0/value"}},
		"problem details of zalando":          {`{"type":"https://zalando.github.io/problem/constraint-violation","title":"Constraint Violation","status":400,"violations":[{"field":"owner.email","message":"must not be blank"}]}`, []string{"/owner/email"}},
		"problem details with invalid-params": {`{"title":"Bad","invalid-params":[{"name":"ttl","reason":"must be positive"},{"name":"zone_type","reason":"is unknown"}]}`, []string{"/ttl", "/zone_type"}},
		"Spring 3 problem details":            {`{"type":"about:blank","title":"Bad Request","status":400,"detail":"Invalid request content.","instance":"/zones"}`, nil},
		"Spring, a sentence":                  {`{"timestamp":"2026-11-21T00:00:00Z","status":400,"error":"Bad Request","message":"Validation failed for object='zone'. Error count: 1","errors":[{"codes":["NotNull.zone.zoneType","NotNull.zoneType","NotNull"],"arguments":[{"codes":["zone.zoneType","zoneType"],"defaultMessage":"zoneType","code":"zoneType"}],"defaultMessage":"must not be null","objectName":"zone","field":"zoneType","rejectedValue":null,"bindingFailure":false,"code":"NotNull"}],"path":"/zones"}`, []string{"/zone_type"}},
		"FastAPI, pydantic 2":                 {`{"detail":[{"type":"missing","loc":["body","owner","email"],"msg":"Field required","input":{"name":"a"},"url":"https://errors.pydantic.dev/2/v/missing"},{"type":"int_parsing","loc":["body","ttl"],"msg":"Input should be a valid integer, unable to parse string as an integer","input":"x"}]}`, []string{"/owner/email", "/ttl"}},
		"FastAPI, of another place":           {`{"detail":[{"loc":["query","page"],"msg":"field required","type":"missing"}]}`, nil},
		"go-playground, by JSON names":        {`{"errors":[{"namespace":"Zone.owner.email","field":"email","tag":"required","param":""}]}`, []string{"/owner/email"}},
		"gin, nested":                         {`{"error":"Key: 'CreateZoneRequest.Owner.Email' Error:Field validation for 'Email' failed on the 'email' tag"}`, []string{"/owner/email"}},
		"ozzo":                                {`{"name":"cannot be blank","owner":{"email":"must be a valid email address"}}`, []string{"/name", "/owner/email"}},
		"Go, a type":                          {`{"error":"json: cannot unmarshal string into Go struct field Zone.ttl of type int"}`, []string{"/ttl"}},
		"Jackson, an unknown member":          {`{"message":"JSON parse error: Unrecognized field \"ttl\" (class net.example.Zone), not marked as ignorable (3 known properties: \"name\", \"owner\", \"zone_type\"])\n at [Source: (PushbackInputStream); line: 1, column: 12] (through reference chain: net.example.Zone[\"ttl\"])"}`, []string{"/ttl"}},
		"Jackson, an enum":                    {`{"message":"Cannot deserialize value of type ` + "`net.example.ZoneType`" + ` from String \"x\": not one of the values accepted for Enum class: [MASTER, SLAVE]\n at [Source: REDACTED; line: 1, column: 12] (through reference chain: net.example.Zone[\"zone_type\"])"}`, []string{"/zone_type"}},
		"Jackson, in a list":                  {`{"error":"Cannot deserialize value (through reference chain: net.Zone[\"records\"]->java.util.ArrayList[0]->net.Record[\"value\"])"}`, []string{"/records/0/value"}},
		"Jackson, a missing creator":          {`{"message":"Missing required creator property 'zone_type' (index 2)"}`, []string{"/zone_type"}},
		"Laravel, in a list":                  {`{"message":"The records.0.value field is required. (and 1 more error)","errors":{"records.0.value":["The records.0.value field is required."],"zone_type":["The selected zone type is invalid."]}}`, []string{"/records/0/value", "/zone_type"}},
		"Rails, nested":                       {`{"errors":{"owner.email":["is invalid"],"base":["Zone is locked"]}}`, []string{"/owner/email"}},
		"Rails, bare":                         {`{"name":["can't be blank"],"ttl":["is not a number"]}`, []string{"/name", "/ttl"}},
		"Rails, full sentences":               {`{"errors":["Zone type can't be blank"]}`, []string{"/zone_type"}},
		"Rails, parameters":                   {`{"status":400,"error":"Bad Request","exception":"#<ActionController::ParameterMissing: param is missing or the value is empty: owner>"}`, []string{"/owner"}},
		"Django REST, nested":                 {`{"owner":{"email":["Enter a valid email address."]},"records":[{"value":["This field is required."]}]}`, []string{"/owner/email", "/records/0/value"}},
		"Django REST, of all":                 {`{"non_field_errors":["The fields name, ttl must make a unique set."]}`, []string{"/name", "/ttl"}},
		"Django Ninja":                        {`{"detail":[{"type":"missing","loc":["body","payload","zone_type"],"msg":"Field required"}]}`, []string{"/zone_type"}},
		"NestJS":                              {`{"statusCode":400,"message":["zone_type must be one of the following values: a, b","ttl must not be less than 1","owner.email must be an email"],"error":"Bad Request"}`, []string{"/zone_type", "/ttl", "/owner/email"}},
		"NestJS, forbidden":                   {`{"statusCode":400,"message":["property ttl should not exist"],"error":"Bad Request"}`, []string{"/ttl"}},
		"ASP.NET":                             {`{"type":"https://tools.ietf.org/html/rfc7231#section-6.5.1","title":"One or more validation errors occurred.","status":400,"errors":{"$.ttl":["The JSON value could not be converted to System.Int32. Path: $.ttl | LineNumber: 0 | BytePositionInLine: 9."],"zone":["The zone field is required."]}}`, []string{"/ttl"}},
		"ASP.NET, by class names":             {`{"errors":{"ZoneType":["The ZoneType field is required."],"Records[0].Value":["The field Value is invalid."]}}`, []string{"/records/0/value", "/zone_type"}},
		"express-validator":                   {`{"errors":[{"type":"field","value":"x","msg":"Invalid value","path":"owner.email","location":"body"}]}`, []string{"/owner/email"}},
		"express-validator 6":                 {`{"errors":[{"value":"x","msg":"Invalid value","param":"ttl","location":"body"}]}`, []string{"/ttl"}},
		"express-validator, mapped":           {`{"errors":{"ttl":{"type":"field","msg":"Invalid value","path":"ttl","location":"body"}}}`, []string{"/ttl"}},
		"Joi":                                 {`{"statusCode":400,"error":"Bad Request","message":"\"owner.email\" must be a valid email","validation":{"body":{"source":"body","keys":["owner.email"],"message":"\"owner.email\" must be a valid email"}}}`, []string{"/owner/email"}},
		"zod":                                 {`{"error":{"issues":[{"code":"invalid_type","expected":"number","received":"string","path":["ttl"],"message":"Expected number, received string"}],"name":"ZodError"}}`, []string{"/ttl"}},
		"ajv":                                 {`[{"instancePath":"/owner","schemaPath":"#/properties/owner/required","keyword":"required","params":{"missingProperty":"email"},"message":"must have required property 'email'"}]`, []string{"/owner/email"}},
		"JSON Schema in Python":               {`{"detail":"'zone_type' is a required property","status":400,"title":"Bad Request","type":"about:blank"}`, []string{"/zone_type"}},
		"connexion":                           {`{"detail":"'x' is not of type 'integer' - 'owner.email'","status":400}`, []string{"/owner/email"}},
		"Marshmallow":                         {`{"code":422,"errors":{"json":{"zone_type":["Missing data for required field."],"records":{"0":{"value":["Not a valid string."]}}}},"status":"Unprocessable Entity"}`, []string{"/records/0/value", "/zone_type"}},
		"Phoenix":                             {`{"errors":{"zone_type":["can't be blank"]}}`, []string{"/zone_type"}},
		"Go-Swagger":                          {`{"code":602,"message":"zone_type in body is required"}`, []string{"/zone_type"}},
		"Go-Swagger, nested":                  {`{"code":601,"message":"validation failure list:\nowner.email in body must be of type email: \"x\"\nttl in body should be greater than or equal to 1"}`, []string{"/owner/email", "/ttl"}},
		"Symfony":                             {`{"type":"https://symfony.com/errors/validation","title":"Validation Failed","detail":"zoneType: This value should not be blank.","violations":[{"propertyPath":"zoneType","title":"This value should not be blank.","parameters":{"{{ value }}":"null"}}]}`, []string{"/zone_type"}},
		"Serde":                               {"Failed to deserialize the JSON body into the target type: missing field `zone_type` at line 1 column 12", []string{"/zone_type"}},
		"Serde, nested":                       {"Failed to deserialize the JSON body into the target type: owner.email: invalid type: integer `5`, expected a string at line 1 column 12", []string{"/owner/email"}},
		"Quarkus":                             {`{"title":"Constraint Violation","status":400,"violations":[{"field":"addZone.zone.owner.email","message":"must be a well-formed email address"}]}`, []string{"/owner/email"}},
		"Kubernetes":                          {`{"kind":"Status","status":"Failure","message":"Zone.example \"x\" is invalid: spec.ttl: Invalid value: 0: must be greater than 0","reason":"Invalid","details":{"name":"x","kind":"Zone","causes":[{"reason":"FieldValueInvalid","message":"Invalid value: 0","field":"spec.ttl"}]},"code":422}`, []string{"/ttl"}},
		"Google":                              {`{"error":{"code":400,"message":"Invalid value","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"field":"zone.ttl","description":"must be positive"}]}]}}`, []string{"/ttl"}},
		"GitHub":                              {`{"message":"Validation Failed","errors":[{"resource":"Zone","field":"zone_type","code":"missing_field"}]}`, []string{"/zone_type"}},
		"Gitea":                               {`{"message":"[ZoneType]: Required","url":"https://gitea/api/swagger"}`, []string{"/zone_type"}},
		"PowerDNS":                            {`{"error":"Key 'zone_type' not present or not a String"}`, []string{"/zone_type"}},
		"Stripe":                              {`{"error":{"message":"Missing required param: zone_type.","param":"zone_type","type":"invalid_request_error"}}`, []string{"/zone_type"}},
		"a sentence with a possessive":        {`{"error":"The zone's ttl must be greater than 5"}`, []string{"/ttl"}},
		"a sentence of words":                 {`{"message":"Zone type is required"}`, []string{"/zone_type"}},
		"an item by its index":                {`{"error":"records[0].value: not an address"}`, []string{"/records/0/value"}},
		"nothing":                             {`{"error":"invalid input"}`, nil},
		"members of the error":                {`{"name":"ValidationError","message":"no","code":400}`, nil},
		"no JSON":                             {`<html>400 Bad Request</html>`, nil},
		"empty":                               {``, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, c := range refusal.Read([]byte(test.body), members, sent) {
				got = append(got, c.Pointer)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
