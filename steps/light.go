package steps

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"hallmark/spec"
)

// What a run keeps of a response once it is judged. Scenarios keep their responses until they end, and the run keeps what they
// showed: a service must not be able to fill the memory with that. What is kept is enough to compare responses with each other.

const (
	// longText is how long a text of a response may be, in bytes, to be kept as it is. What stands for one is shorter.
	longText = 512
	// longNumber is the same for a number, in digits.
	longNumber = 400
	// heavyTree is how much memory a decoded answer may take, in bytes, to be kept whole: twice a list of 100 animals.
	heavyTree = 96 << 10
	// keptItems is how many items are kept of a list that takes more.
	keptItems = 1000
	// keptBody is how much is kept of a body, in bytes, and openBodies of the bodies of all scenarios that have not ended.
	// Beyond that it is leastBody.
	keptBody, leastBody, openBodies = 256 << 10, 4 << 10, 8 << 20
)

// lightText stands for a long text. Those of two texts are equal when the texts are.
func lightText(text string) string {
	if len(text) <= longText {
		return text
	}
	const ends = 160 // more than anybody is shown
	head := strings.ToValidUTF8(text[:ends], "")
	tail := strings.ToValidUTF8(text[len(text)-ends:], "")
	return fmt.Sprintf("%s … (%d characters, sha256 %x) … %s", head, utf8.RuneCountInString(text), sha256.Sum256([]byte(text)), tail)
}

// lightMark is the middle of what stands for a long text.
var lightMark = regexp.MustCompile(` … \((\d{1,9}) characters, sha256 [0-9a-f]{64}\) … `)

// charactersOf counts the characters of a text, also of one that something stands for.
func charactersOf(text string) int {
	if m := lightMark.FindStringSubmatch(text); m != nil {
		n, _ := strconv.Atoi(m[1])
		return n
	}
	return utf8.RuneCountInString(text)
}

// lightNumber stands for a long number. An integer stays the same one, and what is none stays none.
func lightNumber(n json.Number) json.Number {
	text := string(n)
	if len(text) <= longNumber {
		return n
	}
	if whole, ok := spec.CanonicalInt(n); ok {
		return json.Number(whole)
	}
	cut := text[:longNumber/2]
	switch {
	case !strings.ContainsAny(cut, ".eE"):
		return json.Number(cut + ".5")
	case !strings.ContainsAny(cut, "eE"):
		return json.Number(cut + "1")
	}
	return "0.5"
}

// light is a decoded value without long texts and numbers. It is the value itself when it holds none.
func light(tree any) any {
	switch v := tree.(type) {
	case string:
		if len(v) > longText {
			return lightText(v)
		}
	case json.Number:
		if len(v) > longNumber {
			return lightNumber(v)
		}
	case []any:
		for i, item := range v {
			v[i] = light(item)
		}
	case map[string]any:
		for name, member := range v {
			switch member.(type) {
			case nil, bool:
			default:
				v[name] = light(member)
			}
		}
	}
	return tree
}

// weight is about how much memory a decoded value takes, in bytes; once it is more than most, it is not counted further.
func weight(tree any, most int) int {
	const slot = 16 // an interface
	n := slot
	switch v := tree.(type) {
	case string:
		n += slot + len(v)
	case json.Number:
		n += slot + len(v)
	case []any:
		n += 24
		for _, item := range v {
			if n += weight(item, most-n); n > most {
				break
			}
		}
	case map[string]any:
		n += 48 + 33*max(8, len(v)) // maps of Go have room for 8 at least
		for name, member := range v {
			if n += len(name) + weight(member, most-n); n > most {
				break
			}
		}
	}
	return n
}

// pruned is a decoded value with only the documented fields, and of a list only its first items.
func pruned(tree any, documented map[string]bool) any {
	switch v := tree.(type) {
	case []any:
		out := make([]any, min(len(v), keptItems))
		for i := range out {
			out[i] = pruned(v[i], documented)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(documented))
		for name, member := range v {
			if documented[name] {
				out[name] = pruned(member, documented)
			}
		}
		return out
	}
	return tree
}

// documented are the names of all fields that answers may have by the contract.
func documented(c *spec.Contract) map[string]bool {
	names := map[string]bool{}
	var add func(*spec.Schema)
	add = func(s *spec.Schema) {
		if s == nil {
			return
		}
		for _, p := range s.Properties {
			names[p.Name] = true
			add(p.Schema)
		}
		add(s.Items)
	}
	for _, op := range c.Operations() {
		for _, a := range op.Answers {
			add(a.Schema)
		}
	}
	return names
}

// lightened is a judged answer's value as the scenario keeps it, with its texts made light already.
func (r *run) lightened(v spec.Value) spec.Value {
	if weight(v.Tree, heavyTree) > heavyTree {
		v.Tree = pruned(v.Tree, documented(r.contract))
	}
	return v
}

// lighten lets go of most of a long response, once it is judged. A report may show what is kept.
func (s *scenario) lighten(ex *spec.Exchange) {
	resp := ex.Response
	*resp = trimmed(*resp)
	if len(resp.Body) <= leastBody {
		return
	}
	size := len(resp.Body)
	kept := min(size, keptBody)
	if s.run.openBodies.Add(int64(kept)) > openBodies {
		s.run.openBodies.Add(-int64(kept))
		kept = leastBody
	} else {
		s.mu.Lock()
		s.bodies += int64(kept)
		s.mu.Unlock()
	}
	if size <= kept {
		resp.Body = bytes.Clone(resp.Body)
		return
	}
	// With some more than what is kept, so that no secret is cut in two.
	clean := s.run.client.secrets.hideBytes(resp.Body[:min(kept+4096, size)])
	resp.Body = bytes.Clone(clean[:min(kept, len(clean))])
}

// letGo gives back what the scenario took of the room for bodies.
func (s *scenario) letGo() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.run.openBodies.Add(-s.bodies)
	s.bodies = 0
}
