// Package impostor is a yardstick for a judge of the pet store interface: one
// small service that keeps the interface, and many variants of it.
//
// A legal variant uses a freedom that the interface leaves; a judge that fails
// it is unfair. A broken variant has exactly one defect in an otherwise
// faithful service; a judge that passes it is blind.
//
// The service is written from the interface alone, on net/http and
// encoding/json, and shares no code with the rest of the module, so that an
// error of reasoning made elsewhere is not made here a second time. Only tests
// should import it.
//
//	for _, v := range impostor.Broken() {
//		url, stop := v.Start(key)
//		// ask the judge about url, and expect it to object
//		stop()
//	}
//
// The key should have at least eight characters and contain a letter, or the
// variants that accept nearly right keys have nothing to get wrong. Plain
// animals are of category 1: a few legal variants know no other.
//
// Legal variants may still break what is merely recommended, as headers-few
// does; judge them without strictness.
//
// How it is built: [Variant] carries a list of changes. Each change replaces
// or wraps one of the function fields of the service in server.go, so that a
// variant reads as the difference to the faithful service. change.go holds the
// changes that several variants share; the variants live in legal_*.go and
// broken_*.go by family.
package impostor
