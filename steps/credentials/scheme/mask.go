package scheme

import (
	"strings"

	"github.com/hallmark-kit/hallmark/spec/credential"
	"github.com/hallmark-kit/hallmark/steps/credentials"
	"github.com/hallmark-kit/hallmark/steps/redact"
)

// Masker removes secrets from records; see [redact.Redactor].
type Masker interface{ Add(...redact.Secret) }

// Mask makes a masker remove all secrets of the keyring, and the tokens fetched later.
func (k *Keyring) Mask(m Masker) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.masks = append(k.masks, m)
	m.Add(k.known()...)
}

// known returns all secrets. The caller holds the lock.
func (k *Keyring) known() []redact.Secret {
	var all []redact.Secret
	for value, shown := range k.secrets {
		all = append(all, forms(value, shown)...)
	}
	return all
}

// learn remembers a secret. shown replaces it, or an ellipsis if shown is empty.
func (k *Keyring) learn(value, shown string) {
	if value == "" {
		return
	}
	if shown == "" {
		shown = "…"
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, known := k.secrets[value]; known {
		return
	}
	k.secrets[value] = shown
	for _, m := range k.masks {
		m.Add(forms(value, shown)...)
	}
}

// learnRole remembers the secrets of a role.
func (k *Keyring) learnRole(role string) {
	r := k.Roles[role]
	for name, secret := range r.Secrets {
		s := k.schemes[name]
		shown := ""
		if s.Name != "" {
			shown = "$" + k.variable(role, s, secret)
		}
		if isBasic(s) {
			user, password, _ := secret.pair()
			k.learn(user+":"+password, shown)
			k.learn(password, "")
			if password == "" {
				k.learn(user, "") // the user name alone may grant access
			}
			continue
		}
		k.learn(secret.Text, shown)
		if _, second, pair := strings.Cut(secret.Text, ":"); pair && secret.granted(s) {
			k.learn(second, "")
		}
		k.learn(secret.Password, "")
		k.learn(secret.ClientSecret, "")
		k.learnLogin(secret.Login)
	}
	for _, h := range r.Headers {
		k.learn(h.Value, "$"+headerVariable(role, h.Name))
		word, rest, found := strings.Cut(h.Value, " ")
		if found && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-") == "" {
			k.learn(strings.TrimSpace(rest), "")
		}
	}
	k.learnLogin(r.Login)
}

func (k *Keyring) learnLogin(l *Login) {
	if l == nil {
		return
	}
	for _, s := range l.Secrets {
		k.learn(s, "")
	}
	for _, h := range l.Headers {
		k.learn(h.Value, "")
		if _, rest, found := strings.Cut(h.Value, " "); found {
			k.learn(strings.TrimSpace(rest), "")
		}
	}
	k.learn(l.Body, "")
	for _, value := range queries(l.URL) {
		k.learn(value, "")
	}
}

// leastHalf is the minimum length, in bytes, of half a secret that counts as a secret of its own.
const leastHalf = 12

// forms returns a secret, and the near misses from which it could be reconstructed.
func forms(value, shown string) []redact.Secret {
	all := []redact.Secret{{Text: value, Shown: shown}}
	if credentials.CheckKey(value) != nil {
		return all
	}
	for _, c := range credential.WrongTokens() {
		made, err := credentials.Make(c.Words, value)
		if err != nil || made.Header == made.Shown {
			continue
		}
		scheme, near, _ := strings.Cut(made.Header, " ")
		if scheme != "Bearer" || near == value {
			continue // the redactor finds the secret itself, in base64 too
		}
		if len(near) >= leastHalf || len(near) >= redact.MinLength && len(near) > len(value)/2 {
			stands := "…"
			if name, variable := strings.CutPrefix(shown, "$"); variable {
				stands = strings.TrimPrefix(strings.ReplaceAll(made.Shown, KeyVariable, name), "Bearer ")
			}
			all = append(all, redact.Secret{Text: near, Shown: stands})
		}
	}
	return all
}

// redacted returns a text without the secrets of the keyring.
func (k *Keyring) redacted(text string) string {
	k.mu.Lock()
	known := k.known()
	k.mu.Unlock()
	return redact.New(known...).Text(text)
}

// TooShort returns the schemes whose secrets are too short to search for in responses, as texts for users, without those whose secret is the
// API key, which is reported by itself.
func (k *Keyring) TooShort(key string) []string {
	var all []string
	for _, s := range k.Schemes {
		for _, r := range k.Roles {
			secret, given := r.Secrets[s.Name]
			if given && secret.Login == nil && (key == "" || secret.Text != key) && len(secret.Text)+len(secret.User)+len(secret.Password)+len(secret.ClientSecret) < redact.MinLength {
				all = append(all, "the secret of the scheme "+s.Name)
				break
			}
		}
	}
	return all
}
