package vocabulary_test

import (
	"net/http"
	"testing"

	"hallmark/tests/rehearse"
)

// Widely used JSON readers replace, drop, keep or refuse invalid Unicode. A replacement character that was sent is
// a character like any other.
func TestTextThatIsNotUnicodeMayComeBackInAnyForm(t *testing.T) {
	shown := func(creation, reading string) *rehearse.Shop {
		service := rehearse.NewShop()
		service.Instead = func(r *http.Request, _ []byte) *rehearse.Reply {
			text, status := creation, http.StatusCreated
			if r.Method == http.MethodGet {
				text, status = reading, http.StatusOK
			}
			header := http.Header{"Deprecation": {"@1922659200"}, "Sunset": {"Thu, 05 Dec 2030 00:00:00 GMT"}}
			return &rehearse.Reply{Status: status, Header: header, Body: `{"id": 7, "categoryId": 1, "name": "` + text + `"}`}
		}
		return service
	}
	for name, test := range map[string]struct {
		sent    string
		service *rehearse.Shop
		rules   []string
	}{
		"refused":                    {`a\ud83d`, rehearse.NewShop(), nil},
		"kept":                       {`a\ud83d`, shown(`a\uD83D`, `a\ud83d`), nil},
		"replaced":                   {`a\ud83d`, shown(`a\ufffd`, `a\ufffd`), nil},
		"dropped":                    {`a\ud83d`, shown("a", "a"), nil},
		"replaced on read":           {`a\ud83d`, shown(`a\ud83d`, "a\ufffd"), nil},
		"dropped on read":            {`a\ud83d`, shown(`a\ud83d`, "a"), nil},
		"shown in bytes":             {`a\ud83d`, shown("a\xed\xa0\xbd", "a"), []string{"answer.json"}},
		"a replacement character":    {`a\ufffd`, shown("a\ufffd", `a\ufffd`), nil},
		"the same dropped":           {`a\ufffd`, shown("a", "a"), []string{"create.echo.name"}},
		"the same dropped when read": {`a\ufffd`, shown("a\ufffd", "a"), []string{"get.created", "pet.identity"}},
		"a pair that lost one half":  {`a\ud83d\udc15`, shown(`a\ud83d`, `a\ud83d`), []string{"create.echo.name"}},
	} {
		t.Run(name, func(t *testing.T) {
			st := rehearse.New(t, "create.name.unusual", test.service)
			st.Do(`a plain body where name is "`+test.sent+`"`, "createPet is called", "the response is 201 or 400",
				"what was sent comes back, if it was accepted", "it is read back as it was answered, if it was accepted")
			st.Finds(test.rules...)
		})
	}
}
