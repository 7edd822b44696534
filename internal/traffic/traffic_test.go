package traffic_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/bundled"
	"github.com/hallmark-kit/hallmark/internal/traffic"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/promise"
)

// orders is a document of an interface with a prefix and a host.
const orders = `
openapi: 3.1.0
info: {title: Orders, version: "1"}
servers: [{url: "https://api.example.com/v2"}]
paths:
  /orders:
    get:
      operationId: listOrders
      parameters:
        - {name: limit, in: query, schema: {type: integer, maximum: 50}}
        - {name: filter, in: query, style: deepObject, explode: true, schema: {type: object, properties: {size: {type: integer, maximum: 3}}}}
        - {name: state, in: query, required: true, schema: {type: string, enum: [open, closed]}}
      responses:
        "200":
          description: orders
          headers: {X-Total: {required: true, schema: {type: integer}}}
          content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Order"}}}}
        "400": {description: refused, content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}}
    post:
      operationId: placeOrder
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/NewOrder"}}}}
      responses:
        "201": {description: placed, content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}
        "400": {description: refused, content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}}
  /orders/{id}:
    get:
      operationId: getOrder
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        "200": {description: an order, content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}
        "404": {description: none, content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}}
    head:
      operationId: hasOrder
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: an order, content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}}
components:
  schemas:
    NewOrder: {type: object, required: [size], properties: {size: {type: integer, maximum: 3}, note: {type: string, maxLength: 4}}}
    Error: {type: object, required: [error], properties: {error: {type: string}}}
    Order:
      oneOf: [{$ref: "#/components/schemas/Small"}, {$ref: "#/components/schemas/Large"}]
      discriminator: {propertyName: kind, mapping: {small: "#/components/schemas/Small", large: "#/components/schemas/Large"}}
    Small: {type: object, required: [kind, id], properties: {kind: {const: small}, id: {type: string}, token: {type: string}}}
    Large: {type: object, required: [kind, id, weight], properties: {kind: {const: large}, id: {type: string}, weight: {type: number}}}
`

// basis returns what the exchanges of the tests are judged by.
func basis(t testing.TB) traffic.Basis {
	t.Helper()
	c, err := openapi.Load([]byte(orders))
	if err != nil {
		t.Fatal(err)
	}
	p := promise.Of(c, bundled.Seed, 0)
	catalogue, err := p.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	return traffic.Basis{Contract: c, Catalogue: catalogue, Promises: p}
}

// judged returns the record of a recording, judged where the document says the service is.
func judged(t testing.TB, recording string) *record.Record {
	t.Helper()
	b := basis(t)
	j := traffic.New(b, traffic.Options{Place: traffic.Documented(b.Contract), Most: traffic.LongestBody})
	err := traffic.Read(strings.NewReader(recording), traffic.Recording{
		Base: func(url string) { j.SetPlace(traffic.At(b.Contract, url)) }, Exchange: j.Add, Other: j.Skip,
	})
	if err != nil {
		t.Fatal(err)
	}
	rec := new(record.Record)
	j.Fill(rec, "the test")
	return rec
}

