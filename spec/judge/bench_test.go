package judge

import (
	"fmt"
	"strings"
	"testing"

	"hallmark/spec"
	"hallmark/spec/exactjson"
	"hallmark/spec/petstore"
	"hallmark/spec/schema"
)

// pets is a body of n animals.
func pets(n int) string {
	var b strings.Builder
	b.WriteByte('[')
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":%d,"name":"an animal with a name %d","categoryId":1,"status":"available"}`, 9007199254740993+i, i)
	}
	b.WriteByte(']')
	return b.String()
}

func benchmarkAnswer(b *testing.B, ex *spec.Exchange) {
	j := testJudge(b)
	b.ReportAllocs()
	b.SetBytes(int64(len(ex.Response.Body)))
	for b.Loop() {
		if _, findings, _ := j.Answer(ex); len(findings) > 0 {
			b.Fatal(findings)
		}
	}
}

func BenchmarkAnswer100Pets(b *testing.B) {
	benchmarkAnswer(b, answer("listPets", 200, pets(100)))
}

func BenchmarkAnswerOnePet(b *testing.B) {
	benchmarkAnswer(b, answer("createPet", 201, strings.Trim(pets(1), "[]")))
}

func BenchmarkAnswerError(b *testing.B) {
	benchmarkAnswer(b, answer("getPet", 404, `{"code":"not_found","message":"No animal has this id.","status":404}`))
}

// BenchmarkDecode100Pets is the part of BenchmarkAnswer100Pets that goes into reading the JSON text.
func BenchmarkDecode100Pets(b *testing.B) {
	body := []byte(pets(100))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := exactjson.Decode(body); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkValidate100Pets is the part of BenchmarkAnswer100Pets that goes into the schema.
func BenchmarkValidate100Pets(b *testing.B) {
	j := testJudge(b)
	d, err := exactjson.Decode([]byte(pets(100)))
	if err != nil {
		b.Fatal(err)
	}
	p := j.plans["listPets"]["200"]
	b.ReportAllocs()
	for b.Loop() {
		if r := p.validator.Validate(d.Tree, schema.Response); len(r.Violations) > 0 {
			b.Fatal(r.Violations)
		}
	}
}

// BenchmarkLoad is what every start of the program pays.
func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		contract, err := petstore.Contract()
		if err != nil {
			b.Fatal(err)
		}
		catalogue, err := petstore.Catalogue()
		if err != nil {
			b.Fatal(err)
		}
		if _, err := New(contract, catalogue); err != nil {
			b.Fatal(err)
		}
	}
}
