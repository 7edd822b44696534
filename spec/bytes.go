package spec

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// MarshalJSON writes text as a string and anything else as {"base64": "…"}.
func (b Bytes) MarshalJSON() ([]byte, error) {
	if utf8.Valid(b) {
		return json.Marshal(string(b))
	}
	return json.Marshal(map[string]string{"base64": base64.StdEncoding.EncodeToString(b)})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (b *Bytes) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err == nil {
		*b = Bytes(text)
		return nil
	}
	var coded struct {
		Base64 string `json:"base64"`
	}
	if err := json.Unmarshal(data, &coded); err != nil {
		return fmt.Errorf("a body is neither a string nor {\"base64\": …}: %w", err)
	}
	raw, err := base64.StdEncoding.DecodeString(coded.Base64)
	if err != nil {
		return fmt.Errorf("a body's base64 cannot be read: %w", err)
	}
	*b = raw
	return nil
}
