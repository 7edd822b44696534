package openapi

import (
	"encoding/json"
	"errors"
	"log/slog"
	"strconv"
	"strings"

	"github.com/pb33f/libopenapi"
	"github.com/pb33f/libopenapi-validator/config"
	"github.com/pb33f/libopenapi-validator/schema_validation"
	"github.com/pb33f/libopenapi/datamodel"
	"github.com/pb33f/libopenapi/datamodel/high/base"
	v3 "github.com/pb33f/libopenapi/datamodel/high/v3"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"hallmark/spec"
	"hallmark/spec/exactjson"
	"hallmark/spec/source"
)

// compileAnswers compiles the schema of every documented response, each once, however many responses share it.
func compileAnswers(data []byte, operations []spec.Operation) (map[string]*jsonschema.Schema, error) {
	model, err := buildModel(data)
	if err != nil {
		return nil, err
	}
	options := config.NewValidationOptions(
		// Left to itself the validator takes numbers through float64: 2^63 would be an int64. The formats of ours read
		// the digits.
		config.WithFormatAssertions(),
		config.WithCustomFormat("int32", intFormat(32)),
		config.WithCustomFormat("int64", intFormat(64)),
	)
	validators := map[string]*jsonschema.Schema{}
	for _, op := range operations {
		for _, a := range op.Answers {
			root := a.Schema()
			if root == nil || validators[root.Pointer] != nil {
				continue
			}
			schema, err := modelSchema(model, op, a)
			if err != nil {
				return nil, err
			}
			compiled, err := schema_validation.CompileSchemaForValidation(schema,
				schema_validation.SchemaValidationPurposeResponseBody, options, 3.1)
			if err != nil {
				return nil, source.Errorf(0, "the schema %s cannot be compiled: %v", root.Pointer, err)
			}
			if err := sameSchema(root, compiled.CompiledSchema); err != nil {
				return nil, err
			}
			validators[root.Pointer] = compiled.CompiledSchema
		}
	}
	return validators, nil
}

// buildModel hands the document to libopenapi. It may fetch nothing: neither files nor addresses.
func buildModel(data []byte) (*v3.Document, error) {
	document, err := libopenapi.NewDocumentWithConfiguration(data, &datamodel.DocumentConfiguration{
		Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return nil, source.Errorf(0, "it is no OpenAPI document: %v", err)
	}
	model, err := document.BuildV3Model()
	if err != nil {
		return nil, source.Errorf(0, "it is no valid OpenAPI 3.1 document: %v", err)
	}
	return &model.Model, nil
}

// modelSchema returns the schema of a response in libopenapi's model.
func modelSchema(model *v3.Document, op spec.Operation, a spec.Answer) (*base.Schema, error) {
	lost := source.Errorf(0, "the response %d of %s was not found in the model", a.Status, op.ID)
	item, ok := model.Paths.PathItems.Get(op.Path)
	if !ok {
		return nil, lost
	}
	operation, ok := item.GetOperations().Get(strings.ToLower(op.Method))
	if !ok {
		return nil, lost
	}
	answer, ok := operation.Responses.Codes.Get(strconv.Itoa(a.Status))
	if !ok {
		return nil, lost
	}
	media, ok := answer.Content.Get(a.Content[0].Type)
	if !ok || media.Schema == nil {
		return nil, lost
	}
	schema, err := media.Schema.BuildSchema()
	if err != nil || schema == nil {
		return nil, lost
	}
	return schema, nil
}

// errOutside is what the integer formats return; the text of findings is made elsewhere.
var errOutside = errors.New("out of range")

// intFormat asserts a format of integers. A value of another type is none of a format's business.
func intFormat(bits int) func(any) error {
	return func(v any) error {
		if n, ok := v.(json.Number); ok && !exactjson.FitsInt(n, bits) {
			return errOutside
		}
		return nil
	}
}
