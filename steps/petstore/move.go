package petstore

import (
	"slices"

	"pgregory.net/rapid"

	"hallmark/steps/generate"
)

const (
	// HistoryClients is how many clients a history has. Each does historyRounds operations.
	HistoryClients = 6
	historyRounds  = 7
	// HistoryCreations bounds how many animals a history creates.
	HistoryCreations = 12
)

// Move is what one client does in one round of a history.
type Move struct {
	Kind   CommandKind
	Which  int
	Status string
}

// Moves generates the rounds of a history: for each a move of every client.
func Moves(statuses []string) *rapid.Generator[[][]Move] {
	one := rapid.Custom(func(t *rapid.T) Move {
		return Move{
			Kind:   generate.Evenly([]CommandKind{CreateOne, ReadOwn, ListSome, CreateOne, ReadOwn, ReadNear}).Draw(t, "kind"),
			Which:  generate.Evenly([]int{0, 0, 0, 1, 2, 3, 5, 8}).Draw(t, "which"),
			Status: generate.Evenly(append(slices.Clip(statuses), "")).Draw(t, "status"),
		}
	})
	rounds := rapid.SliceOfN(rapid.SliceOfN(one, HistoryClients, HistoryClients), historyRounds, historyRounds)
	return rapid.Map(rounds, func(all [][]Move) [][]Move {
		creations := 0
		for i, round := range all {
			for k := range round {
				if i == 0 && k < 3 {
					round[k].Kind = CreateOne // so that the others have something to look at
				}
				if round[k].Kind == CreateOne {
					if creations++; creations > HistoryCreations {
						round[k].Kind = ReadOwn
					}
				}
			}
		}
		return all
	})
}
