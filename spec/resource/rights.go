package resource

import (
	"slices"
	"strings"

	"hallmark/spec"
)

// powerful are words for those who may do everything, in names of flags and in values of roles.
var powerful = []string{"admin", "administrator", "root", "owner", "superuser", "superadmin", "super", "sudo", "sysadmin"}

// NamesPower reports whether the name of a flag says that it gives the rights of an administrator: "isAdmin", "superuser".
func NamesPower(name string) bool {
	all := words(name)
	if len(all) == 0 {
		return false
	}
	full := strings.TrimPrefix(strings.Join(all, ""), "is")
	return slices.Contains(powerful, full) || strings.HasSuffix(full, "admin") || strings.HasSuffix(full, "superuser") || full == "staff" || full == "privileged"
}

// NamesShared reports whether the name of a flag says that its resource becomes the one that counts for all: "isDefault", "primary",
// "active_for_all".
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

// IsTop reports whether what an operation makes or changes is below no other resource, so that others may stand beside it.
func IsTop(op *spec.Operation) bool {
	slots := SlotsOf(op)
	named := len(slots)
	if named > 0 && slots[named-1].Key == Anonymous(op.Path) {
		named--
	}
	return named == 0
}

// rightful are the words by which names of members end that give rights.
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

// IsPower reports whether a text in such a member stands for the rights of an administrator: "admin", "ROLE_ADMIN", "*".
func IsPower(text string) bool {
	if strings.Contains(text, "*") {
		return true
	}
	return slices.ContainsFunc(words(text), func(word string) bool {
		return slices.Contains(powerful, singular(word)) || strings.HasSuffix(word, "admin") || slices.Contains([]string{"all", "full", "everything"}, word)
	})
}

// secret are the words by which names of members end that hold a secret which the client chooses.
var secret = []string{"password", "passwd", "pwd", "passphrase", "passcode", "secret"}

// HoldsSecret reports whether a member holds a secret that the client chooses, by its name or its format.
func HoldsSecret(name string, schema *spec.Schema) bool {
	if slices.ContainsFunc(parts(schema), func(p *spec.Schema) bool { return p.Format == "password" }) {
		return true
	}
	all := words(name)
	if n := len(all); n > 1 && slices.Contains([]string{"confirmation", "confirm", "repeat", "again"}, all[n-1]) {
		all = all[:n-1]
	}
	return len(all) > 0 && slices.Contains(secret, all[len(all)-1])
}

// At returns the schema at a place below another one, by the names of members and the numbers of items; nil where none is known.
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

// EnumOf returns the values of the enum of a schema, as JSON texts; none where it has none.
func EnumOf(s *spec.Schema) []string {
	for _, part := range parts(s) {
		if part != nil && len(part.Enum) > 0 {
			return part.Enum
		}
	}
	return nil
}
