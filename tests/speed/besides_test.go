//go:build unix

package speed

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// besides measures the start of the program, the HTML report, and what others would use.
func (b *bench) besides(petstore *measured) string {
	var version, plain, html []usage
	file := filepath.Join(b.folder, "report.html")
	for range rounds {
		version = append(version, b.run(b.hallmark, "version"))
		b.against(petstore, nil, func(base string) { plain = append(plain, b.judged(petstore, base)) })
		b.against(petstore, nil, func(base string) { html = append(html, b.judged(petstore, base, "--report", "html:"+file)) })
	}
	page, err := os.Stat(file)
	if err != nil {
		b.t.Fatal(err)
	}
	rows := [][]string{
		{"`hallmark version`", "", seconds(median(version, took)), seconds(median(version, processor))},
		{"`hallmark run` of the Petstore", text.Number(len(petstore.requests)), seconds(median(plain, took)), seconds(median(plain, processor))},
		{fmt.Sprintf("the same with `--report html:FILE`, a page of %.2f MB", float64(page.Size())/1e6), text.Number(len(petstore.requests)), seconds(median(html, took)), seconds(median(html, processor))},
	}
	var tens []time.Duration
	b.against(petstore, nil, func(base string) {
		for range rounds {
			tens = append(tens, replay(b.t, base, tenBare(base), 1))
		}
	})
	rows = append(rows, []string{"a bare client, ten requests one after another", "10", seconds(median(tens, itself)), ""})
	if row := b.newman(petstore); row != nil {
		rows = append(rows, row)
	}
	return "Beside it, medians of " + strconv.Itoa(rounds) + ":\n\n" + table([]string{"What", "Requests", "Time", "Processor time"}, rows)
}

// ten are requests to the Petstore as a team would write them into a collection, each with the status that it expects.
var ten = []struct {
	method, path, body string
	status             int
}{
	{"GET", "/pets", "", 200},
	{"GET", "/pets?limit=10", "", 200},
	{"GET", "/pets?limit=0", "", 400},
	{"GET", "/pets?limit=101", "", 400},
	{"POST", "/pets", `{"name": "Ada", "categoryId": 1}`, 201},
	{"POST", "/pets", `{"name": "Bob", "categoryId": 1}`, 201},
	{"POST", "/pets", `{"name": "", "categoryId": "x"}`, 400},
	{"POST", "/pets", `{`, 400},
	{"GET", "/pets/999999999", "", 404},
	{"GET", "/pets/x", "", 400},
}

func tenBare(base string) []request {
	path := base[strings.Index(base[len("http://"):], "/")+len("http://"):]
	var all []request
	for _, one := range ten {
		all = append(all, request{one.method, path + one.path, map[string][]string{"Authorization": {"Bearer " + key}, "Content-Type": {"application/json"}}, []byte(one.body)})
	}
	return all
}

// newman measures newman with the ten requests; nil where it is not installed.
func (b *bench) newman(petstore *measured) []string {
	if _, err := os.Stat(*newman); *newman == "" || err != nil {
		fmt.Fprintln(os.Stderr, "newman is not installed (npm ci in tools/newman), so it is not measured")
		return nil
	}
	var all []usage
	b.against(petstore, nil, func(base string) {
		file := filepath.Join(b.folder, "collection.json")
		text, err := json.Marshal(collection(base))
		if err == nil {
			err = os.WriteFile(file, text, 0o600)
		}
		if err != nil {
			b.t.Fatal(err)
		}
		for range rounds {
			all = append(all, b.run(*newman, "run", file))
		}
	})
	if sent := regexp.MustCompile(`requests │ +10 │ +0 `).FindString(all[0].out); sent == "" {
		b.t.Errorf("newman did not send ten requests: %s", all[0].out)
	}
	version := strings.TrimSpace(b.run(*newman, "--version").out)
	return []string{"newman " + version + ", the same ten, each with a test of its status", "10", seconds(median(all, took)), seconds(median(all, processor))}
}

// collection is one of Postman.
func collection(base string) object {
	var items []object
	for i, one := range ten {
		items = append(items, object{
			"name": fmt.Sprintf("%d", i+1),
			"request": object{
				"method": one.method, "url": base + one.path,
				"header": []object{{"key": "Authorization", "value": "Bearer " + key}, {"key": "Content-Type", "value": "application/json"}},
				"body":   object{"mode": "raw", "raw": one.body},
			},
			"event": []object{{"listen": "test", "script": object{"exec": []string{
				fmt.Sprintf(`pm.test("status", () => pm.response.to.have.status(%d))`, one.status),
			}}}},
		})
	}
	return object{"info": object{"name": "ten", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}, "item": items}
}
