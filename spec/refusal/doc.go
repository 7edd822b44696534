// Package refusal reads which members of a request body the response to a refused request complains about.
package refusal
