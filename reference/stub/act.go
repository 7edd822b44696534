package stub

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/hallmark-kit/hallmark/spec"
)

// act does what the operation is for.
func (s *Service) act(c *gin.Context) {
	at := callOf(c)
	s.mu.Lock()
	defer s.mu.Unlock()
	key, same, again := s.repeatedRequest(c.Request, at)
	if again != nil {
		s.write(c, *again)
		return
	}
	if key != "" && !same {
		s.refuse(c, at.op, problem{status: http.StatusUnprocessableEntity, others: []int{http.StatusConflict, http.StatusBadRequest}, text: "the idempotency key belongs to another request"})
		return
	}
	p := s.perform(c.Request, at)
	if p != nil && p.status == http.StatusNotFound && s.api.traits.gone && s.deleted[c.Request.URL.Path] {
		p = &problem{status: http.StatusGone, others: []int{http.StatusNotFound}, text: p.text}
	}
	if s.turn++; s.api.traits.others && s.turn%5 == 0 {
		s.writeBeside()
	}
	if err := s.store.failed; err != nil { // the response would describe something that is not stored
		s.log.Error("the file cannot be written", "error", err.Error())
		s.store.failed = nil
		c.AbortWithStatus(http.StatusInternalServerError)
		return
	}
	if p != nil {
		s.refuse(c, at.op, *p)
		return
	}
	if key != "" {
		s.replies[key] = kept{string(at.raw), at.reply}
	}
	s.write(c, at.reply)
}

// kept is a response that is repeated when its request is.
type kept struct {
	request string
	reply   reply
}

// repeatedRequest returns the key that marks a request as a possible repetition, whether it is the same request, and the response to
// repeat. key is empty if there is none.
func (s *Service) repeatedRequest(r *http.Request, at *call) (key string, same bool, known *reply) {
	for _, p := range at.op.params {
		if p.In == "header" && strings.Contains(plainName(p.Name), "idempotency") && r.Header.Get(p.Name) != "" {
			key = at.op.ID + "\x00" + r.URL.Path + "\x00" + r.Header.Get("Authorization") + "\x00" + r.Header.Get(p.Name)
		}
	}
	if key == "" {
		return "", true, nil
	}
	before, ok := s.replies[key]
	switch {
	case !ok:
		return key, true, nil
	case before.request != string(at.raw):
		return key, false, nil
	}
	return key, true, &before.reply
}

// write sends a response.
func (s *Service) write(c *gin.Context, r reply) {
	header := c.Writer.Header()
	for name, values := range r.header {
		if header.Get(name) == "" {
			header[http.CanonicalHeaderKey(name)] = values
		}
	}
	s.api.traits.dress(c, &r)
	if r.status == http.StatusNoContent || r.status == http.StatusNotModified || r.contentType == "" {
		if r.status == http.StatusNoContent {
			header.Del(contentLength) // RFC 9110, section 8.6
		}
		c.Status(r.status)
		c.Writer.WriteHeaderNow()
		return
	}
	header.Set("Content-Type", r.contentType)
	if header.Get(contentLength) != "" {
		header.Set(contentLength, strconv.Itoa(len(r.body)))
	}
	c.Status(r.status)
	s.api.traits.send(c.Writer, r.body)
}

// notFound is the refusal of a request whose path names nothing.
func notFound() *problem {
	return &problem{status: http.StatusNotFound, others: []int{http.StatusGone}, text: "there is no such resource"}
}

// perform does what an operation is for, and sets the reply; it returns why it could not.
func (s *Service) perform(r *http.Request, at *call) *problem {
	op := at.op
	if p := s.enter(at); p != nil {
		return p
	}
	if p := disordered(at); p != nil {
		return p
	}
	var own *resource
	if op.ofOne() {
		own = s.namedResource(at)
	}
	switch op.role {
	case list:
		return s.list(r, at)
	case create:
		return s.create(r, at)
	case update:
		return s.updateNamed(at)
	case show, replaceAlone, patchAlone, removeAlone:
		return s.alone(r, at)
	case read, replace, patch, remove:
		if p := conditions(r, at, own); p != nil {
			return p
		}
	case other:
	}
	switch op.role {
	case read:
		if own == nil && !op.missing() && !op.kind.made && !op.kind.put {
			own = s.imagined(at)
		}
		if own == nil {
			return notFound()
		}
		if unchanged(r, at, own) {
			at.reply = reply{status: http.StatusNotModified, header: http.Header{"Etag": {tag(own)}}}
			return nil
		}
		s.answer(at, op.status, own)
	case replace:
		return s.replace(at, own)
	case patch:
		if own == nil {
			return notFound()
		}
		if p := s.patch(at, own); p != nil {
			return p
		}
		s.answer(at, op.status, own)
	case remove:
		if own == nil && s.deleted[r.URL.Path] && s.api.traits.again {
			s.answer(at, op.status, &resource{kind: op.kind, members: usualMembers(s.api, op.kind), at: map[string]string{}})
			return nil
		}
		if own == nil {
			return notFound()
		}
		s.store.remove(own)
		s.deleted[r.URL.Path] = true
		s.answer(at, op.status, own)
	default:
		if op.ofOne() && own == nil && op.kind.known {
			return notFound()
		}
		if s.answerUnknown(at); op.status == http.StatusCreated { // at an address that the document does not have
			s.locate(at, strings.TrimRight(r.URL.EscapedPath(), "/")+"/"+strconv.Itoa(s.turn+1))
		}
	}
	return nil
}

