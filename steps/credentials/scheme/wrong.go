package scheme

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/credential"
	"github.com/hallmark-kit/hallmark/steps/credentials"
)

// Make returns the credential that words describe: "right", those of [credential.WrongFor], those that are valid elsewhere, made-up ones
// where none is needed, and open ones. The error is an [Impossible] if the result would be right, or if the secrets do not allow it.
func (k *Keyring) Make(ctx context.Context, op *spec.Operation, role, words string) (Credential, error) {
	if words == "right" {
		return k.For(ctx, op, role)
	}
	if name, foreign := strings.CutPrefix(words, credential.OfScheme); foreign {
		return ofScheme(ctx, k, op, role, name)
	}
	if names, alternative := strings.CutPrefix(words, credential.OfAlternative); alternative {
		return ofAlternative(ctx, k, op, role, names)
	}
	if name, random := strings.CutPrefix(words, credential.RandomOfScheme); random {
		return randomOf(ctx, k, op, role, name)
	}
	if words == credential.NoCredential && op.StatesAnonymous() {
		made := Credential{Words: words, role: role}
		return made, addToOptional(ctx, k, op, role, &made)
	}
	if words == credential.WithoutScope {
		return withoutScope(ctx, k, op, role)
	}
	open := credential.OpenFor(op)
	isOpen := slices.ContainsFunc(open, func(c credential.Wrong) bool { return c.Words == words })
	if !isOpen && !slices.ContainsFunc(Words(op), func(c credential.Wrong) bool { return c.Words == words }) {
		return Credential{}, fmt.Errorf("%s has no credential %q; known are: right, %s", op.ID, words, known(op))
	}
	made := Credential{Words: words, Open: isOpen, role: role}
	if words == "missing" {
		return made, k.checkWrong(ctx, op, role, nil, made)
	}
	s, plain := schemeOf(op, words)
	chosen, ok := k.choose(op, role, s.Name)
	if !ok {
		return Credential{}, Impossible{fmt.Sprintf("no secret is given for an alternative with the scheme %s (%s)", s.Name, Variable(s.Name))}
	}
	var left []string
	for _, other := range chosen {
		if other.Name == s.Name {
			continue
		}
		left = append(left, other.Name)
		if err := k.addPart(ctx, role, other, &made); err != nil {
			return Credential{}, err
		}
	}
	if plain != "missing" {
		m, err := k.material(ctx, role, s)
		if err != nil {
			return Credential{}, err
		}
		m.exactCase = k.ExactCase != nil && k.ExactCase(op)
		p, err := m.wrong(op, s, plain)
		if err != nil {
			return Credential{}, err
		}
		made.Parts = append(made.Parts, p)
		if slices.ContainsFunc(made.Parts[:len(made.Parts)-1], p.same) {
			return Credential{}, Impossible{"another scheme accepts it"}
		}
	}
	return made, k.checkWrong(ctx, op, role, left, made)
}

func known(op *spec.Operation) string {
	var all []string
	for _, c := range slices.Concat(Words(op), credential.OpenFor(op)) {
		all = append(all, c.Words)
	}
	return text.Enumerate(all, "and")
}

// schemeOf returns the scheme that words are about, and the words without its name. Without a name it is the operation's only scheme.
func schemeOf(op *spec.Operation, words string) (found spec.Security, plain string) {
	plain = words
	for _, requirement := range op.Security {
		for _, s := range requirement {
			if found.Name == "" {
				found = s
			}
			before, named := strings.CutSuffix(words, credential.ForScheme+s.Name)
			if named && len(before) < len(plain) || named && plain == words {
				found, plain = s, before
			}
		}
	}
	return found, plain
}

// checkWrong ensures that neither the rest of a right credential nor the connection's certificate satisfies an alternative of an operation.
func (k *Keyring) checkWrong(ctx context.Context, op *spec.Operation, role string, left []string, made Credential) error {
	for _, requirement := range op.Security {
		met, usable := true, true
		var right Credential
		for _, s := range requirement {
			certified := s.Type == "mutualTLS" && k.Certificate
			met = met && (certified || slices.Contains(left, s.Name))
			usable = usable && k.has(role, s)
		}
		if met {
			return Impossible{"the rest of the credential satisfies another alternative of the operation"}
		}
		if !usable {
			continue
		}
		for _, s := range requirement {
			if err := k.addPart(ctx, role, s, &right); err != nil {
				return err
			}
		}
		if made.holds(right.Parts) {
			return Impossible{"with these secrets it is a right credential itself"}
		}
	}
	return nil
}

