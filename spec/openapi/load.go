package openapi

import (
	"errors"
	"regexp"

	"hallmark/spec"
	"hallmark/spec/source"
)

// version31 is how a document of OpenAPI 3.1 says that it is one.
var version31 = regexp.MustCompile(`^3\.1\.\d+$`)

// Load reads an OpenAPI 3.1 document, in YAML or JSON. What cannot be judged exactly it refuses, with the line: a
// contract that is half understood would accuse services, or pass them, wrongly.
func Load(data []byte) (c *spec.Contract, err error) {
	defer func() {
		if r := recover(); r != nil {
			c = nil
			var wrong *source.Error
			if e, ok := r.(error); ok && errors.As(e, &wrong) {
				err = wrong
				return
			}
			// A panic of a library: the document is one it was not made for.
			err = source.Errorf(0, "it cannot be read: %v", r)
		}
	}()
	doc, err := source.Parse(data)
	if err != nil {
		return nil, err
	}
	d := reader{doc, map[string]*spec.Schema{}}
	version := d.text("", "openapi")
	switch {
	case version == "":
		fail(0, "it has no field openapi, so it is no OpenAPI document; hallmark reads OpenAPI 3.1")
	case !version31.MatchString(version):
		fail(d.Line("/openapi"), "it is OpenAPI %s; hallmark reads 3.1", version)
	case d.text("/info", "version") == "":
		fail(d.Line("/info"), "it does not say its version (info, version)")
	}
	operations := d.readOperations()
	validators, err := compileAnswers(data, operations)
	if err != nil {
		return nil, err
	}
	return spec.NewContract(doc, spec.Reading{OpenAPI: version, Operations: operations, Validators: validators}), nil
}
