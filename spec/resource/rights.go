package resource

import (
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// powerful are words for administrators, in names of flags and values of roles.
var powerful = []string{"admin", "administrator", "root", "owner", "superuser", "superadmin", "super", "sudo", "sysadmin"}

// NamesPower reports whether the name of a flag says that it gives administrator rights: "isAdmin", "superuser".
func NamesPower(name string) bool {
	all := words(name)
	if len(all) == 0 {
		return false
	}
	full := strings.TrimPrefix(strings.Join(all, ""), "is")
	return slices.Contains(powerful, full) || strings.HasSuffix(full, "admin") || strings.HasSuffix(full, "superuser") || full == "staff" || full == "privileged"
}

// NamesShared reports whether the name of a flag says that its resource becomes the one that counts for all
// clients: "isDefault", "primary", "active_for_all".
func NamesShared(name string) bool {
	all := words(name)
	for len(all) > 1 && slices.Contains([]string{"is", "as", "make", "set", "use", "mark"}, all[0]) {
		all = all[1:]
	}
	if len(all) == 0 {
		return false
	}
	full := strings.Join(all, " ")
	if slices.Contains([]string{"default", "primary", "current", "global", "isdefault", "isprimary", "everyone", "main", "master"}, full) || strings.HasPrefix(full, "default for ") {
		return true
	}
	return slices.ContainsFunc([]string{" default", "for all", "for everyone", "to all", "for all users"}, func(end string) bool { return strings.HasSuffix(full, end) })
}

// IsTop reports whether what an operation creates or changes has no parent resource, so that others may exist
// beside it.
func IsTop(op *spec.Operation) bool {
	slots := SlotsOf(op)
	named := len(slots)
	if named > 0 && slots[named-1].Key == Anonymous(op.Path) {
		named--
	}
	return named == 0
}

// rightful are the last words of names of members that give rights.
var rightful = []string{"role", "permission", "privilege", "scope", "group", "authority", "right", "grant"}

// NamesRights reports whether the name of a member says that it gives rights: "roles", "user_role", "accessLevel".
func NamesRights(name string) bool {
	all := words(name)
	if n := len(all); n > 1 && slices.Contains([]string{"id", "ids", "name", "names"}, all[n-1]) {
		all = all[:n-1]
	}
	if len(all) == 0 {
		return false
	}
	return slices.Contains(rightful, singular(all[len(all)-1])) ||
		slices.Contains([]string{"accesslevel", "usertype", "accounttype"}, strings.Join(all, ""))
}

// IsPower reports whether a text in such a member gives administrator rights: "admin", "ROLE_ADMIN", "*".
func IsPower(text string) bool {
	if strings.Contains(text, "*") {
		return true
	}
	return slices.ContainsFunc(words(text), func(word string) bool {
		return slices.Contains(powerful, singular(word)) || strings.HasSuffix(word, "admin") || slices.Contains([]string{"all", "full", "everything"}, word)
	})
}

// secretWords are the last words of names of members that hold a secret chosen by the client.
var secretWords = []string{"password", "passwd", "pwd", "passphrase", "passcode", "secret"}

// HoldsSecret reports whether a member holds a secret chosen by the client, by its name or its format.
func HoldsSecret(name string, schema *spec.Schema) bool {
	if slices.ContainsFunc(parts(schema), func(p *spec.Schema) bool { return p.Format == "password" }) {
		return true
	}
	all := words(name)
	if n := len(all); n > 1 && slices.Contains([]string{"confirmation", "confirm", "repeat", "again"}, all[n-1]) {
		all = all[:n-1]
	}
	return len(all) > 0 && slices.Contains(secretWords, all[len(all)-1])
}

// At returns the schema at a path of member names and item numbers within another schema, or nil.
func At(s *spec.Schema, path []string) *spec.Schema {
	for _, name := range path {
		var next *spec.Schema
		all := members(s)
		if i := slices.IndexFunc(all, func(p spec.Property) bool { return p.Name == name }); i >= 0 {
			next = all[i].Schema
		} else {
			for _, part := range parts(s) {
				if part != nil && part.Items != nil {
					next = part.Items.Schema
				}
			}
		}
		if s = next; s == nil {
			return nil
		}
	}
	return s
}

// EnumOf returns the enum of a schema, as JSON texts, or nil.
func EnumOf(s *spec.Schema) []string {
	for _, part := range parts(s) {
		if part != nil && len(part.Enum) > 0 {
			return part.Enum
		}
	}
	return nil
}

// MemberNames returns the names of the members that a schema describes, those of its parts included.
func MemberNames(s *spec.Schema) []string {
	var all []string
	for _, p := range members(s) {
		all = append(all, p.Name)
	}
	return all
}
