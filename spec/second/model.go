package second

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/dlclark/regexp2"
	"github.com/pb33f/jsonschema/v6"
	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	"github.com/pb33f/libopenapi-validator/config"
	"github.com/pb33f/libopenapi/datamodel"
	v3 "github.com/pb33f/libopenapi/datamodel/high/v3"
)

// model is what libopenapi-validator needs to judge one side of the exchanges of an operation.
type model struct {
	validator validator.Validator
	item      *v3.PathItem
	path      string
	unjudged  string
}

// unjudgedFormat returns a format in the model's document that is not checked, or "".
func (m *model) unjudgedFormat() string { return m.unjudged }

// build makes the model of a reduced document.
func build(text []byte, path string) (*model, error) {
	doc, err := libopenapi.NewDocumentWithConfiguration(text, &datamodel.DocumentConfiguration{
		SkipCircularReferenceCheck: true, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return nil, err
	}
	built, err := doc.BuildV3Model()
	if err != nil {
		return nil, err
	}
	if built == nil || built.Model.Paths == nil || built.Model.Paths.PathItems == nil {
		return nil, errors.New("its model has no paths")
	}
	item := built.Model.Paths.PathItems.GetOrZero(path)
	if item == nil {
		return nil, errors.New("its model lacks the path")
	}
	v := validator.NewValidatorFromV3Model(&built.Model,
		config.WithFormatAssertions(), config.WithoutSecurityValidation(), config.WithContentParameterValidation(), config.WithRegexEngine(compilePattern))
	return &model{v, item, path, unjudgedIn(string(text))}, nil
}

// patternTimeout bounds how long a text is matched against a pattern.
const patternTimeout = time.Second

// pattern is a regular expression of ECMA-262, as JSON Schema requires.
type pattern struct{ *regexp2.Regexp }

// compilePattern is the engine for patterns.
func compilePattern(text string) (jsonschema.Regexp, error) {
	re, err := regexp2.Compile(text, regexp2.ECMAScript)
	if err != nil {
		if re, err = regexp2.Compile(text, regexp2.Unicode); err != nil {
			return nil, fmt.Errorf("the pattern %s cannot be read", text)
		}
	}
	re.MatchTimeout = patternTimeout
	return pattern{re}, nil
}

// MatchString reports whether a text matches. A timeout counts as a match, since nothing was found wrong.
func (p pattern) MatchString(text string) bool {
	ok, err := p.Regexp.MatchString(text)
	return ok || err != nil
}
