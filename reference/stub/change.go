package stub

import (
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
)

// sentMembers returns the members that the body of a request sets.
func sentMembers(a *api, at *call) map[string]any {
	object, ok := at.body.(map[string]any)
	if !ok {
		return map[string]any{}
	}
	var s *spec.Schema
	if at.media != nil {
		s = at.media.Schema
	}
	if place := at.op.view.place; len(place) > 0 && at.op.role != list { // the body has the same envelope as the answer
		name := place[len(place)-1]
		if inner, wrapped := object[name].(map[string]any); wrapped && len(object) == 1 {
			object = inner
			if s != nil {
				s = a.shapes.membersOf(s)[name]
			}
		}
	}
	documented, out := a.shapes.membersOf(s), map[string]any{}
	var shown map[string]*spec.Schema
	if at.op.kind != nil {
		shown = a.shapes.membersOf(at.op.kind.record)
	}
	for name, value := range object {
		if !onlyRead(documented[name]) && !onlyRead(shown[name]) {
			out[name] = clone(value)
		}
	}
	return out
}

// onlyRead reports whether a schema is read-only, so that requests do not set its value.
func onlyRead(s *spec.Schema) bool {
	return s != nil && slices.ContainsFunc(certainBases(s), func(p *spec.Schema) bool { return p.ReadOnly })
}

// settableAt reports whether clients set a member of a kind by an operation.
func settableAt(a *api, at *call, path []string) *spec.Schema {
	if at.media == nil || at.media.Schema == nil {
		return nil
	}
	m := a.memberAt(at.media.Schema, path)
	if m == nil || onlyRead(m) || onlyRead(a.memberAt(at.op.kind.record, path)) {
		return nil
	}
	return m
}

// create makes a resource, or several if the body is a list.
func (s *Service) create(r *http.Request, at *call) *problem {
	op := at.op
	sent := sentMembers(s.api, at)
	if p := s.taken(at, sent); p != nil {
		return p
	}
	made, p := s.make(at, sent, "")
	if p != nil {
		return p
	}
	s.answer(at, op.status, made)
	if at.reply.status/100 == 2 {
		location := s.location(r, op, made)
		if s.api.traits.absolute {
			location = "http://" + r.Host + location
		}
		s.locate(at, location)
	}
	return nil
}

// locate sets the Location of what was created, unless the document uses the header for something else.
func (s *Service) locate(at *call, location string) {
	for _, h := range at.op.success.Headers {
		if strings.EqualFold(h.Name, "Location") && h.Content == nil && h.Schema != nil && !keepsAnswer(s.api.contract.Validator(h.Schema), location) {
			if text, ok := headerText(s.api, h); ok {
				location = text
			}
		}
	}
	at.reply.header.Set("Location", location)
}

// make adds a resource with some members; text is the identifier in the path, if there is one.
func (s *Service) make(at *call, members map[string]any, text string) (*resource, *problem) {
	a, k := s.api, at.op.kind
	r := &resource{kind: k, members: members, at: map[string]string{}, made: time.Now()}
	for _, n := range at.scope {
		r.at[n.key] = n.text
	}
	scope := at.scope
	if text != "" {
		if m := a.memberAt(k.record, k.id); m != nil {
			setMember(r.members, k.id, a.as(m, text))
		}
		s.store.addResource(r)
		return r, nil
	}
	chosen, there := memberOf(members, k.id)
	m := settableAt(a, at, k.id)
	if there && m != nil && chosen != nil && textOf(chosen) != "" && choosesNames(a, at, k, m) {
		if s.store.find(k, textOf(chosen), scope) != nil {
			return nil, &problem{status: http.StatusConflict, others: []int{http.StatusUnprocessableEntity, http.StatusBadRequest}, text: "there is one of this name already"}
		}
		r.at[k.key] = textOf(chosen)
		n := s.store.count[k.family]
		s.store.count[k.family]++
		alsoCalled(a, r, n, false)
		s.store.addResource(r)
		return r, nil
	}
	s.name(r, scope)
	s.store.addResource(r)
	return r, nil
}

