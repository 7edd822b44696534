package sentence_test

import (
	"regexp"
	"slices"
	"testing"

	"github.com/hallmark-kit/hallmark/spec/sentence"
)

// What is written is read again, with the values that it was written with.
func TestWhatIsWrittenIsRead(t *testing.T) {
	for _, test := range []struct {
		sentence sentence.Sentence
		values   []string
		text     string
	}{
		{"it is sent", nil, "it is sent"},
		{"{name} reads it (all of it)", []string{"read pet"}, `"read pet" reads it (all of it)`},
		{"its {place} parameter {name} is {json}", []string{"query", "a{b}", `{"c": [1]}`}, `its query parameter a{b} is {"c": [1]}`},
		{"in its body, {name} is {json}", []string{"/a", "null"}, `in its body, /a is null`},
		{"{number} are created", []string{"8"}, "8 are created"},
	} {
		text := test.sentence.Write(test.values...)
		if text != test.text {
			t.Errorf("written is %s, want %s", text, test.text)
		}
		read := regexp.MustCompile("^" + test.sentence.Pattern() + "$").FindStringSubmatch(text)
		for i, value := range test.values {
			if test.values[i] = sentence.Quoted(value); value[0] == '{' || i > 0 {
				test.values[i] = value
			}
		}
		if read == nil || !slices.Equal(read[1:], test.values) && len(test.values) > 0 {
			t.Errorf("%s is read as %q", text, read)
		}
	}
	before, behind := sentence.Sentence("the {place} parameter {name} is {json}, so").Around("path", "a b")
	if before != `the path parameter "a b" is ` || behind != ", so" {
		t.Errorf("around are %q and %q", before, behind)
	}
	if begins := sentence.Sentence("it {name}").Beginning(); begins != "it " {
		t.Errorf("it begins with %q", begins)
	}
}
