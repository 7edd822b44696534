package hallmark

import "testing"

func TestChosen(t *testing.T) {
	for _, c := range []struct {
		test, run, rule string
		all, want       bool
	}{
		{"TestContract", "", "addBook.created.kept", true, true},
		{"TestContract", "TestContract", "addBook.created.kept", true, true},
		{"TestContract", "Contract/addBook", "addBook.created.kept", false, true},
		{"TestContract", "Contract/addBook", "getBook.body", false, false},
		{"TestContract", "Contract/addBook/created.kept", "addBook.created.kept", false, true},
		{"TestContract", "Contract/addBook/^created.kept$", "addBook.created.kept-all", false, false},
		{"TestContract", "Contract//kept", "addBook.created.kept", false, true},
		{"TestContract", "TestOther|TestContract/addBook", "getBook.body", false, false},
		{"TestContract", "TestOther|TestContract", "getBook.body", true, true},
		{"TestContract", "TestContract/(addBook|getBook)", "getBook.body", false, true},
		{"TestContract", "TestContract/[ag/]etBook", "getBook.body", false, true},
		{"TestAll/books", "TestAll/books/addBook", "addBook.body", false, true},
		{"TestAll/books", "TestAll/films/addFilm", "addBook.body", false, false},
	} {
		got := chosen(c.test, c.run)
		if all := got == nil; all != c.all || !all && got.matches(c.rule) != c.want {
			t.Errorf("%s, -run %s: everything %t, want %t; %s %t", c.test, c.run, all, c.all, c.rule, c.want)
		}
	}
}
