package impostor

import (
	"fmt"
	"strconv"
	"strings"
)

const (
	ruleRequired = "an animal has id, name and categoryId"
	ruleTypes    = "the fields of an animal have their types"
	ruleEnum     = "a status is available, pending or sold"
	ruleInt64    = "integers are of 64 bits"
)

// brokenPets show animals that are none.
func brokenPets() []Variant {
	var all []Variant
	text := func(v any) string { return strings.Trim(string(style{}.text(v)), `"`) }
	one := func(name, rule, says string, op operation, f func(object) object) {
		all = append(all, broken("pet-"+name, rule, says, editPet(f, op)))
	}
	// status changes the status of an animal that has one.
	status := func(f func(string) any) func(object) object {
		return func(o object) object {
			if s, ok := o.value("status").(string); ok {
				return o.with("status", f(s))
			}
			return o
		}
	}
	one("id-unsigned", ruleInt64, "In lists ids have their sign taken for a 64th bit.", listPets, func(o object) object {
		return o.with("id", raw(strconv.FormatUint(uint64(-o.value("id").(int64)), 10)))
	})
	one("id-object", ruleTypes, "In lists an id is an object with the number in it.", listPets, func(o object) object {
		return o.with("id", object{{"$numberLong", text(o.value("id"))}})
	})
	one("id-listed", ruleTypes, "An animal that is read has a list of one id.", getPet, func(o object) object {
		return o.with("id", array{o.value("id")})
	})
	one("id-boolean", ruleTypes, "An animal that is read has true for its id.", getPet, func(o object) object { return o.with("id", true) })
	one("id-under-other-key", ruleRequired, "In lists the id is called _id.", listPets, func(o object) object { return o.renamed("id", "_id") })
	one("id-huge-exponent", ruleInt64, "Created animals have the id 1e30.", createPet, func(o object) object { return o.with("id", raw("1e30")) })
	one("name-object", ruleTypes, "In lists a name is an object with languages for keys.", listPets, func(o object) object {
		return o.with("name", object{{"en", o.value("name")}})
	})
	one("name-listed", ruleTypes, "Created animals have a list of one name.", createPet, func(o object) object {
		return o.with("name", array{o.value("name")})
	})
	one("name-under-other-key", ruleRequired, "An animal that is read has its name under petName.", getPet, func(o object) object {
		return o.renamed("name", "petName")
	})
	one("category-nested", ruleRequired, "Lists show a category in place of its identifier.", listPets, func(o object) object {
		return o.with("categoryId", object{{"id", o.value("categoryId")}}).renamed("categoryId", "category")
	})
	one("category-snake", ruleRequired, "Created animals have a category_id.", createPet, func(o object) object {
		return o.renamed("categoryId", "category_id")
	})
	one("category-object", ruleTypes, "An animal that is read has an object for its categoryId.", getPet, func(o object) object {
		return o.with("categoryId", object{{"id", o.value("categoryId")}})
	})
	one("category-boolean", ruleTypes, "Created animals have a boolean for their categoryId.", createPet, func(o object) object {
		return o.with("categoryId", true)
	})
	for _, op := range []operation{createPet, getPet, listPets} {
		one("status-upper-on-"+string(op), ruleEnum, "The responses of "+string(op)+" have a status in upper case.", op,
			status(func(s string) any { return strings.ToUpper(s) }))
	}
	one("status-capital", ruleEnum, "In lists a status begins with a capital.", listPets,
		status(func(s string) any { return strings.ToUpper(s[:1]) + s[1:] }))
	one("status-other-word", ruleEnum, "Created animals that are pending show as reserved.", createPet, status(func(s string) any {
		return strings.Replace(s, "pending", "reserved", 1)
	}))
	one("status-object", ruleEnum, "In lists a status is an object.", listPets, status(func(s string) any { return object{{"value", s}} }))
	one("status-padded", ruleEnum, "An animal that is read has a status of fixed width.", getPet,
		status(func(s string) any { return fmt.Sprintf("%-9s", s) }))
	one("status-unknown-for-none", ruleEnum, "Created animals without a status show as unknown.", createPet, func(o object) object {
		if o.has("status") {
			return o
		}
		return o.with("status", "unknown")
	})
	one("status-false-for-none", ruleEnum, "In lists animals without a status show false.", listPets, func(o object) object {
		if o.has("status") {
			return o
		}
		return o.with("status", false)
	})
	all = append(all,
		broken("pet-status-new-by-default", ruleEnum, "An animal that is created without a status is new.", assumeStatus("new")),
		broken("pet-status-of-old-stock", ruleEnum, "Animals from an older catalogue are new or retired.", seeded(12, func(i int) animal {
			return animal{name: fmt.Sprintf("old stock %d", i), category: 1, status: []string{"new", "retired", "available"}[i%3]}
		})),
	)
	return all
}
