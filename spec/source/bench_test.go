package source

import (
	"fmt"
	"strings"
	"testing"
)

// largeJSON is a document of 10 MB that looks like one of OpenAPI.
func largeJSON() []byte {
	var b strings.Builder
	b.WriteString("{\n")
	for i := range 40_000 {
		fmt.Fprintf(&b, "  \"schema-%d\": {\n    \"type\": \"object\",\n    \"description\": \"One of many schemas, in a few words: each has its own.\",\n"+
			"    \"properties\": {\n      \"id\": {\n        \"type\": \"integer\",\n        \"minimum\": %d\n      }\n    }\n  },\n", i, i)
	}
	b.WriteString("  \"end\": true\n}\n")
	return []byte(b.String())
}

func BenchmarkParse(b *testing.B) {
	data := largeJSON()
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(data); err != nil {
			b.Fatal(err)
		}
	}
}
