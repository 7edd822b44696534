package wfc_test

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/wfc"
	"github.com/hallmark-kit/hallmark/spec"
)

func TestOf(t *testing.T) {
	status := func(n int) spec.Finding { return spec.Finding{Kind: spec.KindStatus, Status: n} }
	var codes []int
	for name, c := range map[string]struct {
		cases []string
		f     spec.Finding
		want  wfc.Category
	}{
		"status 500":                {[]string{"no-server-error"}, status(500), 100},
		"500 for a wrong value":     {[]string{"refused.property"}, status(500), 100},
		"500 of an unknown rule":    {nil, status(500), 100},
		"status 501":                {[]string{"no-server-error"}, status(501), 205},
		"status 503":                {[]string{"robust"}, status(503), 121},
		"status 799":                {[]string{"documented"}, status(799), 101},
		"an undocumented status":    {[]string{"documented"}, status(418), 0},
		"a wrong type":              {[]string{"body"}, spec.Finding{Kind: spec.KindType, Pointer: "/id"}, 200},
		"a missing member":          {[]string{"body"}, spec.Finding{Kind: spec.KindMissing, Detail: "id"}, 200},
		"a missing body":            {[]string{"body"}, spec.Finding{Kind: spec.KindMissing}, 0},
		"no JSON":                   {[]string{"body"}, spec.Finding{Kind: spec.KindUnreadable}, 0},
		"a header of a wrong type":  {[]string{"headers"}, spec.Finding{Kind: spec.KindType, Header: "X-Total"}, 0},
		"a wrong media type":        {[]string{"media-type"}, spec.Finding{Kind: spec.KindMediaType, Header: "Content-Type"}, 0},
		"a wrong value accepted":    {[]string{"refused.property"}, status(201), 206},
		"refused, but otherwise":    {[]string{"refused.property"}, status(404), 0},
		"a broken body accepted":    {[]string{"refused.body-malformed"}, status(201), 0},
		"a valid value refused":     {[]string{"accepted"}, status(422), 207},
		"no credential needed":      {[]string{"credential.missing"}, status(200), 311},
		"a wrong credential":        {[]string{"credential.wrong"}, status(200), 0},
		"no credential, and 404":    {[]string{"credential.missing"}, status(404), 0},
		"no WWW-Authenticate":       {[]string{"challenge"}, spec.Finding{Kind: spec.KindMissing, Header: "WWW-Authenticate"}, 109},
		"no Allow":                  {[]string{"method-not-allowed"}, status(405), 110},
		"a method answered 200":     {[]string{"method-not-allowed"}, status(200), 0},
		"deleted, and there":        {[]string{"deleted.gone"}, status(200), 113},
		"created, and not there":    {[]string{"created.readable"}, status(404), 122},
		"created, and forbidden":    {[]string{"created.readable"}, status(403), 0},
		"refused, and changed":      {[]string{"refused.unchanged"}, spec.Finding{Kind: spec.KindDiffers}, 114},
		"left out, and kept":        {[]string{"updated.replaced"}, spec.Finding{Kind: spec.KindDiffers}, 117},
		"null, and kept":            {[]string{"updated.merged"}, spec.Finding{Kind: spec.KindDiffers}, 119},
		"another value than sent":   {[]string{"created.kept"}, spec.Finding{Kind: spec.KindDiffers}, 0},
		"a rule of several cases":   {[]string{"refused.property", "refused.parameter"}, status(200), 206},
		"a rule of different cases": {[]string{"refused.property", "credential.wrong"}, status(200), 0},
		"a rule of no case":         {nil, status(200), 0},
	} {
		if got := wfc.Of(spec.Rule{Cases: c.cases}, c.f); got != c.want {
			t.Errorf("%s: F%d, want F%d", name, got, c.want)
		}
		if c.want != 0 {
			codes = append(codes, int(c.want))
		}
	}
	slices.Sort(codes)
	if codes = slices.Compact(codes); !slices.Equal(codes, documented(t)) {
		t.Errorf("docs/ci.md has the categories %v, and there are %v", documented(t), codes)
	}
}

// documented returns the categories of the table in the documentation.
func documented(t *testing.T) (codes []int) {
	t.Helper()
	text, err := os.ReadFile("../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^\| F(\d{3}) \|`).FindAllSubmatch(text, -1) {
		code, _ := strconv.Atoi(string(m[1]))
		codes = append(codes, code)
	}
	return codes
}
