package source

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
)

// references returns the targets of the references at a pointer, in the order in which they are followed.
func (d *Document) references(pointer string) ([]string, error) {
	var all []string
	for {
		n, at := d.child(pointer, "$ref")
		if n == nil {
			return all, nil
		}
		var err error
		if pointer, err = d.Target(at, n.Value); err != nil {
			return nil, err
		}
		if slices.Contains(all, pointer) {
			return nil, d.errorf(at, "the reference "+shortened(n.Value)+" refers to itself")
		}
		all = append(all, pointer)
	}
}

// Target returns the pointer that the reference ref at the pointer at refers to. Its error is an *Error.
func (d *Document) Target(at, ref string) (string, error) { return d.target(at, ref, true) }

// target is Target. If through is set, the pointer of the reference may pass through other references.
func (d *Document) target(at, ref string, through bool) (string, error) {
	address, fragment, _ := strings.Cut(ref, "#")
	name, _ := FileOf(at)
	base := ""
	if address != "" {
		if pointer, known := d.ids[address]; known {
			name, base = FileOf(pointer)
		} else {
			name = d.fileName(name, address)
		}
	}
	if d.files[name] == nil {
		why, known := d.unread[name]
		if !known {
			why = "there is no such file"
		}
		return "", d.errorf(at, "the reference "+shortened(ref)+" cannot be followed: "+why)
	}
	prefix := base
	if name != "" {
		prefix = name + "#" + base
	}
	if pointer, ok := d.fragment(name, prefix, fragment); ok {
		return pointer, nil
	}
	if through {
		if pointer, ok := d.through(prefix, fragment); ok {
			return pointer, nil
		}
	}
	return "", d.errorf(at, "the reference "+shortened(ref)+" has no target")
}

// through resolves a JSON Pointer that passes through references, which some tools write.
func (d *Document) through(pointer, fragment string) (string, bool) {
	const mostHops = 50
	if plain, err := url.PathUnescape(fragment); err == nil {
		fragment = plain
	}
	if !strings.HasPrefix(fragment, "/") {
		return "", false
	}
	hops := 0
	for _, token := range jsonpointer.Tokens(fragment) {
		for !d.Exists(jsonpointer.Join(pointer, token)) {
			ref, at := d.child(pointer, "$ref")
			if hops++; ref == nil || hops > mostHops {
				return "", false
			}
			next, err := d.target(at, ref.Value, false)
			if err != nil {
				return "", false
			}
			pointer = next
		}
		pointer = jsonpointer.Join(pointer, token)
	}
	return pointer, true
}

// fragment returns the pointer for a fragment, which is a JSON Pointer or an anchor.
func (d *Document) fragment(name, prefix, fragment string) (string, bool) {
	plain, err := url.PathUnescape(fragment)
	if err != nil {
		plain = fragment
	}
	switch {
	case plain == "":
		return prefix, d.Exists(prefix)
	case plain[0] != '/':
		pointer, ok := d.anchors[name+"#"+plain]
		return pointer, ok
	}
	// Accept pointers that are not encoded correctly. The same node always gets the same pointer.
	for _, written := range []string{plain, fragment} {
		if written == "" || written[0] != '/' {
			continue
		}
		if pointer := jsonpointer.Join(prefix, jsonpointer.Tokens(written)...); d.Exists(pointer) {
			return pointer, true
		}
	}
	return "", false
}

// shortened returns a reference for an error message: a long data: URL would leave no room for the rest.
func shortened(ref string) string {
	const most = 120
	return text.TruncateBytes(ref, most)
}

func (d *Document) errorf(at, what string) error {
	name, _ := FileOf(at)
	return &Error{name, d.Line(at), what}
}

// fileName resolves an address relative to the file from.
func (d *Document) fileName(from, address string) string {
	name := address
	switch {
	case isInline(address), isInline(from) && !isRemote(address):
		return inlineName(from, address)
	case isRemote(address):
	case isRemote(from):
		base, err := url.Parse(from)
		if err != nil {
			break
		}
		if to, err := base.Parse(address); err == nil {
			name = to.String()
		}
	default:
		if plain, err := url.PathUnescape(address); err == nil {
			address = plain
		}
		address = strings.ReplaceAll(address, `\`, "/")
		if name = path.Clean(address); !path.IsAbs(address) {
			name = path.Join(path.Dir(from), address)
		}
	}
	if name == d.own {
		return ""
	}
	return name
}

// isRemote reports whether an address is a URL and not the name of a file.
func isRemote(address string) bool {
	scheme, _, ok := strings.Cut(address, ":")
	return ok && len(scheme) > 1 && !strings.ContainsAny(scheme, "/.\\ ")
}

// isFileURL reports whether an address is a file: URL.
func isFileURL(address string) bool {
	scheme, _, ok := strings.Cut(address, ":")
	return ok && strings.EqualFold(scheme, "file")
}
