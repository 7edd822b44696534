package changes

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi2"
	"github.com/getkin/kin-openapi/openapi2conv"
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oasdiff/oasdiff/checker"
	"github.com/oasdiff/oasdiff/diff"
	"github.com/oasdiff/oasdiff/flatten/commonparams"
	"github.com/oasdiff/oasdiff/flatten/headers"
	"github.com/oasdiff/oasdiff/load"
	"github.com/oasdiff/yaml"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// Effect is the effect of a change on clients.
type Effect string

// MayBreak marks changes that break only the clients that use what is removed.
const (
	Breaking   Effect = "breaking"
	MayBreak   Effect = "may-break"
	Compatible Effect = "compatible"
)

// Contract is a change of the document.
type Contract struct {
	Effect Effect `json:"effect"`
	// Kind is oasdiff's name of the change ("request-property-removed").
	Kind string `json:"kind"`
	// Operation is the method and the path; empty for changes that concern no single operation.
	Operation string `json:"operation,omitempty"`
	Says      string `json:"says"`
}

// document is the text of a version.
type document struct {
	openapi, own string
	texts        map[string]string
}

// longest limits the comparison of documents. The largest known ones take five seconds.
const longest = time.Minute

// compareDocuments compares the documents. Its error is a single line.
func compareDocuments(older, newer *version) ([]Contract, error) {
	type result struct {
		all []Contract
		err error
	}
	done := make(chan result, 1)
	go func() {
		all, err := compare(older.document, newer.document)
		done <- result{all, err}
	}()
	select {
	case r := <-done:
		return r.all, r.err
	case <-time.After(longest):
		return []Contract{}, fmt.Errorf("comparing the documents took longer than %v and was skipped", longest)
	}
}

// compare compares two documents. It drops differences that oasdiff also reports between the old document and itself: oasdiff confuses paths
// that differ only in parameter names.
func compare(older, newer document) (all []Contract, err error) {
	defer func() {
		if p := recover(); p != nil {
			all, err = []Contract{}, errors.New("the documents cannot be compared: oasdiff failed: "+firstLine(fmt.Sprint(p)))
		}
	}()
	if all, err = differences(older, newer); err != nil || len(all) == 0 {
		return []Contract{}, err
	}
	mistaken, err := differences(older, older)
	if err != nil {
		return []Contract{}, err
	}
	return slices.DeleteFunc(all, func(c Contract) bool { return slices.Contains(mistaken, c) }), nil
}

// differences returns the differences that oasdiff reports, breaking ones first.
func differences(older, newer document) ([]Contract, error) {
	before, err := older.load()
	if err != nil {
		return nil, fmt.Errorf("oasdiff cannot read the old document, so the effect on clients is unknown: %s", firstLine(err.Error()))
	}
	after, err := newer.load()
	if err != nil {
		return nil, fmt.Errorf("oasdiff cannot read the new document, so the effect on clients is unknown: %s", firstLine(err.Error()))
	}
	difference, sources, err := diff.GetWithOperationsSourcesMap(diff.NewConfig(), before, after)
	if err != nil {
		return nil, fmt.Errorf("the documents cannot be compared: %s", firstLine(err.Error()))
	}
	var all []Contract
	localizer := checker.NewDefaultLocalizer()
	for _, c := range checker.CheckBackwardCompatibilityUntilLevel(checker.NewConfig(checker.GetAllChecks()), difference, sources, checker.INFO) {
		if slices.Contains([]string{checker.APIVersionNotBumpedId, checker.APIVersionDecreasedId, checker.APIMajorVersionNotBumpedId}, c.GetId()) {
			continue // does not affect the interface
		}
		one := Contract{Effect: Compatible, Kind: c.GetId(), Says: strings.Join(strings.Fields(c.GetUncolorizedText(localizer)), " ")}
		switch c.GetLevel() {
		case checker.ERR:
			one.Effect = Breaking
		case checker.WARN:
			one.Effect = MayBreak
		default:
		}
		one.Operation = strings.TrimSpace(c.GetOperation() + " " + c.GetPath())
		all = append(all, one)
	}
	rank := map[Effect]int{Breaking: 0, MayBreak: 1, Compatible: 2}
	slices.SortFunc(all, func(a, b Contract) int {
		return cmp.Or(cmp.Compare(rank[a.Effect], rank[b.Effect]), cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Says, b.Says))
	})
	return slices.Compact(all), nil
}

// load loads the document from texts in memory. It reads no files and sends no requests.
func (d document) load() (*load.SpecInfo, error) {
	loader := openapi3.NewLoader()
	own := cmp.Or(d.own, "openapi.yaml")
	loader.ReadFromURIFunc = func(_ *openapi3.Loader, at *url.URL) ([]byte, error) {
		name := path.Clean(at.Path)
		if at.Scheme != "" || at.Host != "" {
			name = at.String()
		}
		if content, ok := d.texts[name]; ok {
			return []byte(content), nil
		}
		if name == own {
			return []byte(d.texts[""]), nil
		}
		return nil, fmt.Errorf("%s does not belong to the document", name)
	}
	var spec *openapi3.T
	var err error
	if strings.HasPrefix(d.openapi, "2") {
		spec, err = converted(loader, []byte(d.texts[""]))
	} else {
		spec, err = loader.LoadFromDataWithPath([]byte(d.texts[""]), &url.URL{Path: own})
	}
	if err != nil {
		return nil, err
	}
	// Parameters of a path apply to its operations, and header names are case-insensitive.
	commonparams.Move(spec)
	headers.Lowercase(spec)
	return &load.SpecInfo{Url: own, Spec: spec}, nil
}

// converted converts a Swagger 2.0 document to OpenAPI 3.
func converted(loader *openapi3.Loader, content []byte) (*openapi3.T, error) {
	plain, err := yaml.YAMLToJSON(content)
	if err != nil {
		return nil, err
	}
	var old openapi2.T
	if err := old.UnmarshalJSON(plain); err != nil {
		return nil, err
	}
	return openapi2conv.ToV3WithLoader(&old, loader, &url.URL{})
}

// firstLine returns the first line of a message, truncated and safe to print.
func firstLine(t string) string {
	const most = 300
	t, _, _ = strings.Cut(t, "\n")
	if len(t) > most {
		t = strings.ToValidUTF8(t[:most], "") + "…"
	}
	return text.Visible(t)
}