// enter determines the scope of a request, and whether everything that its path names exists.
func (s *Service) enter(at *call) *problem {
	outer := at.op.outer
	for i, o := range outer {
		text := textOf(at.values["path "+o.name])
		if at.values["path "+o.name] == nil {
			text, _ = url.PathUnescape(at.texts[o.name])
		}
		if seedCollection(s.api, s.store, o.kind, at.scope); i < len(outer)-1 || !at.op.ofOne() {
			if !s.exists(o.kind, text, at.scope) && (at.op.missing() || o.kind.made || o.kind.put) {
				return notFound()
			}
		}
		at.scope = append(at.scope, named{o.key, text, o.name})
	}
	if at.op.kind != nil && !at.op.ofOne() {
		seedCollection(s.api, s.store, at.op.kind, at.scope)
	}
	return nil
}

// missing reports whether an operation documents that a name may not exist.
func (op *operation) missing() bool {
	return op.ResponseFor(http.StatusNotFound) != nil || op.ResponseFor(http.StatusGone) != nil
}

// imagined returns a resource with a name that nobody assigned, for an operation whose resources exist under any
// name. It is not stored.
func (s *Service) imagined(at *call) *resource {
	k := at.op.kind
	r := &resource{kind: k, members: usualMembers(s.api, k), at: map[string]string{}}
	for _, n := range at.scope {
		r.at[n.key] = n.text
	}
	if m := s.api.memberAt(k.record, k.id); m != nil {
		setMember(r.members, k.id, s.api.as(m, at.scope[len(at.scope)-1].text))
	}
	return r
}

// exists reports whether the resource that a path names exists.
func (s *Service) exists(k *kind, text string, scope []named) bool {
	if k.anyMayExist() {
		return !k.strict || slices.Contains(namesOf(s.api, k), text) || s.shows(k.name(), text)
	}
	return s.store.find(k, text, scope) != nil
}

// shows reports whether a resource of any kind has a member with a value, or a member that contains the identified
// object.
func (s *Service) shows(name, text string) bool {
	is := func(r *resource) bool {
		value, there := r.members[name]
		if object, isObject := value.(map[string]any); isObject {
			return slices.ContainsFunc(usualIDs, func(id string) bool { value, there := object[id]; return there && textOf(value) == text })
		}
		return there && textOf(value) == text
	}
	for _, t := range s.store.tables {
		if slices.ContainsFunc(t.all, is) {
			return true
		}
	}
	return false
}

// anyMayExist reports whether it is unknown which resources of a kind exist, so that any may.
func (k *kind) anyMayExist() bool {
	return !k.known && !k.made && !k.listed || k.record == nil && !k.made && !k.listed && !k.put
}

// namedResource returns the resource that the path of an operation names; nil for none.
func (s *Service) namedResource(at *call) *resource {
	last := at.scope[len(at.scope)-1]
	found := s.store.find(at.op.kind, last.text, at.scope[:len(at.scope)-1])
	if found == nil && at.op.kind.anyMayExist() && at.op.role != replace && s.exists(at.op.kind, last.text, nil) {
		found = &resource{kind: at.op.kind, members: map[string]any{}, at: map[string]string{}}
		for _, n := range at.scope {
			found.at[n.key] = n.text
		}
		s.store.addResource(found)
	}
	return found
}

