package petstore_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func TestCreateAccepts(t *testing.T) {
	s := serve(t, nil)
	long := strings.Repeat("a", 64<<10)
	cases := []struct {
		name, body           string
		wantName, wantStatus string
		wantCategory         string
	}{
		{"plain", `{"name":"Rex","categoryId":7}`, "Rex", "available", "7"},
		{"available", `{"name":"Rex","categoryId":7,"status":"available"}`, "Rex", "available", "7"},
		{"pending", `{"status":"pending","categoryId":7,"name":"Rex"}`, "Rex", "pending", "7"},
		{"sold", `{"name":"Rex","categoryId":7,"status":"sold"}`, "Rex", "sold", "7"},
		{"white space", " \t\r\n{ \"name\" : \"Rex\" , \"categoryId\" : 7 } \n", "Rex", "available", "7"},
		{"empty name", `{"name":"","categoryId":7}`, "", "available", "7"},
		{"blank name", `{"name":" \t ","categoryId":7}`, " \t ", "available", "7"},
		{"emoji", `{"name":"🐕‍🦺 \ud83d\ude00","categoryId":7}`, "🐕‍🦺 😀", "available", "7"},
		{"not normalised", "{\"name\":\"e\u0301 \u00e9\",\"categoryId\":7}", "e\u0301 \u00e9", "available", "7"},
		{"markup", `{"name":"<b>\"&'</b>\u2028","categoryId":7}`, "<b>\"&'</b>\u2028", "available", "7"},
		{"sql", `{"name":"'; DROP TABLE pets; --","categoryId":7}`, "'; DROP TABLE pets; --", "available", "7"},
		{"control", `{"name":"\u0000\u001f\u007f\b\n\\","categoryId":7}`, "\x00\x1f\x7f\b\n\\", "available", "7"},
		{"escaped member", `{"n\u0061me":"Rex","categoryId":7}`, "Rex", "available", "7"},
		{"64 KiB", `{"name":"` + long + `","categoryId":7}`, long, "available", "7"},
		{"64 KiB escaped", `{"name":"` + strings.Repeat(`\u0061`, 64<<10) + `","categoryId":7}`, long, "available", "7"},
		{"64 Ki emoji", `{"name":"` + strings.Repeat("😀", 64<<10) + `","categoryId":7}`, strings.Repeat("😀", 64<<10),
			"available", "7"},
		{"zero", `{"name":"Rex","categoryId":0}`, "Rex", "available", "0"},
		{"negative", `{"name":"Rex","categoryId":-5}`, "Rex", "available", "-5"},
		{"beyond float", `{"name":"Rex","categoryId":9007199254740993}`, "Rex", "available", "9007199254740993"},
		{"most", `{"name":"Rex","categoryId":9223372036854775807}`, "Rex", "available", "9223372036854775807"},
		{"least", `{"name":"Rex","categoryId":-9223372036854775808}`, "Rex", "available", "-9223372036854775808"},
		{"unknown members", `{"name":"Rex","categoryId":7,"x":{"y":[1e999,null]},"NAME":3,"Status":null}`, "Rex",
			"available", "7"},
		{"an id", `{"id":4711,"name":"Rex","categoryId":7}`, "Rex", "available", "7"},
	}
	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			created := s.call(http.MethodPost, "/pets", c.body).wantPet(t, http.StatusCreated)
			if want := json.Number(fmt.Sprint(i + 1)); created.ID != want {
				t.Errorf("id %s, want %s", created.ID, want)
			}
			read := s.call(http.MethodGet, "/pets/"+created.ID.String(), "").wantPet(t, http.StatusOK)
			listed := s.call(http.MethodGet, "/pets?limit=1", "").wantPets(t)[0]
			for where, p := range map[string]pet{"created": created, "read": read, "listed": listed} {
				if p.ID != created.ID || *p.Name != c.wantName || *p.Status != c.wantStatus ||
					p.CategoryID.String() != c.wantCategory {
					t.Errorf("%s: %s, %.50q, %s, %s", where, p.ID, *p.Name, p.CategoryID, *p.Status)
				}
			}
		})
	}
}