// broken returns the rules that a record finds broken.
func broken(rec *record.Record) []string {
	var all []string
	for _, s := range rec.Scenarios {
		for _, f := range s.Findings {
			all = append(all, f.Rule)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// entry is an entry of an archive, which the tests change.
type entry struct {
	method, url string
	status      int
	headers     map[string]string
	content     map[string]any
	post        map[string]any
	more        map[string]any
}

// good is an exchange without findings.
func good() entry {
	return entry{
		method: "GET", url: "https://api.example.com/v2/orders?state=open", status: 200,
		headers: map[string]string{"content-type": "application/json", "x-total": "1", ":status": "200"},
		content: map[string]any{"size": 27, "mimeType": "application/json", "text": `[{"kind":"small","id":"a"}]`},
	}
}

// archive returns an archive with entries.
func archive(entries ...entry) string {
	var all []any
	for _, e := range entries {
		pairs := []any{}
		for name, value := range e.headers {
			pairs = append(pairs, map[string]any{"name": name, "value": value})
		}
		request := map[string]any{"method": e.method, "url": e.url, "headers": []any{}, "bodySize": 0}
		if e.post != nil {
			request["postData"] = e.post
		}
		response := map[string]any{"status": e.status, "headers": pairs, "content": e.content, "redirectURL": "", "bodySize": -1}
		one := map[string]any{"startedDateTime": "2026-11-27T10:00:00.000Z", "time": 1.5, "request": request, "response": response}
		for name, value := range e.more {
			if name == "redirectURL" {
				response[name] = value
			} else {
				one[name] = value
			}
		}
		all = append(all, one)
	}
	text, err := json.Marshal(map[string]any{"log": map[string]any{"version": "1.2", "entries": all}})
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func TestArchives(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*entry)
		broken []string
		// not is why it was not judged, or not completely; hosts and outside report whether it was left out.
		not            traffic.Reason
		hosts, outside bool
	}{
		"as documented":    {func(*entry) {}, nil, "", false, false},
		"a wrong body":     {func(e *entry) { e.content["text"] = `[{"kind":"small","id":17  }]` }, []string{"listOrders.body"}, "", false, false},
		"a discriminator":  {func(e *entry) { e.content["text"] = `[{"kind":"large","id":"a","weight":1}]` }, nil, "", false, false},
		"no header":        {func(e *entry) { delete(e.headers, "x-total") }, []string{"listOrders.headers"}, "", false, false},
		"no headers":       {func(e *entry) { e.headers = nil }, nil, "", false, false},
		"another success":  {func(e *entry) { e.status = 202 }, []string{"listOrders.success"}, "", false, false},
		"a wrong type":     {func(e *entry) { e.headers["content-type"] = "text/csv" }, []string{"listOrders.media-type"}, "", false, false},
		"a server error":   {func(e *entry) { e.status = 500 }, []string{"listOrders.no-server-error"}, "", false, false},
		"of a gateway":     {func(e *entry) { e.status = 503 }, nil, traffic.ByGateway, false, false},
		"a page of one":    {func(e *entry) { e.status, e.headers["content-type"] = 404, "text/html" }, nil, traffic.ByGateway, false, false},
		"added headers":    {func(e *entry) { e.headers["Via"], e.headers["X-Cache"] = "1.1 proxy", "HIT" }, nil, "", false, false},
		"no content":       {func(e *entry) { delete(e.content, "text"); e.content["size"] = 0 }, nil, traffic.Truncated, false, false},
		"empty content":    {func(e *entry) { e.content["text"], e.content["size"] = "", 0 }, nil, traffic.Truncated, false, false},
		"cut":              {func(e *entry) { e.content["text"], e.content["size"] = `[{"kind":"sma`, 13 }, nil, traffic.Truncated, false, false},
		"a larger body":    {func(e *entry) { e.content["text"], e.content["size"] = `[]`, 900 }, nil, traffic.Truncated, false, false},
		"a longer length":  {func(e *entry) { e.content["text"], e.headers["content-length"] = `[7]`, "900" }, nil, traffic.Truncated, false, false},
		"decoded":          {func(e *entry) { e.headers["content-encoding"] = "gzip" }, nil, "", false, false},
		"decoded, wrong":   {func(e *entry) { e.headers["content-encoding"], e.content["text"] = "br", `[{"kind":"small","id":17 }]` }, []string{"listOrders.body"}, "", false, false},
		"base64":           {func(e *entry) { e.content["text"], e.content["encoding"] = "W10=", "base64"; e.content["size"] = 2 }, nil, "", false, false},
		"bad base64":       {func(e *entry) { e.content["text"], e.content["encoding"] = "W1]", "base64" }, nil, traffic.Truncated, false, false},
		"replaced bytes":   {func(e *entry) { e.content["text"] = "[{\"kind\":\"small\",\"id\":\"\ufffd\",\"x\":}]" }, nil, traffic.Truncated, false, false},
		"from a cache":     {func(e *entry) { e.more = map[string]any{"_fromCache": "disk"}; e.status = 202 }, nil, traffic.FromCache, false, false},
		"followed":         {func(e *entry) { e.more = map[string]any{"redirectURL": "/elsewhere"}; e.status = 202 }, nil, traffic.Followed, false, false},
		"not modified":     {func(e *entry) { e.status, e.headers = 304, nil; e.content = map[string]any{"size": 0} }, nil, traffic.Unmodified, false, false},
		"a part":           {func(e *entry) { e.status, e.headers["content-range"] = 206, "bytes 0-1/28" }, nil, traffic.Unmodified, false, false},
		"blocked":          {func(e *entry) { e.status = 0 }, nil, traffic.NoResponse, false, false},
		"another host":     {func(e *entry) { e.url = "https://cdn.example.net/v2/orders"; e.status = 202 }, nil, "", true, false},
		"another prefix":   {func(e *entry) { e.url = "https://api.example.com/orders?state=open"; e.status = 202 }, nil, "", false, true},
		"the default port": {func(e *entry) { e.url = "https://API.example.com:443/v2/orders?state=open"; e.status = 202 }, []string{"listOrders.success"}, "", false, false},
		"a head": {func(e *entry) {
			e.method, e.url, e.content = "HEAD", "https://api.example.com/v2/orders/1", map[string]any{"size": 0}
		}, nil, "", false, false},
		"a wrong parameter":    {func(e *entry) { e.url += "&limit=51" }, []string{"listOrders.refused.parameter"}, "", false, false},
		"another enum":         {func(e *entry) { e.url = strings.Replace(e.url, "open", "new", 1) }, []string{"listOrders.refused.parameter"}, "", false, false},
		"no parameter":         {func(e *entry) { e.url = strings.Replace(e.url, "state=open", "", 1) }, []string{"listOrders.refused.parameter-missing"}, "", false, false},
		"a number in words":    {func(e *entry) { e.url += "&limit=ten" }, nil, "", false, false},
		"a deep object":        {func(e *entry) { e.url += "&filter[size]=9" }, nil, "", false, false},
		"an unknown parameter": {func(e *entry) { e.url += "&utm=x" }, nil, "", false, false},
		"a refused parameter": {func(e *entry) {
			e.url += "&limit=51"
			e.status = 400
			e.content["text"] = `{"error":"limit"}           `
		}, nil, "", false, false},
		"a wrong refusal":       {func(e *entry) { e.status = 400; e.content["text"] = `{"message":"limit"}         ` }, []string{"listOrders.body"}, "", false, false},
		"a wrong request":       {placing(`{"size":4}`), []string{"placeOrder.refused.property"}, "", false, false},
		"a request without":     {placing(`{"note":"a"}`), []string{"placeOrder.refused.property-missing"}, "", false, false},
		"a request of another":  {placing(`[1]`), []string{"placeOrder.refused.body-type"}, "", false, false},
		"a request, extended":   {placing(`{"size":1,} // enough`), nil, "", false, false},
		"a form":                {placing(`size=1`), []string{"placeOrder.refused.body-malformed"}, "", false, false},
		"a request not kept":    {placing(``), nil, "", false, false},
		"a request with a mark": {placing("\ufeff" + `{"size":1}`), nil, "", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			e := good()
			c.change(&e)
			rec := judged(t, archive(e))
			if got := broken(rec); !slices.Equal(got, c.broken) {
				t.Errorf("broken are %q, want %q", got, c.broken)
			}
			var not []string
			for _, one := range rec.Traffic.NotJudged {
				not = append(not, one.Name)
			}
			if got := strings.Join(not, ", "); got != string(c.not) {
				t.Errorf("not judged for %q, want %q", got, c.not)
			}
			if len(rec.Traffic.Hosts) > 0 != c.hosts || len(rec.Traffic.Outside) > 0 != c.outside {
				t.Errorf("left out are %v and %v", rec.Traffic.Hosts, rec.Traffic.Outside)
			}
		})
	}
}

// placing makes an entry that of a successful order with a body.
func placing(body string) func(*entry) {
	return func(e *entry) {
		e.method, e.url, e.status = "POST", "https://api.example.com/v2/orders", 201
		e.headers["Location"] = "/v2/orders/a"
		e.post = map[string]any{"mimeType": "application/json", "text": body}
		e.content["text"] = `{"kind":"small","id":"a"}   `
	}
}

// The secrets of an exchange are in nothing that is kept, also where the service repeats them.
func TestSecretsAreMasked(t *testing.T) {
	const secret = "c0rrect-horse-battery"
	lines := fmt.Sprintf(`{"request":{"method":"GET","url":"https://user:%[1]s@api.example.com/v2/orders?state=open&access_token=%[1]s","header":{"authorization":["Bearer %[1]s"],"cookie":["sid=%[1]s"]}},`+
		`"response":{"status":200,"header":{"Content-Type":["application/json"],"X-Total":["1"],"Set-Cookie":["sid=%[1]s; Path=/"]},"body":"[{\"kind\":\"small\",\"id\":7,\"token\":\"%[1]s\"}]"}}`, secret)
	rec := judged(t, lines)
	if len(broken(rec)) != 1 {
		t.Fatalf("broken are %q", broken(rec))
	}
	text, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), secret) || !strings.Contains(string(text), "Bearer (secret)") || !strings.Contains(string(text), `\"token\":\"(secret)\"`) {
		t.Errorf("the record is %s", text)
	}
}

