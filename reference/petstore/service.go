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
	// DefaultBasePath is the default base path, see [Options].
	DefaultBasePath = "/v1"

	// MaxBody is the maximum size of a request body in bytes; longer ones get 413. It is enough for the longest name with each byte written
	// as a six-character escape.
	MaxBody = 2 << 20
)

// Options configures a service. Only Keys has no default.
type Options struct {
	// Keys are the accepted API keys. Each consists of visible ASCII characters.
	Keys []string

	// BasePath is the path of the service's address, such as /v1 or /a/b/v1: segments of letters, digits, "-", ".",
	// "_" and "~", the last of them v1. Default: [DefaultBasePath].
	BasePath string

	// Store keeps the animals. Its owner must close it. Default: [NewMemory].
	Store Store

	// Log gets a line for each request and each error. Default: nothing is logged.
	Log *slog.Logger
}

// Service is the petstore. It is safe for concurrent use.
type Service struct {
	keys     keyring
	basePath string
	store    Store
	log      *slog.Logger
	handler  http.Handler
}

// New returns a service. Its error says which option is invalid, and why; it never contains a key.
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
	// The limit is outside gin: only with the server's own writer does it also close the connection, instead of reading the rest of the
	// body.
	s.handler = http.MaxBytesHandler(s.routes(), MaxBody)
	return s, nil
}

// Handler serves requests below the base path. It recovers from its own panics; timeouts are up to [Serve].
func (s *Service) Handler() http.Handler { return s.handler }

// BasePath returns the path below which the service responds.
func (s *Service) BasePath() string { return s.basePath }

// routes sets up gin without its redirects, and with Error bodies where gin would send plain text.
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
		fail(c, http.StatusMethodNotAllowed, codeMethodNotAllowed, "this method is not among those of the address")
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

// checkBasePath rejects anything but a plain path: router wildcards, dots that clients resolve, escapes.
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

// isUnreserved implements RFC 3986, section 2.3.
func isUnreserved(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-._~", r)
}
