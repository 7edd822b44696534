package shop

// Fault is a way to break one rule.
type Fault struct {
	Name string
	// Rule is the id of the derived rule that it breaks.
	Rule string
}

// Faults returns all faults.
func Faults() []Fault {
	return []Fault{
		{"crashes", "listItems.no-server-error"},
		{"status-206", "listItems.success"},
		{"status-200", "createItem.success"},
		{"media-type", "listItems.media-type"},
		{"no-body", "listItems.body"},
		{"cut", "listItems.body"},
		{"wrapped", "listItems.body"},
		{"id-text", "listItems.body"},
		{"id-fraction", "listItems.body"},
		{"name-null", "listItems.body"},
		{"name-left-out", "listItems.body"},
		{"state-unknown", "listItems.body"},
		{"problem-untitled", "createItem.body"},
		{"health-bad", "health.body"},
		{"total-missing", "listItems.headers"},
		{"total-text", "listItems.headers"},
		{"limit-unchecked", "listItems.refused.parameter"},
		{"limit-maximum-unchecked", "listItems.refused.parameter"},
		{"state-unchecked", "listItems.refused.parameter"},
		{"limit-maximum-refused", "listItems.accepted"},
		{"name-longest-refused", "createItem.accepted"},
		{"body-missing-accepted", "createItem.refused.body-missing"},
		{"body-trailing-accepted", "createItem.refused.body-malformed"},
		{"name-missing-accepted", "createItem.refused.property-missing"},
		{"name-long-accepted", "createItem.refused.property"},
		{"price-negative-accepted", "createItem.refused.property"},
		{"state-case-accepted", "createItem.refused.property"},
		{"tag-type-accepted", "createItem.refused.property"},
		{"tags-repeated-accepted", "createItem.refused.property"},
		{"unknown-accepted", "createItem.refused.property-unknown"},
		{"key-ignored", "listItems.credential.missing"},
		{"key-prefix", "listItems.credential.wrong"},
		{"key-case", "listItems.credential.wrong"},
		{"key-longer", "listItems.credential.wrong"},
		{"key-403", "listItems.credential.missing"},
		{"unknown-found", "items-get-one.not-found"},
	}
}

// Advised returns the faults that break a should rule only.
func Advised() []Fault {
	return []Fault{
		{"fault-500", "createItem.robust"},
		{"no-location", "createItem.location"},
	}
}

// Freedoms returns the names of what the contract leaves to the service.
func Freedoms() []string { return []string{"", "extra", "refuses-422"} }

// Unasked reports whether nothing can put a rule to the test in a service without faults.
func Unasked(rule string) bool { return rule == "" }
