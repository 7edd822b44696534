package record

import "slices"

// RoleUse is an operation that refused the credentials of the run, and let in those of another role.
type RoleUse struct {
	Operation string `json:"operation"`
	Role      string `json:"role"`
	// Used reports whether the run called the operation as that role from then on. If the run was told which role to be, it does not.
	Used bool `json:"used,omitempty"`
}

// PlusRoleUses adds the roles of another part of a run.
func PlusRoleUses(all, more []RoleUse) []RoleUse {
	all = slices.Clone(all)
	for _, one := range more {
		if !slices.ContainsFunc(all, func(known RoleUse) bool { return known.Operation == one.Operation }) {
			all = append(all, one)
		}
	}
	return all
}
