package impostor

import (
	"encoding/pem"
	"net/http/httptest"
)

// A Variant is the faithful service, changed in one respect.
type Variant struct {
	// Name identifies the variant: words joined by hyphens, the first of them
	// telling its subject.
	Name string
	// Family is the group it belongs to, one per source file.
	Family string
	// Rule is, in a few words, what the interface asks and this variant does
	// not do. It is empty for a legal variant.
	Rule string
	// Says describes the variant in one sentence.
	Says string
	// Chance marks a defect that shows only now and then, or only when
	// requests overlap: a judge may miss it in one run without being blind.
	Chance bool
	// Now is the date (2006-01-02) on which the service is to be judged, where
	// that matters; empty means today, as long as getPet is in force today.
	Now string
	// TLS marks a service that speaks https with a certificate of its own.
	TLS bool

	changes []change
}

// Legal returns the variants that keep the interface.
func Legal() []Variant {
	return gather(
		family{"ids", legalIDs()},
		family{"stores", legalStores()},
		family{"requests", legalRequests()},
		family{"creating", legalCreating()},
		family{"answers", legalAnswers()},
		family{"transport", legalTransport()},
		family{"removal", legalRemoval()},
	)
}

// Broken returns the variants that do not.
func Broken() []Variant {
	return gather(
		family{"statuses", brokenStatuses()},
		family{"media", brokenMedia()},
		family{"bodies", brokenBodies()},
		family{"pets", brokenPets()},
		family{"errors", brokenErrors()},
		family{"auth", brokenAuth()},
		family{"list", brokenList()},
		family{"checks", brokenChecks()},
		family{"create", brokenCreate()},
		family{"names", brokenNames()},
		family{"ids", brokenIDs()},
		family{"get", brokenGet()},
		family{"time", brokenTime()},
	)
}

type family struct {
	name     string
	variants []Variant
}

func gather(families ...family) []Variant {
	var all []Variant
	for _, f := range families {
		for _, v := range f.variants {
			v.Family = f.name
			all = append(all, v)
		}
	}
	return all
}

// Start runs the variant on a loopback port, guarded by key, and returns its
// address, which ends in v1, and a function that ends it.
func (v Variant) Start(key string) (baseURL string, stop func()) {
	r := v.Launch(key)
	return r.BaseURL, r.Stop
}

// Running is a variant that has been started.
type Running struct {
	// BaseURL ends in the segment v1.
	BaseURL string
	// CA is the certificate to trust, in PEM, when the variant speaks https.
	CA []byte
	// Stop ends the service and waits until nothing of it is left.
	Stop func()
}

// Launch is Start for callers that also need the certificate of a TLS variant.
func (v Variant) Launch(key string) Running { return v.launch(v.service(key)) }

func (v Variant) launch(s *service) Running {
	server := httptest.NewUnstartedServer(s)
	var ca []byte
	if v.TLS {
		server.EnableHTTP2 = true
		server.StartTLS()
		ca = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	} else {
		server.Start()
	}
	quiet := s.begin()
	return Running{
		BaseURL: server.URL + s.prefix,
		CA:      ca,
		Stop: func() {
			server.Close()
			quiet()
		},
	}
}

// service builds the variant without a listener.
func (v Variant) service(key string) *service {
	s := faithful(key)
	for _, apply := range v.changes {
		apply(s)
	}
	return s
}

// legal describes a variant that keeps the interface.
func legal(name, says string, changes ...change) Variant {
	return Variant{Name: name, Says: says, changes: changes}
}

// broken describes a variant that breaks the rule.
func broken(name, rule, says string, changes ...change) Variant {
	return Variant{Name: name, Rule: rule, Says: says, changes: changes}
}

// flaky describes a broken variant whose defect shows only now and then.
func flaky(name, rule, says string, changes ...change) Variant {
	return Variant{Name: name, Rule: rule, Says: says, Chance: true, changes: changes}
}