// wrong returns the part that carries a wrong credential of a scheme.
func (m material) wrong(op *spec.Operation, s spec.Security, words string) (Part, error) {
	right := m.part(s)
	switch words {
	case credential.KeyElsewhere, credential.KeyRenamed:
		return elsewhere(op, s, right, words)
	case credential.TokenLowerCase:
		right.Value, right.Shown = lowerScheme(right.Value), lowerScheme(right.Shown)
		return right, nil
	case credential.TokenBare:
		right.Value, right.Shown = strings.TrimPrefix(right.Value, bearer), strings.TrimPrefix(right.Shown, bearer)
		return right, nil
	case credential.TokenInQuery:
		right.In, right.Name = InQuery, "access_token"
		right.Value, right.Shown = strings.TrimPrefix(right.Value, bearer), strings.TrimPrefix(right.Shown, bearer)
		return right, nil
	}
	if isBasic(s) {
		return m.wrongPair(right, words)
	}
	p := right
	if words == credential.EmptyKey {
		p.Value, p.Shown = "", ""
		return p, nil
	}
	if m.text == "" {
		return p, Impossible{"the secret is empty"}
	}
	if !isBearer(s) {
		return m.wrongKey(p, words)
	}
	made, err := credentials.Make(words, m.text)
	if err != nil {
		return p, impossible(err)
	}
	p.Value, p.Shown = made.Header, renamed(made.Shown, m.variable)
	if token, bearer := strings.CutPrefix(made.Header, "Bearer "); bearer {
		return p, m.differs(token)
	}
	return p, nil
}

// bearer begins the header with a bearer token (RFC 6750, section 2.1). The query carries one as access_token (section 2.3).
const bearer = "Bearer "

// lowerScheme returns a header value with the name of the bearer scheme in lower case.
func lowerScheme(value string) string {
	return strings.ToLower(bearer) + strings.TrimPrefix(value, bearer)
}

// renamed replaces the API key's variable with that of a secret.
func renamed(shown, variable string) string { return strings.ReplaceAll(shown, KeyVariable, variable) }

// impossible converts an error of package credentials to one of this package.
func impossible(err error) error {
	if reason, ok := err.(credentials.Impossible); ok { //nolint:errorlint // it is never wrapped
		return Impossible{reason.Reason}
	}
	return err
}

// wrongKey returns the part of an API key, or of a whole header value, that differs from the right one. If the value has several words, the
// last one is the secret, and only a change of that one is a near miss.
func (m material) wrongKey(p Part, words string) (Part, error) {
	if i := strings.LastIndexByte(m.text, ' '); i >= 0 {
		switch words {
		case "the right key with its first character changed", "the right key with a character put before it", "the right key without its first character",
			"the right key with a first character that sorts after it", "the right key with a first character that sorts before it":
			return p, Impossible{"the secret has several words, and the first is not part of the key"}
		case "the right key with its middle character changed":
			if i >= len(m.text)/2 {
				return p, Impossible{"the middle of the secret is not part of the key"}
			}
		}
	}
	made, err := credentials.Make(words, m.text)
	if err != nil {
		return p, impossible(err)
	}
	p.Value = strings.TrimPrefix(made.Header, "Bearer ")
	p.Shown = strings.TrimPrefix(renamed(made.Shown, m.variable), "Bearer ")
	if strings.TrimSpace(p.Value) != p.Value && p.In == InHeader {
		return p, Impossible{"it would begin or end with a blank, which headers do not preserve"}
	}
	return p, m.differs(p.Value)
}

// differs ensures that a lenient but legitimate comparison does not treat a wrong secret as equal to the right one: base64 with spare bits
// and padding and, unless a rule states otherwise, hexadecimal digits and UUIDs in either case.
func (m material) differs(wrong string) error {
	switch right := m.text; {
	case right == wrong:
		return Impossible{"with this secret it is the secret itself"}
	case credentials.SameBytes(right, wrong):
		return Impossible{"decoded as base64 it is the secret itself"}
	case strings.HasSuffix(right, "=") && strings.HasPrefix(wrong, strings.TrimRight(right, "=")+"="):
		return Impossible{"base64 decoders may stop at the padding at the end of the secret"}
	case strings.EqualFold(right, wrong) && isHex(right) && !m.exactCase:
		return Impossible{"the secret is hexadecimal, and may be read in either case"}
	}
	return nil
}

