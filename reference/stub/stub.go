package stub

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"

	"github.com/hallmark-kit/hallmark/spec"
)

// maxBody is the largest request body in bytes; longer ones get 413.
const maxBody = 8 << 20

// Options configure a service. The zero value is a service in memory that accepts any secret.
type Options struct {
	// Seed chooses among equally good values: the same document and seed make the same service.
	Seed uint64
	// BasePath is the path of the service's address; empty for the root.
	BasePath string
	// Secrets are those of the document's security schemes, by their names: a key, a token, or NAME:PASSWORD. Secret
	// is that of every scheme that has none of its own. If both are empty, any credential in its place is accepted.
	Secrets map[string]string
	Secret  string
	// Freedoms are names of [Freedoms]: what is unusual about the service.
	Freedoms []string
	// Store keeps the resources; nil for memory.
	Store *File
	// Log gets a line for everything that goes wrong; nil is silent.
	Log *slog.Logger
}

// Service is the service of a document. It may be used by any number of goroutines.
type Service struct {
	api     *api
	access  access
	base    string
	log     *slog.Logger
	handler http.Handler

	mu    sync.Mutex // guards store, replies and everything in them
	store *store
	// deleted are the paths of deleted resources, turn counts requests.
	deleted map[string]bool
	turn    int
	// replies are the answers to requests with an idempotency key.
	replies map[string]kept
}

// New returns a service that keeps a contract. Its error says which option cannot be used.
func New(contract *spec.Contract, o Options) (*Service, error) {
	if o.BasePath != "" && !strings.HasPrefix(o.BasePath, "/") {
		return nil, fmt.Errorf("the base path %q does not begin with a slash", o.BasePath)
	}
	t, unknown := traitsOf(o.Freedoms)
	if unknown != "" {
		return nil, fmt.Errorf("there is no freedom %q; there are %s", unknown, strings.Join(freedomNames(), ", "))
	}
	s := &Service{api: newAPI(contract, o.Seed, t), access: access{secrets: o.Secrets, general: o.Secret}, base: strings.TrimRight(o.BasePath, "/"), log: o.Log, replies: map[string]kept{}, deleted: map[string]bool{}}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.store = newStore()
	if o.Store != nil {
		if err := o.Store.load(s.store, s.api); err != nil {
			return nil, err
		}
	}
	gin.SetMode(gin.ReleaseMode) // any other mode writes to the standard output
	engine := gin.New()
	engine.RedirectTrailingSlash = false
	engine.ForwardedByClientIP = false
	// Paths of documents may have forms that gin's router does not support, such as two parameters in a segment.
	engine.NoRoute(s.recoverPanic, s.route, s.authenticate, s.admit, s.act)
	s.handler = http.MaxBytesHandler(engine, maxBody)
	return s, nil
}

// ServeHTTP implements [http.Handler].
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// BasePath returns the path below which the service answers.
func (s *Service) BasePath() string { return s.base }

// call is one request being handled.
type call struct {
	op *operation
	// texts are the values of the path's parameters, still encoded.
	texts map[string]string
	// values are those of all parameters, by place and name ("query limit").
	values map[string]any
	// body is the value of the request's body; media is its documented media type, nil for none.
	body  any
	raw   []byte
	media *spec.Media
	// scope are the path's parameters by the paths up to them, ending with what the operation is about.
	scope []named
	// reply is the response.
	reply reply
}

// named is a value of a path parameter, the path up to it without names ("/shelves/{}"), and the parameter's name.
type named struct{ key, text, name string }

const callKey = "call"

// callOf returns the call that route found.
func callOf(c *gin.Context) *call {
	at, _ := c.MustGet(callKey).(*call)
	return at
}

// recoverPanic turns a panic into a 500.
func (s *Service) recoverPanic(c *gin.Context) {
	defer func() {
		if p := recover(); p != nil {
			if p == http.ErrAbortHandler { //nolint:errorlint,err113 // net/http compares it so
				panic(p) //nolint:forbidigo // who cuts the connection does so on purpose
			}
			s.log.Error("a handler panicked", "panic", fmt.Sprint(p))
			c.AbortWithStatus(http.StatusInternalServerError)
		}
	}()
	c.Next()
}

