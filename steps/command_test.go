package steps

import "testing"

func TestCommandsAreBounded(t *testing.T) {
	terms := defaultTerms(t)
	kinds := map[commandKind]int{}
	for i := range 200 {
		all := commands(terms, sequenceLength, false).Example(i)
		if n := creationsIn(all); len(all) != sequenceLength || n == 0 || n > maxCreations {
			t.Fatalf("a sequence of %d commands creates %d animals", len(all), n)
		}
		for _, c := range all {
			kinds[c.kind]++
		}
		if n := creationsIn(commands(terms, sequenceLength, true).Example(i)); n > 0 {
			t.Fatalf("a sequence that is to read creates %d animals", n)
		}
		for _, fewer := range fewerCommands(all) {
			if len(fewer) >= len(all) || len(fewer) == 0 || fewer[len(fewer)-1] != all[len(all)-1] {
				t.Fatal("a smaller sequence is no smaller, or lacks the command that failed")
			}
		}
		creations := 0
		for _, round := range moves(terms.statuses()).Example(i) {
			for _, m := range round {
				if m.kind == createOne {
					creations++
				}
			}
		}
		if creations < 3 || creations > historyCreations {
			t.Fatalf("a history creates %d animals", creations)
		}
	}
	for _, kind := range []commandKind{createOne, readOwn, readListed, readNear, readOther, listSome} {
		if kinds[kind] < 80 {
			t.Errorf("of 6000 commands %d are of kind %d: too few", kinds[kind], kind)
		}
	}
}
