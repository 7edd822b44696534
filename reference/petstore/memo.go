package petstore

import (
	"encoding/json"
	"strings"
	"sync"
)

// memo keeps what was made for a key; errors are not kept.
type memo[K comparable, V any] struct {
	mu   sync.Mutex
	kept map[K]V
}

func (m *memo[K, V]) get(key K, make func() (V, error)) (V, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if v, there := m.kept[key]; there {
		return v, nil
	}
	v, err := make()
	if err == nil {
		if m.kept == nil {
			m.kept = map[K]V{}
		}
		m.kept[key] = v
	}
	return v, err
}

// rawNumber is a JSON number, digit for digit.
func rawNumber(text string) json.Number { return json.Number(text) }

// rename changes the name of an animal in a response.
func rename(pet map[string]any, f func(string) string) {
	if name, ok := pet["name"].(string); ok {
		pet["name"] = f(name)
	}
}

func capitalise(pet map[string]any) { rename(pet, strings.ToUpper) }

// idIn is the id of an animal in a response.
func idIn(pet map[string]any) (int64, bool) {
	n, ok := pet["id"].(json.Number)
	if !ok {
		return 0, false
	}
	return parseInteger(string(n))
}