// They are found in bodies that are no JSON as a whole, too, and wherever they are below a member with such a name.
func TestSecretsOfBodiesAreMasked(t *testing.T) {
	const secret = "c0rrect-horse-battery"
	for name, body := range map[string]string{
		"cut":      `[{"kind":"small","id":"a","password":"` + secret,
		"in lines": `{"api_key":"` + secret + `"}` + "\n" + `{"id":"a"}`,
		"nested":   `[{"kind":"small","id":"a","credentials":{"values":["` + secret + `"]}}]`,
		"a number": `[{"kind":"small","id":"a","token":90071992547409}]`,
	} {
		line, err := json.Marshal(map[string]any{
			"request":  map[string]any{"method": "GET", "url": "https://api.example.com/v2/orders"},
			"response": map[string]any{"status": 200, "header": map[string]any{"Content-Type": []string{"application/json"}, "X-Total": []string{"1"}}, "body": body},
		})
		if err != nil {
			t.Fatal(err)
		}
		rec := judged(t, string(line))
		if len(broken(rec)) == 0 {
			t.Fatalf("%s: nothing is kept", name)
		}
		text, err := json.Marshal(rec)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), secret) || strings.Contains(string(text), "90071992547409") || !strings.Contains(string(text), "(secret)") {
			t.Errorf("%s: the record is %s", name, text)
		}
	}
}

