package conformance

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// SchemaName is the name of the schema's file in docs/.
const SchemaName = "conformance.schema.json"

//go:embed schema.json
var schemaText []byte

// compiled is computed once, since it never changes.
var compiled = sync.OnceValues(func() (*jsonschema.Schema, error) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemaText))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource(SchemaName, document); err != nil {
		return nil, err
	}
	return compiler.Compile(SchemaName)
})

// breachesTold is the maximum number of schema violations reported.
const breachesTold = 8

// validate checks a document against the schema and reports each violation with its place.
func validate(document any) error {
	schema, err := compiled()
	if err != nil {
		return fmt.Errorf("the schema of hallmark itself is damaged: %w", err)
	}
	invalid, is := errors.AsType[*jsonschema.ValidationError](schema.Validate(document))
	if !is {
		return nil
	}
	var all []error
	for _, leaf := range leaves(invalid) {
		if len(all) == breachesTold {
			break
		}
		place := "the whole"
		if len(leaf.InstanceLocation) > 0 {
			place = strings.Join(leaf.InstanceLocation, ".")
		}
		if said := leaf.BasicOutput().Error; said != nil {
			all = append(all, fmt.Errorf("%s: %s", text.Short(place), text.Short(said.String())))
		}
	}
	if len(all) == 0 {
		all = append(all, errors.New("it does not match the schema"))
	}
	return errors.Join(all...)
}

// leaves returns the violations themselves, without the enclosing ones.
func leaves(e *jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(e.Causes) == 0 {
		return []*jsonschema.ValidationError{e}
	}
	var all []*jsonschema.ValidationError
	for _, cause := range e.Causes {
		all = append(all, leaves(cause)...)
	}
	return all
}
