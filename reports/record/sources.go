package record

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"hallmark/spec"
)

// Sources are the texts that a run was judged by: what a reader of its record needs who has no more than the record.
type Sources struct {
	Rules []spec.Rule `json:"rules"`
	// ContractFile names the contract as whoever ran the suite did. Contract holds its files, Own is the name by which they call
	// the first of them; see spec.Contract.Texts.
	ContractFile string            `json:"contractFile"`
	Own          string            `json:"own,omitempty"`
	Contract     map[string]string `json:"contract"`
	// Features are the texts of the feature files, by the paths that the ids of scenarios begin with.
	Features map[string]string `json:"features"`
}

// Packed are [Sources] as a record holds them: compressed, since they may be larger than all the rest of it.
type Packed []byte

// maxSources bounds how much is read of packed sources, in bytes. A contract has 48 MiB at most, and features are seldom larger.
const maxSources = 512 << 20

// Pack compresses sources.
func (s *Sources) Pack() (Packed, error) {
	var out bytes.Buffer
	to, err := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	enc := json.NewEncoder(to)
	enc.SetEscapeHTML(false)
	if err := errors.Join(enc.Encode(s), to.Close()); err != nil {
		return nil, fmt.Errorf("what the run is judged by cannot be packed: %w", err)
	}
	return out.Bytes(), nil
}

// Sources unpacks them.
func (p Packed) Sources() (*Sources, error) {
	from, err := gzip.NewReader(bytes.NewReader(p))
	if err != nil {
		return nil, errors.New("the record is damaged: its sources cannot be unpacked")
	}
	limited := &io.LimitedReader{R: from, N: maxSources}
	var s Sources
	switch err := json.NewDecoder(limited).Decode(&s); {
	case limited.N <= 0:
		return nil, fmt.Errorf("the record is damaged: its sources hold more than %d MiB", maxSources>>20)
	case err != nil:
		return nil, errors.New("the record is damaged: its sources cannot be read")
	}
	return &s, nil
}