// What is kept does not grow with the number of exchanges.
func TestKeptIsBounded(t *testing.T) {
	b := basis(t)
	j := traffic.New(b, traffic.Options{Place: traffic.Documented(b.Contract), Most: traffic.LongestBody})
	const exchanges = 50_000
	long := strings.Repeat("x", 1<<10)
	for i := range exchanges {
		x := &traffic.Exchange{
			Request:  spec.Request{Method: http.MethodGet, Header: http.Header{"Authorization": {fmt.Sprintf("Bearer token-%d", i)}}},
			Response: spec.Response{Status: 200, Header: http.Header{"Content-Type": {fmt.Sprintf("text/x-%d", i%5000)}, "X-Total": {"1"}}, Body: spec.Bytes(long)},
		}
		switch i % 4 {
		case 0:
			x.SetURL(fmt.Sprintf("https://host-%d.example.com/v2/orders", i))
		case 1:
			x.SetURL(fmt.Sprintf("https://api.example.com/v2/other/%d", i))
		default:
			x.SetURL(fmt.Sprintf("https://api.example.com/v2/orders/%d", i))
		}
		j.Add(x)
	}
	rec := new(record.Record)
	j.Fill(rec, "the test")
	findings := 0
	for _, s := range rec.Scenarios {
		findings += len(s.Findings)
	}
	tr := rec.Traffic
	if tr.Seen != exchanges || tr.Judged != exchanges/2 || record.Total(tr.Hosts) != exchanges/4 || record.Total(tr.Outside) != exchanges/4 {
		t.Errorf("counted are %d, %d, %d and %d", tr.Seen, tr.Judged, record.Total(tr.Hosts), record.Total(tr.Outside))
	}
	if findings > 3000 || len(rec.Exchanges) > 3000 || len(tr.Hosts) > 51 || len(tr.Outside) > 51 || findings+record.Total(tr.More) != exchanges/2 {
		t.Errorf("kept are %d findings, %d exchanges, %d hosts, %d paths; %d findings more", findings, len(rec.Exchanges), len(tr.Hosts), len(tr.Outside), record.Total(tr.More))
	}
}

