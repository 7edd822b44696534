package record

import (
	"encoding/json"
)

// Version1 maps the present names of members to those in version 1 of a format. Version 1 supported only the Petstore, and named what a
// run created after its animals.
func Version1() map[string]string {
	return map[string]string{"creation": "animal", "created": "animals", "maxCreated": "maxAnimals"}
}

// Upgrade renames members of the record of a run in version 1 and of the objects in it.
func Upgrade(head map[string]json.RawMessage) error {
	names := Version1()
	rename(head, "created", names)
	for _, member := range []string{"options", "proof"} {
		if err := within(head, member, func(object map[string]json.RawMessage) error {
			rename(object, "maxCreated", names)
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// upgradeLine is Upgrade for a journal line.
func upgradeLine(line []byte) ([]byte, error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(line, &object); err != nil {
		return line, err
	}
	rename(object, "creation", Version1())
	if err := within(object, "head", Upgrade); err != nil {
		return line, err
	}
	return json.Marshal(object)
}

// rename gives a member its present name.
func rename(object map[string]json.RawMessage, name string, names map[string]string) {
	former := names[name]
	if value, there := object[former]; there && former != "" {
		delete(object, former)
		object[name] = value
	}
}

// within changes a member that is an object.
func within(object map[string]json.RawMessage, name string, change func(map[string]json.RawMessage) error) error {
	text, there := object[name]
	if !there {
		return nil
	}
	var inner map[string]json.RawMessage
	if err := json.Unmarshal(text, &inner); err != nil || inner == nil {
		return err
	}
	if err := change(inner); err != nil {
		return err
	}
	text, err := json.Marshal(inner)
	object[name] = text
	return err
}