// route finds the operation of a request.
func (s *Service) route(c *gin.Context) {
	path, below := strings.CutPrefix(c.Request.URL.EscapedPath(), s.base)
	if !below || path != "" && path[0] != '/' {
		s.refuse(c, nil, problem{status: http.StatusNotFound, text: "there is nothing at this address"})
		return
	}
	found, texts, allowed := s.api.router.find(c.Request.Method, path)
	switch {
	case found != nil && found.Method != c.Request.Method && s.api.traits.headless:
		c.Header("Allow", http.MethodGet)
		s.refuse(c, nil, problem{status: http.StatusMethodNotAllowed, text: "this method is not among those of the address"})
	case found != nil:
		c.Set(callKey, &call{op: found, texts: texts})
	case len(allowed) > 0:
		c.Header("Allow", strings.Join(allowed, ", "))
		s.refuse(c, nil, problem{status: http.StatusMethodNotAllowed, text: "this method is not among those of the address"})
	default:
		s.refuse(c, nil, problem{status: http.StatusNotFound, text: "there is nothing at this address"})
	}
}

// access knows the secrets of security schemes.
type access struct {
	secrets map[string]string
	general string
}

// authenticate accepts requests with all credentials of one of the documented alternatives.
func (s *Service) authenticate(c *gin.Context) {
	at := callOf(c)
	op := at.op
	if len(op.Security) == 0 || slices.ContainsFunc(op.Security, func(r spec.Requirement) bool { return s.access.admits(c.Request, r, op.Security) }) {
		return
	}
	if challenge := challenge(op.Security); challenge != "" {
		c.Header("WWW-Authenticate", challenge)
	}
	s.refuse(c, op, problem{status: http.StatusUnauthorized, others: []int{http.StatusForbidden}, text: "the credential is missing or not valid"})
}

// admit holds parameters and body against the document.
func (s *Service) admit(c *gin.Context) {
	at := callOf(c)
	query, _ := url.ParseQuery(c.Request.URL.RawQuery) // what cannot be parsed is not a parameter
	in := sent{c.Request, query, at.texts}
	at.values = map[string]any{}
	for _, p := range at.op.params {
		value, there, wrong := p.parse(in)
		switch {
		case wrong != "" && s.api.traits.lax && at.op.silent():
		case wrong != "" && p.In == "path" && !refusesFaults(at.op.Operation):
			s.refuse(c, at.op, problem{status: http.StatusNotFound, others: []int{http.StatusGone}, text: "there is no such resource"})
			return
		case wrong != "" && strings.EqualFold(p.Name, "If-Match") && at.op.Operation.ResponseFor(http.StatusPreconditionRequired) != nil:
			s.refuse(c, at.op, problem{status: http.StatusPreconditionRequired, text: wrong})
			return
		case wrong != "":
			s.refuse(c, at.op, malformed(wrong))
			return
		}
		if there {
			at.values[p.place] = value
		}
	}
	if s.api.traits.strict && refusesFaults(at.op.Operation) {
		for name := range query {
			if plain, _, _ := strings.Cut(name, "["); !at.op.takes(plain) && name != positionParameter {
				s.refuse(c, at.op, malformed("there is no parameter "+name))
				return
			}
		}
	}
	if s.api.traits.existence && s.absent(at) {
		s.refuse(c, at.op, *notFound())
		return
	}
	if at.op.Body == nil {
		return
	}
	raw, err := io.ReadAll(c.Request.Body)
	if err != nil {
		if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
			s.refuse(c, at.op, problem{status: http.StatusRequestEntityTooLarge, text: "the body is too large"})
			return
		}
		s.refuse(c, at.op, malformed("the body could not be read"))
		return
	}
	at.raw = raw
	if refusal := takeBody(s.api, at, c.GetHeader("Content-Type")); refusal != nil && (!s.api.traits.lax || !at.op.silent()) {
		s.refuse(c, at.op, *refusal)
	}
}

// refuse answers a request that goes wrong, and ends it.
func (s *Service) refuse(c *gin.Context, op *operation, p problem) {
	var r reply
	if op == nil {
		r = refusal(s.api, nil, p)
	} else {
		r = refusal(s.api, op.Operation, p)
	}
	s.write(c, r)
	c.Abort()
}
