package scenario

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/spec/values"
	"github.com/hallmark-kit/hallmark/steps/redact"
)

// What a run creates gets no more rights than the contract requires, and no password that others know.

// Modest returns a request that asks for as few rights as the contract allows.
func Modest(s *Scenario, r request.Request) request.Request {
	return promise.LeastRights(r, func(other request.Request) bool { return keepsSchema(s.Run, other) }, func(pointer string) bool { return givenAt(s.Run, r, pointer) })
}

// refuseRights ends the scenario if a request asks for administrator rights, or changes a state that all clients
// share, although the contract offers another choice.
func (r *Run) refuseRights(asked request.Request) error {
	if slices.Contains(r.Target.Allowed, asked.Operation.ID) {
		return nil
	}
	for _, raise := range promise.Raised(asked) {
		pointer := raise.Pointer
		if givenAt(r, asked, pointer) {
			continue
		}
		valid := keepsSchema(r, asked)
		least := promise.LeastRights(asked, func(other request.Request) bool { return !valid || keepsSchema(r, other) }, func(at string) bool { return at != pointer })
		if slices.Contains(promise.Raised(least), raise) {
			continue // the contract leaves no choice
		}
		return Stop{
			Reason: fmt.Sprintf("%s is not sent with %s in %s; --allow %s sends it", asked.Operation.ID, raise.Gives, pointer, text.ShellQuote(asked.Operation.ID)),
			// Invalid requests are tried with other values, too.
			Excused: !valid,
		}
	}
	return nil
}

// keepsSchema reports whether the body of a request conforms to its schema.
func keepsSchema(r *Run, asked request.Request) bool {
	schema := promise.BodySchema(asked)
	body, _, _ := asked.Body()
	return schema == nil || r.Promises.Valid(schema, body)
}

// givenAt reports whether the file of values sets what is at a pointer in the body of a request.
func givenAt(r *Run, asked request.Request, pointer string) bool {
	if _, whole := r.Promises.Given().Body(asked.Operation); whole {
		return true
	}
	return slices.ContainsFunc(r.Promises.Given().Members(asked.Operation), func(m values.Member) bool { return m.Pointer == pointer })
}

// passwords holds the passwords that a run made up.
type passwords struct {
	mu    sync.Mutex
	whole string
	made  map[string]bool
}

const (
	// passwordVariable replaces a made-up password in records and in the commands that repeat a request.
	passwordVariable = "HALLMARK_CREDENTIAL_NEW_PASSWORD"
	// passwordLength is the length of a password where the contract sets none.
	passwordLength = 20
)

// ofLength returns a made-up password of the given length, and has it redacted from records. All lengths share a
// prefix, so that one variable is enough to repeat requests.
func (p *passwords) ofLength(length int, masks *redact.Redactor) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.whole == "" {
		p.whole, p.made = newPassword(), map[string]bool{}
	}
	whole, rest := length/passwordLength, length%passwordLength
	made, shown := strings.Repeat(p.whole, whole)+p.whole[:rest], strings.Repeat("${"+passwordVariable+"}", whole)
	if rest > 0 {
		shown += fmt.Sprintf("${%s:0:%d}", passwordVariable, rest)
	}
	if !p.made[made] {
		p.made[made] = true
		masks.Add(redact.Secret{Text: made, Shown: shown})
	}
	return made
}

// contains reports whether the run made up the password.
func (p *passwords) contains(text string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.made[text]
}

// newPassword returns a password with letters of both cases, digits and a sign in each group of eight characters,
// as services demand.
func newPassword() string {
	const upper, lower, digits = "ABCDEFGHJKLMNPQRSTUVWXYZ", "abcdefghijkmnopqrstuvwxyz", "23456789"
	random := make([]byte, passwordLength)
	_, _ = rand.Read(random) // it never fails
	out := make([]byte, passwordLength)
	for i := range out {
		from := []string{upper, lower, digits, lower, upper, "!", lower, digits}[i%8]
		out[i] = from[int(random[i])%len(from)]
	}
	return string(out)
}

// secured returns a request in which every password of the body is the run's own instead of the document's: of
// full length if the schema allows it; otherwise of the same length as the document's.
func secured(r *Run, asked request.Request) request.Request {
	if !r.keepsPasswords(asked) {
		return asked
	}
	body, _, _ := asked.Body()
	for _, at := range secrets(asked, body, nil) {
		pointer := jsonpointer.Join("", at...)
		value, _ := exactjson.Lookup(body, at)
		was, _ := value.(string)
		length := len([]rune(was))
		if length < redact.MinLength || r.passwords.contains(was) || givenAt(r, asked, pointer) || !keepsSchema(r, asked) {
			continue
		}
		for _, n := range []int{passwordLength, length} {
			if n == passwordLength && isBound(asked, at, length) {
				continue
			}
			if with, err := asked.WithBodyAt(pointer, r.passwords.ofLength(n, r.Client.Redactor)); err == nil && keepsSchema(r, with) {
				asked = with
				break
			}
		}
	}
	return asked
}

// isBound reports whether a text is exactly as long as its schema allows at least or at most: then its length is
// what the request tests.
func isBound(asked request.Request, at []string, length int) bool {
	schema := resource.At(promise.BodySchema(asked), at)
	return schema != nil && (schema.MinLength != nil && int64(length) == *schema.MinLength || schema.MaxLength != nil && int64(length) == *schema.MaxLength)
}

// keepsPasswords reports whether a request sets a password. Requests that sign in need the password of the
// document.
func (r *Run) keepsPasswords(asked request.Request) bool {
	op := asked.Operation
	switch op.Method {
	case http.MethodPut, http.MethodPatch:
		return op.Body != nil
	case http.MethodPost:
		return op.Body != nil && (r.resources.creates(&asked) || resource.HasWord(op.ID+" "+op.Path, "register", "registration", "signup", "users", "user", "accounts", "account", "members") &&
			!resource.HasWord(op.ID+" "+op.Path, "login", "signin", "auth", "authenticate", "token", "tokens", "session", "sessions"))
	}
	return false
}

// secrets returns the paths of the texts in a body that hold secrets chosen by the client.
func secrets(asked request.Request, value any, path []string) (all [][]string) {
	const deepest = 6
	members, object := value.(map[string]any)
	if !object || len(path) > deepest {
		return nil
	}
	for name, member := range members {
		at := append(slices.Clip(path), name)
		if _, is := member.(string); is && resource.HoldsSecret(name, resource.At(promise.BodySchema(asked), at)) {
			all = append(all, at)
		}
		all = append(all, secrets(asked, member, at)...)
	}
	return all
}
