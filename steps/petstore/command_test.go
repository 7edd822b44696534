package petstore

import "testing"

func TestCommandsAreBounded(t *testing.T) {
	known := terms(t)
	const length = 30
	kinds := map[CommandKind]int{}
	for i := range 200 {
		all := Commands(known, length, false).Example(i)
		if n := CreationsIn(all); len(all) != length || n == 0 || n > maxCreations {
			t.Fatalf("a sequence of %d commands creates %d animals", len(all), n)
		}
		for _, c := range all {
			kinds[c.Kind]++
		}
		if n := CreationsIn(Commands(known, length, true).Example(i)); n > 0 {
			t.Fatalf("a sequence that is to read creates %d animals", n)
		}
		for _, fewer := range FewerCommands(all) {
			if len(fewer) >= len(all) || len(fewer) == 0 || fewer[len(fewer)-1] != all[len(all)-1] {
				t.Fatal("a smaller sequence is no smaller, or lacks the command that failed")
			}
		}
		creations := 0
		for _, round := range Moves(known.Statuses()).Example(i) {
			for _, m := range round {
				if m.Kind == CreateOne {
					creations++
				}
			}
		}
		if creations < 3 || creations > HistoryCreations {
			t.Fatalf("a history creates %d animals", creations)
		}
	}
	for _, kind := range []CommandKind{CreateOne, ReadOwn, ReadListed, ReadNear, ReadOther, ListSome} {
		if kinds[kind] < 80 {
			t.Errorf("of 6000 commands %d are of kind %d: too few", kinds[kind], kind)
		}
	}
}
