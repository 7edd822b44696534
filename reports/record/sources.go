package record

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/hallmark-kit/hallmark/reports/jsonout"
	"github.com/hallmark-kit/hallmark/spec"
)

// Sources holds the texts that a run was judged by, for readers who have only the record.
type Sources struct {
	Rules []spec.Rule `json:"rules"`
	// ContractFile is the name that the user gave for the contract. Contract holds its files, and Own is the name by which they refer to
	// the first of them; see spec.Contract.Texts.
	ContractFile string            `json:"contractFile"`
	Own          string            `json:"own,omitempty"`
	Contract     map[string]string `json:"contract"`
	// Features holds the texts of the feature files by path, as in scenario ids.
	Features map[string]string `json:"features"`
}

// Packed holds compressed [Sources], which may be larger than the rest of the record.
type Packed []byte

// maxSources is the maximum size of unpacked sources in bytes: a contract has at most 48 MiB, and the features of a large one have 12 MiB.
// maxRules is the maximum number of rules in them.
const maxSources, maxRules = 128 << 20, 300_000

// Pack compresses sources.
func (s *Sources) Pack() (Packed, error) {
	var out bytes.Buffer
	to, err := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(s.write(to), to.Close()); err != nil {
		return nil, fmt.Errorf("the sources of the run cannot be packed: %w", err)
	}
	return out.Bytes(), nil
}

// write writes sources as JSON, piece by piece.
func (s *Sources) write(w io.Writer) error {
	j := jsonout.New(w)
	j.Raw(`{"rules":`)
	rules := j.List()
	for _, r := range s.Rules {
		rules.Add(r)
	}
	rules.End()
	j.Raw(`,"contractFile":`)
	j.Value(s.ContractFile)
	j.Raw(`,"own":`)
	j.Value(s.Own)
	j.Raw(`,"contract":`)
	writeTexts(j, s.Contract)
	j.Raw(`,"features":`)
	writeTexts(j, s.Features)
	j.Raw("}\n")
	return j.Flush()
}

// writeTexts writes texts by name, or null for nil.
func writeTexts(j *jsonout.Writer, texts map[string]string) {
	if texts == nil {
		j.Raw("null")
		return
	}
	before := "{"
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		j.Raw(before)
		j.Value(name)
		j.Raw(":")
		j.Value(texts[name])
		before = ","
	}
	if before == "{" {
		j.Raw(before)
	}
	j.Raw("}")
}

// Sources unpacks the sources.
func (p Packed) Sources() (*Sources, error) {
	from, err := gzip.NewReader(bytes.NewReader(p))
	if err != nil {
		return nil, errors.New("the record is damaged: its sources cannot be unpacked")
	}
	limited := &io.LimitedReader{R: from, N: maxSources}
	s, err := decodeSources(json.NewDecoder(Bounded(limited)))
	switch {
	case limited.N <= 0:
		return nil, fmt.Errorf("the record is damaged: its sources hold more than %d MiB", maxSources>>20)
	case errors.Is(err, errManyValues), errors.Is(err, errLongText), errors.Is(err, errLongBlank), errors.Is(err, errManyRules):
		return nil, fmt.Errorf("the record is damaged: its sources: %w", err)
	case err != nil:
		return nil, errors.New("the record is damaged: its sources cannot be read")
	}
	return s, nil
}

var errManyRules = fmt.Errorf("they hold more than %d rules", maxRules)

// decodeSources reads sources piece by piece, so that only one of their texts is in memory twice.
func decodeSources(in *json.Decoder) (*Sources, error) {
	switch token, err := in.Token(); {
	case err != nil:
		return nil, err
	case token != json.Delim('{'):
		return nil, errors.New("there is no object")
	}
	var s Sources
	for in.More() {
		name, err := in.Token()
		if err != nil {
			return nil, err
		}
		switch name {
		case "rules":
			s.Rules, err = decodeRules(in)
		case "contractFile":
			err = in.Decode(&s.ContractFile)
		case "own":
			err = in.Decode(&s.Own)
		case "contract":
			s.Contract, err = decodeTexts(in)
		case "features":
			s.Features, err = decodeTexts(in)
		default:
			err = in.Decode(&struct{}{})
		}
		if err != nil {
			return nil, err
		}
	}
	_, err := in.Token()
	return &s, err
}

func decodeRules(in *json.Decoder) ([]spec.Rule, error) {
	token, err := in.Token()
	if err != nil || token == nil {
		return nil, err
	}
	if token != json.Delim('[') {
		return nil, errors.New("there is no list")
	}
	all := []spec.Rule{}
	for in.More() {
		if len(all) >= maxRules {
			return nil, errManyRules
		}
		var one spec.Rule
		if err := in.Decode(&one); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	_, err = in.Token()
	return all, err
}

// decodeTexts reads texts by name, or nil for null.
func decodeTexts(in *json.Decoder) (map[string]string, error) {
	token, err := in.Token()
	if err != nil || token == nil {
		return nil, err
	}
	if token != json.Delim('{') {
		return nil, errors.New("there is no object")
	}
	all := map[string]string{}
	for in.More() {
		name, err := in.Token()
		if err != nil {
			return nil, err
		}
		var text string
		if err := in.Decode(&text); err != nil {
			return nil, err
		}
		key, _ := name.(string) // the decoder allows only strings here
		all[key] = text
	}
	_, err = in.Token()
	return all, err
}
