package config

import (
	"encoding/json"

	"github.com/pb33f/go-yaml"
)

// hooks reads a hook or a list of hooks. Their texts are those of the flag, which says what is wrong with them: a text as it is, anything
// else as JSON.
func (r *reader) hooks(key Key, e entry) (Setting, bool) {
	s, whole := Setting{Line: e.key.Line}, true
	for _, n := range hookNodes(e.value) {
		n = resolved(n)
		text := n.Value
		switch {
		case n.ShortTag() == "!!null" || n.Kind == yaml.ScalarNode && n.ShortTag() != "!!str":
			r.report(n, "%s: expected a command or a request, not %s", key.Name, what(n))
			whole = false
			continue
		case n.Kind != yaml.ScalarNode:
			var tree any
			if err := n.Decode(&tree); err != nil {
				r.report(n, "%s: expected a command or a request", key.Name)
				whole = false
				continue
			}
			data, err := json.Marshal(tree)
			if err != nil {
				r.report(n, "%s: a name among its keys is no text", key.Name)
				whole = false
				continue
			}
			text = string(data)
		}
		if key.Check != nil {
			if err := key.Check(text); err != nil {
				r.report(n, "%s: %v", key.Name, err)
				whole = false
				continue
			}
		}
		s.Texts = append(s.Texts, key.Place(r.folder, text))
	}
	return s, whole
}

// hookNodes returns the hooks of a value. A list of words is one command.
func hookNodes(n *yaml.Node) []*yaml.Node {
	if n.Kind != yaml.SequenceNode {
		return []*yaml.Node{n}
	}
	for _, item := range n.Content {
		if resolved(item).Kind != yaml.ScalarNode {
			return n.Content
		}
	}
	return []*yaml.Node{n}
}

// hookSchema describes a command or a request.
func hookSchema() object {
	word := object{"type": "string", "minLength": 1}
	words := object{"type": "array", "minItems": 1, "items": object{"type": []string{"string", "number", "boolean"}}}
	return object{"anyOf": []object{word, words, {
		"type": "object", "additionalProperties": false,
		"oneOf": []object{{"required": []string{"command"}}, {"required": []string{"path"}}},
		"properties": object{
			"command": described("the command and its arguments, started without a shell", object{"anyOf": []object{word, words}}),
			"shell":   object{"type": "boolean", "description": "have a shell run the command, which is then one text"},
			"folder":  object{"type": "string", "minLength": 1, "description": "where the command runs, relative to the folder of hallmark.yaml"},
			"method":  object{"enum": []string{"GET", "POST", "PUT", "PATCH", "DELETE"}, "default": "POST", "description": "the method of the request"},
			"path":    object{"type": "string", "minLength": 1, "description": "the path of the request to the target, after that of base-url"},
			"headers": object{"type": "object", "additionalProperties": object{"type": "string"}, "description": "headers of the request; ${NAME} is a variable of the environment, kept secret"},
			"body":    object{"description": "the body of the request: a text, or anything else as JSON; ${NAME} is a variable of the environment, kept secret"},
		},
	}}}
}
