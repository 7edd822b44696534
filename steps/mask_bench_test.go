package steps

import (
	"strings"
	"testing"
)

// BenchmarkHide looks for secrets in what answers mostly are: a list of animals, and in a text that holds escapes and
// letters of many scripts.
func BenchmarkHide(b *testing.B) {
	list := "[" + strings.Repeat(`{"id":4711,"name":"hallmark-abc123-17 Rex","categoryId":1,"status":"available"},`, 100) + "{}]"
	odd := strings.Repeat(`{"name":"Zo\u00eb \"Rex\" & 小黑 Γάτα\r\n","link":"/pets?a=%20b&amp;c"}`, 100)
	all := secretsOf(shopKey)
	for name, text := range map[string]string{"list": list, "odd": odd} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if all.hide(text) != text {
					b.Fatal("something was taken for a secret")
				}
			}
		})
	}
}