func TestCreateRefuses(t *testing.T) {
	s := serve(t, nil)
	const rest = `"name":"refused","categoryId":1`
	cases := map[string]string{
		"nothing":             "",
		"blank":               "  \n ",
		"cut off":             `{` + rest,
		"cut off in a member": `{"name":"ref`,
		"no JSON":             `name=refused&categoryId=1`,
		"single quotes":       `{'name':'refused','categoryId':1}`,
		"a comment":           `{` + rest + `} // x`,
		"a trailing comma":    `{` + rest + `,}`,
		"a byte order mark":   "\ufeff{" + rest + `}`,
		"text after":          `{` + rest + `} x`,
		"a value after":       `{` + rest + `}{}`,
		"a brace after":       `{` + rest + `}}`,
		"a null":              `null`,
		"an array":            `[{` + rest + `}]`,
		"a string":            `"refused"`,
		"a number":            `1`,
		"a boolean":           `true`,
		"an empty object":     `{}`,

		"no name":               `{"categoryId":1}`,
		"null name":             `{"name":null,"categoryId":1}`,
		"NAME for name":         `{"NAME":"refused","categoryId":1}`,
		"number name":           `{"name":1,"categoryId":1}`,
		"boolean name":          `{"name":true,"categoryId":1}`,
		"array name":            `{"name":["refused"],"categoryId":1}`,
		"object name":           `{"name":{},"categoryId":1}`,
		"a raw control":         "{\"name\":\"ref\nused\",\"categoryId\":1}",
		"invalid UTF-8":         "{\"name\":\"refused\xff\",\"categoryId\":1}",
		"half a surrogate pair": `{"name":"refused \ud83d","categoryId":1}`,
		"too long a name":       `{"name":"` + strings.Repeat("r", 256<<10+1) + `","categoryId":1}`,

		"no categoryId":         `{"name":"refused"}`,
		"categoryid":            `{"name":"refused","categoryid":1}`,
		"null categoryId":       `{"name":"refused","categoryId":null}`,
		"string categoryId":     `{"name":"refused","categoryId":"1"}`,
		"boolean categoryId":    `{"name":"refused","categoryId":true}`,
		"array categoryId":      `{"name":"refused","categoryId":[1]}`,
		"object categoryId":     `{"name":"refused","categoryId":{}}`,
		"fraction":              `{"name":"refused","categoryId":1.5}`,
		"fraction of nothing":   `{"name":"refused","categoryId":1.0}`,
		"exponent":              `{"name":"refused","categoryId":1e0}`,
		"beyond int64":          `{"name":"refused","categoryId":9223372036854775808}`,
		"below int64":           `{"name":"refused","categoryId":-9223372036854775809}`,
		"far beyond":            `{"name":"refused","categoryId":` + strings.Repeat("9", 400) + `}`,
		"a monstrous exponent":  `{"name":"refused","categoryId":1e10000000}`,
		"a leading zero":        `{"name":"refused","categoryId":01}`,
		"a plus sign":           `{"name":"refused","categoryId":+1}`,
		"hexadecimal":           `{"name":"refused","categoryId":0x1}`,
		"not a number":          `{"name":"refused","categoryId":NaN}`,
		"unknown members' text": `{` + rest + `,"x":"` + "\xff" + `"}`,

		"null status":          `{` + rest + `,"status":null}`,
		"number status":        `{` + rest + `,"status":1}`,
		"array status":         `{` + rest + `,"status":["sold"]}`,
		"empty status":         `{` + rest + `,"status":""}`,
		"upper-case status":    `{` + rest + `,"status":"Available"}`,
		"padded status":        `{` + rest + `,"status":"sold "}`,
		"unknown status":       `{` + rest + `,"status":"lost"}`,
		"status with a NUL":    `{` + rest + `,"status":"sold\u0000"}`,
		"repeated member":      `{` + rest + `,"name":"refused"}`,
		"escaped repetition":   `{` + rest + `,"n\u0061me":"refused"}`,
		"repetition far below": `{` + rest + `,"x":[{"y":1,"y":2}]}`,
		"too deep":             `{` + rest + `,"x":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `}`,
	}
	for name, body := range cases {
		t.Run(name, func(t *testing.T) {
			got := s.call(http.MethodPost, "/pets", body)
			got.wantError(t, http.StatusBadRequest)
			if len(got.body) > 500 {
				t.Errorf("the message has %d bytes", len(got.body))
			}
		})
	}
	if pets := s.call(http.MethodGet, "/pets", "").wantPets(t); len(pets) != 0 {
		t.Errorf("a refused animal is stored: %v", pets)
	}
}

func TestContentTypeIsNotLookedAt(t *testing.T) {
	s := serve(t, nil)
	for _, kind := range []string{"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "%%"} {
		s.call(http.MethodPost, "/pets", `{"name":"Rex","categoryId":1}`, "Content-Type", kind).
			wantPet(t, http.StatusCreated)
	}
}