// choosesNames reports whether clients choose the identifiers of a kind.
func choosesNames(a *api, at *call, k *kind, m *spec.Schema) bool {
	if len(k.id) > 1 {
		return true
	}
	required := slices.ContainsFunc(applicableSchemas(at.media.Schema), func(p *spec.Schema) bool { return slices.Contains(p.Required, k.id[0]) })
	return required && !slices.Contains(a.shapes.typesOf(m), "integer") || required && plainName(k.id[0]) != "id"
}

// name gives a resource an identifier that no other has.
func (s *Service) name(r *resource, scope []named) {
	a, k := s.api, r.kind
	for i := range 1000 {
		n := s.store.count[k.family]
		s.store.count[k.family]++
		value, text, ok := a.identifier(k, n)
		if !ok && i < 10 {
			continue
		}
		if !ok {
			r.at[k.key] = text
			if m := a.memberAt(k.record, k.id); m != nil {
				if made, found := a.maker.template(spec.Edge{Schema: m}, nil); found {
					setMember(r.members, k.id, made)
					r.at[k.key] = textOf(made)
				}
			}
			return
		}
		if s.store.find(k, text, scope) != nil {
			continue
		}
		r.at[k.key] = text
		if len(k.id) > 0 {
			setMember(r.members, k.id, value)
		}
		alsoCalled(a, r, n, false)
		return
	}
}

// location returns the address of a resource: if the document has none, the one that it would have.
func (s *Service) location(r *http.Request, op *operation, made *resource) string {
	k := made.kind
	beside := strings.TrimRight(r.URL.EscapedPath(), "/") + "/" + url.PathEscape(made.at[k.key])
	if !k.known || k.collection == anonymous(op.segments) {
		return beside
	}
	path, key := s.base, ""
	for part := range strings.SplitSeq(strings.TrimPrefix(k.key, "/"), "/") {
		key += "/" + part
		if part == "{}" {
			text, known := made.at[key]
			if !known {
				return beside
			}
			part = url.PathEscape(text)
		}
		path += "/" + part
	}
	return path
}

// replace replaces the resource that a path names.
func (s *Service) replace(at *call, own *resource) *problem {
	op := at.op
	sent := sentMembers(s.api, at)
	if own == nil {
		created := slices.ContainsFunc(op.Responses, func(a spec.DocumentedResponse) bool { return a.Status == http.StatusCreated })
		missing := slices.ContainsFunc(op.Responses, func(a spec.DocumentedResponse) bool { return a.Status == http.StatusNotFound })
		if !created && (missing || op.kind.made) {
			return notFound()
		}
		made, p := s.make(at, sent, at.scope[len(at.scope)-1].text)
		if p != nil {
			return p
		}
		status := op.status
		if created {
			status = http.StatusCreated
		}
		s.answer(at, status, made)
		return nil
	}
	s.overwrite(at, own, sent)
	s.answer(at, op.status, own)
	return nil
}

// overwrite replaces the members of a resource that clients set.
func (s *Service) overwrite(at *call, own *resource, sent map[string]any) {
	a := s.api
	members := map[string]any{}
	for name, value := range own.members {
		if settableAt(a, at, []string{name}) == nil && len(at.op.view.place) == 0 {
			members[name] = value
		}
	}
	maps.Copy(members, sent)
	keepName(own, members)
	s.store.change(own, members)
}

// keepName keeps the identifier, whatever a request says about it.
func keepName(own *resource, members map[string]any) {
	if value, there := memberOf(own.members, own.kind.id); there {
		setMember(members, own.kind.id, value)
	}
}