// answer makes the reply that shows a resource.
func (s *Service) answer(at *call, status int, own *resource) {
	op, a := at.op, s.api
	answer := op.Operation.ResponseFor(status)
	at.reply = reply{status: status, header: http.Header{}}
	if answer == nil {
		return
	}
	if tagged(answer) {
		at.reply.header.Set("ETag", tag(own))
	}
	addHeaders(a, &at.reply, answer)
	deprecated(&at.reply, op.Operation)
	if status == http.StatusNoContent || status == http.StatusResetContent || status == http.StatusNotModified {
		return
	}
	media := pickMedia(answer)
	if media == nil {
		otherContent(a, &at.reply, answer, "done")
		return
	}
	at.reply.contentType = concrete(media.Type)
	v := op.view
	if answer != op.success {
		e, place := a.recordIn(answer, op.kind)
		v = view{edge: media.Edge, item: e, place: place}
	}
	var body any
	switch {
	case media.Schema == nil:
		body = own.members
	case a.shapes.isScalar(media.Schema):
		body, _ = a.maker.template(media.Edge, media.Examples)
		if id, ok := memberOf(own.members, own.kind.id); ok && op.role == create {
			if as := a.as(media.Schema, id); keepsAnswer(a.contract.Validator(media.Schema), as) {
				body = as
			}
		}
	case v.item.Schema == nil:
		body, _ = a.maker.template(media.Edge, media.Examples)
	default:
		body = a.placed(v, a.present(v.item, own))
	}
	at.reply.body = encode(a.finished(media, body))
}

// pickMedia returns the JSON media type of an answer; nil for none.
func pickMedia(answer *spec.DocumentedResponse) *spec.Media {
	media := answer.JSON()
	if media == nil || !media.IsJSON() && !slices.Contains([]string{"*/*", "*", "application/*"}, bare(media.Type)) {
		return nil
	}
	return media
}

// answerUnknown answers an operation about which only the documented response is known.
func (s *Service) answerUnknown(at *call) {
	op, a := at.op, s.api
	at.reply = reply{status: op.status, header: http.Header{}}
	if op.success == nil {
		return
	}
	deprecated(&at.reply, op.Operation)
	addHeaders(a, &at.reply, op.success)
	media := pickMedia(op.success)
	if op.status == http.StatusNoContent || op.status == http.StatusResetContent {
		return
	}
	if media == nil {
		otherContent(a, &at.reply, op.success, "done")
		return
	}
	at.reply.contentType = concrete(media.Type)
	if len(at.scope) > 0 { // an operation that changes a resource shows it
		last := op.outer[len(op.outer)-1]
		if k := last.kind; k.record != nil && media.Schema != nil {
			if e, place := a.recordIn(op.success, k); sameSchema(e.Schema, k.record) {
				if r := s.store.find(k, at.scope[len(at.scope)-1].text, at.scope[:len(at.scope)-1]); r != nil {
					at.reply.body = encode(a.finished(media, a.placed(view{edge: media.Edge, place: place}, a.present(e, r))))
					return
				}
			}
		}
	}
	body, ok := a.maker.template(media.Edge, media.Examples)
	if media.Schema == nil {
		body, ok = map[string]any{}, true
	}
	if object, isObject := body.(map[string]any); ok && isObject && at.body != nil {
		if sent, plain := at.body.(map[string]any); plain && media.Schema != nil {
			whole := maps.Clone(object)
			for name, m := range a.shapes.membersOf(media.Schema) {
				if value, there := sent[name]; there && !hidden(m) {
					whole[name] = a.shownOf(m, value)
				}
			}
			if keepsAnswer(a.contract.Validator(media.Schema), whole) {
				body = whole
			}
		}
	}
	if !ok {
		body = nil
	}
	at.reply.body = encode(body)
}

// absent reports whether the path of a request names something that does not exist.
func (s *Service) absent(at *call) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := at.scope
	defer func() { at.scope = before }()
	if s.enter(at) != nil {
		return true
	}
	switch at.op.role {
	case read, patch, remove:
		return at.op.missing() && s.namedResource(at) == nil
	case other, create, list, replace, show, replaceAlone, patchAlone, removeAlone, update:
	}
	return false
}

// writeBeside creates a resource of each root kind that clients create, as other clients would.
func (s *Service) writeBeside() {
	for _, f := range s.api.families {
		k := f.kinds[0]
		if !k.made || k.record == nil || strings.Contains(k.collection, "{}") || len(s.store.table(f).all) > 400 {
			continue
		}
		seedResource(s.api, s.store, k, nil, usualMembers(s.api, k), "", true)
	}
}
