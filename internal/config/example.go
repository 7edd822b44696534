package config

import _ "embed"

//go:embed example.yaml
var example string

// Example is a file to begin with: a staging and a production target, with comments.
func Example() string { return example }