// patch changes a resource by a merge patch (RFC 7396), or by operations on it (RFC 6902).
func (s *Service) patch(at *call, own *resource) *problem {
	a := s.api
	var members map[string]any
	if operations, ok := at.body.([]any); ok && at.media != nil && at.media.IsPatch() {
		whole, err := jsonPatch(a.present(at.op.view.item, own), operations)
		object, isObject := whole.(map[string]any)
		if err != nil || !isObject {
			return &problem{status: http.StatusUnprocessableEntity, others: []int{http.StatusConflict, http.StatusBadRequest}, text: "the patch cannot be applied"}
		}
		members = object
	} else {
		members, _ = merge(own.members, sentMembers(a, at)).(map[string]any)
	}
	if own.kind.record != nil {
		for name := range own.members {
			if _, there := members[name]; !there && demanded(own.kind.record, name) {
				if m := a.shapes.membersOf(own.kind.record)[name]; m != nil && keepsAnswer(a.contract.Validator(m), nil) {
					members[name] = nil
					continue
				}
				return new(invalid("the member " + name + " cannot be taken away"))
			}
		}
	}
	keepName(own, members)
	s.store.change(own, members)
	return nil
}

// demanded reports whether a representation must have a member.
func demanded(s *spec.Schema, name string) bool {
	return slices.ContainsFunc(certainBases(s), func(p *spec.Schema) bool { return slices.Contains(p.Required, name) })
}

// merge applies a merge patch.
func merge(target, change any) any {
	patch, ok := change.(map[string]any)
	if !ok {
		return change
	}
	object, ok := target.(map[string]any)
	if !ok {
		object = nil
	}
	out := maps.Clone(object)
	if out == nil {
		out = map[string]any{}
	}
	for name, value := range patch {
		if value == nil {
			delete(out, name)
			continue
		}
		out[name] = merge(out[name], value)
	}
	return out
}

// updateNamed changes the resource that the body of a request names.
func (s *Service) updateNamed(at *call) *problem {
	k := at.op.kind
	id, there := memberOf(at.body, k.id)
	if !there {
		return new(invalid("the body does not say what is to be changed"))
	}
	own := s.store.find(k, textOf(id), at.scope)
	if own == nil {
		return notFound()
	}
	if at.op.Method == http.MethodPatch {
		if p := s.patch(at, own); p != nil {
			return p
		}
	} else {
		s.overwrite(at, own, sentMembers(s.api, at))
	}
	s.answer(at, at.op.status, own)
	return nil
}

// alone serves a document that is alone at its path.
func (s *Service) alone(r *http.Request, at *call) *problem {
	op, a := at.op, s.api
	key := r.URL.EscapedPath()
	own, known := s.store.alone[key]
	if !known {
		own = &resource{at: map[string]string{"": key}, members: map[string]any{}, version: 1}
		if e, examples := edgeAlone(a, op); e.Schema != nil {
			if made, ok := a.maker.template(e, examples); ok {
				if object, isObject := made.(map[string]any); isObject {
					own.members = object
				}
			}
		}
		own.kind = aloneKind(key)
	}
	if p := conditions(r, at, own); p != nil {
		return p
	}
	switch op.role {
	case replaceAlone:
		if own == nil {
			own = &resource{at: map[string]string{"": key}, kind: aloneKind(key)}
		}
		own.members, own.bytes = sentMembers(a, at), nil
		if opaque(r.Header.Get("Content-Type")) {
			own.bytes = at.raw
		}
		own.version++
	case patchAlone:
		if own == nil {
			return notFound()
		}
		if p := s.patchAlone(at, own); p != nil {
			return p
		}
	case removeAlone:
		if own == nil {
			return notFound()
		}
		s.answer(at, op.status, own)
		s.store.alone[key] = nil
		s.store.notify(aloneKey+key, nil)
		return nil
	default:
		if own == nil {
			return notFound()
		}
		if unchanged(r, at, own) {
			at.reply = reply{status: http.StatusNotModified, header: http.Header{"Etag": {tag(own)}}}
			return nil
		}
	}
	if op.role != show {
		own.shown = nil
		s.store.alone[key] = own
		s.store.notify(aloneKey+key, own)
	}
	if op.role == show && !objectAlone(a, op) {
		s.answerUnknown(at)
		if own.bytes != nil && opaque(at.reply.contentType) {
			at.reply.body = own.bytes
		}
		return nil
	}
	s.answer(at, op.status, own)
	return nil
}

