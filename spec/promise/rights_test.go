package promise_test

import (
	"encoding/json"
	"testing"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/request"
)

// Created resources have as few rights as the contract permits.
func TestLeastRights(t *testing.T) {
	for name, c := range map[string]struct{ schema, body, want, raised string }{
		"flags":                              {`{properties: {isAdmin: {type: boolean}, is_superuser: {type: boolean}, admin: {type: boolean}}}`, `{"isAdmin": true, "is_superuser": true, "admin": true, "active": true}`, `{"isAdmin": false, "is_superuser": false, "admin": false, "active": true}`, "3"},
		"a flag that must be":                {`{properties: {isAdmin: {const: true}}, required: [isAdmin]}`, `{"isAdmin": true}`, `{"isAdmin": true}`, "1"},
		"an enum":                            {`{properties: {role: {enum: [owner, editor, viewer]}}}`, `{"role": "owner"}`, `{"role": "viewer"}`, "1"},
		"an enum of one":                     {`{properties: {role: {enum: [ROLE_ADMIN]}}, required: [role]}`, `{"role": "ROLE_ADMIN"}`, `{"role": "ROLE_ADMIN"}`, "1"},
		"an optional one":                    {`{properties: {role: {enum: [ROLE_ADMIN]}}}`, `{"role": "ROLE_ADMIN", "name": "a"}`, `{"name": "a"}`, "1"},
		"a free text":                        {`{properties: {user_role: {type: string}}, required: [user_role]}`, `{"user_role": "administrator"}`, `{"user_role": "user"}`, "1"},
		"a low role":                         {`{properties: {role: {type: string}}}`, `{"role": "editor"}`, `{"role": "editor"}`, "0"},
		"lists":                              {`{properties: {scopes: {type: array}, permissions: {type: array, minItems: 1, items: {enum: ["*", "write", "read"]}}}, required: [permissions]}`, `{"scopes": ["a:read"], "permissions": ["*"]}`, `{"permissions": ["read"]}`, "1"},
		"within":                             {`{properties: {user: {properties: {role: {enum: [admin, member]}}}}}`, `{"user": {"role": "admin"}}`, `{"user": {"role": "member"}}`, "1"},
		"shared flags":                       {`{properties: {isDefault: {type: boolean}, primary: {type: boolean}, active_for_all: {type: boolean}, make_default: {type: boolean}}}`, `{"isDefault": true, "primary": true, "active_for_all": true, "make_default": true}`, `{"isDefault": false, "primary": false, "active_for_all": false, "make_default": false}`, "4"},
		"a shared flag that cannot be false": {`{properties: {is_default: {const: true}, name: {type: string}}}`, `{"is_default": true, "name": "a"}`, `{"name": "a"}`, "1"},
		"flags that others do not see":       {`{properties: {active: {type: boolean}, defaultValue: {type: boolean}, primaryColor: {type: boolean}, allowed: {type: boolean}}}`, `{"active": true, "defaultValue": true, "primaryColor": true, "allowed": true}`, `{"active": true, "defaultValue": true, "primaryColor": true, "allowed": true}`, "0"},
		"items of its own":                   {`{}`, `{"emails": [{"primary": true}]}`, `{"emails": [{"primary": true}]}`, "0"},
		"other words":                        {`{}`, `{"headgroup": "admin", "administration": true, "ownership": true, "type": "root"}`, `{"headgroup": "admin", "administration": true, "ownership": true, "type": "root"}`, "0"},
	} {
		t.Run(name, func(t *testing.T) {
			contract, err := openapi.Load([]byte(`{openapi: 3.1.0, info: {title: T, version: '1'}, paths: {/users: {post: {operationId: createUser, requestBody: {content: {application/json: {schema: ` + c.schema + `}}}, responses: {'201': {description: ok}}}}}}`))
			if err != nil {
				t.Fatal(err)
			}
			promises := promise.Of(contract, 1, 0)
			op, _ := contract.Operation("createUser")
			tree := func(text string) any {
				v, err := exactjson.Decode([]byte(text))
				if err != nil {
					t.Fatal(err)
				}
				return v.Tree
			}
			r := request.New(op).WithBody("application/json", tree(c.body))
			if n := len(promise.Raised(r)); json.Number(c.raised) != json.Number(string(rune('0'+n))) {
				t.Errorf("%d members ask for the rights of an administrator, want %s", n, c.raised)
			}
			least := promise.LeastRights(r, func(other request.Request) bool {
				body, _, _ := other.Body()
				return promises.Valid(promise.BodySchema(other), body)
			}, func(string) bool { return false })
			body, _, _ := least.Body()
			if got := (exactjson.Value{Tree: body, Valid: true}); !got.Equal(exactjson.Value{Tree: tree(c.want), Valid: true}) {
				t.Errorf("got %v, want %s", body, c.want)
			}
		})
	}
}