// isHex reports whether a text is made of hexadecimal digits and hyphens.
func isHex(s string) bool { return strings.Trim(s, "0123456789abcdefABCDEF-{}") == "" }

// maxPassword is the number of bytes of a password that bcrypt uses.
const maxPassword = 72

// wrongPair returns Basic credentials that differ from the right ones.
func (m material) wrongPair(p Part, words string) (Part, error) {
	right, v := m.user+":"+m.password, m.variable
	password := "${" + v + "#*:}"
	user := "${" + v + "%%:*}"
	var pair, shown string
	random := "hallmark-" + credentials.RandomKey(16)
	needsPassword := func() error {
		switch {
		case m.password == "":
			return Impossible{"the right user has no password"}
		case len(m.password) >= maxPassword && words != credential.PasswordSwapped:
			return Impossible{"the password is longer than what bcrypt uses"}
		}
		return nil
	}
	var err error
	switch words {
	case credential.EmptyBasic:
		p.Value, p.Shown = "Basic ", "Basic "
		return p, nil
	case credential.RandomPair:
		pair = "hallmark:" + random
		p.Value = "Basic " + base64.StdEncoding.EncodeToString([]byte(pair))
		p.Shown = p.Value
		return p, nil
	case credential.PairAsBearer:
		if m.password == "" || strings.ContainsFunc(right, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return p, Impossible{"the pair has no password, or a character that bearer tokens cannot contain"}
		}
		p.Value, p.Shown = "Bearer "+right, "Bearer $"+v
		return p, nil
	case credential.WrongPassword:
		pair, shown = m.user+":"+random, user+":"+random
		if m.password == "" {
			err = Impossible{"the right user has no password, so the service may check none"}
		}
	case credential.WrongUser:
		if m.password == "" {
			err = Impossible{"the right user has no password, so any other user may be valid, too"}
		}
		pair, shown = random+":"+m.password, random+":"+password
	case credential.WithoutPassword:
		pair, shown = m.user+":", user+":"
	case credential.WithoutUser:
		pair, shown = ":"+m.password, ":"+password
	case credential.PasswordShorter:
		if err = needsPassword(); err == nil {
			pair, shown = right[:len(right)-1], "${"+v+"%?}"
		}
	case credential.PasswordLonger:
		if err = needsPassword(); err == nil {
			pair, shown = right+"x", "${"+v+"}x"
		}
	case credential.PasswordReplaced:
		if err = needsPassword(); err == nil {
			other := "q"
			if strings.HasSuffix(strings.ToLower(right), "q") {
				other = "k"
			}
			pair, shown = right[:len(right)-1]+other, "${"+v+"%?}"+other
		}
	case credential.PasswordSwapped:
		pair = m.user + ":" + swapped(m.password)
		shown = user + `:$(printf %s "` + password + `" | tr a-zA-Z A-Za-z)`
	default:
		return p, fmt.Errorf("there is no Basic credential %q", words)
	}
	switch {
	case err != nil:
		return p, err
	case pair == right, pair == ":":
		return p, Impossible{"with these secrets it is the right pair, or not a pair"}
	}
	return basic(p, pair, shown), nil
}

// swapped returns a text with the case of its ASCII letters swapped.
func swapped(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		}
		return r
	}, s)
}

// elsewhere returns the right key in a place, or under a name, that no scheme of the operation uses.
func elsewhere(op *spec.Operation, s spec.Security, p Part, words string) (Part, error) {
	if words == credential.KeyRenamed {
		p.Name = "hallmark-" + p.Name
	} else {
		if strings.ContainsFunc(p.Value, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`",;\`, r) }) {
			return p, Impossible{"the key contains a character that not every place can carry"}
		}
		if p.In == InHeader {
			p.In = InQuery
		} else {
			p.In = InHeader
		}
	}
	for _, requirement := range op.Security {
		for _, other := range requirement {
			if other.Name != s.Name && other.Type == "apiKey" && (other.In == p.In || strings.EqualFold(other.Key, p.Name)) {
				return p, Impossible{"another scheme of the operation takes a key there"}
			}
		}
	}
	return p, nil
}
