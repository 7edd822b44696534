package config

import (
	"bytes"
	"encoding/json"
)

// SchemaName is the name under which "hallmark init" stores the schema beside hallmark.yaml.
const SchemaName = "hallmark.schema.json"

// object is an object of JSON, whose members are written in the order of their names.
type object = map[string]any

const (
	// reference matches a text with ${NAME}, which may expand to anything that is expected.
	reference = `\$\{[A-Za-z_][A-Za-z0-9_]*(:-[^}]*)?\}`
	// lengthOfTime matches what time.ParseDuration accepts, without a sign.
	lengthOfTime = `^([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|ms|s|m|h)(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|ms|s|m|h))*$`
	// dayOrMoment is a date, maybe with a time.
	dayOrMoment = `^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2}))?$`
)

// Schema describes files of this shape to editors, as JSON Schema draft 7, which they support best.
func (s *Shape) Schema() ([]byte, error) {
	properties := object{
		apiKeyKey: described("where the API key is found: in a variable of the environment or in a file, never here", secretPlace()),
		productionKey: object{
			"type":        "boolean",
			"description": "nothing is created there, unless --allow-writes is given on the command line",
		},
		headersKey:        headersSchema(),
		implementationKey: implementationSchema(),
		credentialsKey:    credentialsSchema(),
		rolesKey:          rolesSchema(),
	}
	for _, k := range s.Keys {
		properties[k.Name] = k.schema()
	}
	root := object{
		"$schema":              "http://json-schema.org/draft-07/schema#",
		"title":                "hallmark.yaml",
		"description":          "The targets that hallmark judges.",
		"type":                 "object",
		"additionalProperties": false,
		"properties": object{
			targetKey:   object{"type": "string", "description": "the name of the target that is asked when none is named"},
			defaultsKey: described("what all targets have in common", object{"$ref": "#/definitions/target"}),
			targetsKey: object{
				"type":                 []string{"object", "null"},
				"description":          "the targets by their names",
				"propertyNames":        object{"pattern": `^[^\s,-][^\s,]*$`},
				"additionalProperties": object{"$ref": "#/definitions/target"},
			},
		},
		"definitions": object{
			"target": object{"type": []string{"object", "null"}, "additionalProperties": false, "properties": properties},
		},
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(root); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// described adds a description to a schema. In draft 7 a schema with a reference cannot have other members.
func described(text string, schema object) object {
	return object{"description": text, "allOf": []object{schema}}
}

// schema describes the value of a key.
func (k Key) schema() object {
	one := k.one()
	if k.List {
		one = object{"anyOf": []object{one, {"type": "array", "items": one}}}
	}
	if k.Help != "" {
		one["description"] = k.Help
	}
	if value := k.initial(); value != nil {
		one["default"] = value
	}
	return one
}

// one describes a single value.
func (k Key) one() object {
	variable := object{"type": "string", "pattern": reference}
	switch k.Kind {
	case Number:
		number := object{"type": "integer"}
		for name, text := range map[string]string{"minimum": k.Least, "maximum": k.Most} {
			if text != "" {
				number[name] = json.Number(text)
			}
		}
		if k.Word != "" {
			return object{"anyOf": []object{number, {"const": k.Word}, variable}}
		}
		return object{"anyOf": []object{number, variable}}
	case Decimal:
		return object{"anyOf": []object{{"type": "number"}, variable}}
	case Switch:
		return object{"anyOf": []object{{"type": "boolean"}, variable}}
	case Duration:
		return object{"anyOf": []object{{"type": "string", "pattern": lengthOfTime}, variable}}
	case Date:
		return object{"anyOf": []object{{"type": "string", "pattern": dayOrMoment}, variable}}
	case Choice:
		return object{"anyOf": []object{{"enum": k.Choices}, variable}}
	case Any:
		return object{"type": []string{"string", "number", "boolean"}}
	case Path:
		return object{"type": "string", "minLength": 1}
	case Hook:
		return hookSchema()
	case Text:
	}
	return object{"type": "string"}
}

// initial is the value without the key, as JSON; nil if there is nothing useful to say.
func (k Key) initial() any {
	switch {
	case k.Default == "" || k.List:
		return nil
	case k.Word != "" && k.Default == k.Word:
		return k.Word
	case k.Kind == Number, k.Kind == Decimal:
		return json.Number(k.Default)
	case k.Kind == Switch:
		return k.Default == "true"
	}
	return k.Default
}

// secretPlace describes {env: NAME} or {file: PATH}.
func secretPlace() object {
	return object{
		"type": "object", "additionalProperties": false, "minProperties": 1, "maxProperties": 1,
		"properties": object{"env": envSchema(), "file": fileSchema()},
	}
}

func envSchema() object {
	return object{"type": "string", "pattern": variableName.String(), "description": "the name of a variable of the environment"}
}

func fileSchema() object {
	return object{"type": "string", "minLength": 1, "description": "a file, relative to the folder of hallmark.yaml"}
}

func headersSchema() object {
	var one []object
	for _, name := range []string{"value", "env", "file"} {
		one = append(one, object{"required": []string{name}})
	}
	value := object{
		"type": "object", "additionalProperties": false, "oneOf": one,
		"properties": object{
			"value": object{"type": "string"}, "env": envSchema(), "file": fileSchema(),
			"secret": object{"type": "boolean", "description": "keep the value out of everything that is written; what the environment or a file holds is secret anyway"},
		},
	}
	return object{
		"type": "object", "description": "headers that every request carries, for a gateway in front of the service",
		"propertyNames": object{"pattern": "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"},
		// A text with a variable in it is a secret, which has no default.
		"additionalProperties": object{"anyOf": []object{{"type": "string", "not": object{"pattern": `\$\{[A-Za-z_][A-Za-z0-9_]*:-`}}, value}},
	}
}

func implementationSchema() object {
	properties := object{}
	for _, k := range implementationKeys() {
		types := []string{"string"}
		if k[0] == "version" {
			types = append(types, "number", "boolean")
		}
		properties[k[0]] = object{"type": types, "description": k[1]}
	}
	return object{
		"type": "object", "additionalProperties": false, "properties": properties,
		"description": "what is judged, and who made it; reports say so",
	}
}
