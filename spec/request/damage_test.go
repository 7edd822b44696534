package request

import "testing"

// A form has a number as its digits.
func TestDamagedAsAForm(t *testing.T) {
	const object = `{"name": "Rex y", "categoryId": 9007199254740993, "tags": [1]}`
	const want = "categoryId=9007199254740993&name=Rex+y&tags=%5B1%5D"
	if got := Damaged(object, "in the manner of a form"); got != want {
		t.Errorf("the form is %s, want %s", got, want)
	}
}

func TestDamagedWithAMemberTwice(t *testing.T) {
	const want = `{"name": "Rex", "age": 3, "name": "Rex"}`
	if got := Damaged(`{"name": "Rex", "age": 3}`, "with a member twice"); got != want {
		t.Errorf("the body is %s, want %s", got, want)
	}
}
