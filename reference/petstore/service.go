package petstore

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
)

const (
	// DefaultBasePath is where the service lives unless [Options] say otherwise.
	DefaultBasePath = "/v1"

	// MaxBody is the largest request body in bytes; longer ones get 413. It has room for the longest name with each of its bytes
	// written as a six-character escape.
	MaxBody = 2 << 20
)

// Options are what a service needs to know. Only Keys has no default.
type Options struct {
	// Keys are the API keys, of which a client needs one. Each is visible ASCII without spaces.
	Keys []string

	// BasePath is the path of the service's address, such as /v1 or /a/b/v1: segments of letters, digits, "-", ".",
	// "_" and "~", the last of them v1. Default: [DefaultBasePath].
	BasePath string

	// Store keeps the animals. Whoever opened it closes it. Default: [NewMemory].
	Store Store

	// Log gets a line for each request and whatever goes wrong. Default: nothing is logged.
	Log *slog.Logger
}

// Service is the petstore. Any number of goroutines may use it.
type Service struct {
	keys     keyring
	basePath string
	store    Store
	log      *slog.Logger
	handler  http.Handler
}

// New makes a service. Its error says which option cannot be used, and why; it never holds a key.
func New(options Options) (*Service, error) {
	keys, err := newKeyring(options.Keys)
	if err != nil {
		return nil, err
	}
	s := &Service{
		keys:     keys,
		basePath: DefaultBasePath,
		store:    options.Store,
		log:      options.Log,
	}
	if options.BasePath != "" {
		s.basePath = options.BasePath
	}
	if err := checkBasePath(s.basePath); err != nil {
		return nil, err
	}
	if s.store == nil {
		s.store = NewMemory()
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	// The limit stands outside of gin: only on the server's own writer does it also close the connection, rather than
	// read on to the body's end.
	s.handler = http.MaxBytesHandler(s.routes(), MaxBody)
	return s, nil
}

// Handler answers the requests, below the base path. It recovers from its own panics; the timeouts are [Serve]'s.
func (s *Service) Handler() http.Handler { return s.handler }

// BasePath returns the path below which the service answers.
func (s *Service) BasePath() string { return s.basePath }

// routes sets gin up: without its redirects, and with our own answers where its own would be plain text.
func (s *Service) routes() http.Handler {
	gin.SetMode(gin.ReleaseMode) // any other mode writes to the standard output
	engine := gin.New()
	engine.RedirectTrailingSlash = false
	engine.HandleMethodNotAllowed = true
	engine.ForwardedByClientIP = false // headers that anyone can send

	engine.Use(s.logAccess, s.recoverPanic, s.announceRemoval, s.authenticate)
	engine.GET(s.petsPath(), s.listPets)
	engine.POST(s.petsPath(), s.createPet)
	engine.GET(s.petPath(), s.getPet)
	engine.NoMethod(func(c *gin.Context) { // gin has set Allow
		fail(c, http.StatusMethodNotAllowed, CodeMethodNotAllowed, "this method is not among those of the address")
	})
	engine.NoRoute(func(c *gin.Context) {
		fail(c, http.StatusNotFound, CodeNotFound, "there is nothing at this address")
	})
	return engine
}

func (s *Service) petsPath() string { return s.basePath + "/pets" }
func (s *Service) petPath() string  { return s.basePath + "/pets/:petId" }

// isBelowBase reports whether path is the base path or lies below it.
func (s *Service) isBelowBase(path string) bool {
	rest, ok := strings.CutPrefix(path, s.basePath)
	return ok && (rest == "" || rest[0] == '/')
}

// checkBasePath refuses what would not be one plain path: a router's wildcard, dots that clients resolve away, escapes.
func checkBasePath(path string) error {
	segments := strings.Split(path, "/")
	if segments[0] != "" || segments[len(segments)-1] != "v1" {
		return fmt.Errorf("the base path %q must begin with a slash and end in the segment v1", path)
	}
	for _, segment := range segments[1:] {
		if segment == "" || segment == "." || segment == ".." {
			return fmt.Errorf("the base path %q has an empty segment or one of dots", path)
		}
		if strings.ContainsFunc(segment, func(r rune) bool { return !isUnreserved(r) }) {
			return errors.New("the base path may hold letters, digits and -._~ between its slashes")
		}
	}
	return nil
}

// isUnreserved is RFC 3986, section 2.3.
func isUnreserved(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-._~", r)
}
