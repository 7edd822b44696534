package prose

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// Place is the kind of object that a text describes.
type Place string

// The places.
const (
	Document    Place = "the document"
	Tag         Place = "a tag"
	Scheme      Place = "a security scheme"
	Operation   Place = "an operation"
	Parameter   Place = "a parameter"
	RequestBody Place = "a request body"
	Response    Place = "a response"
	Header      Place = "a header"
	Schema      Place = "a schema"
)

// Sentence is a sentence of a document that states behaviour.
type Sentence struct {
	// Text is the sentence on one line, without markup.
	Text string
	// Pointer is the place of the text that contains it, Line its own line in the document, and File the file if that is another one.
	Pointer string
	Line    int
	File    string
	// Place is what the text describes.
	Place Place
	// Claim is what it says, if it is in a known form; otherwise its Form is empty.
	Claim Claim
	// Uses are the operations that it is about, and what of them; empty for the whole document. The uses of a schema whose sentence is in no
	// known form are not searched for.
	Uses []Use
}

// Use is one operation that a sentence is about, and the part of it that the text describes.
type Use struct {
	Operation *spec.Operation
	Parameter *spec.Parameter
	Response  *spec.DocumentedResponse
	Header    *spec.Header
	// Schema is what a schema's text describes, Member its name if it is a property, and Owners the schemas that have it.
	Schema *spec.Schema
	Member string
	Owners []*spec.Schema
	// Sent and Shown report whether the schema is that of a part of the request, or of a success.
	Sent, Shown bool
}

// Sentences returns the sentences of a document that state behaviour, in the order of the text.
func Sentences(c *spec.Contract) []Sentence {
	w := &collector{contract: c, reader: NewReader(), known: map[string]int{}, operations: c.Operations()}
	w.document()
	for i := range w.operations {
		w.operation(&w.operations[i])
	}
	w.schemas()
	all := make([]Sentence, 0, len(w.texts))
	for i := range w.texts {
		all = append(all, w.texts[i]...)
	}
	slices.SortStableFunc(all, func(a, b Sentence) int { return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) })
	return all
}

// AssertsFormats reports whether a sentence about the whole document says that formats are enforced.
func AssertsFormats(c *spec.Contract) bool {
	w := &collector{contract: c, reader: NewReader(), known: map[string]int{}}
	w.document()
	return slices.ContainsFunc(slices.Concat(w.texts...), func(s Sentence) bool { return s.Claim.Form == Enforced && s.Place == Document })
}

// collector gathers the sentences of a contract.
type collector struct {
	contract   *spec.Contract
	reader     *Reader
	operations []spec.Operation
	// texts holds the sentences of each text, and known the index of a text there by its pointer.
	texts [][]Sentence
	known map[string]int
}

// addText adds the sentences of the text at a pointer, and what it is about.
func (w *collector) addText(place Place, pointer string, use *Use) {
	i, known := w.known[pointer]
	if !known {
		i = len(w.texts)
		w.known[pointer] = i
		w.texts = append(w.texts, w.read(place, pointer))
	}
	if use == nil {
		return
	}
	for j := range w.texts[i] {
		w.texts[i][j].Uses = append(w.texts[i][j].Uses, *use)
	}
}

// read returns the sentences of a text that state behaviour.
func (w *collector) read(place Place, pointer string) []Sentence {
	text := w.contract.Text(pointer)
	if text == "" {
		return nil
	}
	var all []Sentence
	for _, one := range split(text) {
		claim, known := w.reader.Read(place, one.text)
		if !known && !StatesBehaviour(one.text) {
			continue
		}
		s := Sentence{Text: one.text, Pointer: pointer, Line: w.contract.TextLine(pointer, one.offset), Place: place, Claim: claim}
		s.File, _ = source.FileOf(pointer)
		all = append(all, s)
	}
	return all
}

// described adds the description, and the summary, of an object.
func (w *collector) described(place Place, pointer string, use *Use) {
	w.addText(place, jsonpointer.Join(pointer, "summary"), use)
	w.addText(place, jsonpointer.Join(pointer, "description"), use)
}

// document adds what concerns the whole document.
func (w *collector) document() {
	w.described(Document, "/info", nil)
	for i := range w.contract.Size("/tags") {
		at := jsonpointer.Index("/tags", i)
		w.addText(Tag, jsonpointer.Join(at, "description"), nil)
		name := w.contract.Text(jsonpointer.Join(at, "name"))
		for k := range w.operations {
			if op := &w.operations[k]; slices.Contains(op.Tags, name) {
				w.addText(Tag, jsonpointer.Join(at, "description"), &Use{Operation: op})
			}
		}
	}
	for _, schemes := range []string{"/components/securitySchemes", "/securityDefinitions"} {
		for _, name := range w.contract.Keys(schemes) {
			w.addText(Scheme, jsonpointer.Join(schemes, name, "description"), nil)
		}
	}
}

// operation adds the texts of an operation, except those of schemas.
func (w *collector) operation(op *spec.Operation) {
	own := &Use{Operation: op}
	w.described(Operation, op.Pointer, own)
	w.described(Operation, above(op.Pointer), own)
	for i := range op.Parameters {
		p := &op.Parameters[i]
		w.addText(Parameter, jsonpointer.Join(last(p.Pointer, p.Via), "description"), &Use{Operation: op, Parameter: p})
	}
	if op.Body != nil {
		w.addText(RequestBody, jsonpointer.Join(last(op.Body.Pointer, op.Body.Via), "description"), &Use{Operation: op, Sent: true})
	}
	for i := range op.Responses {
		r := &op.Responses[i]
		w.addText(Response, jsonpointer.Join(r.Definition(), "description"), &Use{Operation: op, Response: r})
		for k := range r.Headers {
			h := &r.Headers[k]
			use := &Use{Operation: op, Response: r, Header: h}
			w.addText(Header, jsonpointer.Join(last(h.Pointer, h.Via), "description"), use)
		}
	}
}

// above returns the place of the object that holds the one at a pointer.
func above(pointer string) string { return pointer[:max(0, strings.LastIndexByte(pointer, '/'))] }

// last returns the last place on the way from a pointer through its references.
func last(pointer string, via []string) string {
	if len(via) == 0 {
		return pointer
	}
	return via[len(via)-1]
}
