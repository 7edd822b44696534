package wire

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// packed returns a text in codings, in the order in which they are applied; "raw" is deflate without a header.
func packed(t *testing.T, text string, codings ...string) string {
	t.Helper()
	for _, coding := range codings {
		var b bytes.Buffer
		var w io.WriteCloser
		var err error
		switch coding {
		case "gzip", "x-gzip":
			w = gzip.NewWriter(&b)
		case "deflate":
			w = zlib.NewWriter(&b)
		case "raw":
			w, err = flate.NewWriter(&b, flate.BestSpeed)
		case "br":
			w = brotli.NewWriter(&b)
		case "zstd":
			w, err = zstd.NewWriter(&b)
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		text = b.String()
	}
	return text
}

func TestDecode(t *testing.T) {
	text := strings.Repeat(`{"a":"b"}`, 100)
	for _, test := range []struct {
		header []string
		packed []string
	}{
		{nil, nil}, {[]string{"identity"}, nil}, {[]string{"gzip"}, []string{"gzip"}}, {[]string{"X-GZIP"}, []string{"gzip"}},
		{[]string{"deflate"}, []string{"deflate"}}, {[]string{"deflate"}, []string{"raw"}}, {[]string{"br"}, []string{"br"}}, {[]string{"zstd"}, []string{"zstd"}},
		{[]string{"gzip, deflate"}, []string{"gzip", "deflate"}}, {[]string{"br", "identity, zstd"}, []string{"br", "zstd"}},
		{[]string{"gzip, aws-chunked"}, nil}, // not known: read as it is
	} {
		from := iotest.OneByteReader(strings.NewReader(packed(t, text, test.packed...)))
		got, err := io.ReadAll(Decode(Codings(test.header), from))
		if err != nil || string(got) != text {
			t.Errorf("%q: %.30q, %v", test.header, got, err)
		}
		if nothing, err := io.ReadAll(Decode(Codings(test.header), strings.NewReader(""))); err != nil || len(nothing) > 0 {
			t.Errorf("%q of no content: %q, %v", test.header, nothing, err)
		}
	}
	if got := UnknownCoding(Codings([]string{"gzip, Aws-Chunked"})); got != "aws-chunked" {
		t.Errorf("the unknown coding is %q", got)
	}
}

func TestDecodeTellsContentFromConnection(t *testing.T) {
	broken := errors.New("connection reset")
	for _, coding := range []string{"gzip", "deflate", "br", "zstd"} {
		_, err := io.ReadAll(Decode([]string{coding}, strings.NewReader("this is not packed at all, whatever the header says")))
		if !errors.As(err, new(*CodingError)) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s of plain text: %v", coding, err)
		}
		half := packed(t, strings.Repeat("abcdefgh", 1000), coding)
		_, err = io.ReadAll(Decode([]string{coding}, io.MultiReader(strings.NewReader(half[:len(half)/2]), iotest.ErrReader(broken))))
		if !errors.Is(err, broken) || errors.As(err, new(*CodingError)) {
			t.Errorf("%s of a connection that broke: %v", coding, err)
		}
	}
}