func TestLines(t *testing.T) {
	const body = `"[{\"kind\":\"small\",\"id\":7}]"`
	for name, c := range map[string]struct {
		lines  string
		broken []string
		seen   int
	}{
		"nginx": {
			`{"time_iso8601":"2026-11-27T10:00:00+00:00","host":"api.example.com","request_method":"GET","request_uri":"/v2/orders?state=open","status":"200","sent_http_content_type":"application/json","body_bytes_sent":"25","upstream_status":"200","response_body":` + body + `}`,
			[]string{"listOrders.body"}, 1,
		},
		"nginx, the request as a line": {`{"request":"GET /v2/orders?state=open HTTP/1.1","status":202}`, []string{"listOrders.success"}, 1},
		"nginx, by itself":             {`{"request_method":"GET","request_uri":"/v2/orders?state=open","status":404,"upstream_status":"-","sent_http_content_type":"application/json","response_body":"{}"}`, nil, 1},
		"nginx, cut":                   {`{"method":"GET","uri":"/v2/orders","args":"state=open","status":200,"response_content_type":"application/json","body_bytes_sent":4000,"response_body":` + body + `}`, nil, 1},
		"without bodies":               {`{"method":"GET","path":"/v2/orders?state=open","status":200,"response_content_type":"application/json","response_body":"-"}`, nil, 1},
		"Envoy":                        {`{"method":"GET","path":"/v2/orders?state=open","authority":"api.example.com","response_code":200,"response_flags":"-","response_code_details":"via_upstream","response_content_type":"application/json","response_body":` + body + `}`, []string{"listOrders.body"}, 1},
		"Envoy, by itself":             {`{"method":"GET","path":"/v2/orders?state=open","authority":"api.example.com","response_code":202,"response_flags":"UF"}`, nil, 1},
		"exchanges": {
			`{"request":{"method":"get","url":"/v2/orders?state=open"},"response":{"status":202}}` + "\n\n" + `{"level":"info"}` + "\n" + `{"request":{"method":"GET","url":"https://api.exa`,
			[]string{"listOrders.success"}, 2,
		},
	} {
		t.Run(name, func(t *testing.T) {
			rec := judged(t, c.lines)
			if got := broken(rec); !slices.Equal(got, c.broken) || rec.Traffic.Seen != c.seen {
				t.Errorf("broken are %q of %d, want %q of %d", got, rec.Traffic.Seen, c.broken, c.seen)
			}
		})
	}
}

func TestHostileRecordings(t *testing.T) {
	for name, c := range map[string]struct{ recording, says string }{
		"something else":    {"hello", "none of the recordings"},
		"compressed":        {"\x1f\x8b\x08", "it is compressed"},
		"no exchange":       {`{"level":"info"}`, "it is no exchange"},
		"cut":               {`{"log":{"entries":[{"request":`, "it ends too early"},
		"another structure": {`{"log":{"entries":{"a":1}}}`, "a [ is missing"},
		"another type":      {`{"log":{"entries":[{"request":"x"}]}}`, "cannot unmarshal"},
		"many values":       {`{"log":{"entries":[{"request":{"headers":[` + strings.Repeat("{},", 300_000), "more values"},
		"deep":              {`{"log":{"entries":[` + strings.Repeat("[", 20_000), "entry 1 cannot be read"},
		"white space":       {`{"log":{` + strings.Repeat(" ", 100_000), "white space"},
		"a long line":       {`{"request":"` + strings.Repeat("x", 97<<20), "MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			err := traffic.Read(strings.NewReader(c.recording), traffic.Recording{Base: func(string) {}, Exchange: func(*traffic.Exchange) {}, Other: func(traffic.Reason) {}})
			if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
				t.Errorf("it says %v, want %q", err, c.says)
			}
		})
	}
}