// opaque reports whether a media type is that of bytes of any kind.
func opaque(media string) bool {
	name, _, err := mime.ParseMediaType(media)
	return err == nil && name == "application/octet-stream"
}

func (s *Service) patchAlone(at *call, own *resource) *problem {
	if operations, ok := at.body.([]any); ok && at.media != nil && at.media.IsPatch() {
		whole, err := jsonPatch(own.members, operations)
		object, isObject := whole.(map[string]any)
		if err != nil || !isObject {
			return &problem{status: http.StatusUnprocessableEntity, others: []int{http.StatusConflict, http.StatusBadRequest}, text: "the patch cannot be applied"}
		}
		own.members = object
	} else {
		own.members, _ = merge(own.members, sentMembers(s.api, at)).(map[string]any)
	}
	own.version++
	return nil
}

// edgeAlone returns the schema of what a path shows.
func edgeAlone(a *api, op *operation) (spec.Edge, []spec.Example) {
	path := anonymous(op.segments)
	for _, o := range a.ops {
		if o.Method == http.MethodGet && anonymous(o.segments) == path && o.success != nil {
			if media := pickMedia(o.success); media != nil {
				return media.Edge, media.Examples
			}
		}
	}
	return spec.Edge{}, nil
}

// objectAlone reports whether an operation shows an object.
func objectAlone(a *api, op *operation) bool {
	if op.success == nil {
		return false
	}
	media := pickMedia(op.success)
	return media != nil && media.Schema != nil && len(a.shapes.membersOf(media.Schema)) > 0
}

// tag returns the entity tag of a resource.
func tag(r *resource) string {
	return `"` + strconv.Itoa(r.seq) + "-" + strconv.Itoa(r.version) + `"`
}

func tagged(answer *spec.DocumentedResponse) bool {
	return slices.ContainsFunc(answer.Headers, func(h spec.Header) bool { return strings.EqualFold(h.Name, "ETag") })
}

// conditions checks the conditional headers of a request, if the operation documents them.
func conditions(r *http.Request, at *call, own *resource) *problem {
	for _, p := range at.op.params {
		if p.In != "header" {
			continue
		}
		match := r.Header.Get(p.Name)
		switch {
		case strings.EqualFold(p.Name, "If-Match") && match != "" && own != nil && !listsTag(match, tag(own)),
			strings.EqualFold(p.Name, "If-Match") && match != "" && own == nil && at.op.role == replace,
			strings.EqualFold(p.Name, "If-None-Match") && at.op.role != read && at.op.role != show && match != "" && own != nil && listsTag(match, tag(own)):
			return &problem{status: http.StatusPreconditionFailed, text: "the resource is not in the state that the request names"}
		}
	}
	if own != nil && at.op.Operation.ResponseFor(http.StatusPreconditionRequired) != nil && at.op.role != read && at.op.role != show &&
		at.op.Operation.ResponseFor(http.StatusPreconditionRequired).Status != 0 && r.Header.Get("If-Match") == "" {
		return &problem{status: http.StatusPreconditionRequired, text: "the request has to say which state it changes"}
	}
	return nil
}

// listsTag reports whether a list of entity tags contains one.
func listsTag(list, tag string) bool {
	for one := range strings.SplitSeq(list, ",") {
		if one = strings.TrimPrefix(strings.TrimSpace(one), "W/"); one == "*" || one == tag {
			return true
		}
	}
	return false
}

// unchanged reports whether a reader has the representation already.
func unchanged(r *http.Request, at *call, own *resource) bool {
	match := r.Header.Get("If-None-Match")
	return match != "" && at.op.success != nil && tagged(at.op.success) && listsTag(match, tag(own))
}
