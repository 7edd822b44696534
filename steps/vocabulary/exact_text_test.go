package vocabulary_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"hallmark/steps/check"
	"hallmark/steps/petstore/rehearse"
)

func TestExactText(t *testing.T) {
	units := func(text string, more ...uint16) []uint16 { return append(utf16.Encode([]rune(text)), more...) }
	for body, want := range map[string][]uint16{
		`{"name": "a\ud83d"}`:                  units("a", 0xd83d),
		`{"name": "a\uD83D", "categoryId": 1}`: units("a", 0xd83d),
		`{"name":"\udc15\ud83d b"}`:            slices.Concat([]uint16{0xdc15, 0xd83d}, units(" b")),
		`{"name":"�"}`:                         {0xfffd},
		`{"name":"\ufffd"}`:                    {0xfffd},
		`{"name":"\ud83d\udc15\ud83d"}`:        {0xd83d, 0xdc15, 0xd83d},
		`{"name":"\"\\\n🐕\ud83d\""}`:           slices.Concat(units("\"\\\n🐕"), []uint16{0xd83d, '"'}),
		`{"name":"\\ud83d�"}`:                  units(`\ud83d` + "\ufffd"),
		// Nothing was lost in decoding these, or there is no such text.
		`{"name":"\ud83d\udc15"}`: nil,
		`{"name":"plain"}`:        nil,
		`{"name":null}`:           nil,
		`{"nick":"\ud83d"}`:       nil,
		`["\ud83d"]`:              nil,
		`{"name":"\ud83d`:         nil,
	} {
		got, ok := check.UTF16([]byte(body), "name")
		if !slices.Equal(got, want) || ok != (want != nil) {
			t.Errorf("%s: %x, %v; want %x", body, got, ok, want)
		}
	}
	for want, units := range map[string][]uint16{
		`"a\ud83d"`:      units("a", 0xd83d),
		`"\ufffd🐕"`:      units("\ufffd🐕"),
		`"\udc15\ud83d"`: {0xdc15, 0xd83d},
		`"\"\n"`:         units("\"\n"),
	} {
		if got := check.QuoteUTF16(units); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// A half of a surrogate pair is refused, or comes back and is read as it was sent; a replacement character is another text.
func TestHalvesOfPairsComeBackExactly(t *testing.T) {
	const half = `a\ud83d`
	shown := func(creation, reading string) *rehearse.Shop {
		service := rehearse.NewShop()
		service.Instead = func(r *http.Request, body []byte) *rehearse.Reply {
			text := creation
			if r.Method == http.MethodGet {
				text = reading
			}
			header := http.Header{"Deprecation": {"@1922659200"}, "Sunset": {"Thu, 05 Dec 2030 00:00:00 GMT"}}
			status := http.StatusCreated
			if r.Method == http.MethodGet {
				status = http.StatusOK
			}
			return &rehearse.Reply{Status: status, Header: header, Body: `{"id": 7, "categoryId": 1, "name": "` + text + `"}`}
		}
		return service
	}
	for name, test := range map[string]struct {
		service  *rehearse.Shop
		rules    []string
		expected string
	}{
		"refused":          {rehearse.NewShop(), nil, ""},
		"exact":            {shown(half, `a\uD83D`), nil, ""},
		"replaced":         {shown(`a\ufffd`, `a\ufffd`), []string{"create.echo.name"}, `"a\ud83d", as it was sent`},
		"dropped":          {shown("a", "a"), []string{"create.echo.name"}, `"a\ud83d", as it was sent`},
		"another half":     {shown(`a\ud83e`, `a\ud83e`), []string{"create.echo.name"}, `"a\ud83d", as it was sent`},
		"replaced on read": {shown(half, "a\ufffd"), []string{"get.created"}, `name "a\ud83d", as it was answered on creation`},
	} {
		t.Run(name, func(t *testing.T) {
			st := rehearse.New(t, "create.name.unusual", test.service)
			st.Do(`a plain body where name is "`+half+`"`, "createPet is called", "the response is 201 or 400",
				"what was sent comes back, if it was accepted", "it is read back as it was answered, if it was accepted")
			st.Finds(test.rules...)
			if len(st.Scenario.Findings()) > 0 && !strings.HasPrefix(st.Scenario.Findings()[0].Expected.String(), test.expected) {
				t.Errorf("expected %s, want %s", st.Scenario.Findings()[0].Expected.String(), test.expected)
			}
		})
	}
}
